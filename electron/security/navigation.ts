// Keeps every page where it was loaded: no navigation, no windows opened by pages, no webviews, no downloads, no network.
import { app } from 'electron';
import type { Event, Session, WebContents } from 'electron';
import { APP_SCHEME } from '../app-scheme/resolve-path.ts';
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
    // Looking for a way through a network would tell another computer of this one; the content policy has no say in it.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** The app's own files, what a page has in memory, and the tools for developers. */
const SERVED = [`${APP_SCHEME}:`, 'blob:', 'data:', 'devtools:'];

/** No page uses a network, whatever it has come to run: its content policy says the same, and this does not depend on it. */
export function refuseNetwork(session: Session): void {
  // Sources that change while the app runs are told of by `npm run dev`.
  const served = app.isPackaged ? SERVED : [...SERVED, 'ws://127.0.0.1:'];
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const cancel = !served.some((start) => url.startsWith(start));
    if (cancel) log(`refused a request of a page for “${url.slice(0, 200)}”`);
    answer({ cancel });
  });
}

/**
 * Chromium finds no name and connects to no address. Filters and content policies do not see what comes before a request, such as looking up
 * the name of a resource hint, and not what is none, such as WebRTC over TCP. The processes of engines, which connect to servers, are Node’s.
 * Call before the app is ready.
 */
export function refuseAddresses(): void {
  // Sources that change while the app runs are told of by `npm run dev`.
  const served = app.isPackaged ? '' : ', EXCLUDE 127.0.0.1';
  app.commandLine.appendSwitch('host-resolver-rules', `MAP * ~NOTFOUND${served}`);
}

/** Files leave the app only through its save dialog and the database worker: no page downloads one. */
export function refuseDownloads(session: Session): void {
  session.on('will-download', (event, item) => {
    event.preventDefault();
    log(`refused the download of “${item.getFilename()}”`);
  });
}
