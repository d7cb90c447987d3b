// One text on both engines, side by side: over copies that make themselves, without a trace in the user's data.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ComparePage } from '../pages/compare-page.ts';
import { query } from '../support/compare-results.ts';
import { killEngine } from '../support/engine-process.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { keepState } from '../support/kept-state.ts';

const SHOP = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
  WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000)
    INSERT INTO item (name, price) SELECT 'item ' || x, x * 0.5 FROM c;
`;
/** 1 in the native engine alone. */
const NATIVE = `sqlite_compileoption_used('SOUNDEX')`;

const makeShop = (app: SideliteApp): string => makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP });

async function openShop(app: SideliteApp, opens: 'copy' | 'in-place' = 'copy') {
  app.opensFiles = opens;
  const file = makeShop(app);
  const view = new AppWindow(await app.start(file));
  await view.opened('shop');
  return { file, view, compare: new ComparePage(view) };
}

const comparisonCopiesOf = (app: SideliteApp): string[] => {
  const folder = join(app.profile, 'comparison-copies');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test(
  'an SQL tab is compared with one key: identical rows, plans and settings side by side',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, compare } = await openShop(idleApp);
    await view.writeSql('SELECT * FROM item ORDER BY price DESC;');
    await view.page.keyboard.press('Control+Alt+c');
    await expect(compare.verdict).toContainText('Identical: 5,000 rows');
    for (const grid of [compare.wasm, compare.native]) await expect(grid.cell(0, 'name')).toHaveText('item 5000');
    await compare.wasm.click(0, 'name');
    await view.page.keyboard.press('Control+End');
    await expect(compare.native.cell(4999, 'name')).toHaveText('item 1');
    await compare.part('Plans');
    await expect(compare.verdict).toContainText('The same plan');
    await expect(view.page.getByRole('cell', { name: /SCAN item/ })).toHaveCount(2);
    await compare.part('Engines');
    await expect(view.page.getByRole('row', { name: /^SQLite 3/ })).toBeVisible();
    await expect(view.page.getByRole('cell', { name: /Only native/ })).toContainText('SOUNDEX');
    await compare.part('Times');
    await expect(view.page.getByRole('button', { name: 'Measure again' })).toBeVisible({ timeout: 20_000 });
    await expect(view.page.getByRole('region', { name: 'Total' })).toContainText('ms');
  },
);

test('the same rows in another order are told from other rows', { tag: '@long' }, async ({ idleApp }) => {
  const { compare } = await openShop(idleApp);
  await compare.open(`SELECT id, name FROM item ORDER BY iif(${NATIVE}, id, -id) LIMIT 5000`);
  await expect(compare.verdict).toContainText(
    'The same 5,000 rows, in a different order: 5,000 are in other positions',
  );
  await expect(compare.wasm.cell(0, 'name')).toHaveAttribute('data-difference', 'order');
});

test('what differs is marked, said with storage class, and reached by key', async ({ idleApp }) => {
  const { view, compare } = await openShop(idleApp);
  await compare.open(
    `SELECT id, name, iif(id % 2000 = 0, CASE ${NATIVE} WHEN 1 THEN '2' ELSE 2 END, 0) AS v FROM item`,
  );
  await expect(compare.verdict).toContainText('Different: 2 rows differ.');
  await view.page.keyboard.press('F8');
  await expect(compare.valueOn('wasm')).toHaveText('integer2');
  await expect(compare.valueOn('native')).toContainText('text');
  await expect(compare.wasm.cell(1999, 'v')).toHaveAttribute('data-difference', 'content');
  await expect(compare.native.cell(1999, 'v')).toHaveAttribute('data-difference', 'content');
  await expect(compare.native.cell(1999, 'name')).not.toHaveAttribute('data-difference');
  await view.page.keyboard.press('F8');
  await expect(compare.wasm.cell(3999, 'v')).toHaveAttribute('data-difference', 'content');
  await view.page.keyboard.press('Shift+F8');
  await expect(view.page.getByRole('group', { name: 'Current cell' })).toContainText('Row 2,000');
});

test(
  'every row of thousands differs: the app stays, in use and when it quits',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, compare } = await openShop(idleApp);
    // Long on its way to the native engine, and a long list of rows on its way back.
    await compare.open(`/* ${'x'.repeat(100_000)} */ SELECT id, name, ${NATIVE} AS s FROM item ORDER BY price DESC`);
    await expect(compare.verdict).toContainText('Different: 5,000 rows differ.');
    for (let times = 0; times < 3; times++) await compare.again();
    await view.page.keyboard.press('F8');
    await expect(compare.valueOn('wasm')).toHaveText('integer0');
    await expect(compare.valueOn('native')).toHaveText('integer1');
  },
);

test(
  'an error of one engine is its result, and a script goes statement by statement',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, compare } = await openShop(idleApp);
    await compare.open(`SELECT 1 AS one; SELECT soundex('Robert') AS s; SELECT 2`);
    await expect(compare.verdict).toContainText('Only native could run it; wasm rejected it.');
    await expect(compare.side('wasm')).toContainText('no function named “soundex”');
    await expect(compare.native.cell(0, 's')).toHaveText('R163');
    const statements = view.page.getByRole('tablist', { name: 'Statements' });
    await expect(statements.getByRole('tab')).toHaveCount(3);
    await statements.getByRole('tab', { name: 'Statement 1, same' }).click();
    await expect(compare.verdict).toContainText('Identical: 1 row');
  },
);

test(
  'what writes is counted, rolled back on both sides, and kept only when asked to',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, compare } = await openShop(idleApp);
    await compare.open(`BEGIN; DELETE FROM item WHERE id > 10; COMMIT; SELECT count(*) AS n FROM item;`);
    await expect(compare.wasm.cell(0, 'n')).toHaveText('10');
    await expect(view.page.getByText('rolled back on both sides')).toBeVisible();
    await view.page.getByRole('tab', { name: 'Statement 1, same' }).click();
    await expect(compare.verdict).toContainText('4,990 rows changed on both.');
    const grid = await view.openTable('item');
    await expect.poll(() => grid.rowCount()).toBe(5000);
    await view.page.getByRole('tab', { name: 'Compare 1' }).click();
    await view.page.getByRole('button', { name: 'Keep the changes…' }).click();
    await view.dialog.getByRole('button', { name: 'Run and keep' }).click();
    await expect(view.messages).toContainText('4,990 rows changed');
    await expect(view.page.getByText('Data changed since')).toBeVisible();
    await view.page.getByRole('tab', { name: 'item' }).click();
    await expect.poll(() => grid.rowCount()).toBe(10);
  },
);

test('the copy is made again only after a change, and goes with the tab', { tag: '@long' }, async ({ idleApp }) => {
  const { view, compare } = await openShop(idleApp);
  await compare.open('SELECT count(*) AS n FROM item');
  await expect(compare.native.cell(0, 'n')).toHaveText('5000');
  const [first] = comparisonCopiesOf(idleApp);
  expect(comparisonCopiesOf(idleApp)).toHaveLength(1);
  await compare.again();
  expect(comparisonCopiesOf(idleApp)).toEqual([first]);
  await view.runSql(`INSERT INTO item (name) VALUES ('one more');`);
  await view.page.getByRole('tab', { name: 'Compare 1' }).click();
  await expect(view.page.getByText('Data changed since')).toBeVisible();
  await view.page.getByRole('button', { name: 'Compare again' }).click();
  await expect(compare.native.cell(0, 'n')).toHaveText('5001');
  expect(comparisonCopiesOf(idleApp)).toHaveLength(1);
  expect(comparisonCopiesOf(idleApp)).not.toEqual([first]);
  await view.page.keyboard.press('Control+w');
  await expect.poll(() => comparisonCopiesOf(idleApp)).toEqual([]);
});

test('an open transaction is left out on both sides', { tag: '@long' }, async ({ idleApp }) => {
  const { view, compare } = await openShop(idleApp);
  await view.runSql(`BEGIN; DELETE FROM item WHERE id > 10;`);
  await compare.open('SELECT count(*) AS n FROM item');
  await expect(compare.verdict).toContainText('Identical');
  await expect(compare.wasm.cell(0, 'n')).toHaveText('5000');
  await expect(view.page.getByText('Only committed data is compared')).toBeVisible();
  await expect(view.status).toContainText('open transaction');
});

test(
  'a file in place is compared with a copy in the wasm engine, which is in no library',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { file, view, compare } = await openShop(idleApp, 'in-place');
    await compare.open(`DELETE FROM item WHERE id > 10; SELECT count(*) AS n FROM item`);
    await expect(compare.wasm.cell(0, 'n')).toHaveText('10');
    await expect(compare.native.cell(0, 'n')).toHaveText('10');
    expect(query(file, 'SELECT count(*) FROM item')).toEqual([[5000]]);
    await view.page.keyboard.press('Control+l');
    await expect(view.page.getByRole('row', { name: /shop/ })).toHaveCount(1);
  },
);

test('an open transaction on a file in place is left out on both sides', { tag: '@long' }, async ({ idleApp }) => {
  const { file, view, compare } = await openShop(idleApp, 'in-place');
  await view.runSql(`BEGIN; DELETE FROM item WHERE id > 10;`);
  await compare.open('SELECT count(*) AS n FROM item');
  await expect(compare.native.cell(0, 'n')).toHaveText('5000');
  await expect(compare.verdict).toContainText('Identical');
  expect(query(file, 'SELECT count(*) FROM item')).toEqual([[5000]]);
});

test(
  'a native engine that is killed meanwhile comes back with the next comparison',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, compare } = await openShop(idleApp);
    await compare.open('SELECT count(*) AS n FROM item');
    await expect(compare.native.cell(0, 'n')).toHaveText('5000');
    await killEngine(idleApp);
    await expect(view.messages).toContainText('native engine was restarted');
    await expect(view.page.getByText('An engine was restarted')).toBeVisible();
    await compare.again();
    await expect(compare.native.cell(0, 'n')).toHaveText('5000');
  },
);

test(
  'a Compare tab comes back with its text, and nothing of a killed run stays',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { compare } = await openShop(idleApp);
    await compare.open('SELECT 7 AS seven');
    await expect(compare.native.cell(0, 'seven')).toHaveText('7');
    await compare.part('Plans');
    await expect.poll(() => compare.view.page.evaluate(() => document.activeElement?.textContent)).toBe('Plans');
    await keepState(compare.view.page);
    await expect.poll(() => comparisonCopiesOf(idleApp)).toHaveLength(1);
    await idleApp.kill();
    const view = new AppWindow(await idleApp.start());
    await expect(view.editor).toContainText('SELECT 7 AS seven');
    await expect.poll(() => comparisonCopiesOf(idleApp)).toEqual([]);
  },
);

test(
  'a result of a million rows is compared page by page, and stopped when asked to',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, compare } = await openShop(idleApp);
    const rows = (count: string): string =>
      `WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c ${count}) SELECT x, iif(x = 777777, ${NATIVE}, 'v' || x) AS v FROM c`;
    await compare.open(rows('LIMIT 1000000'));
    await expect(compare.verdict).toContainText('Different: 1 row differs.', { timeout: 60_000 });
    await view.page.keyboard.press('F8');
    await expect(compare.wasm.cell(777_776, 'v')).toHaveAttribute('data-difference', 'content');
    await compare.open(rows(''));
    await view.page.getByRole('toolbar', { name: 'Comparison' }).getByRole('button', { name: 'Stop' }).click();
    await expect(view.page.getByText('Stopped. Nothing was changed.')).toBeVisible();
  },
);
