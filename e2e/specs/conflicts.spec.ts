// Conflicts that `sidelite merge` has left in a file: seen in its table, and decided row by row in the window.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { findings } from '../findings.ts';
import { AppWindow } from '../pages/app-window.ts';
import { runCommand } from '../support/command.ts';
import { query } from '../support/compare-results.ts';
import { SHOP } from '../support/shop-in-place.ts';

const PATIENT = { timeout: 30_000 };
const SIDES = {
  base: '',
  ours: `UPDATE item SET price = 9 WHERE id = 1; UPDATE item SET name = 'bear' WHERE id = 2; DELETE FROM item WHERE id = 3`,
  theirs: `UPDATE item SET price = 8 WHERE id < 4; UPDATE item SET name = 'bison' WHERE id = 2`,
};

test('conflicts of a merge are decided in the window, one by one, until the table of them is dropped', async ({
  idleApp,
}) => {
  for (const [name, sql] of Object.entries(SIDES))
    makeDatabase(join(idleApp.folder, `${name}.db`), { kind: 'sql', sql: SHOP + sql });
  const words = ['merge', 'base.db', 'ours.db', 'theirs.db', '-o', 'merged.db'];
  expect(await runCommand(idleApp, words)).toMatchObject({ code: 1 });
  const file = join(idleApp.folder, 'merged.db');
  idleApp.opensFiles = 'in-place';
  const view = new AppWindow(await idleApp.start(file));
  const { page } = view;
  await view.opened('merged.db');
  await view.treeItem('sidelite_conflicts').click();
  await page.getByRole('button', { name: 'Open conflicts' }).click();

  const dialog = page.getByRole('dialog', { name: 'Conflicts of the last merge' });
  const price = dialog.getByRole('row', { name: 'price' });
  await expect(dialog.getByRole('status')).toHaveText('3 conflicts to decide.');
  await expect(dialog.getByRole('listbox', { name: 'Conflicts' })).toBeFocused();
  await expect(price).toHaveText('price1.59.08.0');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await findings(page, 'conflicts dialog', theme)).toEqual([]);
  }
  await dialog.getByRole('button', { name: 'Edit row' }).click();
  await expect(page.getByRole('form').getByLabel(/^price /)).toHaveValue('9.0', PATIENT);
  await expect(page.getByRole('form').getByLabel(/^id /)).toBeFocused();
  await view.treeItem('sidelite_conflicts').click();
  await page.getByRole('button', { name: 'Open conflicts' }).click();
  await expect(price).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('status')).toHaveText('2 conflicts to decide.');
  await expect(dialog.getByRole('row', { name: 'name' })).toHaveText('namebeebearbison');
  expect(query(file, 'SELECT price FROM item WHERE id = 1')).toEqual([[8]]);
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(dialog.getByRole('status')).toHaveText('1 conflict to decide.');
  await expect(dialog.getByRole('columnheader', { name: 'Mine: no row' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await expect(dialog.getByRole('status')).toContainText('No conflicts are left.');
  expect(query(file, "SELECT group_concat(name || ' ' || price) FROM item")).toEqual([['ant 8.0,bear 2.0,cat 8.0']]);
  const drop = dialog.getByRole('button', { name: 'Drop the table…' });
  await expect(drop).toBeFocused();
  await drop.click();
  await view.dialog.getByRole('button', { name: 'Drop' }).click();
  await expect(view.treeItem('sidelite_conflicts')).toHaveCount(0, PATIENT);
});
