// One step of the history on its own: undone alone, saved as a patch, and asked about first where it could not be undone.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { applySql, contentsOf } from '../support/compare-results.ts';
import { MUSIC, musicFile, openMusic, stored } from '../support/music-history.ts';
import { joinWire } from '../support/wire-in-page.ts';

test('an older step alone is taken back; for rows that changed since the person decides', async ({ anyApp }) => {
  const { view, history } = await openMusic(anyApp);
  await view.runSql("UPDATE album SET title = title || '!', price = price + 1");
  const grid = await view.openTable('album');
  await grid.edit(0, 'title', 'Mine A');
  await expect(grid.cell(0, 'title')).toHaveText('Mine A');
  await grid.edit(1, 'title', 'Mine B');
  await expect(grid.cell(1, 'title')).toHaveText('Mine B');

  await history.show();
  const details = await history.choose(/UPDATE album/);
  await details.getByRole('button', { name: 'Undo only this step' }).click();
  await expect(view.dialog).toContainText('2 rows changed since');
  await expect(view.dialog.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await view.page.keyboard.press('Escape');
  await expect(view.messages).toContainText('Nothing was changed.');

  await details.getByRole('button', { name: 'Undo only this step' }).click();
  await expect(view.dialog.getByRole('option')).toHaveCount(2);
  await expect(view.dialog.getByRole('listbox')).toBeFocused();
  // ← keeps mine and moves on to the next row, → takes theirs.
  await view.page.keyboard.press('ArrowLeft');
  await view.page.keyboard.press('ArrowDown');
  await view.page.keyboard.press('ArrowRight');
  await expect(view.dialog).toContainText('Everything is decided');
  await view.page.keyboard.press('Enter');
  await expect(view.messages).toContainText(/Undid only: Changed 3 rows of album .*2 rows changed, 1 row left/);
  await view.tabs.filter({ hasText: 'album' }).click();
  await expect(grid.cell(0, 'title')).toHaveText('Mine A');
  await expect(grid.cell(0, 'price')).toHaveText('2.5');
  await expect(grid.cell(1, 'title')).toHaveText('Second');
  await expect(grid.cell(1, 'price')).toHaveText('2.5');
  await expect(grid.cell(2, 'title')).toHaveText('Third');
  await grid.click(0, 'id');
  await view.page.keyboard.press('Control+z');
  await expect(grid.cell(1, 'title')).toHaveText('Mine B');
  await expect(grid.cell(2, 'title')).toHaveText('Third!');
});

test(
  'a row that is gone is left out of what is taken back, and nothing is asked about it',
  { tag: ['@web', '@long'] },
  async ({ anyApp }) => {
    const { view, history } = await openMusic(anyApp);
    await view.runSql("UPDATE artist SET name = name || '!'");
    await view.runSql("DELETE FROM artist WHERE id = 3; UPDATE artist SET name = 'mine' WHERE id = 2;");
    await history.show();
    const details = await history.choose(/UPDATE artist SET name = name/);
    await details.getByRole('button', { name: 'Undo only this step' }).click();
    await expect(view.dialog.getByRole('option')).toHaveCount(2);
    await expect(view.dialog).toContainText('1 row to decide');
    await view.dialog.getByRole('option', { name: /Skipped/ }).click();
    await expect(view.dialog).toContainText('the row no longer exists');
    await expect(view.dialog.getByRole('radio')).toHaveCount(0);
    await view.dialog.getByRole('button', { name: 'Take theirs for all' }).click();
    await view.dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(view.messages).toContainText(/2 rows changed, 1 row left/);
  },
);

test('a step is saved as a patch and applied to another database', { tag: '@long' }, async ({ idleApp }) => {
  const { view, history } = await openMusic(idleApp);
  await view.runSql("BEGIN; UPDATE artist SET name = 'Zoe' WHERE id = 1; DELETE FROM album WHERE id = 12; COMMIT");
  const wanted = await stored(idleApp, view);
  await history.show();
  const details = await history.choose(/album|artist/);
  const save = async (entry: RegExp, name: string): Promise<string> => {
    await idleApp.answerSaveDialog(join(idleApp.folder, name));
    await details.getByRole('button', { name: /Save as patch/ }).click();
    await view.page.getByRole('menuitem', { name: entry }).click();
    await expect(view.messages).toContainText(`was saved to ${name}`);
    await expect(view.messages).toContainText('because the table has no primary key');
    return join(idleApp.folder, name);
  };
  const changeset = await save(/Changeset/, 'step.changeset');
  const sql = await save(/SQL/, 'step.sql');

  await view.openFile(idleApp, musicFile(idleApp, 'other'));
  await view.opened('other');
  await idleApp.answerOpenDialog(changeset);
  await view.command('Apply Patch');
  await expect(view.messages).toContainText('Applied step.changeset');
  expect(await idleApp.shownOpenDialog()).toMatchObject({
    title: 'Apply Patch',
    filters: [{ extensions: ['changeset'] }, { extensions: ['*'] }],
  });
  // “gone” has no primary key, so a changeset cannot name its rows: the app said so when it was saved.
  const got = await stored(idleApp, view);
  expect({ ...got.tables, gone: null }).toEqual({ ...wanted.tables, gone: null });
  // SQL includes what triggers did, so they are switched off for it where they exist.
  const untriggered = `${MUSIC}; DROP TRIGGER album_gone; DROP TRIGGER track_gone;`;
  const target = makeDatabase(join(idleApp.folder, 'by-sql.db'), { kind: 'sql', sql: untriggered });
  applySql(target, sql);
  for (const table of ['artist', 'album', 'track', 'gone'])
    expect(contentsOf(target).tables[table]).toEqual(wanted.tables[table]);

  // A file that is not a patch is refused in words.
  await idleApp.answerOpenDialog(sql);
  await view.command('Apply Patch');
  await expect(view.messages).toContainText(/step\.sql|not a changeset|no patch/i);
});

test('what could not be undone is asked about before it runs', { tag: '@long' }, async ({ idleApp }) => {
  const { view, history } = await openMusic(idleApp);
  await joinWire(view.page);
  await view.page.evaluate(() =>
    window.ask('history.setLimits', { database: '', totalBytes: 4 << 20, stepBytes: 1 << 20 }),
  );
  await view.runSql("UPDATE artist SET name = 'Cyd' WHERE id = 3");
  await view.runSql(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) INSERT INTO gone SELECT hex(zeroblob(400)) FROM n',
  );
  await view.writeSql("DELETE FROM gone; UPDATE artist SET name = 'x' WHERE id = 1");
  await view.page.keyboard.press('F5');
  await expect(view.dialog).toContainText('Run without undo?');
  await view.page.keyboard.press('Escape');
  await expect(view.page.getByRole('list', { name: 'Messages' }).getByRole('alert')).toBeVisible();
  await expect(view.editor).toBeFocused();
  expect((await stored(idleApp, view)).tables['gone']).toHaveLength(3000);

  await view.editor.click();
  await view.page.keyboard.press('F5');
  await view.dialog.getByRole('button', { name: 'Run without undo' }).click();
  await expect(view.page.getByRole('list', { name: 'Messages' })).toContainText('2 statements');
  await history.show();
  await expect(history.step(/DELETE FROM gone/)).toContainText('not recorded');

  // Steps below cannot be reached by undoing step by step, and the app says so before it is tried.
  const undo = history.bar.getByRole('button', { name: /^Undo/ });
  const below = await history.choose(/Cyd/);
  const back = below.getByRole('button', { name: 'Undo back to here' });
  await expect(back).toBeDisabled();
  await expect(back).toHaveAccessibleDescription(/Undo ends at “DELETE FROM gone”.*larger than/);
  await expect(undo).toBeDisabled();
  await expect(undo).toHaveAccessibleDescription(/DELETE FROM gone/);
  await expect(below.getByRole('button', { name: 'Undo only this step' })).toBeEnabled();
  await view.writeSql('ALTER TABLE artist RENAME TO singer');
  await view.page.keyboard.press('F5');
  await view.dialog.getByRole('button', { name: 'Run without undo' }).click();
  await history.show();
  await history.choose(/Cyd/);
  const only = below.getByRole('button', { name: 'Undo only this step' });
  await expect(only).toBeDisabled();
  await expect(only).toHaveAccessibleDescription(/“artist”: it no longer exists/);
});
