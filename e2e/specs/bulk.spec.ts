// Changing many cells: with a dry run, in one step, and pasting more rows than anybody would type.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { holdBack } from '../hold-in-page.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { readClipboard, writeClipboard } from '../support/clipboard.ts';

const SCHEMA = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, code, n INTEGER DEFAULT (3 + 4), twice AS (n * 2));
  INSERT INTO item (name, code, n) VALUES ('ant', 'a-1', 1), ('bee', 'b-1', 2), ('cat', 'c-2', 3), ('dog', NULL, 4);
  CREATE TABLE many (id INTEGER PRIMARY KEY, a TEXT, b INTEGER);`;
const ROWS = 12_000;
const PATIENT = { timeout: 60_000 };

async function open(app: SideliteApp, table: string) {
  const path = makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SCHEMA });
  const view = new AppWindow(await app.start(path));
  return { view, grid: await view.openTable(table) };
}

test('cells are changed by an expression, a text, a series, and from above, after a dry run', async ({ idleApp }) => {
  const { view, grid } = await open(idleApp, 'item');
  const { page } = view;
  const dryRun = page.getByRole('region', { name: 'Dry run' });
  const choose = (name: string): Promise<void> => view.dialog.getByRole('radio', { name, exact: true }).check();
  const run = (): Promise<void> => view.dialog.getByRole('button', { name: 'Dry run' }).click();
  const select = async (row: number, column: string, rows: number): Promise<void> => {
    await grid.click(row, column);
    for (let more = 1; more < rows; more++) await page.keyboard.press('Shift+ArrowDown');
  };

  await test.step('find and replace over the whole table, discarded, then kept', async () => {
    await grid.click(0, 'code');
    await page.keyboard.press('Control+h');
    await view.dialog.getByRole('textbox', { name: 'Find' }).fill('-1');
    await view.dialog.getByRole('textbox', { name: 'Replace with' }).fill('/one');
    // Where one cell is selected, the table is searched.
    await expect(view.dialog.getByRole('radio', { name: 'All rows of the table' })).toBeChecked();
    const sql = view.dialog.getByRole('region', { name: 'SQL' });
    await expect(sql).toContainText('replace_nocase("code", :find, :replacement)');
    await view.dialog.getByRole('checkbox', { name: 'Match case' }).check();
    await expect(sql).toContainText('replace("code", :find, :replacement)');
    await run();
    await expect(dryRun).toContainText('a/one');
    await expect(dryRun).toContainText('2 rows');
    await dryRun.getByRole('button', { name: 'Discard' }).click();
    await expect(dryRun).toHaveCount(0);
    await expect(grid.cell(0, 'code')).toHaveText('a-1');
    await grid.click(0, 'code');
    await page.keyboard.press('Control+h');
    // The switches are as they were used last.
    await expect(view.dialog.getByRole('checkbox', { name: 'Match case' })).toBeChecked();
    await view.dialog.getByRole('checkbox', { name: 'Match case' }).uncheck();
    await view.dialog.getByRole('textbox', { name: 'Find' }).fill('-1');
    await view.dialog.getByRole('textbox', { name: 'Replace with' }).fill('/one');
    await page.keyboard.press('Enter');
    await dryRun.getByRole('button', { name: 'Keep' }).click();
    await expect(grid.cell(1, 'code')).toHaveText('b/one');
    await expect(grid.cell(2, 'code')).toHaveText('c-2');
    await grid.root.focus();
    await page.keyboard.press('Control+z');
    await expect(grid.cell(1, 'code')).toHaveText('b-1');
  });

  await test.step('an expression over selected cells', async () => {
    await select(1, 'name', 2);
    await view.command('Change Cells');
    await expect(view.dialog).toContainText('Selected cells of 2 rows');
    await choose('Set to an expression');
    await view.dialog.getByRole('textbox', { name: 'Expression' }).fill('upper(value) || n');
    await run();
    await expect(dryRun).toContainText('BEE2');
    // Once it is decided there is nothing to wait for: later actions take place after it.
    const letGo = await holdBack(page, 'dryRun.finish');
    await dryRun.getByRole('button', { name: 'Keep' }).click();
    await grid.edit(2, 'code', 'later');
    await letGo();
    await expect(dryRun).toHaveCount(0);
    await expect(grid.cell(2, 'code')).toHaveText('later');
    await grid.root.focus();
    await page.keyboard.press('Control+z');
    await expect(grid.cell(2, 'code')).toHaveText('c-2');
    await expect(grid.cell(2, 'name')).toHaveText('CAT3');
    await expect(grid.cell(0, 'name')).toHaveText('ant');
    await expect(grid.cell(3, 'name')).toHaveText('dog');
  });

  await test.step('Ctrl+D takes the first row down, one step', async () => {
    await select(0, 'code', 4);
    await page.keyboard.press('Control+d');
    await expect(grid.cell(3, 'code')).toHaveText('a-1');
    await expect(view.messages).toContainText('Filled 3 rows of item');
    await page.keyboard.press('Control+z');
    await expect(grid.cell(3, 'code')).toHaveText('NULL');
    await expect(grid.cell(1, 'code')).toHaveText('b-1');
  });

  await test.step('a typed value goes into all selected cells, as one step', async () => {
    await select(0, 'code', 3);
    await page.keyboard.type('same');
    await expect(page.getByText('Ctrl+Enter sets all selected cells')).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(grid.cell(2, 'code')).toHaveText('same');
    await expect(grid.cell(0, 'code')).toHaveText('same');
    await expect(grid.cell(3, 'code')).toHaveText('NULL');
    await expect(grid.root).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(grid.cell(2, 'code')).not.toHaveText('same');
    await expect(grid.cell(0, 'code')).not.toHaveText('same');
    await select(0, 'code', 2);
    await grid.root.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Change cells…' }).click();
    await view.dialog.getByRole('textbox', { name: 'Value' }).fill('both');
    await run();
    await dryRun.getByRole('button', { name: 'Discard' }).click();
    await expect(dryRun).toHaveCount(0);
  });

  await test.step('a series, and why not where there is a reason', async () => {
    await select(1, 'n', 3);
    await view.command('Change Cells');
    await expect(view.dialog).toContainText('Selected cells of 3 rows');
    await expect(view.dialog).toContainText('Columns: n');
    await choose('Fill with a series');
    await view.dialog.getByRole('textbox', { name: 'Start' }).fill('10');
    await view.dialog.getByRole('textbox', { name: 'Step' }).fill('2.5');
    await run();
    await dryRun.getByRole('button', { name: 'Keep' }).click();
    await expect(grid.cell(3, 'n')).toHaveText('15');
    await expect(grid.cell(2, 'n')).toHaveText('12.5');
    // The keyboard is back in the grid.
    await expect(grid.root).toBeFocused();
    await select(0, 'twice', 2);
    await view.command('Change Cells');
    await expect(view.dialog).toContainText('generated column');
    await expect(view.dialog.getByRole('button', { name: 'Dry run' })).toHaveAttribute('aria-disabled', 'true');
    await choose('Swap two columns');
    await expect(view.dialog).toContainText('exactly two columns');
    await page.keyboard.press('Escape');
  });

  await test.step('two rows are swapped, and copied with rows as columns', async () => {
    await select(0, 'code', 2);
    await page.keyboard.press('Shift+ArrowRight');
    await view.command('Change Cells');
    await choose('Swap two rows');
    await run();
    await dryRun.getByRole('button', { name: 'Keep' }).click();
    await expect(grid.cell(0, 'code')).toHaveText('b-1');
    await expect(grid.cell(1, 'code')).toHaveText('a-1');
    await select(0, 'code', 2);
    await view.command('Copy Transposed');
    await expect.poll(() => readClipboard(page)).toBe('b-1\ta-1');
  });
});

test(`${ROWS} rows are pasted over cells and as new rows of a file in place`, { tag: '@long' }, async ({ idleApp }) => {
  idleApp.opensFiles = 'in-place';
  const { view, grid } = await open(idleApp, 'many');
  const { page } = view;
  const paste = async (text: string): Promise<void> => {
    await writeClipboard(page, text);
    await page.keyboard.press('Control+v');
  };
  await grid.root.focus();
  await paste(Array.from({ length: ROWS }, (_, at) => `${at + 1}\trow ${at + 1}\t${at}`).join('\n'));
  await expect(view.messages).toContainText('Pasted 12,000 rows into many', PATIENT);
  await expect.poll(() => grid.rowCount(), PATIENT).toBe(ROWS);
  await grid.click(0, 'b');
  await paste(Array.from({ length: ROWS + 1 }, (_, at) => String(at * 3)).join('\n'));
  await expect(view.messages).toContainText('Pasted 12,001 rows into many', PATIENT);
  await expect(grid.cell(2, 'b')).toHaveText('6');
  await expect(grid.cell(2, 'a')).toHaveText('row 3');
  await expect.poll(() => grid.rowCount(), PATIENT).toBe(ROWS + 1);
  // Each paste is one step.
  await page.keyboard.press('Control+z');
  await expect(grid.cell(2, 'b')).toHaveText('2', PATIENT);
  await page.keyboard.press('Control+z');
  await expect.poll(() => grid.rowCount(), PATIENT).toBe(0);
});
