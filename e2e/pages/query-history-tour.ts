// The screens of the query history, after some statements were run.
import { expect } from '@playwright/test';
import type { AppWindow } from './app-window.ts';

/** @param at called on each screen, once it has come to rest */
export async function tourOfQueryHistory(view: AppWindow, at: (screen: string) => Promise<void>): Promise<void> {
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
  await expect(page.getByText('No run matches')).toBeVisible();
  await at('query-history-empty');
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('');
}
