// Keeps every page where it was loaded: no navigation, no windows opened by pages, no webviews, no downloads.
import { app } from 'electron';
import type { Event, Session, WebContents } from 'electron';
import { log } from '../crash.ts';

export function confineNavigation(): void {
  // Contents inside a page, such as the PDF viewer: without a reference, the listeners are collected while the page lives on.
  const confined = new Set<WebContents>();
  app.on('web-contents-created', (_event, contents) => {
    confined.add(contents);
    contents.once('destroyed', () => confined.delete(contents));
    const deny = (event: Event): void => event.preventDefault();
    contents.on('will-navigate', deny);
    contents.on('will-redirect', deny);
    contents.on('will-attach-webview', deny);
    // The app opens no external pages, so links do not reach the user's browser either.
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** Files leave the app only through its save dialog and the database worker: no page downloads one. */
export function refuseDownloads(session: Session): void {
  session.on('will-download', (event, item) => {
    event.preventDefault();
    log(`refused the download of “${item.getFilename()}”`);
  });
}
