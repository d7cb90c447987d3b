// What a page asks of its own window: who it is, its ports, title, menu state, more windows, its end.
import { join } from 'node:path';
import { app } from 'electron';
import type { Broker } from '../broker.ts';
import { readJson } from '../json-file.ts';
import { showEnabledCommands } from '../menu.ts';
import { answer, hear, text } from '../security/trusted-ipc.ts';
import { flushed } from '../windows/app-window.ts';
import { currentWindow, windowTitle } from '../windows/registry.ts';

export interface WindowServices {
  readonly broker: Broker;
  readonly recoveredFromCrash: boolean;
  readonly openWindow: () => void;
}

/** `app.getVersion` would tell the version of whatever loaded us when we run unpackaged. */
function ownVersion(): string {
  const manifest = readJson(join(__dirname, '..', '..', 'package.json')) as { readonly version?: string } | null;
  return manifest?.version ?? app.getVersion();
}

export function serveWindows({ broker, recoveredFromCrash, openWindow }: WindowServices): void {
  const appVersion = ownVersion();
  answer('window.info', (window) => ({
    windowId: window.windowId,
    windowTitle: windowTitle(window),
    platform: process.platform,
    appVersion,
    electronVersion: process.versions.electron,
    chromiumVersion: process.versions.chrome,
    recoveredFromCrash,
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
