// SQL tabs on the real app: running, stopping, errors in their place, results that stream, scripts, parameters.
import { longScript } from '../data/long-script.ts';
import { expect, test } from '../fixtures.ts';
import {
  cells,
  editor,
  ENDLESS,
  messages,
  resultTab,
  runAll,
  runAllButton,
  secondQueryWindow,
  selectedText,
  startWithAnimals,
  stopButton,
  write,
} from '../pages/query-page.ts';

test(
  'runs the statement at the cursor, the selection, or everything, and says what each did',
  { tag: ['@web', '@smoke'] },
  async ({ anyApp }) => {
    const page = await startWithAnimals(anyApp);

    await test.step('the statement at the cursor, the selection, or everything', async () => {
      await write(page, 'SELECT 1 AS first;\n\nSELECT name FROM animal WHERE legs = 6;\nSELECT 3 AS third;');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Control+Enter');
      await expect(cells(page)).toHaveText(['ant', 'bee']);
      await expect(resultTab(page, /^Result/)).toHaveCount(1);
      // The time is there when the run has ended, and another can begin.
      await expect(resultTab(page, /2 rows · \d/)).toBeVisible();

      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Shift+End');
      await page.keyboard.press('Control+Enter');
      await expect(cells(page)).toHaveText(['1']);
      await expect(resultTab(page, /1 row · \d/)).toBeVisible();

      await page.keyboard.press('Control+Shift+Enter');
      await expect(resultTab(page, /^Result/)).toHaveCount(3);
      await resultTab(page, /^Result 2/).click();
      await expect(resultTab(page, /2 rows · \d/)).toHaveAttribute('aria-selected', 'true');
      await expect(cells(page)).toHaveText(['ant', 'bee']);
    });

    await test.step('the status bar sums up the selected cells of a result', async () => {
      await runAll(page, 'SELECT name, legs FROM animal');
      await cells(page).filter({ hasText: /^6$/ }).first().click();
      await page.keyboard.press('Shift+Control+ArrowDown');
      const status = page.getByRole('contentinfo', { name: 'Status' });
      await expect(status).toContainText('5 × 1 cells, sum 18, average 3.6, min 0, max 6');
      await resultTab(page, 'Messages').click();
      await expect(status).not.toContainText('sum');
    });

    await test.step('what each statement did, and where an error is', async () => {
      await runAll(
        page,
        "UPDATE animal SET legs = 8 WHERE legs = 6;\nINSERT INTO animal (name) VALUES ('fox');\nSELECT nme FROM animal;",
      );
      await expect(messages(page)).toContainText('2 rows changed');
      await expect(messages(page)).toContainText('1 row changed');
      await expect(messages(page).getByRole('alert')).toContainText('nme');
      await expect(messages(page).getByRole('alert')).toContainText('2 statements before it ran.');
      await expect(page.locator('.cm-lintRange-error')).toHaveText('nme');

      await page.keyboard.press('Control+Home');
      await messages(page).getByRole('button', { name: 'Go to error' }).click();
      await page.keyboard.press('Shift+Control+ArrowRight');
      await page.keyboard.type('count(*)');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Enter');
      await expect(cells(page)).toHaveText(['6']);
    });

    await test.step('a step of the plan leads to its place in the text', async () => {
      await write(page, 'SELECT other.legs FROM animal a JOIN animal other ON other.id = a.legs');
      await page.keyboard.press('Control+Alt+e');
      const plan = page.getByRole('region', { name: 'Query plan' });
      await plan.getByRole('button', { name: /SEARCH other/ }).click();
      await expect(editor(page)).toBeFocused();
      await expect.poll(() => selectedText(page)).toBe('other');
    });
  },
);

test('explains how a statement would run, and leads from a step to the text', { tag: '@long' }, async ({ idleApp }) => {
  const page = await startWithAnimals(idleApp);
  await write(
    page,
    'SELECT 1;\nSELECT other.legs FROM animal a JOIN animal other ON other.id = a.legs WHERE a.name LIKE ?',
  );
  await page.keyboard.press('Control+Alt+e');
  const plan = page.getByRole('region', { name: 'Query plan' });
  await expect(plan.getByRole('row').nth(1)).toContainText(/SCAN a\s*Slow:|SCAN aReads every row/);
  await expect(plan.getByRole('row').nth(2)).toContainText('Finds rows by rowid=?');
  await plan.getByRole('button', { name: /SEARCH other/ }).click();
  await expect(editor(page)).toBeFocused();
  await expect.poll(() => selectedText(page)).toBe('other');

  await write(page, 'SELECT * FROM animul');
  await page.keyboard.press('Control+Alt+e');
  await expect(messages(page)).toContainText('animul');
  await runAll(page, 'SELECT 1');
  await expect(resultTab(page, 'Plan')).toHaveCount(0);
});

