// Keeps every page where it was loaded, and what it makes with it: no navigation, no window of its own, no webview, no download.
import { app } from 'electron';
import type { Event, Session } from 'electron';
import { log } from '../crash.ts';

export function confineNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    const deny = (event: Event): void => event.preventDefault();
    contents.on('will-navigate', deny);
    contents.on('will-redirect', deny);
    contents.on('will-attach-webview', deny);
    // Nothing in the app opens a page, so no link of one reaches the person's browser either.
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** Files leave the app through its save dialog, in the database worker: no page saves one by itself. */
export function refuseDownloads(session: Session): void {
  session.on('will-download', (event, item) => {
    event.preventDefault();
    log(`refused the download of “${item.getFilename()}”`);
  });
}
