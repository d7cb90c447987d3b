// The hidden window whose page owns the database worker: started, restarted after a crash, settled before the app quits.
import { join } from 'node:path';
import { BrowserWindow, dialog } from 'electron';
import { HostTag } from '#shared/host-tags.ts';
import { HOST_PAGE } from '../app-scheme/resolve-path.ts';
import type { Broker } from '../broker.ts';
import { log, logConsoleOf } from '../crash.ts';
import { HOST_MESSAGE } from '../ipc/channels.ts';
import { hearHost } from '../security/trusted-ipc.ts';
import { createRestartBudget } from './restart-budget.ts';

export interface HostWindow {
  /** Asks the worker to checkpoint and close everything; resolves when it did, or is gone. */
  settle(): Promise<void>;
  destroy(): void;
}

export function openHostWindow(broker: Broker, quit: () => void): HostWindow {
  const window = new BrowserWindow({
    show: false,
    skipTaskbar: true,
    title: 'Sidelite database host',
    webPreferences: {
      preload: join(__dirname, 'host-preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      // Timers of hidden pages are slowed down otherwise.
      backgroundThrottling: false,
    },
  });
  const contents = window.webContents;
  const mayRestart = createRestartBudget();
  let settled: (() => void) | null = null;

  hearHost((senderId, tag) => {
    if (senderId !== contents.id) return;
    if (tag === HostTag.ready) broker.hostReady(contents);
    if (tag === HostTag.settled) settled?.();
  });
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log(`host gone: ${reason} (${exitCode})`);
    broker.hostGone();
    if (settled) return settled();
    if (mayRestart(Date.now())) contents.reload();
    else void askWhatNow(contents, quit);
  });
  logConsoleOf(contents, 'host');
  void window.loadURL(HOST_PAGE);

  return {
    settle: () =>
      new Promise((resolve) => {
        settled = resolve;
        if (contents.isDestroyed() || contents.isCrashed()) resolve();
        else contents.postMessage(HOST_MESSAGE, { tag: HostTag.settle });
      }),
    destroy: () => window.destroy(),
  };
}

async function askWhatNow(contents: Electron.WebContents, quit: () => void): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'The database engine stopped several times in a row.',
    detail: 'What was committed is safe in your library. Try again, or quit and start Sidelite anew.',
    buttons: ['Try Again', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 0) contents.reload();
  else quit();
}
