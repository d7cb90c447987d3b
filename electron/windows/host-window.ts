// The hidden window whose page owns the database worker: started, restarted after a crash, and closed in order before the app quits.
import { BrowserWindow } from 'electron';
import type { Session, WebContents } from 'electron';
import { HostTag } from '#shared/host-tags.ts';
import { HOST_PAGE } from '../app-scheme/resolve-path.ts';
import type { Broker } from '../broker.ts';
import { log, logConsoleOf } from '../crash.ts';
import { logDropped } from '../dropped.ts';
import { HOST_MESSAGE } from '../ipc/channels.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import { askAfterCrashes } from './crash-question.ts';
import { pagePreferences } from './page-preferences.ts';
import { createRestartBudget } from './restart-budget.ts';

export interface HostWindow {
  /** Asks the worker to checkpoint and close everything; resolves when the worker has done so, or is gone. */
  settle(): Promise<void>;
  destroy(): void;
}

interface HostParts {
  readonly ipc: TrustedIpc;
  readonly pages: Session;
  readonly broker: Broker;
}

export function openHostWindow({ ipc, pages, broker }: HostParts, quit: () => void): HostWindow {
  const window = new BrowserWindow({
    show: false,
    skipTaskbar: true,
    title: 'Sidelite database host',
    // Chromium throttles the timers of hidden pages otherwise.
    webPreferences: { ...pagePreferences('host-preload', pages), backgroundThrottling: false },
  });
  const contents = window.webContents;
  const mayRestart = createRestartBudget();
  let settled: (() => void) | null = null;
  /** True once the page listens; messages sent earlier are lost. */
  let isListening = false;
  const askToSettle = (): void => contents.postMessage(HOST_MESSAGE, { tag: HostTag.settle });
  /**
   * The user may request a new worker any number of times: the next end of the page belongs to that request, whenever it comes. On the old
   * runtime the page dies with its worker, and later than it reports being ready if the worker was inside one long call. On other runtimes
   * this leaves one crash uncounted.
   */
  let endsOnRequest = false;

  ipc.hearHost((senderId, tag) => {
    if (senderId !== contents.id) return logDropped(tag, 'another page than the host sent it');
    if (tag === HostTag.restarting) {
      endsOnRequest = true;
      contents.postMessage(HOST_MESSAGE, { tag: HostTag.restartExpected });
    }
    if (tag === HostTag.ready) {
      isListening = true;
      if (settled) askToSettle();
      else broker.hostReady(contents);
    }
    if (tag === HostTag.settled) settled?.();
  });
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log(`host gone: ${reason} (${exitCode})`);
    broker.hostGone();
    isListening = false;
    if (settled) return settled();
    const isCounted = !endsOnRequest;
    endsOnRequest = false;
    if (!isCounted || mayRestart(Date.now())) contents.reload();
    else void askWhatNow(contents, quit);
  });
  logConsoleOf(contents, 'host');
  void window.loadURL(HOST_PAGE);

  return {
    settle: () =>
      new Promise((resolve) => {
        settled = resolve;
        if (contents.isDestroyed() || contents.isCrashed()) resolve();
        else if (isListening) askToSettle();
        // Otherwise the page is still loading, and is asked when it listens.
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
