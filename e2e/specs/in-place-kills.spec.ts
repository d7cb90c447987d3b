// The native engine may die at any moment: nothing committed is lost, and every window is told what was.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { integrityOf, query } from '../support/compare-results.ts';
import { engineStarted, enginePid, kill, killEngine } from '../support/engine-process.ts';
import { openShop } from '../support/shop-in-place.ts';

test.use({ isAlone: true });

test('an engine that is killed with a transaction open leaves the file whole, and says whose work was lost', async ({
  idleApp,
}) => {
  const { file, other, view, grid } = await openShop(idleApp);
  other.close();
  await view.runSql("BEGIN; INSERT INTO item (name) VALUES ('uncommitted');");
  await expect(view.status).toContainText('open transaction: Window 1');
  const pid = await killEngine(idleApp);
  await expect(view.messages).toContainText('native engine was restarted');
  await expect(view.messages).toContainText('committed to “shop.db” are safe');
  await expect(view.messages).toContainText('Rolled back: the open transaction of Window 1 on “shop.db”');
  await engineStarted(idleApp, pid);
  await expect(view.status).not.toContainText('open transaction');
  await view.tabs.first().click();
  await expect(grid.cell(2, 'name')).toHaveText('cat');
  await grid.edit(0, 'name', 'after');
  await expect.poll(() => query(file, 'SELECT name FROM item ORDER BY id')).toEqual([['after'], ['bee'], ['cat']]);
  expect(integrityOf(file)).toEqual('ok');
});

test(
  'an engine that is killed in the middle of commits loses none that was done, and no half of one',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { file, other, view } = await openShop(idleApp, 'delete');
    other.close();
    const pairs = Array.from({ length: 5000 }, (_, at) => `INSERT INTO item (name) VALUES ('a${at}'), ('b${at}');`);
    await view.writeSql(pairs.join('\n'));
    await view.page.keyboard.press('F5');
    const count = (): number => (query(file, 'SELECT count(*) FROM item') as [[number]])[0][0];
    await expect.poll(count, { intervals: [5] }).toBeGreaterThan(20);
    const seen = count();
    await killEngine(idleApp);
    await expect(view.messages).toContainText('native engine was restarted');
    expect(integrityOf(file)).toEqual('ok');
    const rows = query(file, 'SELECT name FROM item WHERE id > 3 ORDER BY id') as [string][];
    const names = rows.map(([name]) => name);
    expect(names.length + 3).toBeGreaterThanOrEqual(seen);
    expect(names.length).toBeLessThan(10_000);
    expect(names).toEqual(Array.from({ length: names.length / 2 }, (_, at) => [`a${at}`, `b${at}`]).flat());
  },
);

test(
  'an engine that ends again and again is given up, and started once more by a person',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { other, view, grid } = await openShop(idleApp);
    other.close();
    for (let time = 1; time <= 3; time++) {
      const pid = await killEngine(idleApp);
      await expect(view.messages).toContainText('native engine was restarted');
      await view.messages.getByRole('button', { name: 'Dismiss' }).click();
      await engineStarted(idleApp, pid);
    }
    await killEngine(idleApp);
    await expect(view.messages).toContainText('stopped four times within a minute');
    await expect(view.messages).toContainText('committed to “shop.db” are safe');
    expect(await enginePid(idleApp)).toBe(null);
    await view.messages.getByRole('button', { name: 'Start it again' }).click();
    await expect(view.messages).toContainText('native engine was restarted');
    await grid.edit(0, 'name', 'emu');
    await expect(grid.cell(0, 'name')).toHaveText('emu');
  },
);

test(
  'a step that cannot be interrupted is stopped by ending the engine, which is said before',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(120_000);
    const { other, view } = await openShop(idleApp);
    other.close();
    await view.writeSql('WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c;');
    // More often than a crash would be made up for.
    for (let time = 1; time <= 5; time++) {
      const pid = await enginePid(idleApp);
      await view.page.keyboard.press('F5');
      await view.status.getByRole('button', { name: 'Stop' }).click();
      await view.status.getByRole('button', { name: 'Restart engine…' }).click();
      await expect(view.dialog).toContainText('rolled back, in every window');
      await view.dialog.getByRole('button', { name: 'Stop it' }).click();
      await expect(view.messages).toContainText('native engine was restarted');
      await view.messages.getByRole('button', { name: 'Dismiss' }).click();
      await engineStarted(idleApp, pid);
      await view.editor.focus();
    }
    await view.runSql('SELECT count(*) AS n FROM item;');
    await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('3');
  },
);

test(
  'rows that come slowly are stopped between two of them, and the engine goes on',
  { tag: '@long' },
  async ({ idleApp }) => {
    // A CHECK of a file that was made to be slow: some 20 ms a row, for minutes.
    const slow = 'CREATE TABLE slow (a CHECK (length(hex(zeroblob(4000000 + a * 0))) > 0))';
    const { other, view } = await openShop(idleApp, 'wal', slow);
    other.close();
    const pid = await enginePid(idleApp);
    await view.writeSql(
      'INSERT INTO slow WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 9999) SELECT i FROM n;',
    );
    await view.page.keyboard.press('F5');
    await view.status.getByRole('button', { name: 'Stop' }).click();
    const messages = view.page.getByRole('list', { name: 'Messages' });
    await expect(messages).toContainText('Nothing of this statement was kept');
    expect(await enginePid(idleApp)).toBe(pid);
    await view.runSql('SELECT count(*) AS n FROM slow;');
    await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('0');
  },
);

test('every window hears of a killed engine, and goes on', { tag: '@long' }, async ({ idleApp }) => {
  const { file, other, view, grid } = await openShop(idleApp);
  other.close();
  const second = await view.secondWindow(idleApp, 'shop.db');
  const there = await second.openTable('item');
  await killEngine(idleApp);
  for (const { messages } of [view, second]) await expect(messages).toContainText('native engine was restarted');
  await there.edit(0, 'name', 'emu');
  await expect(grid.cell(0, 'name')).toHaveText('emu');
  expect(query(file, 'SELECT name FROM item WHERE id = 1')).toEqual([['emu']]);
});

test('what the engine prints when something is wrong is in the log', { tag: '@long' }, async ({ idleApp }) => {
  // Makes Node say what it does with threads.
  process.env['NODE_DEBUG'] = 'worker';
  try {
    const { other } = await openShop(idleApp);
    other.close();
  } finally {
    delete process.env['NODE_DEBUG'];
  }
  const log = (): string => readFileSync(join(idleApp.profile, 'sidelite.log'), 'utf8');
  await expect.poll(log).toMatch(/^\S+ Sidelite native engine: WORKER/m);
});

test('specs refuse to end what is no process: 0 is the group of the tests themselves', () => {
  for (const none of [0, -1, 1, null]) expect(() => kill(none)).toThrow('There is no engine to end');
});