test('stops an endless query, with and without rows, and goes on working', { tag: '@web-long' }, async ({ anyApp }) => {
  const page = await startWithAnimals(anyApp);
  await runAll(page, `${ENDLESS} SELECT i FROM n;`);
  await expect(cells(page).first()).toHaveText('1');
  await stopButton(page).click();
  await expect(stopButton(page)).toBeHidden();
  await expect(messages(page)).toContainText('Stopped');

  // Results before it can be read meanwhile.
  await runAll(page, `SELECT name FROM animal WHERE legs = 4; ${ENDLESS} SELECT sum(i) FROM n;`);
  await expect(cells(page)).toHaveText(['cat']);
  await expect(stopButton(page)).toBeVisible();
  await page.keyboard.press('Control+.');
  await expect(stopButton(page)).toBeHidden();
  await expect(messages(page)).toContainText('Stopped');

  await runAll(page, 'SELECT count(*) FROM animal;');
  await expect(cells(page)).toHaveText(['5']);
});

test('shows the first of a million rows and scrolls to the last', { tag: ['@long', '@web'] }, async ({ anyApp }) => {
  const page = await startWithAnimals(anyApp);
  // That the first are shown before the last are read is seen where there is no last, in the story above.
  await runAll(page, `${ENDLESS} SELECT i, 'row ' || i AS name FROM n LIMIT 1000000;`);
  await expect(cells(page).first()).toHaveText('1');
  await expect(resultTab(page, /1,000,000 rows · /)).toBeVisible({ timeout: 40_000 });
  await page.getByRole('grid', { name: /^Rows of result/ }).focus();
  await page.keyboard.press('Control+End');
  await expect(cells(page).last()).toHaveText('row 1000000');
});

test(
  'runs a script of 147,000 statements, and takes what is typed meanwhile',
  { tag: ['@long', '@web'] },
  async ({ anyApp }) => {
    const page = await startWithAnimals(anyApp);
    // The statement that never ends keeps the script from ending before the text is typed.
    await write(page, `${longScript(147_000)}\n${ENDLESS} SELECT i FROM n;`);
    await page.keyboard.press('F5');
    await expect(stopButton(page)).toBeVisible();
    await page.keyboard.type(' -- the end');
    await expect(page.locator('.cm-line').last()).toHaveText(/; -- the end$/);
    await expect(cells(page).first()).toHaveText('1', { timeout: 30_000 });
    await stopButton(page).click();
    await expect(messages(page)).toContainText('more statements ran');
    await expect(messages(page)).toContainText('Stopped');
  },
);

test('keeps a result in step with its tables, or says that they changed', async ({ idleApp }) => {
  const page = await startWithAnimals(idleApp);
  await runAll(page, 'SELECT sum(legs) FROM animal;');
  await expect(cells(page)).toHaveText(['18']);
  const other = await secondQueryWindow(idleApp);
  await runAll(other, 'UPDATE animal SET legs = legs + 1;');
  await expect(messages(other)).toContainText('5 rows changed');
  await expect(cells(page)).toHaveText(['23']);

  await runAll(page, 'SELECT sum(legs) FROM animal; SELECT 2;');
  await expect(resultTab(page, /^Result/)).toHaveCount(2);
  await runAll(other, 'UPDATE animal SET legs = legs + 1;');
  await expect(page.getByText('Data changed since this ran')).toBeVisible();
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(cells(page)).toHaveText(['28']);
  await expect(resultTab(page, /^Result/)).toHaveCount(2);
});

