// The settings page: as it opens, the keys of commands with a conflict, and a search that finds nothing.
import { expect } from '@playwright/test';
import type { AppWindow } from './app-window.ts';
import type { OnScreen } from './on-screen.ts';

/** Leaves every setting as it was. @param at called on each screen, once it has come to rest */
export async function tourOfSettings(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await view.command('Settings');
  const search = page.getByRole('searchbox', { name: 'Search settings' });
  await expect(search).toBeFocused();
  await page.getByRole('combobox', { name: 'Density' }).selectOption('Compact');
  await at('settings');
  await search.fill('keyboard file');
  const recent = page.getByRole('group', { name: 'Import…', exact: true });
  await recent.getByRole('button', { name: /^Add a key/ }).click();
  await page.keyboard.press('Control+o');
  await expect(recent).toContainText('is also the key of “Open File…”.');
  await recent.getByRole('button', { name: /^Add a key/ }).click();
  await page.keyboard.press('Control+q');
  await expect(recent.getByRole('alert')).toContainText('It quits Sidelite.');
  await at('settings-keys');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reset all' }).click();
  await search.fill('nothing like this');
  await expect(page.getByText('No setting or command matches.')).toBeVisible();
  await at('settings-empty');
  await search.fill('');
  // Messages would be on the next screens. Some go by themselves while this looks at them.
  const dismiss = view.messages.getByRole('button', { name: 'Dismiss' });
  await expect(async () => {
    if ((await dismiss.count()) > 0) await dismiss.first().click({ timeout: 1000 });
    expect(await dismiss.count()).toBe(0);
  }).toPass({ intervals: [50] });
}
