// Undo of what was done to a file where it lies: the keys and the History of the library, beside other programs that write to it too.
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { integrityOf, query } from '../support/compare-results.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { engineStarted, killEngine } from '../support/engine-process.ts';
import { openShop } from '../support/shop-in-place.ts';

const nameOf = (file: string, id: number): unknown =>
  (query(file, `SELECT name FROM item WHERE id = ${id}`) as unknown[][])[0]?.[0];

for (const mode of ['wal', 'delete'] as const) {
  test(
    `an edit is undone and done again with the keys, also after the next start (${mode})`,
    { tag: mode === 'delete' ? '@long' : [] },
    async ({ idleApp }) => {
      const { file, other, view, grid } = await openShop(idleApp, mode);
      other.close();
      await grid.edit(0, 'name', 'emu');
      await expect.poll(() => nameOf(file, 1)).toBe('emu');
      await view.page.keyboard.press('Control+z');
      await expect(grid.cell(0, 'name')).toHaveText('ant');
      await expect(view.messages).toContainText(/Undid: .*item, 1 row/);
      expect(nameOf(file, 1)).toBe('ant');
      await view.page.keyboard.press('Control+Shift+z');
      await expect(grid.cell(0, 'name')).toHaveText('emu');
      await grid.edit(1, 'name', 'bat');
      await expect.poll(() => nameOf(file, 2)).toBe('bat');
      await idleApp.quit();
      // None of it is stored beside the file.
      expect(readdirSync(dirname(file)).filter((name) => name.startsWith('shop.db'))).toEqual(['shop.db']);

      const again = new AppWindow(await idleApp.start());
      await again.opened('shop.db');
      const history = new HistoryPage(again.page);
      await history.show();
      await expect(history.steps).toHaveCount(2);
      await history.choose(/Edit name in item/);
      await expect(history.row('updated', 'bat')).toBeVisible();
      await history.undo();
      await expect.poll(() => nameOf(file, 2)).toBe('bee');
      await history.undo();
      await expect.poll(() => nameOf(file, 1)).toBe('ant');
      await expect(history.bar.getByRole('button', { name: /^Undo/ })).toBeDisabled();
      await history.redo();
      await expect.poll(() => nameOf(file, 1)).toBe('emu');
      expect(integrityOf(file)).toBe('ok');
    },
  );
}

test(
  'what another program writes ends undo there, in words; an older step is taken back alone',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { file, other, view, grid } = await openShop(idleApp);
    await grid.edit(0, 'name', 'emu');
    await expect.poll(() => nameOf(file, 1)).toBe('emu');
    // The file has it a moment before the app knows that it is stored.
    await expect(grid.editor).toHaveCount(0);
    other.exec("UPDATE item SET name = 'bat' WHERE id = 2");
    await expect(grid.cell(1, 'name')).toHaveText('bat');
    await view.page.keyboard.press('Control+z');
    await expect(view.messages).toContainText('Another program wrote to this file');
    await expect(grid.cell(0, 'name')).toHaveText('emu');

    const history = new HistoryPage(view.page);
    await history.show();
    await expect(history.step('Changes of another program')).toContainText('not recorded');
    const details = await history.choose(/Edit name in item/);
    await details.getByRole('button', { name: 'Undo only this step' }).click();
    await expect.poll(() => nameOf(file, 1)).toBe('ant');
    await history.undo();
    await expect.poll(() => nameOf(file, 1)).toBe('emu');

    other.exec("UPDATE item SET name = 'gnu' WHERE id = 1");
    // The undone step can no longer be redone.
    await expect(history.steps).toHaveCount(2);
    await expect(history.bar.getByRole('button', { name: /^Undo/ })).toBeDisabled();
    await (await history.choose(/Edit name in item/)).getByRole('button', { name: 'Undo only this step' }).click();
    await expect(view.dialog).toContainText('gnu');
    await view.page.keyboard.press('Escape');
    expect(query(file, 'SELECT name FROM item ORDER BY id')).toEqual([['gnu'], ['bat'], ['cat']]);
    other.close();
  },
);

test(
  'scripts, triggers and the schema are taken back too; a dry run shows its rows',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { file, other, view } = await openShop(idleApp, 'delete');
    other.exec(`CREATE TABLE note (text);
    CREATE TRIGGER gone AFTER DELETE ON item BEGIN INSERT INTO note VALUES ('gone: ' || old.name); END;`);
    const history = new HistoryPage(view.page);
    await view.runSql('DELETE FROM item WHERE id > 1;');
    await expect.poll(() => query(file, 'SELECT count(*) FROM note')).toEqual([[2]]);
    await history.show();
    await history.choose('DELETE FROM item');
    await expect(history.row('inserted', 'gone: cat')).toBeVisible();
    await history.undo();
    await expect.poll(() => query(file, 'SELECT count(*) FROM item')).toEqual([[3]]);
    expect(query(file, 'SELECT count(*) FROM note')).toEqual([[0]]);
    other.exec('DELETE FROM item WHERE id = 3');
    expect(query(file, 'SELECT text FROM note')).toEqual([['gone: cat']]);
    other.close();

    await view.writeSql("UPDATE item SET name = name || '!' WHERE id = 1;");
    await view.page.keyboard.press('Control+Alt+Shift+Enter');
    const panel = view.page.getByRole('region', { name: 'Dry run' });
    await expect(panel).toContainText('Would change 1 row');
    await expect(history.row('updated', 'ant!')).toBeVisible();
    await panel.getByRole('button', { name: 'Discard' }).click();
    await expect(panel).toHaveCount(0);
    expect(nameOf(file, 1)).toBe('ant');

    await view.runSql('ALTER TABLE item ADD COLUMN size;');
    await expect.poll(() => query(file, "SELECT count(*) FROM pragma_table_info('item')")).toEqual([[4]]);
    await history.show();
    await expect(history.step('ALTER TABLE')).toBeVisible();
    await history.undo();
    await expect(view.messages).toContainText('Undid: ALTER TABLE');
    await expect.poll(() => query(file, "SELECT count(*) FROM pragma_table_info('item')")).toEqual([[3]]);
    expect(integrityOf(file)).toBe('ok');
  },
);

test('an engine that is killed leaves the history as it was', { tag: '@long' }, async ({ idleApp }) => {
  const { file, other, view, grid } = await openShop(idleApp);
  other.close();
  await grid.edit(0, 'name', 'emu');
  await grid.edit(1, 'name', 'bat');
  await expect.poll(() => nameOf(file, 2)).toBe('bat');
  // The step is kept once the edit has been answered, a moment after others see the commit.
  await expect(grid.editor).toHaveCount(0);
  await engineStarted(idleApp, await killEngine(idleApp));
  await expect(view.messages).toContainText('native engine');
  await grid.click(0, 'name');
  await view.page.keyboard.press('Control+z');
  await expect.poll(() => nameOf(file, 2)).toBe('bee');
  await view.page.keyboard.press('Control+z');
  await expect.poll(() => nameOf(file, 1)).toBe('ant');
});
