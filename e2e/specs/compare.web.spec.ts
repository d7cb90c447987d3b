// Where there is no native engine a comparison says so, and shows what the wasm engine makes of the text.
import { expect, test } from '../fixtures.ts';

test('a browser tab compares with nothing, and says why', { tag: '@long' }, async ({ webPage }) => {
  await webPage
    .getByRole('button', { name: /sample/i })
    .first()
    .click();
  await expect(webPage.getByRole('grid')).toBeVisible({ timeout: 30_000 });
  await webPage.keyboard.press('Control+t');
  await webPage.getByRole('textbox', { name: 'SQL' }).pressSequentially('SELECT 7 AS seven;');
  await webPage.keyboard.press('Control+Alt+c');
  await expect(webPage.getByRole('grid', { name: 'Rows on wasm' }).getByRole('gridcell', { name: '7' })).toBeAttached();
  await expect(webPage.getByRole('region', { name: 'native', exact: true })).toContainText(
    'A browser has no native engine to compare with. Use the desktop app.',
  );
  await expect(webPage.getByRole('status', { name: 'Verdict' })).toContainText('nothing to compare with');
});
