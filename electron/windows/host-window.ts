// The hidden window whose page owns the database worker: started, restarted after a crash, settled before the app quits.
import { BrowserWindow } from 'electron';
import type { WebContents } from 'electron';
import { HostTag } from '#shared/host-tags.ts';
import { HOST_PAGE } from '../app-scheme/resolve-path.ts';
import type { Broker } from '../broker.ts';
import { log, logConsoleOf } from '../crash.ts';
import { HOST_MESSAGE } from '../ipc/channels.ts';
import { hearHost } from '../security/trusted-ipc.ts';
import { askAfterCrashes } from './crash-question.ts';
import { pagePreferences } from './page-preferences.ts';
import { createRestartBudget } from './restart-budget.ts';

/**
 * A person may ask for a new worker as often as they like. On the old runtime the page dies of it, and later than it says it is ready
 * when the worker was inside one long call.
 */
const RESTART_MS = 10_000;

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
    // Timers of hidden pages are slowed down otherwise.
    webPreferences: { ...pagePreferences('host-preload'), backgroundThrottling: false },
  });
  const contents = window.webContents;
  const mayRestart = createRestartBudget();
  let settled: (() => void) | null = null;
  let restartAskedAtMs = -Infinity;

  hearHost((senderId, tag) => {
    if (senderId !== contents.id) return;
    if (tag === HostTag.restarting) restartAskedAtMs = Date.now();
    if (tag === HostTag.ready) broker.hostReady(contents);
    if (tag === HostTag.settled) settled?.();
  });
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log(`host gone: ${reason} (${exitCode})`);
    broker.hostGone();
    if (settled) return settled();
    const asked = Date.now() - restartAskedAtMs < RESTART_MS;
    restartAskedAtMs = -Infinity;
    if (asked || mayRestart(Date.now())) contents.reload();
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

async function askWhatNow(contents: WebContents, quit: () => void): Promise<void> {
  const answer = await askAfterCrashes('The database engine stopped several times in a row.', 'Quit');
  if (contents.isDestroyed()) return;
  if (answer === 'again') contents.reload();
  else quit();
}
