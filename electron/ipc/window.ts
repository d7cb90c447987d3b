// Requests of a page about its own window: its identity, ports, title, size, new windows, closing.
import { app } from 'electron';
import * as v from 'valibot';
import type { Broker } from '../broker.ts';
import { whyNoSandbox } from '../security/sandbox.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import { messageDone, sendMessagesAgain, tellSize, windowTitle } from '../windows/registry.ts';
import type { AppWindow } from '../windows/registry.ts';

const DONE = v.object({ id: v.number(), reply: v.optional(v.unknown()) });

interface WindowServices {
  readonly broker: Broker;
  readonly openWindow: () => void;
  /** A window's page was loaded (again): its former ports and state are gone. */
  readonly loaded: (window: AppWindow) => void;
}

export function serveWindows({ answer }: TrustedIpc, { broker, openWindow, loaded }: WindowServices): void {
  answer('window.info', (window) => ({
    windowId: window.windowId,
    windowTitle: windowTitle(window),
    platform: process.platform,
    appVersion: app.getVersion(),
    electronVersion: process.versions.electron,
    chromiumVersion: process.versions.chrome,
    crashes: window.crashes,
    noSandbox: whyNoSandbox(),
  }));
  answer('outbox.begin', (window) => {
    loaded(window);
    sendMessagesAgain(window);
  });
  answer('outbox.done', (window, done) => {
    const { id, reply } = v.parse(DONE, done);
    // Done after this request is answered: code that awaits the message may destroy the window that sent it.
    setImmediate(messageDone, window, id, reply);
  });
  answer('window.connect', (window) => broker.connect(window));
  answer('window.setTitle', ({ browserWindow }, title) => browserWindow.setTitle(text(title)));
  answer('window.new', () => {
    openWindow(); // what it returns is no message
  });
  answer('window.close', ({ browserWindow }) => browserWindow.close());
  answer('window.minimize', ({ browserWindow }) => browserWindow.minimize());
  answer('window.maximize', ({ browserWindow }) => {
    if (browserWindow.isFullScreen()) browserWindow.setFullScreen(false);
    else if (browserWindow.isMaximized()) browserWindow.unmaximize();
    else browserWindow.maximize();
  });
  answer('window.followSize', (window) => tellSize(window));
}
