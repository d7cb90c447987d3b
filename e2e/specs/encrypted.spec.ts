// Encrypted files: opened with their password, used like every other file in place, and nowhere in plain text meanwhile.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { findings } from '../findings.ts';
import { AppWindow } from '../pages/app-window.ts';
import {
  filesWith,
  makeEncryptedShop,
  makePlainShop,
  openEncrypted,
  PASSWORD,
  PLAIN,
  queryEncrypted,
  queryPlain,
} from '../support/encrypted-shop.ts';
import { killEngine } from '../support/engine-process.ts';

/** A key store, which this computer need not have: loaded ahead of main. */
const KEY_STORE = `
  const { safeStorage } = require('electron');
  const turned = (bytes) => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  safeStorage.isEncryptionAvailable = () => true;
  safeStorage.encryptString = (text) => turned(Buffer.from(text));
  safeStorage.decryptString = (bytes) => turned(bytes).toString();`;

const NAMES = 'SELECT name FROM item ORDER BY id';

test.describe('an encrypted file', () => {
  test.use({ isAlone: true });

  test('is opened with its password, edited, and undone, and follows other programs', async ({ idleApp }) => {
    idleApp.opensFiles = null;
    const file = makeEncryptedShop(idleApp);
    const before = readFileSync(file);
    const view = new AppWindow(await idleApp.start());
    const { page, dialog } = view;
    await view.openFile(idleApp, file);
    const secret = dialog.getByLabel('Password', { exact: true }).and(page.locator('#key-secret'));

    await test.step('a wrong password is named, stays, and changes nothing', async () => {
      await expect(secret).toBeFocused();
      expect(await findings(page, 'the dialog about a key', 'light')).toEqual([]);
      await page.keyboard.type('wrong');
      await page.keyboard.press('Enter');
      await expect(dialog.getByRole('status')).toContainText('The key does not open “shop.db”');
      await expect(secret).toHaveValue('wrong');
      await expect(secret).toBeFocused();
      expect(readFileSync(file)).toEqual(before);
    });

    await test.step('a key that takes long to be tried is not waited for', async () => {
      await dialog.getByText('Advanced').click();
      await dialog.getByLabel('KDF iterations').fill('10000000');
      await page.keyboard.press('Enter');
      await expect(dialog.getByRole('status')).toHaveText('Trying…');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await view.openFile(idleApp, file);
      await expect(dialog).toContainText(file);
    });

    await secret.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await view.opened('shop.db');
    await expect(view.status).toContainText('Encrypted, in place');
    const grid = await view.openTable('item');
    await expect(grid.cell(0, 'name')).toHaveText(`${PLAIN} ant`);

    await test.step('the first edit asks, and is undone', async () => {
      await grid.edit(1, 'name', 'emu');
      await expect(dialog).toContainText('A library copy would not be encrypted');
      await dialog.getByRole('button', { name: 'Edit the file itself' }).click();
      await expect.poll(() => queryEncrypted(file, NAMES)).toEqual([[`${PLAIN} ant`], ['emu'], ['cat']]);
      await page.keyboard.press('Control+z');
      await expect.poll(() => queryEncrypted(file, NAMES)).toEqual([[`${PLAIN} ant`], ['bee'], ['cat']]);
    });

    await test.step('what another program commits appears', async () => {
      const other = openEncrypted(file);
      other.exec("UPDATE item SET name = 'cow' WHERE id = 3");
      other.close();
      await expect(grid.cell(2, 'name')).toHaveText('cow');
    });

    // The search finds what is there.
    expect(filesWith(idleApp, 'shop.db').length).toBeGreaterThan(0);
    expect(filesWith(idleApp, PLAIN)).toEqual([]);
  });

  test('has its key as long as it is open: in another window, in another process, and not after a restart', async ({
    idleApp,
  }) => {
    idleApp.opensFiles = 'in-place';
    const file = makeEncryptedShop(idleApp);
    const view = new AppWindow(await idleApp.start());
    await view.openFile(idleApp, file);
    await view.page.locator('#key-secret').fill(PASSWORD);
    await view.page.keyboard.press('Enter');
    await view.opened('shop.db');
    const grid = await view.openTable('item');

    await test.step('a process that dies is started again, with the key', async () => {
      await killEngine(idleApp);
      await expect(view.messages).toContainText('The process that opens the file was restarted');
      await expect(grid.cell(0, 'name')).toHaveText(`${PLAIN} ant`);
      await grid.edit(1, 'name', 'fox');
      await expect.poll(() => queryEncrypted(file, NAMES)).toEqual([[`${PLAIN} ant`], ['fox'], ['cat']]);
    });

    await test.step('another window needs no password', async () => {
      const second = await view.secondWindow(idleApp, 'shop.db');
      await expect(second.status).toContainText('Encrypted, in place');
      await second.page.keyboard.press('Control+Shift+w');
    });

    expect(filesWith(idleApp, PLAIN)).toEqual([]);
    await idleApp.kill();
    expect(filesWith(idleApp, PLAIN)).toEqual([]);
    expect(filesWith(idleApp, PASSWORD)).toEqual([]);

    await test.step('after a restart the password is asked for again, and the history is there', async () => {
      const again = new AppWindow(await idleApp.start());
      await again.page.locator('#key-secret').fill(PASSWORD);
      await again.page.keyboard.press('Enter');
      await again.opened('shop.db');
      const rows = again.grid('Rows of item');
      await rows.cell(0, 'name').click();
      await again.page.keyboard.press('Control+z');
      await expect.poll(() => queryEncrypted(file, NAMES)).toEqual([[`${PLAIN} ant`], ['bee'], ['cat']]);
    });
    expect(filesWith(idleApp, PLAIN)).toEqual([]);
    expect(filesWith(idleApp, PASSWORD)).toEqual([]);
  });

  test('opens without a question while its key is remembered, and asks once that is forgotten', async ({ idleApp }) => {
    idleApp.opensFiles = null;
    const keyStore = join(idleApp.folder, 'key-store.cjs');
    writeFileSync(keyStore, KEY_STORE);
    idleApp.preloads = [keyStore];
    const file = makeEncryptedShop(idleApp);
    const view = new AppWindow(await idleApp.start());
    await view.openFile(idleApp, file);
    const remember = view.dialog.getByRole('checkbox', { name: 'Remember on this computer' });
    await expect(remember).not.toBeChecked();
    await remember.check();
    await view.page.locator('#key-secret').fill(PASSWORD);
    await view.page.keyboard.press('Enter');
    await view.opened('shop.db');

    const again = new AppWindow(await idleApp.relaunch());
    await again.opened('shop.db');
    await expect(again.dialog).toHaveCount(0);
    expect(filesWith(idleApp, PASSWORD)).toEqual([]);
    await again.page.keyboard.press('Control+l');
    const row = again.page.getByRole('row', { name: 'shop.db', exact: true });
    const choose = async (name: string): Promise<void> => {
      await row.click({ button: 'right' });
      await again.page.getByRole('menuitem', { name, exact: true }).click();
    };
    await choose('Close');
    // Recent files open without a question, too.
    await row.dblclick();
    await again.opened('shop.db');
    await again.page.keyboard.press('Control+l');
    await choose('Forget remembered key');
    await expect(again.messages).toContainText('The key of “shop.db” is forgotten');
    await choose('Close');
    await row.dblclick();
    await expect(again.dialog.getByText('may be encrypted')).toBeVisible();
    await again.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(again.dialog).toHaveCount(0);
  });

  test('is made with a password that is typed twice, and is filled without a question', async ({ idleApp }) => {
    idleApp.opensFiles = null;
    const view = new AppWindow(await idleApp.start());
    const { page, dialog } = view;
    const file = join(idleApp.folder, 'new.db');
    await view.connected();
    await idleApp.answerSaveDialog(file);
    await idleApp.menu('file.newEncrypted');
    await page.locator('#key-secret').fill(PASSWORD);
    const again = dialog.getByLabel('Password again');
    await again.fill('another');
    expect(await findings(page, 'the dialog about a new key', 'light')).toEqual([]);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(dialog.getByRole('status')).toContainText('not the same');
    expect(existsSync(file)).toBe(false);
    await again.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await view.opened('new.db');
    await view.runSql(`CREATE TABLE item (name); INSERT INTO item VALUES ('ant');`);
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => queryEncrypted(file, 'SELECT name FROM item')).toEqual([['ant']]);
    expect(filesWith(idleApp, PASSWORD)).toEqual([]);
  });

  test('gets its password in the window, and nothing of it stays in plain text', async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const file = makePlainShop(idleApp);
    const view = new AppWindow(await idleApp.start());
    const { page, dialog } = view;
    const secret = page.locator('#key-secret');
    await view.openFile(idleApp, file);
    await view.opened('plain.db');
    const grid = await view.openTable('item');
    await grid.edit(0, 'name', `${PLAIN} fox`);
    await expect.poll(() => queryPlain(file, NAMES)).toEqual([[`${PLAIN} fox`], ['bee'], ['cat']]);
    await page.getByRole('button', { name: 'WHERE…' }).click();
    const where = page.getByRole('textbox', { name: 'WHERE condition' });
    await where.fill(`name <> 'A-KNOWN-FILTER'`);
    await where.press('Enter');
    // The search finds what is there.
    for (const text of [PLAIN, 'A-KNOWN-FILTER'])
      await expect.poll(() => filesWith(idleApp, text).length).toBeGreaterThan(0);

    await test.step('set: the tab comes back, and the history ends', async () => {
      await idleApp.menu('database.setPassword');
      await expect(dialog).toContainText('Undo reaches no further than this');
      expect(await findings(page, 'the dialog that sets a password', 'light')).toEqual([]);
      await secret.fill(PASSWORD);
      await dialog.getByLabel('Password again').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await expect(view.messages).toContainText('“plain.db” has its new password', { timeout: 60_000 });
      await expect(dialog).toHaveCount(0);
      await expect(view.status).toContainText('Encrypted, in place');
      await expect(grid.cell(0, 'name')).toHaveText(`${PLAIN} fox`);
      await grid.cell(0, 'name').click();
      await page.keyboard.press('Control+z');
      expect(queryEncrypted(file, NAMES)).toEqual([[`${PLAIN} fox`], ['bee'], ['cat']]);
      for (const text of [PLAIN, 'A-KNOWN-FILTER']) await expect.poll(() => filesWith(idleApp, text)).toEqual([]);
      expect(existsSync(`${file}.before-key-change`)).toBe(false);
    });

    const again = new AppWindow(await idleApp.relaunch());
    await again.page.locator('#key-secret').fill(PASSWORD);
    await again.page.keyboard.press('Enter');
    await again.opened('plain.db');
    for (const text of [PLAIN, PASSWORD, 'A-KNOWN-FILTER']) expect(filesWith(idleApp, text)).toEqual([]);
  });

  test('gets another password, and none, but not while a transaction is open', async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const file = makeEncryptedShop(idleApp);
    const view = new AppWindow(await idleApp.start());
    const { page, dialog, messages } = view;
    const secret = page.locator('#key-secret');
    await view.openFile(idleApp, file);
    await secret.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await view.opened('shop.db');
    await view.runSql('BEGIN;');
    await idleApp.menu('database.changePassword');
    await expect(messages).toContainText('A transaction is open');
    await view.runSql('ROLLBACK;');

    await test.step('what fails is said, and the file is open as before', async () => {
      const other = openEncrypted(file);
      other.exec('BEGIN; SELECT * FROM item');
      await idleApp.menu('database.changePassword');
      await dialog.getByLabel('Remove password').check();
      await dialog.getByRole('button', { name: 'Remove password' }).click();
      await expect(dialog.getByRole('status')).toContainText('Another program is using this file');
      other.close();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await view.runSql('SELECT count(*) AS n FROM item;');
      await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('3');
      expect(queryEncrypted(file, NAMES)).toEqual([[`${PLAIN} ant`], ['bee'], ['cat']]);
    });

    await test.step('nor while another window has it open', async () => {
      const second = await view.secondWindow(idleApp, 'shop.db');
      await idleApp.menu('database.changePassword');
      await second.dialog.getByLabel('Remove password').check();
      await second.dialog.getByRole('button', { name: 'Remove password' }).click();
      await expect(second.dialog.getByRole('status')).toContainText('open in another window too');
      await second.dialog.getByRole('button', { name: 'Cancel' }).click();
      // The window may be gone before the keys are up again.
      await second.page.keyboard.press('Control+Shift+w').catch(() => undefined);
      await expect.poll(() => second.page.isClosed()).toBe(true);
    });

    await idleApp.menu('database.changePassword');
    await secret.fill('another');
    await dialog.getByLabel('Password again').fill('another');
    await page.keyboard.press('Enter');
    await expect(messages).toContainText('“shop.db” has its new password', { timeout: 60_000 });
    await expect(view.status).toContainText('Encrypted, in place');
    await expect(messages).not.toContainText('not open in this window');
    expect(() => queryEncrypted(file, NAMES)).toThrow();
    expect(queryEncrypted(file, NAMES, 'another')).toEqual([[`${PLAIN} ant`], ['bee'], ['cat']]);
    expect(filesWith(idleApp, PLAIN)).toEqual([]);

    await idleApp.menu('database.changePassword');
    await dialog.getByLabel('Remove password').check();
    await dialog.getByRole('button', { name: 'Remove password' }).click();
    await expect(messages).toContainText('“shop.db” no longer has a password', { timeout: 60_000 });
    expect(queryPlain(file, NAMES)).toEqual([[`${PLAIN} ant`], ['bee'], ['cat']]);
    for (const password of [PASSWORD, 'another']) expect(filesWith(idleApp, password)).toEqual([]);
  });

  test(
    'of two encrypted files each has its key and its process, and one that does not react is stopped alone',
    { tag: '@long' },
    async ({ idleApp }) => {
      idleApp.opensFiles = 'in-place';
      const [first, second] = [makeEncryptedShop(idleApp), makeEncryptedShop(idleApp, 'second.db', 'another')];
      // Asked for by the command line: read-only, and at a table.
      const view = new AppWindow(await idleApp.start(first, '--table', 'item', '--read-only'));
      const { page, dialog } = view;
      await page.locator('#key-secret').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await view.opened('shop.db');
      await expect(view.grid('Rows of item').cell(1, 'name')).toHaveText('bee');

      await view.openFile(idleApp, second);
      await page.locator('#key-secret').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await expect(dialog.getByRole('status')).toContainText('The key does not open “second.db”');
      await page.locator('#key-secret').fill('another');
      await page.keyboard.press('Enter');
      await view.opened('second.db');

      await view.writeSql('WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c;');
      await page.keyboard.press('F5');
      await view.status.getByRole('button', { name: 'Stop' }).click();
      await view.status.getByRole('button', { name: 'Restart engine…' }).click();
      await expect(dialog).toContainText('a new one opens it again, with the same key');
      await dialog.getByRole('button', { name: 'Stop it' }).click();
      await expect(view.messages).toContainText('Changes committed to “second.db” are safe in the file');
      await view.runSql('SELECT count(*) AS n FROM item;');
      await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('3');
      // Not restarted, so its rows are still there.
      await page.getByRole('tab', { name: 'item' }).first().click();
      await expect(view.grid('Rows of item').cell(1, 'name')).toHaveText('bee');
      expect(filesWith(idleApp, PLAIN)).toEqual([]);
    },
  );
});
