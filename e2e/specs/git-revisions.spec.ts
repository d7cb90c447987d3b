// A file in place that lies in a Git repository is compared with an earlier revision of it, and rows of then are brought back.
import { expect, test } from '../fixtures.ts';
import { findings } from '../findings.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import { commitChange, git } from '../support/git.ts';
import { makeShop } from '../support/shop-in-place.ts';

const PATIENT = { timeout: 30_000 };

test('a file in a repository is compared with one of its commits, and a row of then is brought back', async ({
  idleApp,
}) => {
  test.skip(git(idleApp, '--version').code !== 0, 'Git is not installed');
  idleApp.opensFiles = 'in-place';
  const file = makeShop(idleApp);
  git(idleApp, 'init', '-q', '-b', 'main');
  git(idleApp, 'add', 'shop.db');
  git(idleApp, 'commit', '-q', '-m', 'Begin with three animals');
  commitChange(idleApp, file, "UPDATE item SET name = 'owl' WHERE id = 2");
  const view = new AppWindow(await idleApp.start(file));
  const { page, dialog } = view;
  await view.opened('shop.db');

  await view.command('Compare with Git Revision…');
  const revision = dialog.getByLabel('Revision');
  await expect(revision).toBeFocused();
  await expect(revision).toHaveValue('HEAD');
  await expect(dialog.getByRole('status')).toHaveText('2 commits that changed this file under this name.');
  await revision.fill('nonsense');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('“nonsense” is no commit, branch, or tag of this repository.');
  await dialog.getByLabel('Commits').selectOption({ index: 1 });
  await expect(revision).toHaveValue(/^[0-9a-f]{7,}$/);
  await expect(dialog.getByRole('status')).toHaveText('2 commits that changed this file under this name.');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await findings(page, 'git dialog', theme)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const hash = await revision.inputValue();
  await dialog.getByRole('button', { name: 'Compare' }).click();

  const bar = page.getByRole('toolbar', { name: 'Compare schemas' });
  await expect(bar.getByLabel('To').locator('option:checked')).toHaveText(`shop.db at ${hash}`, PATIENT);
  await expect(bar.getByLabel('From').locator('option:checked')).toHaveText('shop.db');
  const panel = page.getByRole('tabpanel', { name: 'Rows' });
  await panel.getByRole('button', { name: 'Compare rows' }).click();
  await expect(panel).toContainText('1 table compared: 0 only on the right, 1 different', PATIENT);
  await panel.getByRole('button', { name: 'Apply to “shop.db”' }).click();
  await expect(view.messages).toContainText('1 row changed', PATIENT);
  expect(query(file, 'SELECT name FROM item WHERE id = 2')).toEqual([['bee']]);
});
