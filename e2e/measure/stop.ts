// Measures from the click on Stop to the moment the window may run something else, for everything that takes long.
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';
import { withBigTable } from './apps.ts';
import type { TableWindow } from './apps.ts';

const ROWS = 3_000_000;
const RUNS = 7;
const TRIES = 4 * RUNS;
const LONG = { timeout: 120_000 };
/** Range in which Stop is pressed: anywhere in the work. */
const [EARLIEST_MS, LATEST_MS] = [300, 1200] as const;

const STATEMENTS: readonly (readonly [what: string, sql: string])[] = [
  ['scan', "SELECT count(*) FROM big a WHERE name || id LIKE '%9%8%7%6%5%4%' AND length(hex(randomblob(200))) > 0"],
  ['join', 'SELECT count(*) FROM big a, big b WHERE a.id + b.id < 0'],
  ['sort', 'SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY random()) AS n FROM big)'],
  ['GROUP BY', 'SELECT name || random() AS n, count(*) FROM big GROUP BY n'],
  ['SELECT of all rows', 'SELECT * FROM big a, big b'],
  ['UPDATE of all rows', "UPDATE big SET name = name || 'x'"],
  ['DELETE of all rows', 'DELETE FROM big'],
  ['CREATE INDEX', 'CREATE INDEX big_name ON big (name)'],
  ['VACUUM', 'VACUUM'],
  ['recursive query', 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c'],
];
/** One call of SQLite that never asks whether to continue. */
const DEAF = "SELECT instr(hex(zeroblob(2000000)), hex(zeroblob(1000000)) || '1')";

export async function measureStop(report: Report): Promise<void> {
  await withBigTable(ROWS, async (table) => {
    for (const [what, sql] of STATEMENTS) {
      const { stopped, ended } = await stopSeveral(table, sql);
      report.add(`stop: ${what}`, 'ms', stopped);
      if (ended > 0) report.note(`stop: ${what} ended by itself ${ended} times before Stop was pressed`);
    }
    await measureJobs(report, table);
    await measureRestart(report, table);
  });
}

async function stopSeveral({ view, page }: TableWindow, sql: string): Promise<{ stopped: number[]; ended: number }> {
  const stopped: number[] = [];
  let ended = 0;
  await view.writeSql(sql);
  // Asked before a change that is too large to be undone.
  const always = view.dialog.getByRole('button', { name: 'Always in this tab' });
  await page.addLocatorHandler(always, (button) => button.click());
  for (let attempt = 0; attempt < TRIES && stopped.length < RUNS; attempt++) {
    await quietMoment();
    await view.editor.focus(); // the button that was clicked is gone, and the focus with it
    await page.evaluate(watchStop);
    await page.keyboard.press('F5');
    await pause(EARLIEST_MS + (LATEST_MS - EARLIEST_MS) * ((attempt * 0.618) % 1));
    const clicked = await page
      .getByRole('toolbar', { name: 'Query' })
      .getByRole('button', { name: 'Stop' })
      .click({ timeout: 1000 })
      .then(
        () => true,
        () => false,
      );
    const ms = await page.evaluate(whenStopped);
    if (clicked && ms !== null) stopped.push(ms);
    else ended++;
  }
  await page.removeLocatorHandler(always);
  return { stopped, ended };
}

/** Cards of jobs: they are gone once the work has ended. */
async function measureJobs(report: Report, { app, view, page }: TableWindow): Promise<void> {
  await app.answerSaveDialog(join(app.folder, 'exported.db'));
  for (const [what, start, card] of [
    ['integrity check', () => view.command('Check Integrity'), 'Checking big'],
    ['backup', () => view.backUp(), 'Backing up big'],
  ] as const) {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      await quietMoment();
      await start();
      const job = page.getByRole('region', { name: card });
      const cancel = job.getByRole('button', { name: 'Cancel' });
      const isThere = await cancel.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false, // done before it was worth a card
      );
      const ms = isThere ? await timedClick(page, job) : null;
      if (ms !== null) times.push(ms);
    }
    report.add(`stop: ${what}`, 'ms', times);
  }
}

/** Null when the job ended before it was pressed. */
async function timedClick(page: Page, job: Locator): Promise<number | null> {
  await page.evaluate(() => {
    window.jobEnded = new Promise((resolve) => {
      let pressed = 0;
      window.addEventListener('click', () => (pressed = performance.now()), { capture: true, once: true });
      const observer = new MutationObserver(() => {
        if (document.querySelector('.job-card')) return;
        observer.disconnect();
        resolve(pressed && performance.now() - pressed);
      });
      observer.observe(document.body, { subtree: true, childList: true });
    });
  });
  const clicked = await job
    .getByRole('button', { name: 'Cancel' })
    .click({ timeout: 1000 })
    .then(
      () => true,
      () => false,
    );
  const ms = await page.evaluate(() => window.jobEnded);
  return clicked && ms > 0 ? ms : null;
}

/** Measures the time until the way out is offered, and until the window works again once it was taken. */
async function measureRestart(report: Report, { view, page }: TableWindow): Promise<void> {
  const [offered, back]: [number[], number[]] = [[], []];
  await view.writeSql(`${DEAF};`);
  for (let run = 0; run < RUNS; run++) {
    await view.connected();
    await view.editor.focus();
    await page.keyboard.press('F5');
    const stop = page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'Stop' });
    await stop.click();
    const clicked = performance.now();
    const restart = view.status.getByRole('button', { name: 'Restart engine…' });
    await restart.waitFor(LONG);
    offered.push(performance.now() - clicked);
    await restart.click();
    await view.dialog.getByRole('button', { name: 'Restart' }).click();
    const agreed = performance.now();
    const notice = view.messages.getByText('was restarted');
    await notice.waitFor(LONG);
    back.push(performance.now() - agreed);
    await view.messages.getByRole('button').first().click();
    await notice.waitFor({ ...LONG, state: 'detached' });
  }
  report.add('stop: one call that does not react, until a restart is offered', 'ms', offered);
  report.add('stop: restart, until the window works again', 'ms', back);
}

declare global {
  interface Window {
    /** Milliseconds from the click to the end; null when it ended before. */
    stopEnded: Promise<number | null>;
    jobEnded: Promise<number>;
  }
}

/** Records, from now on, the next run, the click on Stop, and the end of the run. */
function watchStop(): void {
  let pressed: number | null = null;
  let hasBegun = false;
  const isRunning = (): boolean =>
    document.querySelector<HTMLButtonElement>('[role=toolbar][aria-label=Query] button')!.disabled;
  const onClick = (event: MouseEvent): void => {
    if ((event.target as Element).closest('button')?.textContent?.includes('Stop')) pressed = performance.now();
  };
  window.addEventListener('click', onClick, true);
  window.stopEnded = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      hasBegun ||= isRunning();
      if (!hasBegun || isRunning()) return;
      observer.disconnect();
      window.removeEventListener('click', onClick, true);
      resolve(pressed === null ? null : performance.now() - pressed);
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}

const whenStopped = (): Promise<number | null> => window.stopEnded;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
