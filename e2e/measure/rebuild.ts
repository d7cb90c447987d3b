// A table that has to be rebuilt, as a person waits for it: the designer, from Apply to its report and from Keep to the end, in turns with the
// same by hand in an SQL tab. In the library and in place, with the same undo, and the same rows and indexes afterwards.
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { AppWindow } from '../pages/app-window.ts';
import { writeClipboard } from '../support/clipboard.ts';
import { LONG, numberOf, STORAGES, withDatabase } from './apps.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const ROWS = numberOf('SIDELITE_REBUILT_ROWS', 3_000_000);
const ROUNDS = numberOf('SIDELITE_REBUILD_ROUNDS', 3);

const tableSql = (name: string, round: number): string =>
  `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount REAL, at TEXT, n INTEGER DEFAULT ${round}, kind INTEGER, note TEXT)`;
const INDEXES = 'CREATE INDEX item_name ON item (name); CREATE INDEX item_at ON item (kind, at)';
const SCHEMA = `${tableSql('item', 0)};
  WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < ${ROWS}) INSERT INTO item SELECT i, 'name ' || (i * 7919 % ${ROWS}),
    i * 1.25, datetime(1700000000 + i * 61, 'unixepoch'), i, i % 100, 'a note that is somewhat longer than a name' FROM i;
  ${INDEXES}`;

const byHandSql = (round: number): string =>
  `BEGIN IMMEDIATE; ${tableSql('fresh', round)}; INSERT INTO fresh SELECT * FROM item; DROP TABLE item; ALTER TABLE fresh RENAME TO item; ${INDEXES}; COMMIT; SELECT 'done' AS state`;

export async function measureRebuild(report: Report): Promise<void> {
  for (const storage of STORAGES)
    await withDatabase(storage, 'item', SCHEMA, async (_app, view) => {
      await expect(view.treeItem('item')).toBeVisible(LONG);
      const [designed, byHand]: [number[], number[]] = [[], []];
      for (let round = 1; round <= ROUNDS; round++) {
        designed.push(await inDesigner(view, 2 * round));
        byHand.push(await inSqlTab(view, 2 * round + 1));
      }
      report.add(`rebuild of ${ROWS} rows, ${storage}: designer`, 's', designed);
      report.add(`rebuild of ${ROWS} rows, ${storage}: by hand`, 's', byHand);
      report.addRatio(`rebuild of ${ROWS} rows, ${storage}: designer over by hand`, designed, byHand);
    });
}

async function inDesigner(view: AppWindow, round: number): Promise<number> {
  const { page } = view;
  await page.getByRole('treeitem', { name: 'item', exact: false }).first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Design table' }).click();
  await page.getByRole('textbox', { name: 'SQL' }).focus();
  await page.keyboard.press('Control+a');
  await writeClipboard(page, tableSql('item', round));
  await page.keyboard.press('Control+v');
  const apply = page.getByRole('button', { name: 'Apply' });
  await expect(apply).toBeEnabled();
  await quietMoment();
  await apply.click();
  const keep = page.getByRole('button', { name: 'Keep' });
  const began = await withoutUndo(page, keep);
  await keep.waitFor(LONG);
  const reported = performance.now();
  await expect(page.getByText(`${ROWS.toLocaleString('en-US')} rows before`).first()).toBeVisible();
  const looked = performance.now();
  await keep.click();
  await keep.waitFor({ state: 'detached', ...LONG });
  const seconds = (reported - began + performance.now() - looked) / 1000;
  await page.keyboard.press('Control+w');
  return seconds;
}

async function inSqlTab(view: AppWindow, round: number): Promise<number> {
  const { page } = view;
  await view.writeSql(byHandSql(round));
  await quietMoment();
  await page.keyboard.press('F5');
  const done = view.grid('Rows of result 1').cell(0, 'state');
  const began = await withoutUndo(page, done);
  await expect(done).toHaveText('done', LONG);
  const seconds = (performance.now() - began) / 1000;
  await page.keyboard.press('Control+w');
  return seconds;
}

/** A large database has no room for the copy that would undo this, which is asked about. Returns when the work began. */
async function withoutUndo(page: Page, end: Locator): Promise<number> {
  const before = performance.now();
  const without = page.getByRole('button', { name: 'Run without undo' });
  await without.or(end).waitFor(LONG);
  if (!(await without.isVisible())) return before;
  const began = performance.now();
  await without.click();
  return began;
}
