// Commands on selected rows while another program adds rows above them: they apply to the rows that were selected.
import { expect, test } from '../fixtures.ts';
import { exportTo, format } from '../support/export-songs.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { openShop } from '../support/shop-in-place.ts';
import { readClipboard, writeClipboard } from '../support/clipboard.ts';
import { placeIn } from '../support/settled.ts';

const ROWS = 300;
const MANY = `
  DELETE FROM item;
  WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
  INSERT INTO item SELECT i, 'old ' || i, i FROM n;
`;

const COMMANDS = [
  { what: 'deleted', key: 'Control+Backspace', after: () => undefined },
  { what: 'pasted over', key: 'Control+v', after: (id: number) => -id },
  { what: 'set to NULL', key: 'Alt+Backspace', after: () => null },
] as const;

/** Opens the table with its newest rows at the top, where another program adds some. */
async function openNewestFirst(app: SideliteApp) {
  const opened = await openShop(app, 'wal', MANY);
  await opened.grid.clickHeader('id');
  await opened.grid.clickHeader('id');
  await expect(opened.grid.cell(0, 'id')).toHaveText(String(ROWS));
  return { ...opened, insert: opened.other.prepare("INSERT INTO item (name) VALUES ('new')") };
}

test('what is deleted, pasted over, and emptied are the selected rows, while another program adds some above', async ({
  idleApp,
}) => {
  const { other, view, grid, insert } = await openNewestFirst(idleApp);
  const { page } = view;
  const expected = new Map<number, number | null | undefined>();
  for (let round = 0; round < 3; round++) {
    const ids = [ROWS - 2 * round, ROWS - 2 * round - 1];
    const { key, after } = COMMANDS[round % 3]!;
    for (const id of ids) expected.set(id, after(id));
    await writeClipboard(page, ids.map((id) => `-${id}`).join('\n'));
    const at = await placeIn(
      grid.root.locator('[role=gridcell][data-column=price]', { hasText: `${ids[0]}.0` }),
      '.grid',
    );
    await page.mouse.click(at.x, at.y);
    await page.keyboard.press('Shift+ArrowDown');
    await expect(grid.root.locator('[role=gridcell][aria-selected=true]')).toHaveText(ids.map((id) => `${id}.0`));
    // The window has not heard of these when the key is pressed.
    insert.run();
    await page.keyboard.press(key);
    const prices = other.prepare('SELECT price FROM item WHERE id = ?').pluck();
    await expect.poll(() => ids.map((id) => prices.get(id))).toEqual(ids.map(after));
    await expect(grid.cell(round, 'name')).toHaveText('new');
    // The next place to click is known once the window has heard of what was deleted, too.
    const gone = ids.filter((id) => after(id) === undefined);
    for (const id of gone)
      await expect(grid.root.locator('[role=gridcell][data-column=price]', { hasText: `${id}.0` })).toHaveCount(0);
  }
  const stored = other.prepare(`SELECT id, price FROM item WHERE id <= ${ROWS}`).raw().all() as [
    number,
    number | null,
  ][];
  const due = Array.from({ length: ROWS }, (_, at) => at + 1).flatMap((id) => {
    const price = expected.has(id) ? expected.get(id) : id;
    return price === undefined ? [] : [[id, price]];
  });
  expect(stored).toEqual(due);
  other.close();
});

test(
  'what is exported are the selected rows, although others were added above while the dialog was open',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { other, view, grid, insert } = await openNewestFirst(idleApp);
    await grid.click(1, 'id');
    await view.page.keyboard.press('Shift+ArrowDown');
    await view.page.keyboard.press('Control+e');
    await expect(view.dialog.getByLabel('What to export')).toContainText('Selection: 2 rows of 1 column');
    await format(view, 'CSV').check();
    insert.run();
    insert.run();
    // The grid behind the dialog has no role.
    await expect(view.page.locator('[data-row="1"][data-column="name"]')).toHaveText('new');
    expect(await exportTo(idleApp, view, 'selection.csv')).toBe(`id\n${ROWS - 1}\n${ROWS - 2}\n`);
    other.close();
  },
);

for (const order of ['of the key', 'that is newest first'] as const) {
  test(
    `what is copied in other formats are the selected rows in an order ${order}, while another program adds rows above`,
    { tag: '@long' },
    async ({ idleApp }) => {
      const isSorted = order === 'that is newest first';
      const { other, view, grid } = await (isSorted ? openNewestFirst(idleApp) : openShop(idleApp, 'wal', MANY));
      await grid.click(10, 'id');
      await view.page.keyboard.press('Shift+ArrowDown');
      const ids = isSorted ? [ROWS - 10, ROWS - 11] : [11, 12];
      const newest = isSorted ? 'max(id) + 1' : 'min(id) - 1';
      const insert = other.prepare(`INSERT INTO item (id, name) SELECT ${newest}, 'new' FROM item`);
      const adding = setInterval(() => insert.run(), 10);
      try {
        for (let round = 0; round < 3; round++) {
          await view.command('Copy as CSV');
          await expect.poll(() => readClipboard(view.page)).toBe(['id', ...ids].join('\n'));
          await view.command('Copy as Markdown');
          await expect
            .poll(() => readClipboard(view.page))
            .toBe(['| id |', '| ---: |', ...ids.map((id) => `| ${id} |`)].join('\n'));
        }
      } finally {
        clearInterval(adding);
        other.close();
      }
    },
  );
}
