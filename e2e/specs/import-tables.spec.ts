// Importing the tables of SQL dumps, and of other SQLite files, from the first look to the summary.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportTablesPage } from '../pages/import-tables-page.ts';
import type { TestedApp } from '../tested-app.ts';

const HAS_SHELL = spawnSync('sqlite3', ['--version']).status === 0;

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  INSERT INTO item VALUES (1, 'ant'), (2, 'bee');`;

const DUMP = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, extra);
INSERT INTO item VALUES(2,'taken','x');
INSERT INTO item VALUES(3,'cat','x');
CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, item REFERENCES item(id), note TEXT);
INSERT INTO orders VALUES(7,3,'first; ''quoted''');
ATTACH 'other.db' AS other;
SELECT load_extension('evil');
CREATE INDEX orders_item ON orders (item);
CREATE VIEW both AS SELECT orders.id, name FROM orders JOIN item ON item.id = orders.item;
COMMIT;
`;

async function openShop(app: TestedApp) {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  await view.opened('shop');
  return { view, importing: new ImportTablesPage(view) };
}

function write(app: TestedApp, name: string, content: string | Buffer): string {
  const path = join(app.folder, name);
  writeFileSync(path, content);
  return path;
}

async function expectValue(view: AppWindow, sql: string, value: string): Promise<void> {
  await view.runSql(sql);
  await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText(value);
}

test(
  'an opened dump becomes a new database with its name, and says what it did not run',
  { tag: '@web-long' },
  async ({ anyApp }) => {
    const view = new AppWindow(await anyApp.start());
    const importing = new ImportTablesPage(view);
    await view.connected();
    await view.openFile(anyApp, write(anyApp, 'market 2026.sql', DUMP));
    await importing.read();
    await expect(importing.field('Database')).toHaveValue('');
    await expect(importing.field('Database name')).toHaveValue('market 2026');
    await expect(importing.field('Dialect')).toHaveValue('sqlite');
    await expect(importing.row('orders')).toContainText('3 columns, 1 index');
    await expect(importing.left).toContainText('2 statements not understood');
    await expect(importing.left).toContainText('Line 8');
    await expect(importing.left).toContainText('It would open another database file.');
    await importing.run('3 tables');
    await expect(importing.result).toContainText('2 tables with 3 rows imported into “market 2026”');
    await expect(importing.result).toContainText('Line 9');
    await importing.result.getByRole('button', { name: 'Open table' }).click();
    await expect(view.grid('Rows of item').cell(1, 'name')).toHaveText('cat');
    await expectValue(view, 'SELECT id || name || (SELECT seq FROM sqlite_sequence) AS v FROM both;', '7cat7');
  },
);

test('chosen tables go into an existing database, added and renamed, as one step that is undone', async ({
  anyApp,
}) => {
  const { view, importing } = await openShop(anyApp);
  await importing.choose(anyApp, view, write(anyApp, 'dump.sql', DUMP));
  await importing.read();
  await expect(importing.row('item')).toContainText('Exists');
  await expect(importing.row('item').getByRole('checkbox')).not.toBeChecked();
  await importing.row('item').getByRole('checkbox').check();
  await importing.row('both').getByRole('checkbox').uncheck();
  await importing.row('orders').getByLabel('Name for orders').fill('item');
  await importing.row('orders').getByLabel('Name for orders').press('Enter');
  await expect(importing.row('orders')).toContainText('“item” already exists');
  await importing.row('orders').getByLabel('Name for orders').fill('sales');
  await importing.row('orders').getByLabel('Name for orders').press('Enter');
  await importing.run('2 tables');
  await expect(importing.result).toContainText('2 tables with 2 rows imported into “shop”, 1 row not imported');
  await expect(importing.result.getByRole('region', { name: 'Rows that were not imported' })).toContainText(
    'item, row 1',
  );
  await expectValue(
    view,
    'SELECT (SELECT group_concat(id || name) FROM item) || (SELECT note FROM sales) AS v;',
    "1ant,2bee,3catfirst; 'quoted'",
  );
  await view.tabs.filter({ hasText: 'Import' }).click();
  await importing.result.getByRole('button', { name: 'Undo import' }).click();
  await expect(importing.result).toContainText('The import was undone');
  await expect(view.treeItem('sales')).toHaveCount(0);
  await expectValue(view, 'SELECT count(*) AS v FROM item;', '2');
});

