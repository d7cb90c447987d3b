// What an import is to the rest of the app: it is stopped, its tab is closed, its file is gone, and others work beside it.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { seeded } from '../data/seeded.ts';
import { expect, test } from '../fixtures.ts';
import { holdBack } from '../hold-in-page.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import { expectValue, openShop, SHOP, slowTrigger, writeCsv } from '../support/import-shop.ts';

const PATIENT = { timeout: 30_000 };

test(
  'an import that is stopped leaves the table as it was; other tabs are used meanwhile',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await view.runSql(slowTrigger(5000));
    const next = seeded(7);
    const lines = Array.from(
      { length: 200_000 },
      (_, at) => `${at + 10},name ${next()} ${next()},1.5,${next() % 1000}`,
    );
    const file = writeCsv(app, 'many.csv', `id,name,price,stock\n${lines.join('\n')}\n`);
    await importing.choose(app, view, file);
    // The table declares its types, so there is no need to wait until the whole file has been read.
    await importing.field('Table').selectOption('item');
    await expect(importing.column('stock')).toBeVisible();
    await importing.importButton().click();
    const stop = importing.bar.getByRole('button', { name: 'Stop' });
    await expect(stop).toBeVisible();
    const grid = await view.openTable('item');
    await expect(grid.cell(2, 'name')).toHaveText('cat');
    await view.tabs.filter({ hasText: 'Import' }).click();
    await stop.click();
    await expect(importing.page.getByRole('alert')).toContainText('Stopped. Nothing was imported.', PATIENT);
    await expectValue(view, 'SELECT count(*) AS v FROM item;', '3');
  },
);

test('an import whose tab is closed goes on, and says what it came to', { tag: '@long' }, async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await view.runSql(slowTrigger(50));
  const lines = Array.from({ length: 100_000 }, (_, at) => `${at + 10},name ${at},1.5,${at % 1000}`);
  await importing.choose(app, view, writeCsv(app, 'many.csv', `id,name,price,stock\n${lines.join('\n')}\n`));
  await importing.field('Table').selectOption('item');
  await expect(importing.column('stock')).toBeVisible();
  await importing.importButton().click();
  await expect(importing.bar.getByRole('button', { name: 'Stop' })).toBeVisible();
  await view.page.keyboard.press('Control+w');
  await expect(view.tabs.filter({ hasText: 'Import' })).toHaveCount(0);
  await expect(view.messages).toContainText('100,000 rows added to “item”', PATIENT);
  await view.messages.getByRole('button', { name: 'Open table' }).click();
  await expect(view.grid('Rows of item').cell(3, 'name')).toHaveText('name 0');
});

test('an import tab finds its file again after a restart', { tag: '@long' }, async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await importing.open(app, view, writeCsv(app, 'kept.csv', 'a,b\n1,x\n2,y\n'));
  const again = new ImportPage(new AppWindow(await app.relaunch()));
  await again.read();
  await expect(again.preview.cell(1, 'b')).toHaveText('y');
  await again.run();
  await expect(again.result).toContainText('2 rows added to “kept”');
});

test(
  'a file that is gone, empty, or no longer open is said, and another can be chosen',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    const few = writeCsv(app, 'few.csv', 'a,b\n1,2\n');
    await importing.open(app, view, few);
    rmSync(few);
    const again = new AppWindow(await app.relaunch());
    await again.connected();
    await again.tabs.filter({ hasText: 'Import few.csv' }).click();
    await expect(again.page.getByRole('alert')).toContainText('“few.csv” no longer exists');
    writeCsv(app, 'few.csv', 'a,b\n1,2\n');
    await app.answerOpenDialog(join(app.folder, 'few.csv'));
    await again.page.getByRole('button', { name: 'Choose a file…' }).click();
    const anew = new ImportPage(again);
    await expect(anew.importButton('1')).toBeVisible(PATIENT);
  },
);

