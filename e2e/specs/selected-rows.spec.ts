// Commands on selected rows while another program adds rows above them: they apply to the rows that were selected.
import { expect, test } from '../fixtures.ts';
import { openShop } from '../support/shop-in-place.ts';
import { writeClipboard } from '../support/clipboard.ts';
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

test('what is deleted, pasted over, and emptied are the selected rows, while another program adds some above', async ({
  idleApp,
}) => {
  const { other, view, grid } = await openShop(idleApp, 'wal', MANY);
  const { page } = view;
  await grid.clickHeader('id');
  await grid.clickHeader('id');
  await expect(grid.cell(0, 'id')).toHaveText(String(ROWS));
  const insert = other.prepare("INSERT INTO item (name) VALUES ('new')");
  const expected = new Map<number, number | null | undefined>();
  for (let round = 0; round < 6; round++) {
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
