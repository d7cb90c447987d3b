// The text of an SQL tab: marks, completion, names, folding, several cursors, search, and layout.
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import {
  editor,
  ENDLESS,
  middleOf,
  resultTab,
  runAll,
  selectedText,
  startWithAnimals,
  stopButton,
  write,
} from '../pages/query-page.ts';

/** The list of completions takes keys when it has been open for 75 ms (`interactionDelay` of CodeMirror), as it is when a person has seen it. */
const listTakesKeys = async (page: Page): Promise<void> => {
  const openedAtMs = await page.evaluate(() => performance.now());
  await page.waitForFunction((since) => performance.now() - since > 100, openedAtMs);
};

test(
  'errors are marked while typing, and names are completed from the list that comes by itself',
  { tag: '@web-long' },
  async ({ anyApp }) => {
    const page = await startWithAnimals(anyApp);
    const option = (name: string) => page.getByRole('option', { name, exact: false }).first();

    await test.step('an error is marked without running anything', async () => {
      await write(page, 'SELECT * FROM animul;\nSELECT 1;');
      await expect(page.locator('.cm-lintRange-error')).toHaveText('animul');
      await expect(resultTab(page, /^Result/)).toHaveCount(0);
    });

    await test.step('columns of the table behind an alias', async () => {
      await write(page, 'SELECT  FROM animal a');
      await page.keyboard.press('Control+Home');
      for (let step = 0; step < 'SELECT '.length; step++) await page.keyboard.press('ArrowRight');
      await page.keyboard.type('a.le');
      await page.getByRole('option', { name: /^legs/ }).click();
      await expect(editor(page)).toHaveText('SELECT a.legs FROM animal a');
    });

    await test.step('Tab picks from the list, and Enter after a name that is written out begins a line', async () => {
      await write(page, 'SELECT * FROM ');
      await page.keyboard.type('ani');
      await expect(option('animal')).toBeVisible();
      await listTakesKeys(page);
      await page.keyboard.press('Tab');
      await expect(editor(page)).toHaveText('SELECT * FROM animal');
      await write(page, 'SELECT * FROM ');
      await page.keyboard.type('animal');
      await expect(option('animal')).toBeVisible();
      await listTakesKeys(page);
      await page.keyboard.press('Enter');
      await expect(page.locator('.cm-line')).toHaveCount(2);
      await expect(option('animal')).toHaveCount(0);
      await page.keyboard.type('WHERE id = 1');
      await expect(page.locator('.cm-line')).toHaveText(['SELECT * FROM animal', 'WHERE id = 1']);
    });

    await test.step('a join offers its conditions, once the editor knows the new table', async () => {
      await runAll(page, 'CREATE TABLE leg (animal INTEGER REFERENCES animal (id))');
      // The editor knows the columns of the new table once it marks one that it does not have.
      await write(page, 'SELECT nope FROM leg');
      await expect(page.locator('.cm-lintRange-error')).toHaveText('nope');
      await write(page, 'SELECT * FROM leg ');
      await page.keyboard.type('JOIN ');
      await expect(option('animal')).toBeVisible();
      await page.keyboard.type('animal ON ');
      await expect(option('animal.id = leg.animal')).toBeVisible();
      await listTakesKeys(page);
      await page.keyboard.press('Enter');
      await expect(editor(page)).toHaveText('SELECT * FROM leg JOIN animal ON animal.id = leg.animal');
    });

    await test.step('the caret blinks without an animation, which would draw every frame', async () => {
      const caret = page.locator('.cm-focused .cm-cursorLayer .cm-cursor-primary');
      await expect(caret).toBeVisible();
      await expect(caret).toBeHidden();
      await expect(caret).toBeVisible();
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
      await page.getByRole('searchbox', { name: /Find table/ }).focus();
      await expect(page.locator('.cm-editor:not(.cm-focused) .cm-cursorLayer')).toHaveCSS('visibility', 'visible');
    });
  },
);

test(
  'marks stay while something runs, and errors typed then are marked when it ends',
  { tag: '@long' },
  async ({ idleApp }) => {
    const page = await startWithAnimals(idleApp);
    const marks = page.locator('.cm-lintRange-error');
    await write(
      page,
      `CREATE TABLE later (x);\nSELECT * FROM animul, later;\nSELECT nmae FROM animal;\n${ENDLESS} SELECT max(i) FROM n`,
    );
    await expect(marks).toHaveText(['nmae']);
    await page.keyboard.press('Control+Enter');
    // Work is known to the window once it takes longer than a moment.
    await expect(page.getByRole('contentinfo').getByRole('button', { name: /^Stop/ })).toBeVisible();
    await editor(page).press('Control+Home');
    await page.keyboard.type('SELECT * FROM animul; ');
    await expect(marks).toHaveText(['nmae']);
    // Long after a pause in typing would have had the text checked.
    await expect(page.locator('.run-progress-elapsed')).toHaveText(/^(?:[3-9](?:\.\d)?|\d\d) s$/);
    await expect(marks).toHaveText(['nmae']);
    await stopButton(page).click();
    await expect(marks).toHaveText(['animul', 'nmae']);
  },
);