test('tables of another SQLite file go into a library copy', { tag: ['@web', '@long'] }, async ({ anyApp }) => {
  const { view, importing } = await openShop(anyApp);
  const other = makeDatabase(join(anyApp.folder, 'other.db'), {
    kind: 'sql',
    sql: "CREATE TABLE city (name TEXT PRIMARY KEY, size REAL) WITHOUT ROWID; INSERT INTO city VALUES ('Oslo', 0.7), ('Rome', 2.8); CREATE TABLE empty (a);",
  });
  await importing.choose(anyApp, view, other);
  await importing.read();
  await expect(importing.field('Format')).toHaveValue('sqlite');
  await importing.row('empty').getByRole('checkbox').uncheck();
  await importing.run('1 table');
  await expect(importing.result).toContainText('1 table with 2 rows imported into “shop”');
  await expectValue(view, 'SELECT group_concat(name || size) AS v FROM city;', 'Oslo0.7,Rome2.8');
});

test('a dump and another SQLite file go into a file in place', { tag: '@long' }, async ({ idleApp: app }) => {
  app.opensFiles = 'in-place';
  const path = makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP });
  const view = new AppWindow(await app.start(path));
  await view.opened('shop');
  const importing = new ImportTablesPage(view);
  const dump = write(app, 'dump.sql', DUMP);
  const chooseDump = async (): Promise<void> => {
    await importing.choose(app, view, dump);
    await importing.read();
    await importing.row('both').getByRole('checkbox').uncheck();
  };
  await chooseDump();
  await importing.run('1 table');
  // The row it refers to does not exist: it is copied, as other programs do, and named.
  await expect(importing.result).toContainText(
    'Rows of “orders” that refer to rows that do not exist: 1 (orders.item = 3',
  );
  await importing.result.getByRole('button', { name: 'Undo import' }).click();
  await expect(importing.result).toContainText('The import was undone');
  await chooseDump();
  await importing.row('item').getByRole('checkbox').check();
  await importing.run('2 tables');
  await expect(importing.result).toContainText('2 tables with 2 rows imported into “shop.db”, 1 row not imported');
  await importing.result.getByRole('button', { name: 'Undo import' }).click();
  await expect(importing.result).toContainText('The import was undone');
  const other = makeDatabase(join(app.folder, 'other.db'), {
    kind: 'sql',
    sql: 'CREATE TABLE city (name); INSERT INTO city VALUES (1), (NULL);',
  });
  await importing.choose(app, view, other);
  await importing.read();
  await importing.run('1 table');
  await expect(importing.result).toContainText('1 table with 2 rows imported into “shop.db”');
  if (HAS_SHELL)
    expect(spawnSync('sqlite3', [path, 'SELECT count(*) FROM city'], { encoding: 'utf8' }).stdout).toBe('2\n');
});

for (const { name, file, content, says } of [
  {
    name: 'an encrypted one',
    file: 'secret.db',
    content: () => randomBytes(20_000),
    says: /may be an encrypted database/,
  },
  {
    name: 'a dump that is cut off',
    file: 'cut.sql',
    content: () => "CREATE TABLE t (a);\nINSERT INTO t VALUES ('x');\nINSERT INTO t VALUES ('",
    says: /Line 3The file ends in the middle/,
  },
]) {
  test(`${name} is told, and nothing is changed`, { tag: '@long' }, async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.choose(app, view, write(app, file, content()));
    await expect(importing.body).toContainText(says, { timeout: 30_000 });
    await expectValue(view, 'SELECT count(*) AS v FROM sqlite_schema;', '1');
  });
}
