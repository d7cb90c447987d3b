// What a page asks of its own window: who it is, its ports, title, menu state, more windows, its end.
import { app } from 'electron';
import type { Broker } from '../broker.ts';
import { showEnabledCommands } from '../menu.ts';
import { whyNoSandbox } from '../security/sandbox.ts';
import { answer, hear, text } from '../security/trusted-ipc.ts';
import { flushed } from '../windows/app-window.ts';
import { currentWindow, windowTitle } from '../windows/registry.ts';

export interface WindowServices {
  readonly broker: Broker;
  readonly recoveredFromCrash: boolean;
  readonly openWindow: () => void;
}

export function serveWindows({ broker, recoveredFromCrash, openWindow }: WindowServices): void {
  answer('window.info', (window) => ({
    windowId: window.windowId,
    windowTitle: windowTitle(window),
    platform: process.platform,
    appVersion: app.getVersion(),
    electronVersion: process.versions.electron,
    chromiumVersion: process.versions.chrome,
    recoveredFromCrash,
    noSandbox: whyNoSandbox(),
  }));
  hear('window.connect', (window) => broker.connect(window));
  hear('window.flushed', (window) => flushed(window));
  hear('window.setTitle', ({ browserWindow }, title) => browserWindow.setTitle(text(title)));
  hear('window.new', () => openWindow());
  hear('window.close', ({ browserWindow }) => browserWindow.close());
  hear('menu.enable', (window, commandIds) => {
    if (!Array.isArray(commandIds)) return;
    window.enabledCommands = new Set(commandIds.map(text));
    if (currentWindow() === window) showEnabledCommands(window);
  });
  app.on('browser-window-focus', () => showEnabledCommands(currentWindow()));
}
