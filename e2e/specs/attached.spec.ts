// A file is attached to a file in place: its tables are in the tree, SQL joins them and completes their names, and nothing is written to them.
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import { killEngine } from '../support/engine-process.ts';
import { makeShop } from '../support/shop-in-place.ts';

const PATIENT = { timeout: 30_000 };
const PRICES = `CREATE TABLE cost (item INTEGER, amount REAL); CREATE VIEW cheap AS SELECT * FROM cost WHERE amount < 2;
  INSERT INTO cost VALUES (1, 1.5), (2, 2.5);`;
const JOIN = 'SELECT name, amount FROM item JOIN old.cost ON item.id = cost.item ORDER BY 1';

/** Another program: the process of the test. */
function write(path: string, sql: string): void {
  const db = new Sqlite(path);
  db.exec(sql);
  db.close();
}

test('a file is attached, joined, browsed, attached again after a restart, and detached', async ({ idleApp }) => {
  idleApp.opensFiles = 'in-place';
  const shop = makeShop(idleApp);
  const costs = makeDatabase(join(idleApp.folder, 'costs.db'), { kind: 'sql', sql: PRICES });
  let view = new AppWindow(await idleApp.start(shop));
  await view.opened('shop.db');
  await idleApp.answerOpenDialog(costs);
  await view.command('Attach Database…');
  const name = view.dialog.getByRole('textbox');
  await expect(name).toHaveValue('costs');
  await name.fill('main');
  await expect(view.dialog).toContainText('“main” is the name of a schema');
  await name.fill('old');
  await view.page.keyboard.press('Enter');

  // Its tables are listed beside the own ones, and opening one leaves the list as it is.
  const heading = view.treeItem('old');
  await expect(heading).toContainText('costs.db', PATIENT);
  await view.treeItem('cheap').click();
  await expect(view.grid('Rows of cheap').cell(0, 'amount')).toHaveText('1.5');
  await expect(view.database).toHaveText(/^shop\.db/);
  await expect(view.treeItem('item')).toBeVisible();
  await view.page.keyboard.press('Control+w');
  // A table of it that is dragged to the own ones is offered to be copied into their database.
  await view.treeItem('cost').dragTo(view.treeItem('item'));
  await expect(view.dialog).toContainText('Copy table “cost” to another database');
  await expect(view.dialog.getByLabel('To database').locator('option:checked')).toHaveText('shop.db');
  await view.page.keyboard.press('Escape');
  expect(await findings(view.page, 'attached', 'light')).toEqual([]);

  await view.runSql(JOIN);
  const amount = view.grid('Result 1').cell(1, 'amount');
  await expect(amount).toHaveText('2.5');
  // The result follows what another program writes to the attached file.
  write(costs, 'UPDATE cost SET amount = 3.5 WHERE item = 2');
  await expect(amount).toHaveText('3.5', PATIENT);
  write(costs, 'UPDATE cost SET amount = 2.5 WHERE item = 2');
  await expect(amount).toHaveText('2.5', PATIENT);
  const before = readFileSync(costs);
  await view.writeSql('SELECT * FROM old.');
  await view.page.keyboard.press('Control+Space');
  await expect(view.page.getByRole('listbox').getByRole('option', { name: /^cost/ })).toBeVisible();
  await view.page.keyboard.press('Escape');
  await view.runSql('DELETE FROM old.cost;');
  await expect(view.page.getByRole('list', { name: 'Messages' })).toContainText('“old” is attached read-only');
  await view.runSql('CREATE TABLE kept AS SELECT * FROM old.cost;');
  await expect(view.treeItem('kept')).toBeVisible();
  await view.command('Undo');
  await expect(view.treeItem('kept')).toHaveCount(0, PATIENT);
  expect(readFileSync(costs)).toEqual(before);

  // The engine gets it again after a crash, and the app after a restart.
  await killEngine(idleApp);
  await expect(view.messages).toContainText('native engine was restarted');
  await view.runSql(JOIN);
  await expect(view.grid('Result 1').cell(1, 'amount')).toHaveText('2.5');
  view = new AppWindow(await idleApp.relaunch());
  await view.opened('shop.db');
  await expect(view.treeItem('cheap')).toBeVisible(PATIENT);
  await view.runSql(JOIN);
  await expect(view.grid('Result 1').cell(1, 'amount')).toHaveText('2.5');

  // There is a note for a file that is gone, and no error.
  await idleApp.quit();
  renameSync(costs, `${costs}.moved`);
  view = new AppWindow(await idleApp.start());
  await view.opened('shop.db');
  await expect(view.tree.getByRole('treeitem', { name: /no longer at .*costs\.db/ })).toBeVisible(PATIENT);
  await expect(view.messages.getByRole('status')).toHaveCount(0);
  await view.treeItem('old').click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: 'Detach' }).click();
  await expect(view.treeItem('old')).toHaveCount(0);
  expect(query(shop, 'SELECT count(*) FROM item')).toEqual([[3]]);
});
