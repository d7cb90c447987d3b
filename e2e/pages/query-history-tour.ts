// The screens of the query history and of saved queries, after some statements were run.
import { expect } from '@playwright/test';
import type { AppWindow } from './app-window.ts';
import type { OnScreen } from './on-screen.ts';

/** @param at called on each screen, once it has come to rest */
export async function tourOfQueryHistory(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await view.command('Show Query History');
  const runs = page.getByRole('listbox', { name: 'Runs' });
  await expect(runs).toBeFocused();
  await expect(page.getByRole('region', { name: 'Selected run' })).toContainText('SELECT');
  await at('query-history');
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(page.getByRole('group', { name: 'SQL of both runs' })).toContainText('SELECT');
  await at('query-history-comparison');
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('nothing like this');
  await expect(page.getByText('No matching runs')).toBeVisible();
  await at('query-history-empty');
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('');
}

/** Compares two results, in an SQL tab of its own. @param at called on the screen, once it has come to rest */
export async function tourOfComparison(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await view.runSql("SELECT 1 AS id, 'ant' AS name UNION ALL SELECT 2, 'bee'; SELECT 1 AS id, 'fox' AS name");
  await page.getByRole('button', { name: 'Compare with another result' }).click();
  await expect(page.getByRole('table', { name: 'Rows that differ' })).toContainText('fox');
  await at('result-comparison');
  await page.keyboard.press('Control+w');
}

/** Tours the saved queries of the SQL tab in front. @param at called on each screen, once it has come to rest */
export async function tourOfSavedQueries(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await page.keyboard.press('Control+Alt+s');
  await view.dialog.getByRole('textbox', { name: 'Name' }).fill('Average prices');
  await page.keyboard.press('Enter');
  await expect(view.dialog).toHaveCount(0);
  await view.command('Show Saved Queries');
  await expect(page.getByRole('region', { name: 'Selected query' })).toBeVisible();
  await at('saved-queries');
}
