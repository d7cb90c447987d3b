// `--smoke`: the packaged app proves that it can open a database and paint its rows, reports that and quits.
import { readFileSync } from 'node:fs';
import { app } from 'electron';
import type { WebContents } from 'electron';
import type { AppWindow } from './windows/registry.ts';

const LIMIT_MS = 60_000;
const POLL_MS = 100;

/** The page sets this on <html> when the first rows of a table are painted. */
const FIRST_ROWS = "document.documentElement.hasAttribute('data-first-rows')";

const WARNING = "document.querySelector('.sandbox-warning p')?.innerText ?? null";

export async function runSmokeTest({ browserWindow }: AppWindow): Promise<void> {
  const started = Date.now();
  let failure = 'no rows were painted';
  while (Date.now() - started < LIMIT_MS) {
    try {
      if ((await browserWindow.webContents.executeJavaScript(FIRST_ROWS)) === true) {
        console.log(`smoke facts ${JSON.stringify(await factsOf(browserWindow.webContents))}`);
        console.log('smoke ok');
        return app.quit(); // quitting is part of the test
      }
      failure = `no rows were painted; the window says: ${String(await browserWindow.webContents.executeJavaScript('document.body.innerText'))}`;
    } catch (error) {
      failure = String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  console.error(`smoke failed after ${LIMIT_MS / 1000} s: ${failure}`);
  app.exit(1);
}

/** Whether pages are sandboxed: as the window reports it, and on Linux as the system does. */
async function factsOf(contents: WebContents): Promise<object> {
  const pages = app.getAppMetrics().filter(({ type }) => type === 'Tab');
  return {
    warning: (await contents.executeJavaScript(WARNING)) as unknown,
    seccomp: process.platform === 'linux' ? pages.map(({ pid }) => seccompOf(pid)) : [],
  };
}

/** The seccomp mode of a process: proc(5). */
function seccompOf(pid: number): number {
  return Number(/^Seccomp:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
