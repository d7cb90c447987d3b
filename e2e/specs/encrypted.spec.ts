// Encrypted files: opened with their password, used like every other file in place, and nowhere in plain text meanwhile.
import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures.ts';
import { findings } from '../findings.ts';
import { AppWindow } from '../pages/app-window.ts';
import {
  filesWith,
  makeEncryptedShop,
  openEncrypted,
  PASSWORD,
  PLAIN,
  queryEncrypted,
} from '../support/encrypted-shop.ts';
import { killEngine } from '../support/engine-process.ts';

const NAMES = 'SELECT name FROM item ORDER BY id';

test.describe('an encrypted file', () => {
  test.use({ isAlone: true });

  test('is opened with its password, edited, undone, and shared, and is never in plain text', async ({ idleApp }) => {
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

    await test.step('a process that dies is started again, with the key', async () => {
      await killEngine(idleApp);
      await expect(view.messages).toContainText('The process that opens the file was restarted');
      await expect(grid.cell(0, 'name')).toHaveText(`${PLAIN} ant`);
      await grid.edit(1, 'name', 'fox');
      await expect.poll(() => queryEncrypted(file, NAMES)).toEqual([[`${PLAIN} ant`], ['fox'], ['cow']]);
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
      await expect.poll(() => queryEncrypted(file, NAMES)).toEqual([[`${PLAIN} ant`], ['bee'], ['cow']]);
    });
    expect(filesWith(idleApp, PLAIN)).toEqual([]);
    expect(filesWith(idleApp, PASSWORD)).toEqual([]);
  });
});
