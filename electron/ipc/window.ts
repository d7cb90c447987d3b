// Requests of a page about its own window: its identity, ports, title, menu state, new windows, closing.
import { app } from 'electron';
import * as v from 'valibot';
import type { Broker } from '../broker.ts';
import type { Lifetime } from '../lifetime.ts';
import { showEnabledCommands } from '../menu.ts';
import { whyNoSandbox } from '../security/sandbox.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import { messageDone, sendMessagesAgain, windowTitle } from '../windows/registry.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';

const DONE = v.object({ id: v.number(), reply: v.optional(v.unknown()) });

export interface WindowServices {
  readonly windows: AppWindows;
  readonly lifetime: Lifetime;
  readonly broker: Broker;
  readonly openWindow: () => void;
  /** A window's page was loaded (again): its former ports and state are gone. */
  readonly loaded: (window: AppWindow) => void;
}

export function serveWindows(
  { answer }: TrustedIpc,
  { windows, lifetime, broker, openWindow, loaded }: WindowServices,
): void {
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
    return null;
  });
  answer('outbox.done', (window, done) => {
    const { id, reply } = v.parse(DONE, done);
    // Done after this request is answered: code that awaits the message may destroy the window that sent it.
    setImmediate(messageDone, window, id, reply);
    return null;
  });
  answer('window.connect', (window) => {
    broker.connect(window);
    return null;
  });
  answer('window.setTitle', ({ browserWindow }, title) => {
    browserWindow.setTitle(text(title));
    return null;
  });
  answer('window.new', () => {
    openWindow();
    return null;
  });
  answer('window.close', ({ browserWindow }) => {
    browserWindow.close();
    return null;
  });
  answer('menu.enable', (window, commandIds) => {
    if (!Array.isArray(commandIds)) return null;
    window.enabledCommands = new Set(commandIds.map(text));
    if (windows.current === window) showEnabledCommands(window);
    return null;
  });
  lifetime.on(app, 'browser-window-focus', () => showEnabledCommands(windows.current));
}
