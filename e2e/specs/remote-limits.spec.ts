// More than is sent to a real libSQL server at once: refused with the size, before anything is sent.
import { expect, test } from '../server-fixtures.ts';
import { writeClipboard } from '../support/clipboard.ts';

test(
  'a paste that is too large for one request changes nothing and says so, and a smaller one is saved',
  { tag: '@long' },
  async ({ page, server }) => {
    const view = await server.openIn(page);
    const grid = await view.openTable('item');
    await grid.click(2, 'name');
    const rows = (count: number, length: number): string =>
      Array.from({ length: count }, (_, at) => `${at}${'x'.repeat(length)}`).join('\n');
    const paste = async (text: string): Promise<void> => {
      await writeClipboard(page, text);
      await page.keyboard.press('Control+v');
      await view.dialog.getByRole('button', { name: 'Paste', exact: true }).click();
    };
    await paste(rows(200, 100_000));
    await expect(view.messages).toContainText(
      /These 200 edits are \d+ MB as one request, and at most 16 MB are sent to a server at once\. Nothing was changed\./,
      { timeout: 60_000 },
    );
    const state = ['SELECT count(*) FROM item', 'SELECT name FROM item WHERE id = 3'];
    expect(await server.run(...state)).toEqual(['3', 'cat']);
    await expect(grid.cell(2, 'name')).toHaveText('cat');
    await paste(rows(3, 10));
    await expect(view.messages).toContainText('Pasted 3 rows into item', { timeout: 30_000 });
    expect(await server.run(...state)).toEqual(['5', '0xxxxxxxxxx']);
  },
);
