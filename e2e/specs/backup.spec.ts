// Back up now: a consistent copy of a file in place, with its time and size in the dialog, also after a restart.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { contentsOf, integrityOf } from '../support/compare-results.ts';

const PATIENT = { timeout: 30_000 };

test('the last backup of a file in place is shown, also after a restart', async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'kinds.db'), { kind: 'table-kinds' });
  idleApp.opensFiles = 'in-place';
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('kinds.db');
  await view.page.keyboard.press('Control+Shift+E');
  await expect(view.dialog).toContainText('Last backup: none yet.');
  expect(await findings(view.page, 'backup', 'light')).toEqual([]);
  await view.page.keyboard.press('Escape');
  await expect(view.dialog).toHaveCount(0);

  const target = join(idleApp.folder, 'kept.db');
  await idleApp.answerSaveDialog(target);
  await view.backUp();
  await expect(view.messages).toContainText(/“kinds\.db” was backed up to kept\.db \(\S+ KB\)\./, PATIENT);
  expect(integrityOf(target)).toBe('ok');
  expect(contentsOf(target)).toEqual(contentsOf(file));

  await idleApp.quit();
  const again = new AppWindow(await idleApp.start(file));
  await again.opened('kinds.db');
  await again.page.keyboard.press('Control+Shift+E');
  await expect(again.dialog).toContainText(/Last backup: .+, as “kept\.db”\./);
});
