// The report of this start, for the program that has ordered it: when the window and its first rows were painted, and how its pages are
// confined.
import { readFileSync } from 'node:fs';
import { app } from 'electron';
import type { WebContents } from 'electron';
import type { StartReport } from '#shared/bench/shell.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { replyToParent } from '../parent.ts';
import type { AppWindow } from '../windows/registry.ts';

/** Longer than a start takes on a busy machine. */
const TIMEOUT_MS = 60_000;

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

const WARNING = "document.querySelector('.sandbox-warning p')?.innerText ?? null";

export function reportStart({ browserWindow }: AppWindow, native: NativeEngine): void {
  const contents = browserWindow.webContents;
  const shown = new Promise<number>((resolve) => browserWindow.once('show', () => resolve(Date.now())));
  const look = async (): Promise<StartReport> => {
    const { paintedAtMs, ...rows } = (await contents.executeJavaScript(PAGE_TIMES)) as PageTimes;
    return {
      ...rows,
      windowAtMs: Math.max(paintedAtMs, await shown),
      isNative: native.pid !== undefined,
      warning: (await contents.executeJavaScript(WARNING)) as string | null,
      seccomp: process.platform === 'linux' ? pagesOf().map(seccompOf) : [],
    };
  };
  const fail = (why: string): void => replyToParent({ reply: 'failed', why });
  const late = setTimeout(
    () => void textOf(contents).then((text) => fail(`No rows were painted: ${text}`)),
    TIMEOUT_MS,
  );
  look().then(
    (start) => {
      clearTimeout(late);
      replyToParent({ reply: 'started', start });
    },
    (error: unknown) => fail(String(error)),
  );
}

const textOf = (contents: WebContents): Promise<string> =>
  contents.executeJavaScript('document.body.innerText').then(String, String);

const pagesOf = (): readonly number[] => app.getAppMetrics().flatMap(({ type, pid }) => (type === 'Tab' ? [pid] : []));

/** The seccomp mode of a process: proc(5). */
function seccompOf(pid: number): number {
  return Number(/^Seccomp:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
