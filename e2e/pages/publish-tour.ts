// Publishing to a server: the choice of a database, what is sent, and what has arrived. Left out where there is no server for tests.
import { expect } from '@playwright/test';
import { ensureSqld } from '../../build/sqld/ensure-sqld.ts';
import { startSqld } from '../../build/sqld/start-sqld.ts';
import type { AppWindow } from './app-window.ts';
import type { OnScreen } from './on-screen.ts';
import { saveConnection } from '../support/server.ts';

const PATIENT = { timeout: 60_000 };

/**
 * @param view shows a database of the library
 * @param small another one, of a few rows: the one that is sent
 */
export async function tourOfPublishing(view: AppWindow, small: string, at: OnScreen): Promise<void> {
  const sqld = await ensureSqld();
  if ('why' in sqld) return;
  const server = await startSqld(sqld);
  try {
    const { dialog, page } = view;
    const button = (name: string) => dialog.getByRole('button', { name, exact: true });
    await view.command('Publish to Server');
    await expect(dialog).toContainText('There is no connection yet.');
    await at('publish-nowhere');
    await page.keyboard.press('Escape');
    await saveConnection(page, { address: server.url, name: 'The shop, with its orders of the last ten years' });
    await saveConnection(page, { address: 'http://127.0.0.1:9', name: 'Archive', readOnly: true });
    await view.command('Publish to Server');
    await dialog.getByRole('radio', { name: /^The shop/ }).check();
    await at('publish');
    await button('Continue').click();
    await expect(dialog).toContainText('read back and compared at the end', PATIENT);
    await at('publish-ready');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await view.openFromLibrary(small);
    await view.command('Publish to Server');
    await dialog.getByRole('radio', { name: /^The shop/ }).check();
    await button('Continue').click();
    await expect(dialog).toContainText('read back and compared at the end', PATIENT);
    await button('Publish').click();
    await expect(dialog).toContainText('the same in number and value', PATIENT);
    await at('published');
    await button('Close').click();
    await view.command('Publish to Server');
    await dialog.getByRole('radio', { name: /^The shop/ }).check();
    await button('Continue').click();
    await expect(dialog).toContainText('already has the tables of this one', PATIENT);
    await at('publish-begun');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  } finally {
    await server.remove();
  }
}
