// Browsing: the grid with mouse and keyboard, order, copying, and tables of every size and kind.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { ODD_NAMES } from '../data/healthy.ts';
import { expect, test } from '../fixtures.ts';
import { holdBack, untilHeldBack } from '../hold-in-page.ts';
import { AppWindow } from '../pages/app-window.ts';
import { readClipboard } from '../support/clipboard.ts';

const FRUIT = `CREATE TABLE fruit (id INTEGER PRIMARY KEY, name TEXT, price REAL, stock INTEGER);
  INSERT INTO fruit (name, price, stock) VALUES ('pear', 2.5, 7), ('apple', 1, NULL), ('fig', 0.75, 7), ('two
lines', NULL, 12);`;

test('cells show each storage class for what it is', { tag: ['@web-long', '@smoke'] }, async ({ anyApp }) => {
  const view = new AppWindow(await anyApp.start(makeDatabase(join(anyApp.folder, 'types.db'), { kind: 'every-type' })));
  const grid = await view.openTable('values');
  const shown = async (row: number) => [
    await grid.cell(row, 'value').textContent(),
    await grid.cell(row, 'value').getAttribute('data-storage-class'),
  ];
  await expect(grid.cell(19, 'value')).toBeAttached();
  await expect.poll(() => shown(0)).toEqual(['NULL', 'null']);
  await expect.poll(() => shown(4)).toEqual(['9007199254740993', 'integer']);
  await expect.poll(() => shown(5)).toEqual(['9223372036854775807', 'integer']);
  await expect.poll(() => shown(8)).toEqual(['2.0', 'real']);
  await expect.poll(() => shown(12)).toEqual(['', 'text']);
  await expect.poll(() => shown(13)).toEqual(['0123', 'text']);
  await expect(grid.cell(17, 'value')).toHaveAttribute('data-storage-class', 'blob');
});

test('headers sort, also by two columns, and a range is copied as TSV that a spreadsheet reads', async ({
  idleApp,
}) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'fruit.db'), { kind: 'sql', sql: FRUIT })),
  );
  const { page } = view;
  const grid = await view.openTable('fruit');
  const names = () => Promise.all([0, 1, 2, 3].map((row) => grid.cell(row, 'name').textContent()));

  await test.step('a range of all cells, with headers', async () => {
    await grid.click(0, 'id');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+Shift+c');
    const clipboard = () => readClipboard(page);
    await expect.poll(clipboard).toContain('id\tname\tprice\tstock');
    expect((await clipboard()).replaceAll('\r\n', '\n').trimEnd()).toBe(
      'id\tname\tprice\tstock\n1\tpear\t2.5\t7\n2\tapple\t1.0\t\n3\tfig\t0.75\t7\n4\t"two\nlines"\t\t12',
    );
  });

  await test.step('NULL keeps its place; a second key joins with Ctrl', async () => {
    await grid.clickHeader('stock');
    await expect(grid.column('stock')).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(names).toEqual(['apple', 'pear', 'fig', expect.stringContaining('two')]);
    await page.keyboard.down('Control');
    await grid.clickHeader('name');
    await page.keyboard.up('Control');
    await expect.poll(names).toEqual(['apple', 'fig', 'pear', expect.stringContaining('two')]);
  });

  await test.step('rows stay in their order until those of another order are here, and the header says so', async () => {
    const letGo = await holdBack(page, 'rows.read');
    await grid.clickHeader('price');
    await untilHeldBack(page);
    await expect(page.getByText('Sort: price')).toBeVisible();
    await expect(grid.column('price')).toHaveAttribute('aria-sort', 'none');
    await expect(grid.cell(0, 'name')).toHaveText('apple');
    await letGo();
    await expect(grid.column('price')).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(names).toEqual([expect.stringContaining('two'), 'fig', 'apple', 'pear']);
  });
});

test('a table whose rows take long says so where they will be, with Stop', async ({ app, page }) => {
  const view = new AppWindow(page);
  await view.openFile(app, makeDatabase(join(app.folder, 'fruit.db'), { kind: 'sql', sql: FRUIT }));
  const grid = await view.openTable('fruit');
  await expect(grid.cell(0, 'name')).toHaveText('pear');
  const progress = page.getByRole('group', { name: 'Reading rows' });
  await expect(progress).toHaveCount(0);
  await page.getByRole('button', { name: 'WHERE…' }).click();
  await page.keyboard.type(
    '(WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c) > id',
  );
  await page.keyboard.press('Enter');
  await expect(progress).toContainText('Looking for rows');
  await progress.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Reading the rows was stopped.')).toBeVisible();
  await expect(progress).toHaveCount(0);
  // Only the user starts it again.
  await grid.root.focus();
  await page.keyboard.press('ArrowDown');
  await expect(view.status).not.toContainText('Stop');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(progress).toContainText('Looking for rows');
  await progress.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Reading the rows was stopped.')).toBeVisible();
});

