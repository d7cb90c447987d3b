// A day's work in two tables of millions of rows, in the library and in place: opening, jumping, scrolling with a filter row and a frozen
// column, the values of a column, following a key and going back, searching, and the memory of the window in the end.
import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { AppWindow } from '../pages/app-window.ts';
import type { GridPage } from '../pages/grid-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { boxOf } from '../support/settled.ts';
import { LONG, numberOf, secondsOf, STORAGES, withDatabase } from './apps.ts';
import { jumpTo, keyToPainted, startWatch, takeFrames, timeUntil } from './in-page.ts';
import { memoryOf, quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const ROWS = numberOf('SIDELITE_WORK_ROWS', 10_000_000);
const MINUTES = numberOf('SIDELITE_WORK_MINUTES', 60);
/** Both, unless one is asked for. */
const STORAGE = process.env['SIDELITE_WORK_STORAGE'];
const CITIES = 100_000;
const ROUNDS = 15;
const JUMPS = 60;
/** A jump ends this near to the row it is meant for. */
const NEAR_ROWS = 100;
const WHEEL_STEPS = 120;
const STEP_MS = 16;

/** The row `n` of `sale` has the note `sale n`, and refers to the customer `1 + n % CITIES`. */
const SQL = `PRAGMA synchronous = off;
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE sale (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer (id), city TEXT, amount REAL, note TEXT);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${CITIES})
  INSERT INTO customer SELECT i, 'customer ' || i FROM n;
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS})
  INSERT INTO sale SELECT i, 1 + i % ${CITIES}, 'city ' || (i * 7919 % ${CITIES}), i * 0.25, 'sale ' || i FROM n;
  CREATE INDEX sale_customer ON sale (customer);`;

interface Desk {
  readonly app: SideliteApp;
  readonly view: AppWindow;
  readonly page: Page;
  readonly sale: GridPage;
}

export async function measureWork(report: Report): Promise<void> {
  for (const place of STORAGES) {
    if (STORAGE !== undefined && STORAGE !== place) continue;
    await withDatabase(place, 'work', SQL, async (app, view, file) => {
      const { page } = view;
      await expect(view.database).toHaveText(/^work/, LONG);
      await page.evaluate(startWatch);
      report.add(`work, ${place}: first rows of a table`, 'ms', await opening(view));
      const sale = view.grid('Rows of sale');
      await sale.click(0, 'note');
      const desk = { app, view, page, sale };
      await measureDesk(report, place, desk, file);
    });
  }
}

async function measureDesk(report: Report, place: string, desk: Desk, file: string): Promise<void> {
  report.add(`work, ${place}: jump until all rows are painted`, 'ms', await jumps(desk));
  report.add(`work, ${place}: frame, filter row and frozen column`, 'ms', await scrolling(desk));
  report.add(`work, ${place}: first values to tick of ${CITIES}`, 'ms', await values(desk));
  const { there, back } = await following(desk);
  report.add(`work, ${place}: following a key`, 'ms', there);
  report.add(`work, ${place}: going back`, 'ms', back);
  const { searched, scanned } = await searching(desk, file);
  report.add(`work, ${place}: search in all tables`, 's', [searched]);
  report.add(`work, ${place}: the same by sqlite3, LIKE on every column`, 's', [scanned]);
  report.add(`work, ${place}: memory of the window`, 'MB', [(await memoryOf(desk.app)).window]);
  if (MINUTES > 0)
    report.add(`work, ${place}: memory of the window in ${MINUTES} minutes of work`, 'MB', await working(desk));
}

async function opening(view: AppWindow): Promise<number[]> {
  const { page } = view;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.keyboard.press('Control+p');
    await page.getByPlaceholder(/Go to anything/).fill('sale');
    await expect(page.getByRole('option', { selected: true })).toContainText('sale');
    await quietMoment();
    times.push(await keyToPainted(page, 'Enter', 'sale 1'));
    if (round < ROUNDS - 1) await page.keyboard.press('Control+w');
    if (round < ROUNDS - 1) await expect(view.grid('Rows of sale').root).toHaveCount(0);
  }
  return times;
}

