// An assistant proposes changes to a file that is open in place. A person sees who asks, why, and the exact rows, and keeps or discards them.
import { expect, test } from '../fixtures.ts';
import { findings } from '../findings.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { Assistant } from '../support/assistant.ts';
import { query } from '../support/compare-results.ts';
import { openShop } from '../support/shop-in-place.ts';

const PATIENT = { timeout: 30_000 };
const ROWS = 'SELECT id, name, price FROM item ORDER BY id';
const SQL = "UPDATE item SET price = 9 WHERE id = 1; INSERT INTO item (name) VALUES ('dog')";

test('a change is shown with its rows, and what a person keeps is one step of the history', async ({ idleApp }) => {
  const { file, other, view, grid } = await openShop(idleApp);
  const { page, dialog } = view;
  const before = query(file, ROWS);
  const chip = view.status.getByRole('button', { name: /^Proposals of assistants/ });
  await expect(chip).toHaveCount(0);
  await view.command('Connect an Assistant…');
  const text = dialog.getByLabel('Configuration', { exact: true });
  await expect(text).toContainText(file);
  await expect(text).not.toContainText('--write');
  await dialog.getByLabel('Let assistants propose changes').click();
  await expect(dialog.getByLabel('Let assistants propose changes')).toBeChecked();
  await expect(text).toContainText('--write');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await findings(page, 'connect dialog', theme)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.keyboard.press('Escape');
  await expect(chip).toHaveText('no proposals');

  const assistant = new Assistant(idleApp, [file, '--write', 'ask', '--timeout', '600']);
  const asked = assistant.call('propose', { sql: SQL, reason: 'The price has gone up.' });
  await expect(chip).toHaveText('1 proposal', PATIENT);
  await expect(view.messages).toContainText('proposes a change to “shop.db”');
  await chip.click();
  await expect(dialog).toContainText('claude[U+202E]code 2.0 proposes a change to shop.db');
  await expect(dialog).toContainText('The price has gone up.');
  await expect(dialog.getByLabel('SQL')).toHaveText(SQL);
  await expect(dialog.getByRole('status')).toContainText('Would insert 1 and change 1 row in 1 table');
  const shown = new HistoryPage(page);
  await expect(shown.row('inserted', 'dog')).toHaveCount(1);
  await expect(shown.row('updated', '9.0')).toHaveCount(1);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await findings(page, 'proposal dialog', theme)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(dialog.getByRole('button', { name: 'Decide later' })).toBeFocused();

  // Leaving it lets others write, and what they wrote is in the rows that are shown next.
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(query(file, ROWS)).toEqual(before);
  await expect.poll(() => other.exec('UPDATE item SET price = 8 WHERE id = 1') && true).toBe(true);
  await chip.click();
  await expect(shown.row('updated', '8.0')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Keep', exact: true }).click();
  expect(await asked).toMatchObject({ decision: 'kept', written: true });
  await expect(grid.cell(3, 'name')).toHaveText('dog');
  await expect(chip).toHaveText('no proposals');
  await shown.show();
  await expect(shown.step('claude[U+202E]code 2.0: UPDATE item')).toBeVisible();
  await shown.undo();
  await expect.poll(() => query(file, ROWS)).toEqual([[1, 'ant', 8], ...before.slice(1)]);
  await assistant.end();
  other.close();
});

test('one is discarded, rows of its table are kept from then on, and the connection is ended', async ({ idleApp }) => {
  const { file, other, view } = await openShop(idleApp);
  other.close();
  const { page, dialog } = view;
  await view.command('Connect an Assistant…');
  await dialog.getByLabel('Let assistants propose changes').click();
  await expect(dialog.getByLabel('Let assistants propose changes')).toBeChecked();
  await page.keyboard.press('Escape');
  const chip = view.status.getByRole('button', { name: /^Proposals of assistants/ });
  const assistant = new Assistant(idleApp, [file, '--write', 'ask', '--timeout', '600']);
  const before = query(file, ROWS);

  const discarded = assistant.call('propose', { sql: SQL });
  await expect(chip).toHaveText('1 proposal', PATIENT);
  await chip.click();
  await expect(dialog).toContainText('It gave no reason.');
  await expect(dialog.getByRole('button', { name: 'Keep', exact: true })).toBeEnabled();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  expect(await discarded).toMatchObject({ decision: 'discarded', written: false });
  expect(query(file, ROWS)).toEqual(before);

  const kept = assistant.call('propose', { sql: 'UPDATE item SET price = 1' });
  await expect(chip).toHaveText('1 proposal', PATIENT);
  await chip.click();
  await dialog.getByLabel('Keep later changes to only rows of “item”').check();
  await dialog.getByRole('button', { name: 'Keep', exact: true }).click();
  expect(await kept).toMatchObject({ decision: 'kept' });
  expect(await assistant.call('propose', { sql: 'DELETE FROM item WHERE id = 2' })).toMatchObject({ decision: 'kept' });
  const asked = assistant.call('propose', { sql: 'CREATE TABLE other (id)' });
  await expect(chip).toHaveText('1 proposal', PATIENT);

  await view.command('Connect an Assistant…');
  await expect(dialog).toContainText('propose 4; proposals: 1 discarded, 2 kept, 1 waiting');
  await dialog.getByRole('button', { name: 'End claude' }).click();
  await expect(dialog).toContainText('No assistant is connected.');
  expect(await asked).toMatchObject({ decision: 'withdrawn', written: false });
  expect(await assistant.call('query', { sql: 'SELECT 1' })).toEqual({
    error: expect.stringContaining('ended') as unknown,
  });
  expect(query(file, ROWS)).toEqual([[1, 'ant', 1], [3, 'cat', 1]]); // prettier-ignore
  await assistant.end();
});