test(
  'five million rows: the end is one key away, the count comes later, memory stays',
  { tag: ['@long', '@web'] },
  async ({ anyApp }) => {
    test.setTimeout(180_000);
    const file = makeDatabase(join(anyApp.folder, 'five.db'), { kind: 'big', rows: 5_000_000 });
    const view = new AppWindow(await anyApp.start(file));
    // The whole file is copied and checked first.
    await expect(view.database).toHaveText(/^five/, { timeout: 90_000 });
    const grid = view.grid();
    await expect(grid.cell(0, 'name')).toHaveText('row number 1');
    await grid.click(0, 'id');
    await view.page.keyboard.press('Control+End');
    await expect(grid.cell(4_999_999, 'name')).toHaveText('row number 5000000');
    await view.page.keyboard.press('Control+g');
    await view.page.keyboard.type('2500000');
    await view.page.keyboard.press('Enter');
    await expect(grid.cell(2_499_999, 'name')).toHaveText('row number 2500000');
    await expect(view.status).toContainText('5,000,000 rows', { timeout: 60_000 });
  },
);

test('odd names and two thousand columns are no trouble', { tag: '@long' }, async ({ app, page }) => {
  const view = new AppWindow(page);
  await view.openFile(app, makeDatabase(join(app.folder, 'odd.db'), { kind: 'odd-names' }));
  await view.opened('odd');
  for (const name of ODD_NAMES.filter((candidate) => candidate !== '')) {
    await view.page.getByPlaceholder(/Find table/).fill(name);
    await view.tree.getByRole('treeitem').filter({ hasText: name }).first().dblclick();
    await expect(view.grid(`Rows of ${name}`).cell(0, name)).toHaveText(`value of ${name}`);
  }
  const wide = makeDatabase(join(app.folder, 'wide.db'), { kind: 'wide' });
  await view.openFile(app, wide);
  await view.opened('wide');
  const grid = view.grid('Rows of wide');
  await grid.click(0, 'id');
  await view.page.keyboard.press('End');
  await expect(grid.cell(0, 'c1999')).toHaveText('11998.0');
});

test('views, WITHOUT ROWID, virtual tables and broken views', async ({ idleApp }) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'kinds.db'), { kind: 'table-kinds' })),
  );
  await expect((await view.openTable('without_rowid')).cell(2, 'name')).toHaveText('un');
  await expect((await view.openTable('names')).cell(0, 'name')).toHaveText('Ann');
  await expect((await view.openTable('notes')).cell(1, 'body')).toHaveText('goodbye moon');
  await expect((await view.openTable('places')).cell(1, 'id')).toHaveText('2');
  await view.openFile(idleApp, makeDatabase(join(idleApp.folder, 'broken.db'), { kind: 'broken-view' }));
  await view.opened('broken');
  await view.treeItem('broken').dblclick();
  await expect(view.page.getByText(/no table named/).first()).toBeVisible();
  await view.page.getByRole('button', { name: 'Design view' }).click();
  await expect(view.page.getByLabel('Name of the view')).toHaveValue('broken');
  await expect((await view.openTable('kept')).cell(0, 'name')).toHaveText('still here');
});

const PLAYS = `CREATE TABLE track (album TEXT, number INTEGER, title TEXT, PRIMARY KEY (album, number));
  INSERT INTO track VALUES ('First', 1, 'a'), ('First', 2, 'b'), ('Second', 1, 'c');
  CREATE TABLE play (id INTEGER PRIMARY KEY, a TEXT, n INTEGER, FOREIGN KEY (a, n) REFERENCES track);
  CREATE INDEX play_track ON play (a, n);
  INSERT INTO play (a, n) VALUES ('Second', 1), ('First', 2), ('Second', 1), ('Second', NULL);
  WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 2 FROM n LIMIT 300000) INSERT INTO play SELECT i, 'First', 1 FROM n;`;

test(
  'a key of several columns leads to its row and back, and to nothing where a part is NULL',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = new AppWindow(
      await idleApp.start(makeDatabase(join(idleApp.folder, 'plays.db'), { kind: 'sql', sql: PLAYS })),
    );
    const plays = await view.openTable('play');
    // For a table this large the schema has only an estimate; the open table has counted.
    await expect(view.treeItem('play')).toContainText('300,004');
    await expect(view.treeItem('play')).not.toContainText('~');
    await plays.click(3, 'a');
    const details = view.page.getByRole('complementary', { name: 'Details' });
    await expect(details).toContainText('play 4');
    await expect(details.getByRole('button', { name: /^track → / })).toHaveCount(0);
    await plays.click(0, 'n');
    await details.getByRole('button', { name: 'track → album, number' }).click();
    const tracks = view.grid('Rows of track');
    await expect(tracks.rows).toHaveCount(1);
    await expect(tracks.cell(0, 'title')).toHaveText('c');
    await tracks.click(0, 'title');
    await expect(details).toContainText('track Second, 1');
    const related = view.page.getByRole('region', { name: 'Related rows' });
    await expect(related).toContainText('play → a, n2');
    await related.getByRole('button', { name: 'play → a, n' }).click();
    await expect(plays.rows).toHaveCount(2);

    await view.page.getByRole('searchbox', { name: /Find table/ }).click();
    await view.page.keyboard.press('Control+f');
    await expect(view.page.getByRole('textbox', { name: 'Value' })).toBeFocused();
  },
);