test('lines are commented, folded, searched, formatted, and edited with several cursors, by key and from the palette', async ({
  idleApp,
}) => {
  const page = await startWithAnimals(idleApp);
  const lines = page.locator('.cm-line');
  await write(page, 'SELECT name,\n  legs\nFROM animal;');
  await page.keyboard.press('Control+/');
  await expect(lines).toHaveText(['SELECT name,', '  legs', '-- FROM animal;']);
  await page.keyboard.press('Control+/');
  await expect(lines).toHaveText(['SELECT name,', '  legs', 'FROM animal;']);
  await page.keyboard.press('Alt+ArrowUp');
  await expect(lines).toHaveText(['SELECT name,', 'FROM animal;', '  legs']);
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Control+Shift+BracketLeft');
  await expect(page.locator('.cm-foldPlaceholder')).toBeVisible();
  await page.keyboard.press('Control+Shift+BracketRight');
  await expect(lines).toHaveCount(3);

  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+p');
  await page.keyboard.type('Add Cursor Below');
  await expect(page.getByRole('option').first()).toContainText('Add Cursor Below');
  await page.keyboard.press('Enter');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type('/**/');
  await expect(lines).toHaveText(['/**/SELECT name,', '/**/  legs', 'FROM animal;']);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find' }).fill('/\\*+/');
  await page.getByRole('checkbox', { name: 'Regular expression' }).check();
  await page.getByRole('textbox', { name: 'Replace' }).fill('--');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await expect(lines).toHaveText(['--SELECT name,', '--  legs', 'FROM animal;']);
  await page.getByRole('textbox', { name: 'Find' }).press('Escape');
  await expect(editor(page)).toBeFocused();

  await page.keyboard.press('F1');
  for (const title of ['Toggle Comment', 'Fold', 'Add Cursor Below', 'Select Next Occurrence'])
    await expect(page.getByRole('dialog')).toContainText(title);
  await page.keyboard.press('Escape');

  // A text is formatted as one edit, and what is not understood stays.
  const trigger = 'create trigger r after insert on animal begin delete from animal where legs>8; end;';
  await write(page, `${trigger}\nselect name,legs from animal -- all\nwhere legs>2;`);
  await page.keyboard.press('Shift+Alt+f');
  await expect(lines).toHaveText([
    trigger,
    'select',
    '  name,',
    '  legs',
    'from',
    '  animal -- all',
    'where',
    '  legs > 2;',
  ]);
  await expect(page.getByText('1 statement was not formatted')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(lines).toHaveText([trigger, 'select name,legs from animal -- all', 'where legs>2;']);
});

test('names in SQL are explained, renamed, and gone to; long lines wrap', async ({ idleApp }) => {
  const page = await startWithAnimals(idleApp);
  await write(
    page,
    'WITH few AS (SELECT legs FROM animal)\nSELECT a.name FROM animal a JOIN few f ON f.legs = a.legs WHERE ',
  );
  await page.keyboard.type('f.');
  await expect(page.getByRole('option')).toHaveText([/^legs/]);
  await page.keyboard.press('Escape');
  await page.keyboard.type('legs > 2');

  const line = page.locator('.cm-line').nth(1);
  // The cursor moves behind the "a" of "a.name".
  await page.keyboard.press('Home');
  for (let step = 0; step < 'SELECT a'.length; step++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await page.keyboard.type('each');
  await expect(line).toHaveText('SELECT each.name FROM animal each JOIN few f ON f.legs = each.legs WHERE f.legs > 2');
  await page.keyboard.press('Escape');

  const { x, y } = await middleOf(line, '.name');
  await page.mouse.move(x, y);
  await expect(page.locator('.cm-name-card')).toContainText('animal.name');
  await expect(page.locator('.cm-name-card')).toContainText('TEXT');

  const isWrapped = (): Promise<boolean> =>
    page.locator('.cm-content').evaluate((content) => content.classList.contains('cm-lineWrapping'));
  await expect.poll(isWrapped).toBe(false);
  await page.keyboard.press('Alt+Z');
  await expect.poll(isWrapped).toBe(true);

  // First to the alias, then to what it stands for.
  await page.keyboard.press('F12');
  await expect.poll(() => selectedText(page)).toBe('each');
  await page.keyboard.press('F12');
  await expect(page.getByRole('tab', { name: /^animal/, selected: true })).toBeVisible();
});
