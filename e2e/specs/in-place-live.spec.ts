// Changes by other programs to a file in place are on screen at once, and move nothing the user has in hand.
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { openShop } from '../support/shop-in-place.ts';
import { boxOf, settled } from '../support/settled.ts';

const INSERTS = 21;

/**
 * Notes in the page when each text `elsewhere <n>` was first in the grid, in milliseconds of the wall clock, which both processes share.
 */
async function noteArrivals(page: Page): Promise<() => Promise<Record<string, number>>> {
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    const look = (): void => {
      for (const cell of document.querySelectorAll('[role=gridcell][data-column=name]')) {
        const text = cell.textContent ?? '';
        if (text.startsWith('elsewhere ')) seen[text] ??= Date.now();
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    (window as unknown as { arrivals: typeof seen }).arrivals = seen;
  });
  return () => page.evaluate(() => (window as unknown as { arrivals: Record<string, number> }).arrivals);
}

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

for (const mode of ['wal', 'delete'] as const) {
  test(
    `each row of another program is in the open grid before it writes the next (${mode})`,
    { tag: mode === 'delete' ? '@long' : [] },
    async ({ idleApp }) => {
      const { other, view, grid } = await openShop(idleApp, mode);
      const arrivals = await noteArrivals(view.page);
      const insert = other.prepare('INSERT INTO item (name) VALUES (?)');
      const committed: Record<string, number> = {};
      for (let number = 1; number <= INSERTS; number++) {
        const name = `elsewhere ${number}`;
        insert.run(name);
        committed[name] = Date.now();
        await expect(grid.cell(2 + number, 'name')).toHaveText(name);
      }
      const seen = await arrivals();
      const latencies = Object.entries(committed).map(([name, at]) => seen[name]! - at);
      const [median, worst] = [middle(latencies), Math.max(...latencies)];
      // Noted, not judged: what is too long depends on the machine and on what else it does.
      test
        .info()
        .annotations.push({ type: 'latency', description: `median ${median}, worst ${worst} ms, n ${INSERTS}` });
      expect(latencies).toHaveLength(INSERTS);
      other.close();
    },
  );
}

test(
  'scroll, selection and the open editor stay with their rows while another program writes above them',
  { tag: '@long' },
  async ({ idleApp }) => {
    const many =
      "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 10 FROM n LIMIT 1000) INSERT INTO item SELECT i, 'row ' || i, i FROM n";
    const { other, view, grid } = await openShop(idleApp, 'wal', many);
    await grid.click(0, 'name');
    await view.page.keyboard.press('Control+End');
    for (let step = 0; step < 4; step++) await view.page.keyboard.press('ArrowUp');
    const last = 3 + 1000 - 1;
    const selected = grid.root.locator('[role=gridcell][aria-selected=true][data-column=price]');
    await expect(selected).toHaveAttribute('data-row', String(last - 4));
    await expect(selected).toHaveText(/\d/);
    const before = { text: await selected.textContent(), box: await settled(() => boxOf(selected)) };
    await view.page.keyboard.press('ArrowLeft');
    await view.page.keyboard.press('F2');
    await view.page.keyboard.press('End');
    await view.page.keyboard.type(' half');
    const editor = await settled(() => boxOf(grid.editor));
    other.exec("INSERT INTO item (id, name) VALUES (50, 'above'), (51, 'above'); DELETE FROM item WHERE id = 110");
    await expect.poll(() => grid.rowCount()).toBe(last + 2);
    await expect(grid.editor.locator('textarea')).toHaveValue(/^row \d+ half$/);
    await expect(grid.editor.locator('textarea')).toBeFocused();
    await expect.poll(async () => Math.abs((await boxOf(grid.editor)).y - editor.y)).toBeLessThanOrEqual(1);
    await view.page.keyboard.type(' typed');
    await view.page.keyboard.press('Enter');
    const row = last - 4 + 1;
    await expect(grid.cell(row, 'name')).toHaveText(/ half typed$/);
    await expect(grid.cell(row, 'price')).toHaveText(before.text!);
    const price = grid.cell(row, 'price');
    await expect.poll(async () => Math.abs((await boxOf(price)).y - before.box.y)).toBeLessThanOrEqual(1);
    other.close();
  },
);
