// `--smoke`: the packaged app proves that it can open a database and paint its rows, says so and ends.
import { app } from 'electron';
import type { AppWindow } from './windows/registry.ts';

const LIMIT_MS = 60_000;
const POLL_MS = 100;

/** The page sets this on <html> when the first rows of a table are painted. */
const FIRST_ROWS = "document.documentElement.hasAttribute('data-first-rows')";

export async function runSmokeTest({ browserWindow }: AppWindow): Promise<void> {
  const started = Date.now();
  let failure = 'no rows were painted';
  while (Date.now() - started < LIMIT_MS) {
    try {
      if ((await browserWindow.webContents.executeJavaScript(FIRST_ROWS)) === true) {
        console.log('smoke ok');
        return app.quit(); // which is to work as well
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
