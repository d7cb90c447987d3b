// Keys and clicks that come before what they are for: while a cell or a row is stored, read, or sorted, they wait, and none is lost.
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { holdBack, untilHeldBack } from '../hold-in-page.ts';
import { query } from '../support/compare-results.ts';
import { NOTES, openNotes } from '../support/notes.ts';

test('keys and clicks wait for what they are for, and none is lost', async ({ idleApp }) => {
  const { view, grid } = await openNotes(idleApp);
  const { keyboard } = view.page;

  await test.step('a click behind keys that wait closes the editor these open, and later keys go where was clicked', async () => {
    await grid.click(0, 'a');
    const letGo = await holdBack(view.page, 'edit.apply');
    await keyboard.type('one');
    await keyboard.press('Enter');
    // The first cell is being stored: these wait, and so does the click.
    await keyboard.type('two');
    await grid.click(5, 'b');
    await letGo();
    await expect(grid.cell(1, 'a')).toHaveText('two');
    await keyboard.type('three');
    await keyboard.press('Enter');
    await expect(grid.cell(5, 'b')).toHaveText('three');
    await expect(grid.cell(1, 'a')).toHaveText('two');
    await expect(grid.cell(0, 'a')).toHaveText('one');
  });

  await test.step('text from an input method arrives whole, also in the cell after one that is being stored', async () => {
    const field = grid.editor.getByRole('textbox');
    const method = await view.page.context().newCDPSession(view.page);
    const compose = async (...texts: string[]): Promise<void> => {
      for (const text of texts)
        await method.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    };
    /** The key belongs to the input method: pages see “Process”. */
    const process = async (): Promise<void> => {
      for (const type of ['rawKeyDown', 'keyUp'] as const)
        await method.send('Input.dispatchKeyEvent', {
          type,
          key: 'Process',
          code: 'Enter',
          windowsVirtualKeyCode: 229,
        });
    };
    await grid.click(0, 'c');
    for (const word of ['日本', '東京']) {
      // Type as fast as possible: the cell above is being stored meanwhile.
      await keyboard.press('F2');
      await keyboard.press('Control+a');
      await process();
      await expect(field).toBeEditable();
      await compose('n', 'に', 'にほ');
      await expect(field).toHaveValue('にほ');
      await process();
      await expect(field).toHaveValue('にほ');
      await method.send('Input.insertText', { text: word });
      await keyboard.press('Enter');
    }
    await expect(grid.cell(0, 'c')).toHaveText('日本');
    await expect(grid.cell(1, 'c')).toHaveText('東京');
  });

  await test.step('keys wait for a row that is not read yet, and for a new row that is being stored', async () => {
    await grid.click(0, 'a');
    // Do it in one task: the page of the last row cannot have arrived in between.
    await grid.root.evaluate((element) => {
      const press = (key: string, ctrlKey = false): boolean =>
        element.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
      press('End', true);
      for (const key of ['f', 'a', 'r', 'Enter']) press(key);
    });
    await keyboard.press('Insert');
    for (const text of ['k', 'l', 'm', 'n', 'o', 'p']) {
      await keyboard.type(text);
      await keyboard.press('Tab');
    }
    await keyboard.press('Control+Home');
    await expect(view.status).toContainText(`${NOTES + 2} rows`);
    const target = join(idleApp.folder, 'rows.db');
    await view.backUpTo(idleApp, target);
    expect(query(target, `SELECT * FROM note WHERE id >= ${NOTES} ORDER BY id`)).toEqual([
      [NOTES, `a${NOTES}`, `b${NOTES}`, `c${NOTES}`, 'far'],
      [NOTES + 1, 'k', 'l', 'm', 'n'],
      [NOTES + 2, 'o', 'p', null, null],
    ]);
  });

  await test.step('a row that is clicked while the table is being sorted is the one that is edited', async () => {
    await grid.click(5, 'a');
    const letGo = await holdBack(view.page, 'rows.find');
    await grid.clickHeader('a');
    await untilHeldBack(view.page);
    // The row that was the current one is being looked for in the new order: now it is another one.
    await grid.click(2, 'b');
    await letGo();
    // Row “a3” comes after all of “a1…” and “a2…”, of which the first two have another text by now.
    const place = 220;
    await expect(grid.cell(place, 'b')).toHaveAttribute('aria-selected', 'true');
    await expect(grid.cell(place, 'b')).toHaveText('b3');
    await keyboard.type('three');
    await keyboard.press('Enter');
    await expect(grid.cell(place, 'b')).toHaveText('three');
  });
});