async function jumps({ page, sale }: Desk): Promise<number[]> {
  const times: number[] = [];
  await quietMoment();
  let share = 0;
  for (let index = 0; index < JUMPS; index++) {
    share = (0.5 + index * 0.618) % 1;
    times.push(await page.evaluate(jumpTo, { share, text: 'sale ' }));
  }
  // What assistive technology sees follows when the table has come to rest; what comes next reads it.
  const note = sale.root.locator('[role=gridcell][data-column="note"]').first();
  const distance = async (): Promise<number> => Math.abs(Number(await note.getAttribute('data-row')) - share * ROWS);
  await expect.poll(distance, LONG).toBeLessThan(NEAR_ROWS);
  return times;
}

async function scrolling({ page, sale }: Desk): Promise<number[]> {
  const header = await boxOf(sale.column('id'));
  await page.mouse.click(header.x + 20, header.y + header.height / 2, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Freeze up to this column' }).click();
  await page.keyboard.press('Control+Alt+f');
  await expect(page.getByRole('textbox', { name: 'Filter by note' })).toBeVisible();
  const box = await boxOf(sale.root);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await quietMoment();
  await page.evaluate(takeFrames);
  for (let step = 0; step < WHEEL_STEPS; step++) {
    await page.mouse.wheel(0, 120);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  return page.evaluate(takeFrames);
}

async function values({ page, sale }: Desk): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await focusNote(page, sale, 'city');
    await quietMoment();
    await page.evaluate(timeUntil, { event: 'keydown', selector: '[role=dialog] .value-list li input' });
    await page.keyboard.press('Control+Alt+v');
    times.push(await page.evaluate(() => window.timed!));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  return times;
}

/** Makes any row on the screen the current one. While the table comes to rest, its fourth row becomes another one: then it tries again. */
async function focusNote(page: Page, sale: GridPage, column: string): Promise<void> {
  await expect(async () => {
    const cell = sale.root.locator(`[role=gridcell][data-column="${column}"]`).nth(3);
    const box = await boxOf(cell);
    await page.mouse.click(box.x + 20, box.y + box.height / 2);
    await expect(sale.root).toBeFocused();
    await expect(cell).toHaveAttribute('aria-selected', 'true', { timeout: 1000 });
  }).toPass(LONG);
}

async function following({ page, sale }: Desk): Promise<{ there: number[]; back: number[] }> {
  const [there, back]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await focusNote(page, sale, 'customer');
    const cell = sale.root.locator('[role=gridcell][data-column="customer"][aria-selected="true"]');
    const customer = (await cell.innerText()).replaceAll(',', '').trim();
    const row = await cell.getAttribute('data-row');
    const note = await sale.root.locator(`[role=gridcell][data-row="${row}"][data-column="note"]`).innerText();
    await quietMoment();
    there.push(await keyToPainted(page, 'F12', `customer ${customer}`));
    await quietMoment();
    back.push(await keyToPainted(page, 'Alt+ArrowLeft', note));
  }
  return { there, back };
}

async function searching({ page, view, sale }: Desk, file: string): Promise<{ searched: number; scanned: number }> {
  await page.keyboard.press('Control+Shift+f');
  await page.getByRole('textbox', { name: 'Text to search for' }).fill('nowhere at all');
  await quietMoment();
  const searched = await secondsOf(async () => {
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^0 rows with “nowhere at all”/)).toBeVisible(LONG);
  });
  await page.keyboard.press('Control+w');
  // Its neighbor comes in front, which is the table that a key led to.
  await view.tabs.filter({ hasText: 'sale' }).click();
  await expect(sale.root).toBeVisible();
  const columns = ['id', 'customer', 'city', 'amount', 'note'].map((name) => `${name} LIKE '%nowhere at all%'`);
  const sql = `SELECT count(*) FROM sale WHERE ${columns.join(' OR ')}`;
  return { searched, scanned: await secondsOf(() => execFileSync('sqlite3', [file, sql])) };
}

/** Goes on with everything above; a sample after each round. */
async function working(desk: Desk): Promise<number[]> {
  const until = Date.now() + MINUTES * 60_000;
  const samples: number[] = [];
  while (Date.now() < until) {
    await jumps(desk);
    await following(desk);
    await values(desk);
    samples.push((await memoryOf(desk.app)).window);
  }
  return samples;
}
