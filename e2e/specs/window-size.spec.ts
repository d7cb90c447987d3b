// Windows of any size: what has room in a small one, and what is as it was when the window is.
import { expect, test } from '../fixtures.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { openPets } from '../support/pets.ts';
import { boxOf, settled } from '../support/settled.ts';

test('the grid has its room in a small window; the list of objects is as wide as before afterwards; a menu shows all its entries', async ({
  idleApp,
}) => {
  const view = await openPets(idleApp);
  const { page } = view;
  const details = page.getByRole('complementary', { name: 'Details' });
  await view.openTable('pet');

  await test.step('the details of a small window come when they are asked for', async () => {
    await resize(idleApp, 1200, 700);
    await expect(details).toBeVisible();
    await resize(idleApp, 800, 500);
    await expect(details).toHaveCount(0);
    await page.keyboard.press('Control+i');
    await expect(details).toBeVisible();
    await resize(idleApp, 1200, 700);
    await expect(details).toBeVisible();
  });

  await test.step('the list of objects is as wide as before when the window is, and when the details come and go', async () => {
    const objects = page.getByRole('region', { name: 'Objects' });
    const width = async (): Promise<number> => Math.round((await boxOf(objects)).width);
    // Widths are shares of the window until the next frame.
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(1200);
    const first = await settled(width);
    await resize(idleApp, 800, 500);
    await expect.poll(width).toBeLessThan(first);
    await resize(idleApp, 1200, 700);
    await expect.poll(width).toBe(first);

    const { x, y } = await boxOf(page.getByRole('separator', { name: 'Width of the objects' }));
    await page.mouse.move(x + 1, y + 200);
    await page.mouse.down();
    await page.mouse.move(x + 201, y + 200, { steps: 4 });
    await page.mouse.up();
    await expect.poll(width).toBeGreaterThan(first + 190);
    const dragged = await settled(width);
    await page.keyboard.press('Control+i');
    await expect(details).toHaveCount(0);
    // Widths are kept as whole pixels.
    expect(Math.abs((await settled(width)) - dragged)).toBeLessThanOrEqual(1);
  });

  await test.step('a menu is as tall as its entries where there is room, and a text that is cut says so', async () => {
    await resize(idleApp, 1200, 800);
    await view.treeItem('pet').click({ button: 'right' });
    const menu = page.getByRole('menu');
    await expect(menu).toBeVisible();
    const hidden = () => menu.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    await expect.poll(hidden).toBe(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('searchbox', { name: /Find table/ })).toHaveCSS('text-overflow', 'ellipsis');
  });
});

test('in a wide window, what is read across stays together: no list is stretched over it', async ({ idleApp }) => {
  const view = await openPets(idleApp);
  const { page } = view;
  await view.opened('pets');
  await resize(idleApp, 2560, 1440);
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(2560);
  const widthOf = async (selector: string): Promise<number> =>
    Math.round((await boxOf(page.locator(selector).first())).width);
  await page.keyboard.press('Control+l');
  await expect.poll(() => widthOf('.library-table')).toBe(1200);
  await page.keyboard.press('Control+l');
  await view.command('Show Health');
  const name = page.getByRole('table', { name: 'Tables and indexes by size' }).getByRole('columnheader').first();
  await expect(name).toBeVisible();
  expect((await boxOf(name)).width).toBeLessThan(700);
  await view.runSql('SELECT 1');
  await view.command('Show Query History');
  await expect.poll(() => widthOf('.list-view-list')).toBeLessThanOrEqual(520);
  await view.command('Settings');
  await expect.poll(() => widthOf('.settings-list section')).toBe(760);
});

test('in the smallest window, the bar of SQL and the status bar keep what ends them', async ({ idleApp }) => {
  idleApp.opensFiles = 'in-place';
  const view = await openPets(idleApp);
  const { page } = view;
  await view.opened('pets');
  await resize(idleApp, 640, 480);
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(640);
  await view.runSql('SELECT 1');
  const bar = page.getByRole('toolbar', { name: 'Query' });
  const whole = { ratio: 1 };
  const durability = view.status.getByRole('button', { name: /^Durability/ });
  await expect(durability).toBeInViewport(whole);
  await expect(bar.getByRole('button', { name: 'Run all' })).toBeInViewport(whole);
  await bar.getByRole('button', { name: 'Begin' }).click();
  await expect(bar.getByRole('button', { name: 'Commit' })).toBeInViewport(whole);
  const back = bar.getByRole('button', { name: 'Roll back' });
  await expect(back).toBeInViewport(whole);
  await expect(view.status).toContainText('open transaction');
  await expect(durability).toBeInViewport(whole);
  // What has no room there is in a menu.
  await bar.getByRole('button', { name: 'More ways to run' }).click();
  await page.getByRole('menuitem', { name: 'Explain query plan' }).click();
  await expect(bar.getByRole('button', { name: 'Explain query plan' })).toBeHidden();
  await expect(page.getByRole('tablist', { name: 'Results' })).toContainText('Plan');
  await back.click();
  await expect(bar.getByRole('button', { name: 'Begin' })).toBeInViewport(whole);
});

async function resize(app: SideliteApp, width: number, height: number): Promise<void> {
  await app.electron.evaluate(
    ({ BrowserWindow }, [w, h]) => {
      BrowserWindow.getAllWindows()
        .find((window) => window.isVisible())
        ?.setContentSize(w!, h!);
    },
    [width, height],
  );
}
