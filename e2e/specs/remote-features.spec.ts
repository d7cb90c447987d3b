// Features that read a whole database, on a real libSQL server: its diagram, a search in all tables, the palette, plans, export, and
// import.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from '../findings.ts';
import { DiagramPage } from '../pages/diagram-page.ts';
import { ImportPage } from '../pages/import-page.ts';
import { expect, test } from '../server-fixtures.ts';
import { readClipboard } from '../support/clipboard.ts';
import { exportTo, format, preview } from '../support/export-songs.ts';

const PATIENT = { timeout: 30_000 };

const SALES = [
  'CREATE TABLE sale (id INTEGER PRIMARY KEY, item INTEGER NOT NULL REFERENCES item (id), note TEXT)',
  "INSERT INTO sale VALUES (1, 1, 'to Ada'), (2, 1, 'to Bea'), (3, 3, 'to Ada again')",
  'CREATE TABLE refund (sale INTEGER REFERENCES sale (id))',
  'CREATE INDEX big_n ON big (n)',
];

test(
  'a diagram shows the tables and keys of a server, counts their rows when asked, and follows other clients',
  { tag: '@long' },
  async ({ page, server }) => {
    await server.run(...SALES);
    const view = await server.openIn(page);
    await view.command('Show Diagram');
    const diagram = new DiagramPage(page);
    await diagram.shows(4, 2);
    await expect(diagram.table('sale')).toContainText('note');
    await diagram.table('sale').click();
    await diagram.strip.getByRole('button', { name: /^Count rows of sale \(item\)/ }).click();
    await expect(diagram.strip).toContainText(
      '0 to 2 rows for each of 3 rows, 1 on average; every value exists',
      PATIENT,
    );
    await server.run('CREATE TABLE gift (sale INTEGER REFERENCES sale (id))');
    await diagram.shows(5, 3);
  },
);

test(
  'a search in all tables says what it reads, finds rows of each, and leads to the rows',
  { tag: '@long' },
  async ({ page, server }) => {
    await server.run(...SALES, "UPDATE big SET t = 'Ada at the end' WHERE id = 4999");
    const view = await server.openIn(page);
    await page.keyboard.press('Control+Shift+f');
    const search = page.getByRole('textbox', { name: 'Text to search for' });
    await expect(page.getByText('The server reads up to 5,006 rows.')).toBeVisible(PATIENT);
    expect(await findings(page, 'search-cost', 'light')).toEqual([]);
    await search.fill('ada');
    await page.keyboard.press('Enter');
    const hits = page.getByRole('group', { name: 'Rows found' }).getByRole('button');
    await expect(hits).toHaveText(['big.tAda at the end', 'sale.noteto Ada', 'sale.noteto Ada again'], PATIENT);
    await expect(page.getByRole('status').filter({ hasText: '3 rows with “ada” in 4 tables' })).toBeVisible();
    await hits.first().click();
    await expect(view.grid('Rows of big').cell(4998, 't')).toHaveAttribute('aria-selected', 'true', PATIENT);
    await page.keyboard.press('Alt+ArrowLeft');
    await hits.nth(1).click();
    await expect(view.grid('Rows of sale').cell(0, 'note')).toHaveAttribute('aria-selected', 'true', PATIENT);
  },
);

test(
  'the palette opens tables of a server, and a plan is the one of the server',
  { tag: '@long' },
  async ({ page, server }) => {
    await server.run(...SALES);
    const view = await server.openIn(page);
    await page.keyboard.press('Control+p');
    await page.getByPlaceholder(/Go to anything/).fill('sale');
    await page.getByRole('option', { name: /^sale/ }).first().click();
    await expect(view.grid('Rows of sale').cell(2, 'note')).toHaveText('to Ada again', PATIENT);
    await view.writeSql('SELECT t FROM big WHERE n = 5');
    await page.keyboard.press('Control+Alt+e');
    const steps = page.getByRole('region', { name: 'Query plan' });
    await expect(steps).toContainText('SEARCH big USING INDEX big_n (n=?)', PATIENT);
    await expect(steps.getByRole('columnheader')).toHaveText(['Step', 'What it does']);
    await expect(steps).not.toContainText('Costs');
    await server.run('DROP INDEX big_n');
    await view.editor.click();
    await page.keyboard.press('Control+Alt+e');
    await expect(steps).toContainText('SCAN big', PATIENT);
  },
);

test(
  'all rows of a server’s table are exported with exact values, and a file is imported into another',
  { tag: '@long' },
  async ({ app, page, server }) => {
    const view = await server.openIn(page);
    await view.openTable('big');
    await page.keyboard.press('Control+e');
    const target = join(app.folder, 'big.csv');
    await app.answerSaveDialog(target);
    await view.dialog.getByRole('button', { name: 'Export to file…' }).click();
    await expect(view.messages).toContainText('exported to big.csv', PATIENT);
    const lines = readFileSync(target, 'utf8').trimEnd().split('\n');
    expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
      5001,
      'id,n,t',
      '1,1000000000000000,row 1',
      '5000,5000000000000000000,row 5000',
    ]);
    const source = join(app.folder, 'goods.csv');
    writeFileSync(source, `id,code\n${Array.from({ length: 3000 }, (_, at) => `${at + 1},0${at}`).join('\n')}\n`);
    const importing = new ImportPage(view);
    await app.answerOpenDialog(source);
    await page.keyboard.press('Control+Shift+o');
    await importing.read();
    await expect(importing.importButton('3,000')).toBeVisible(PATIENT);
    await importing.run();
    await expect(importing.result).toContainText('3,000 rows added to “goods”', PATIENT);
    expect(await server.run('SELECT count(*) FROM goods', 'SELECT code FROM goods WHERE id = 3000')).toEqual([
      '3000',
      '02999',
    ]);
    await importing.result.getByRole('button', { name: 'Open table' }).click();
    await expect(view.grid('Rows of goods').cell(0, 'code')).toHaveText('00', PATIENT);
  },
);

test(
  'selected rows of a server are copied and exported, although their positions are estimates',
  { tag: '@long' },
  async ({ app, page, server }) => {
    await server.run(
      'CREATE TABLE gaps (id INTEGER PRIMARY KEY, n INTEGER)',
      'WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 4000) INSERT INTO gaps SELECT iif(n <= 2000, n, n * 1000), n FROM i',
    );
    const view = await server.openIn(page);
    const grid = await view.openTable('gaps');
    // How many there are is estimated after the first page.
    await expect(view.status).toContainText('4,000,000', PATIENT);
    await grid.click(0, 'n');
    await page.keyboard.press('Control+End');
    await expect(grid.root.locator('[role=gridcell][data-column=n]', { hasText: /^4000$/ })).toBeVisible(PATIENT);
    await page.keyboard.press('Shift+ArrowUp');
    await view.command('Copy as CSV');
    await expect.poll(() => readClipboard(page), PATIENT).toBe('n\n3999\n4000');
    await page.keyboard.press('Control+e');
    await format(view, 'CSV').check();
    await expect(preview(view)).toContainText('3999');
    expect(await exportTo(app, view, 'last.csv')).toBe('n\n3999\n4000\n');
    // How many rows are between the first and the last selected one is not known.
    await grid.root.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Shift+End');
    await view.command('Copy as CSV');
    await expect
      .poll(async () => {
        const lines = (await readClipboard(page)).split('\n');
        return [lines.length, ...lines.slice(0, 2), lines.at(-1)];
      }, PATIENT)
      .toEqual([4000, 'id,n', '2,2', '4000000,4000']);
  },
);
