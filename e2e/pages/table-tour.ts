// The screens of a table: its rows, filters, cards, the editor of a cell, forms, and changes of many cells.
import { expect } from '@playwright/test';
import type { SideliteApp } from '../sidelite-app.ts';
import { writeClipboard } from '../support/clipboard.ts';
import type { AppWindow } from './app-window.ts';
import type { OnScreen } from './on-screen.ts';

/** Tours the table `product` of the sample. @param at called on each screen, once it has come to rest */
export async function tourOfTable(app: SideliteApp, view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  const grid = await view.openTable('product');
  await grid.click(4, 'name');
  await expect(view.status).toContainText('1,200 rows');
  await at('table');
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('combobox').first()).toBeVisible();
  await at('filter');
  await page.keyboard.press('Escape');
  await filterRow(view, at);
  await grid.click(4, 'category_id');
  await page.keyboard.type('a lot');
  await page.keyboard.press('Enter');
  await expect(grid.editor).toBeVisible();
  await at('cell-editor');
  await page.keyboard.press('Escape');
  await keysAndForm(view, at);
  await pasteSpecial(view, at);
  await changeCells(view, at);
  await race(app, view, at);
  await heldChanges(view, at);
  await search(view, at);
}

async function keysAndForm(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await page.keyboard.press('F2');
  await expect(page.getByRole('listbox', { name: 'Rows of category' }).getByRole('option').nth(1)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await at('key-offers');
  await page.keyboard.press('Escape');
  await view.grid('Rows of product').click(3, 'category_id');
  await page.keyboard.press('Alt+F12');
  const card = page.getByRole('dialog', { name: 'category' });
  await expect(card).toContainText('Go to row');
  await at('peek');
  await page.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
  await page.keyboard.press('F7');
  await expect(page.getByRole('region', { name: 'Referred to by' }).getByRole('listitem').first()).toBeVisible();
  await at('form');
  await page.keyboard.press('Control+w');
}

async function filterRow(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await page.keyboard.press('Control+Alt+f');
  await page.getByRole('textbox', { name: 'Filter by name' }).press('Alt+ArrowDown');
  const card = page.getByRole('dialog', { name: 'name' });
  await expect(card).toContainText('1,200 rows counted.');
  await at('column-values');
  await card.getByRole('button', { name: 'Statistics' }).click();
  await expect(card).toContainText('Most frequent');
  await at('column-statistics');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Alt+f');
  await columnColors(view, at);
}

async function columnColors(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await view.command('Color Column by Rule…');
  const card = page.getByRole('dialog', { name: /^Colors of / });
  await card.getByRole('button', { name: 'Add condition' }).click();
  await expect(card.getByRole('textbox', { name: 'Condition of rule 1' })).toBeFocused();
  await page.keyboard.type('regex (');
  await expect(card.getByRole('listitem')).toContainText('regular expression');
  await at('column-colors');
  await card.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
}

async function pasteSpecial(view: AppWindow, at: OnScreen): Promise<void> {
  const { page, dialog } = view;
  await view.grid('Rows of product').click(4, 'name');
  await writeClipboard(page, 'Atlas;9,50;\n"Globe; large";120,00;7\n');
  await page.keyboard.press('Control+Shift+v');
  await expect(dialog).toContainText('as they will be stored');
  await at('paste-special');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

async function changeCells(view: AppWindow, at: OnScreen): Promise<void> {
  const { page, dialog } = view;
  await view.grid('Rows of product').click(4, 'name');
  await view.command('Change Cells');
  await dialog.getByRole('radio', { name: 'Set to an expression' }).check();
  await dialog.getByRole('textbox', { name: 'Expression' }).fill('upper(value)');
  await expect(dialog.getByRole('region', { name: 'SQL' })).toContainText('upper');
  await at('change-cells');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

/** A changed cell that waits to be saved, with its SQL, and the same table on both sides. */
async function heldChanges(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  const grid = view.grid('Rows of product');
  await view.command('Hold Changes');
  await expect(view.status).toContainText('holding changes');
  await grid.edit(4, 'name', 'Brass kettle');
  const strip = page.getByRole('region', { name: 'Held changes', exact: true });
  await strip.getByRole('button', { name: 'Show SQL' }).click();
  await expect(strip).toContainText('UPDATE');
  await at('held-changes');
  await view.command('Discard Held Changes');
  await expect(grid.cell(4, 'name')).toHaveText('Copper kettle');
  await view.command('Hold Changes');
  await expect(strip).toHaveCount(0);
  await grid.root.focus();
  await page.keyboard.press('Control+\\');
  await expect(page.getByRole('grid', { name: 'Rows of product' })).toHaveCount(2);
  await at('sides');
  await page.keyboard.press('Control+w');
  await expect(page.getByRole('grid', { name: 'Rows of product' })).toHaveCount(1);
}

async function search(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await page.keyboard.press('Control+Shift+f');
  await page.getByRole('textbox', { name: 'Text to search for' }).fill('kettle');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Rows found' }).getByRole('button').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  await at('search');
  await page.keyboard.press('Control+w');
}

/** Another window changes a cell while it is edited here. */
async function race(app: SideliteApp, view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  const grid = view.grid('Rows of product');
  const second = await view.secondWindow(app, 'Sample');
  const theirs = await second.openTable('product');
  await grid.click(4, 'name');
  await page.keyboard.press('F2');
  await theirs.edit(4, 'name', 'Copper kettle');
  await expect(theirs.cell(4, 'name')).toHaveText('Copper kettle');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Steel kettle');
  await page.keyboard.press('Enter');
  await expect(grid.editor.getByRole('alert')).toContainText('Copper kettle');
  await at('racing-edits');
  await page.keyboard.press('Escape');
  await second.page.close();
}