test(
  '5,000 results are drawn at most once a frame, and counted beyond the hundredth',
  { tag: '@long' },
  async ({ idleApp }) => {
    const page = await startWithAnimals(idleApp);
    await write(page, Array.from({ length: 5_000 }, (_, n) => `SELECT ${n + 1} AS n;`).join('\n'));
    await page.evaluate(countDrawings);
    await page.keyboard.press('F5');
    await expect(resultTab(page, 'Messages')).toBeVisible({ timeout: 30_000 });
    await expect(runAllButton(page)).toBeEnabled({ timeout: 30_000 });
    const { drawings, frames } = await page.evaluate(() => window.drawn!);
    expect(drawings).toBeGreaterThan(0);
    // The first of a run is drawn at once, its end too.
    expect(drawings).toBeLessThanOrEqual(frames + 3);
    await expect(resultTab(page, /^Result/)).toHaveCount(100);
    await resultTab(page, 'Messages').click();
    await expect(messages(page).getByRole('listitem')).toHaveCount(102);
    await expect(messages(page)).toContainText(
      '4,900 more statements ran and are not listed. Only the first 100 of 5,000 results were kept.',
    );
    await expect(messages(page).getByRole('listitem').last()).toContainText('5,000 statements');
  },
);

declare global {
  interface Window {
    drawn?: { drawings: number; frames: number };
  }
}

/** Counts how often React changes anything below the editor: the changes of one drawing are told together. */
function countDrawings(): void {
  const drawn = (window.drawn = { drawings: 0, frames: 0 });
  new MutationObserver(() => drawn.drawings++).observe(document.querySelector('.query-results')!, {
    subtree: true,
    childList: true,
    characterData: true,
  });
  const onFrame = (): void => {
    drawn.frames++;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}

test('a parameter is asked for before anything runs, bound with its type, and there again with unsaved SQL after a restart', async ({
  idleApp,
}) => {
  let page = await startWithAnimals(idleApp);
  const field = (name: string) => page.getByRole('textbox', { name: `Value of ${name}` });
  const type = (name: string) => page.getByRole('combobox', { name: `Type of ${name}` });
  await runAll(page, 'DELETE FROM animal WHERE name = :name;\nSELECT name, typeof(?) FROM animal WHERE legs >= ?1');
  // Nothing ran: the first field that is empty has the focus, and says so.
  await expect(field(':name')).toBeFocused();
  await expect(page.getByRole('alert').first()).toContainText('Enter a value');
  await page.keyboard.type('eel');
  await type('?1').selectOption('Integer');
  await field('?1').fill('4x');
  await page.keyboard.press('F5');
  await expect(page.getByRole('alert')).toHaveText('Enter a 64-bit integer.');
  await type('?1').selectOption('auto');
  await field('?1').fill('4');
  await expect(type('?1')).toContainText('Auto: integer');
  await editor(page).click();
  await page.keyboard.press('F5');
  await expect(cells(page)).toHaveText(['ant', 'integer', 'bee', 'integer', 'cat', 'integer']);

  // A result of values is live with these.
  await write(page, 'SELECT name FROM animal WHERE legs = $legs');
  await field('$legs').fill('6');
  await page.keyboard.press('Enter');
  await expect(cells(page)).toHaveText(['ant', 'bee']);
  await page.keyboard.press('Control+t');
  await runAll(page, "UPDATE animal SET legs = 6 WHERE name = 'cat'");
  await expect(messages(page)).toContainText('1 row changed');
  // Another tab with the same text remembers them, and shows them before it runs.
  await page.keyboard.press('Control+t');
  await runAll(page, 'SELECT name FROM animal WHERE legs = $legs');
  await expect(field('$legs')).toHaveValue('6');
  await expect(field('$legs')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(cells(page)).toHaveText(['ant', 'bee', 'cat']);
  await page.keyboard.press('Control+w');
  await page.getByRole('tab', { name: 'Query 1' }).click();
  await expect(cells(page)).toHaveText(['ant', 'bee', 'cat']);

  page = await idleApp.relaunch();
  await expect(editor(page)).toHaveText('SELECT name FROM animal WHERE legs = $legs');
  await expect(field('$legs')).toHaveValue('6');
  await type('$legs').selectOption('NULL');
  await expect(field('$legs')).toBeDisabled();
  await editor(page).click();
  await page.keyboard.press('F5');
  await expect(resultTab(page, /^Result/)).toContainText('0 rows');

  // All fields of four are seen in a small window.
  await (await idleApp.electron.browserWindow(page)).evaluate((it) => it.setContentSize(800, 560));
  await page.keyboard.press('Control+t');
  await write(page, 'SELECT :first_name, :b, :maximum_price, $d');
  const strip = page.getByRole('group', { name: 'Parameters' });
  await expect(strip.getByRole('textbox')).toHaveCount(4);
  await expect.poll(() => strip.evaluate((it) => it.scrollHeight - it.clientHeight)).toBe(0);
  for (const each of await strip.getByRole('textbox').all()) await expect(each).toBeInViewport({ ratio: 1 });
});
