// What happens to unsaved work when a window closes or the app quits: typed text is stored, and nothing else is lost unasked.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { answerQuestions, questionsAsked } from '../support/message-boxes.ts';
import type { SideliteApp } from '../sidelite-app.ts';

test.use({ isAlone: true });

const SHOP = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL CHECK (price >= 0));
  INSERT INTO item (name, price) VALUES ('ant', 1.5), ('bee', 2), ('cat', 3);
`;

async function openShop(app: SideliteApp) {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  return { view, grid: await view.openTable('item') };
}

const quit = (app: SideliteApp): Promise<void> => app.electron.evaluate(({ app: electron }) => electron.quit());

/** Quits where nothing is in the way. */
async function quitToTheEnd(app: SideliteApp): Promise<void> {
  await quit(app);
  await app.untilEnded();
}

for (const opensFiles of ['copy', 'in-place'] as const)
  test(
    `text typed in a cell is stored when the app quits, ${opensFiles}`,
    { tag: opensFiles === 'copy' ? [] : '@long' },
    async ({ idleApp }) => {
      idleApp.opensFiles = opensFiles;
      const { view, grid } = await openShop(idleApp);
      await answerQuestions(idleApp, 1);
      await grid.click(1, 'name');
      await view.page.keyboard.type('wasp');
      await expect(grid.editor).toBeVisible();
      await quitToTheEnd(idleApp);
      const next = new AppWindow(await idleApp.relaunch());
      await expect(next.grid('Rows of item').cell(1, 'name')).toHaveText('wasp');
    },
  );

test('text that cannot be stored keeps the window open, and says why', async ({ idleApp }) => {
  const { view, grid } = await openShop(idleApp);
  await answerQuestions(idleApp, 1);
  await grid.click(1, 'price');
  await view.page.keyboard.type('-1');
  await quit(idleApp);
  await expect.poll(() => questionsAsked(idleApp)).toEqual(['Quit Sidelite?\nA value you typed could not be stored.']);
  await expect(grid.editor.getByRole('alert')).toContainText('price >= 0');
  await view.page.keyboard.press('Control+a');
  await view.page.keyboard.type('7');
  await view.page.keyboard.press('Enter');
  await expect(grid.cell(1, 'price')).toHaveText('7.0');
});

test('a new row, a transaction, and a dry run are asked about', { tag: '@long' }, async ({ idleApp }) => {
  const { view, grid } = await openShop(idleApp);
  const second = await view.secondWindow(idleApp, 'shop');
  await answerQuestions(idleApp, 1);
  await grid.click(0, 'name');
  await view.page.keyboard.press('Insert');
  await view.page.keyboard.type('dog');
  await view.page.keyboard.press('Control+Shift+w');
  const row = 'What you typed in “item” is not saved yet.';
  await expect.poll(() => questionsAsked(idleApp)).toEqual([`Close Window 1?\n${row}`]);

  // A window in which everything is saved closes without a question.
  await second.runSql('BEGIN; DELETE FROM item WHERE id = 1; COMMIT;');
  await second.runSql('BEGIN; DELETE FROM item WHERE id = 2;');
  await quit(idleApp);
  const transaction = 'The open transaction on “shop” will be rolled back.';
  await expect
    .poll(async () => (await questionsAsked(idleApp)).at(-1))
    .toBe(`Quit Sidelite?\nWindow 1:\n${row}\n\nWindow 2:\n${transaction}`);
  await second.page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'Roll back' }).click();
  await expect(second.page.getByRole('button', { name: 'Begin' })).toBeVisible();
  await second.page.keyboard.press('Control+Shift+w').catch(() => undefined);
  await expect.poll(() => idleApp.windows().length).toBe(1);
  expect(await questionsAsked(idleApp)).toHaveLength(2);

  await view.writeSql('DELETE FROM item WHERE id = 3;');
  await view.page.keyboard.press('Control+Alt+Enter');
  await expect(view.page.getByRole('button', { name: 'Discard' })).toBeVisible();
  await quit(idleApp);
  await expect
    .poll(async () => (await questionsAsked(idleApp)).at(-1))
    .toBe(`Quit Sidelite?\n${row}\nThe dry run in “Query 1” will be discarded.`);
  await answerQuestions(idleApp, 0);
  await quitToTheEnd(idleApp);
});

test('closing a database asks about what is not saved in it', { tag: '@long' }, async ({ app, page }) => {
  const view = new AppWindow(page);
  await view.openFile(app, makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP }));
  const grid = await view.openTable('item');
  await grid.click(0, 'name');
  await page.keyboard.press('Insert');
  await page.keyboard.type('dog');
  await page.keyboard.press('Tab');
  const close = async (): Promise<void> => {
    await page.keyboard.press('Control+l');
    await page.getByRole('button', { name: 'Actions for shop', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Close', exact: true }).click();
  };
  await close();
  await expect(view.dialog).toContainText('What you typed in “item” is not saved yet.');
  await view.dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tab', { name: 'item' })).toBeVisible();
  await close();
  await view.dialog.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tab', { name: 'item' })).toHaveCount(0);
});

test(
  'a design keeps the name that is being typed, and a change that is not kept is asked about',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view } = await openShop(idleApp);
    await view.command('Design Table');
    const name = view.page.getByLabel('Name of column 2');
    await expect(name).toHaveValue('name');
    await name.fill('title');
    await quitToTheEnd(idleApp);
    const next = new AppWindow(await idleApp.relaunch());
    await expect(next.page.getByLabel('Name of column 2')).toHaveValue('title');

    await answerQuestions(idleApp, 1);
    await next.page.getByRole('button', { name: 'Apply' }).click();
    await expect(next.page.getByRole('button', { name: 'Keep' })).toBeVisible();
    await quit(idleApp);
    await expect
      .poll(() => questionsAsked(idleApp))
      .toEqual(['Quit Sidelite?\nA change to “shop” that you have not kept yet will be discarded.']);
    await next.page.getByRole('button', { name: 'Keep' }).click();
    await expect(next.page.getByText('No changes')).toBeVisible();
    await quitToTheEnd(idleApp);
  },
);
