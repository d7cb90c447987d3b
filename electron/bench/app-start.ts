// `--started=FILE`: another instance measures this start of the app. It restores what was open before, writes the times, and quits.
import { renameSync, writeFileSync } from 'node:fs';
import { app } from 'electron';
import type { NativeEngine } from '../native/native-engine.ts';
import type { AppWindow } from '../windows/registry.ts';

/** Times in milliseconds since 1970. */
export interface StartTimes {
  readonly windowAtMs: number;
  readonly rowsAtMs: number;
  readonly firstRow: readonly string[];
  readonly isNative: boolean;
}

interface PageTimes {
  readonly paintedAtMs: number;
  readonly rowsAtMs: number;
  readonly firstRow: readonly string[];
}

/** Runs in the page, which records both moments itself: asking late or seldom does not make them later. */
const PAGE_TIMES = `new Promise((resolve) => {
  const look = () => {
    const rows = document.documentElement.dataset.firstRows;
    const cells = [...document.querySelectorAll('[role=grid] [role=row][data-row="0"] [role=gridcell]')];
    const painted = performance.getEntriesByName('first-contentful-paint')[0];
    if (rows === undefined || cells.length === 0 || !painted) return setTimeout(look, 50);
    resolve({
      paintedAtMs: performance.timeOrigin + painted.startTime,
      rowsAtMs: performance.timeOrigin + Number(rows),
      firstRow: cells.map((cell) => cell.textContent),
    });
  };
  look();
})`;

export function measureThisStart({ browserWindow }: AppWindow, native: NativeEngine, resultFile: string): void {
  const shown = new Promise<number>((resolve) => browserWindow.once('show', () => resolve(Date.now())));
  const look = async (): Promise<StartTimes> => {
    const page = (await browserWindow.webContents.executeJavaScript(PAGE_TIMES)) as PageTimes;
    const { rowsAtMs, firstRow } = page;
    const windowAtMs = Math.max(page.paintedAtMs, await shown);
    return { windowAtMs, rowsAtMs, firstRow, isNative: native.pid !== undefined };
  };
  look().then(
    (times) => {
      const unfinished = `${resultFile}.unfinished`;
      writeFileSync(unfinished, JSON.stringify(times));
      renameSync(unfinished, resultFile);
      app.quit(); // the measuring process waits for this one to exit
    },
    () => app.exit(1),
  );
}