for (const place of ['in the library', 'in place'] as const) {
  test(
    `an edit in another database does not wait for an import, ${place}`,
    { tag: '@long' },
    async ({ idleApp: app }) => {
      if (place === 'in place') app.opensFiles = 'in-place';
      const { view, importing } = await openShop(app);
      await view.runSql(slowTrigger(500));
      const next = seeded(9);
      const lines = Array.from(
        { length: 200_000 },
        (_, at) => `${at + 10},name ${next()} ${next()},1.5,${next() % 1000}`,
      );
      await importing.choose(app, view, writeCsv(app, 'many.csv', `id,name,price,stock\n${lines.join('\n')}\n`));
      await importing.field('Table').selectOption('item');
      await expect(importing.column('stock')).toBeVisible();
      await view.openFile(app, makeDatabase(join(app.folder, 'other.db'), { kind: 'sql', sql: SHOP }));
      await view.opened('other');
      await view.writeSql("UPDATE item SET name = 'edited' WHERE id = 2; SELECT name AS v FROM item WHERE id = 2;");
      await view.tabs.filter({ hasText: 'Import' }).click();
      await importing.importButton().click();
      const stop = importing.bar.getByRole('button', { name: 'Stop' });
      await expect(stop).toBeVisible();
      await view.tabs.filter({ hasText: 'Query 2' }).click();
      await view.page
        .getByRole('toolbar', { name: 'Query' })
        .getByRole('button', { name: /^Run all/ })
        .click();
      await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText('edited');
      await view.tabs.filter({ hasText: 'Import' }).click();
      // It continued all the time.
      await stop.click();
      await expect(importing.page.getByRole('alert')).toContainText('Stopped. Nothing was imported.', PATIENT);
    },
  );

  test(
    `an import that begins before its file is counted finds the types itself, ${place}`,
    { tag: '@long' },
    async ({ idleApp: app }) => {
      if (place === 'in place') app.opensFiles = 'in-place';
      const { view, importing } = await openShop(app);
      // The commit of an import then has a checkpoint, which a thread of its own makes.
      if (place === 'in place') {
        await view.runSql('PRAGMA journal_mode = wal;');
        await expect(view.status).toContainText('WAL');
      }
      const lines = Array.from({ length: 150_000 }, (_, at) => `${at},${at % 10},${at / 4},${'text '.repeat(40)}`);
      for (const [name, last, code] of [
        ['plain', '5', 'INTEGER'],
        // Only the last row shows that these are no numbers: everything is read once more.
        ['odd', '007', 'TEXT'],
      ] as const) {
        const file = writeCsv(app, `${name}.csv`, `id,code,price,note\n${lines.join('\n')}\n150000,${last},1.5,x\n`);
        // However long the window takes until there is a button, the file is not counted by then.
        const letGo = await holdBack(view.page, 'import.analyze');
        await importing.choose(app, view, file);
        await importing.bar.getByRole('button', { name: 'Import', exact: true }).click();
        await letGo();
        await expect(importing.result).toContainText(`150,001 rows added to “${name}”`, PATIENT);
        if (place === 'in place') expect(statSync(join(app.folder, 'shop.db')).size).toBeGreaterThan(30e6);
        const types = `SELECT group_concat(type, ' ') || ' ' || (SELECT code || typeof(code) FROM ${name} WHERE id = 150000) AS v FROM pragma_table_info('${name}');`;
        await expectValue(view, types, `INTEGER ${code} NUMERIC TEXT ${last}${code.toLowerCase()}`);
        // One step: the second reading has left nothing behind.
        await view.tabs.filter({ hasText: 'Import' }).first().click();
        await importing.result.getByRole('button', { name: 'Undo import' }).click();
        await expect(importing.result).toContainText('undone', PATIENT);
        await view.page.keyboard.press('Control+w');
      }
    },
  );

  test(`a file of megabytes is read by a thread of its own, ${place}`, { tag: '@long' }, async ({ idleApp: app }) => {
    if (place === 'in place') app.opensFiles = 'in-place';
    const { view, importing } = await openShop(app);
    const lines = Array.from({ length: 200_000 }, (_, at) => `${at + 1},"name, of ${at}",${at / 4},${at % 1000}`);
    const file = writeCsv(app, 'many.csv', `id,name,price,stock\n${lines.join('\n')}\n200001,text "late,1,2\n`);
    await importing.open(app, view, file);
    await expect(importing.column('price').getByLabel('Type of price')).toHaveValue('NUMERIC', PATIENT);
    await importing.run();
    await expect(importing.result).toContainText('200,001 rows added to “many”', PATIENT);
    const sums =
      "SELECT count(*) || ' ' || sum(id) || ' ' || sum(price) || ' ' || sum(length(name)) || max(typeof(price)) AS v FROM many;";
    const names = lines.reduce((sum, _, at) => sum + `name, of ${at}`.length, 'text "late'.length);
    const prices = lines.reduce((sum, _, at) => sum + at / 4, 1);
    await expectValue(view, sums, `200001 ${(200_001 * 200_002) / 2} ${prices.toFixed(1)} ${names}real`);
  });
}
