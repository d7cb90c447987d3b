// Undo on the screen, the History tab with many steps, and a step of many rows.
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { HistoryPage } from '../pages/history-page.ts';
import { joinWire } from '../support/wire-in-page.ts';
import { keyToPainted, takeFrames, timeUntil } from './in-page.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';
import { withBigTable } from './apps.ts';
import type { TableWindow } from './apps.ts';

const ROWS = 200_000;
const EDITS = 20;
const OPENINGS = 20;
const STEPS = 2000;
const ROWS_OF_STEP = 100_000;
const JUMPS = 20;
const PATIENT = { timeout: 120_000 };

export async function measureHistory(report: Report): Promise<void> {
  await withBigTable(ROWS, async (table) => {
    await joinWire(table.page);
    await table.grid.click(0, 'name');
    await quietMoment();
    const { undone, redone } = await undoSeveral(table);
    report.add('undo: Ctrl+Z to value on screen', 'ms', undone);
    report.add('undo: Ctrl+Shift+Z to value on screen', 'ms', redone);

    await table.page.evaluate(runOften, {
      sql: "UPDATE big SET name = 'step ' || random() WHERE id = 1",
      times: STEPS,
    });
    await quietMoment();
    report.add(`history: opened with ${STEPS} steps`, 'ms', await openSeveral(table));

    await table.page.evaluate(runOften, {
      sql: `UPDATE big SET name = name || '!' WHERE id <= ${ROWS_OF_STEP}`,
      times: 1,
    });
    await quietMoment();
    await measureRows(report, table.page);
  });
}

async function undoSeveral({ page, grid }: TableWindow): Promise<{ undone: number[]; redone: number[] }> {
  const times = { undone: [] as number[], redone: [] as number[] };
  for (let index = 0; index < EDITS; index++) {
    const row = index % 10;
    const [before, after] = [await grid.cell(row, 'name').textContent(), `edited ${index}`];
    await grid.edit(row, 'name', after);
    await expect(grid.cell(row, 'name')).toHaveText(after);
    times.undone.push(await keyToPainted(page, 'Control+z', before!));
    await expect(grid.cell(row, 'name')).toHaveText(before!);
    times.redone.push(await keyToPainted(page, 'Control+Shift+Z', after));
    await expect(grid.cell(row, 'name')).toHaveText(after);
  }
  return times;
}

/** Runs in the page. */
async function runOften({ sql, times }: { readonly sql: string; readonly times: number }): Promise<void> {
  const [entry] = (await window.ask('library.list', {})) as { id: string }[];
  await Promise.all(Array.from({ length: times }, () => window.ask('query.run', { database: entry!.id, sql })));
}

async function openSeveral({ page }: TableWindow): Promise<number[]> {
  const times: number[] = [];
  for (let time = 0; time < OPENINGS; time++) {
    await page.evaluate(timeUntil, { event: 'keydown', key: 'h', selector: '.list-view-details .diff-updated' });
    await page.keyboard.press('Control+Shift+H');
    times.push(await page.evaluate(() => window.timed!));
    await page.keyboard.press('Control+w');
    await expect(page.locator('.history')).toHaveCount(0);
  }
  return times;
}

async function measureRows(report: Report, page: Page): Promise<void> {
  await new HistoryPage(page).show();
  await expect(page.locator('.diff')).toHaveAttribute('aria-rowcount', String(ROWS_OF_STEP + 1), PATIENT);
  const jumps: number[] = [];
  for (let jump = 0; jump < JUMPS; jump++) jumps.push(await page.evaluate(jumpTo, ((jump * 7) % JUMPS) / JUMPS));
  report.add(`history: jump in a step of ${ROWS_OF_STEP} rows`, 'ms', jumps);
  await page.evaluate(jumpTo, 0);
  await page.evaluate(takeFrames);
  const pending = await page.evaluate(scrollDown, 3000);
  report.add('history: frames while its rows go by', 'ms', await page.evaluate(takeFrames));
  report.note(`${(pending * 100).toFixed(1)} % of those frames had a row that was not there yet`);
}

/** Runs in the page. */
async function jumpTo(share: number): Promise<number> {
  const list = document.querySelector('.diff')!;
  const started = performance.now();
  list.scrollTop = share * (list.scrollHeight - list.clientHeight);
  do await new Promise(requestAnimationFrame);
  while (list.querySelector('.diff-pending') || !list.querySelector('.diff-updated'));
  return performance.now() - started;
}

/** Runs in the page: two screens and more a second. Returns the share of frames with a row that was not there. */
async function scrollDown(durationMs: number): Promise<number> {
  const list = document.querySelector('.diff')!;
  const started = performance.now();
  let [frames, pending] = [0, 0];
  let before = started;
  while (performance.now() - started < durationMs) {
    const now = await new Promise<number>(requestAnimationFrame);
    list.scrollTop += (now - before) * 2;
    before = now;
    frames++;
    if (list.querySelector('.diff-pending')) pending++;
  }
  return pending / frames;
}
