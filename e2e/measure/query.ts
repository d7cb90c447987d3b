// A SELECT of a million rows in an SQL tab: when its first rows are there, when all are, and whether frames were held up.
import type { Page } from '@playwright/test';
import { expectPainted, takeFrames, takeMoments } from './in-page.ts';
import { memoryOf, quietMoment } from './machine.ts';
import type { Report } from './report.ts';
import { withBigTable } from './apps.ts';

const ROWS = 1_000_000;
const RUNS = 5;

export async function measureQuery(report: Report): Promise<void> {
  await withBigTable(ROWS, async ({ app, view, page }) => {
    await view.writeSql('SELECT * FROM big;');
    const runs: { first: number; all: number; frames: number[] }[] = [];
    for (let run = 0; run < RUNS; run++) {
      await quietMoment();
      runs.push(await timedRun(page));
    }
    const all = <T>(of: (run: (typeof runs)[number]) => T) => runs.map(of);
    report.add(
      'SELECT of 1,000,000 rows: first rows',
      'ms',
      all((run) => run.first),
    );
    report.add(
      'SELECT of 1,000,000 rows: all rows',
      'ms',
      all((run) => run.all),
    );
    report.add('SELECT of 1,000,000 rows: frame', 'ms', all((run) => run.frames).flat());
    const { host, window } = await memoryOf(app);
    report.add('SELECT of 1,000,000 rows: memory of host', 'MB', [host]);
    report.add('SELECT of 1,000,000 rows: memory of window', 'MB', [window]);
  });
}

async function timedRun(page: Page): Promise<{ first: number; all: number; frames: number[] }> {
  await page.evaluate(takeFrames);
  await page.evaluate(expectPainted, { key: 'F5', text: 'row number 1' });
  await page.keyboard.press('F5');
  const { pressed, painted } = await page.evaluate(takeMoments);
  const ended = await page.evaluate(whenNotRunning);
  return { first: painted - pressed, all: ended - pressed, frames: await page.evaluate(takeFrames) };
}

/** Time when the Run button can be pressed again; the Stop button comes and goes a little later. */
async function whenNotRunning(): Promise<number> {
  const run = document.querySelector<HTMLButtonElement>('[role=toolbar][aria-label=Query] button')!;
  while (run.disabled) await new Promise(requestAnimationFrame);
  return performance.timeOrigin + performance.now();
}
