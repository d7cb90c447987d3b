// The screens about the schema of the sample, one after the other.
import { expect } from '@playwright/test';
import type { AppWindow } from './app-window.ts';
import type { OnScreen } from './on-screen.ts';

const PATIENT = { timeout: 60_000 };

/** @param at called on each screen, once it has come to rest */
export async function tourOfSchema(view: AppWindow, at: OnScreen): Promise<void> {
  await diagram(view, at);
  await health(view, at);
  await comparison(view, at);
  await sampleRows(view, at);
  await objects(view, at);
}

async function diagram(view: AppWindow, at: OnScreen): Promise<void> {
  await view.command('Show Diagram');
  const { page } = view;
  await expect(page.getByRole('listbox', { name: /^Diagram: / })).toHaveAccessibleName(/tables/, PATIENT);
  await expect(page.getByRole('toolbar', { name: 'Diagram' })).not.toContainText('Laying out', PATIENT);
  await at('diagram');
}

async function health(view: AppWindow, at: OnScreen): Promise<void> {
  await view.command('Show Health');
  const bar = view.page.getByRole('toolbar', { name: 'Health' });
  for (const section of ['Space', 'Findings', 'Settings', 'Maintenance']) {
    await bar.getByRole('tab', { name: section }).click(PATIENT);
    await expect(view.page.getByRole('tabpanel', { name: section })).toBeVisible(PATIENT);
    await expect(view.page.locator('.health[data-running]')).toHaveCount(0, PATIENT);
    await at(`health-${section.toLowerCase()}`);
  }
}

async function objects(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  const choose = async (action: string): Promise<void> => {
    await view.treeItem('customer').click({ button: 'right' });
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('What uses this?');
  await expect(page.getByRole('region', { name: 'Uses of customer' }).getByRole('heading').first()).toBeVisible(
    PATIENT,
  );
  await at('uses');
  for (const action of ['Reorder columns…', 'Duplicate…', 'Drop…']) {
    await choose(action);
    await expect(view.dialog.getByRole('list', { name: 'Consequences' })).not.toContainText('Checking', PATIENT);
    await at(`object-${action.slice(0, -1).replace(' ', '-').toLowerCase()}`);
    await page.keyboard.press('Escape');
    await expect(view.dialog).toHaveCount(0);
  }
}

/** Compares the sample with itself, so that equal objects are shown, too. */
async function comparison(view: AppWindow, at: OnScreen): Promise<void> {
  await view.command('Compare Schemas');
  await at('schema-compare-empty');
  const { page } = view;
  const bar = page.getByRole('toolbar', { name: 'Compare schemas' });
  const side = bar.getByLabel('From');
  await bar.getByLabel('To').selectOption(await side.inputValue());
  await page.getByLabel('Show objects that are the same').check();
  await expect(page.getByRole('tree', { name: 'Differences' })).toBeVisible(PATIENT);
  await at('schema-compare');
  await page.getByRole('tab', { name: 'Migration' }).click();
  await at('schema-compare-migration');
  await page.getByRole('tab', { name: 'Rows' }).click();
  await at('schema-compare-rows');
}

async function sampleRows(view: AppWindow, at: OnScreen): Promise<void> {
  await view.openTable('customer');
  await view.command('Fill with Sample Rows');
  const preview = view.page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('status')).toHaveText('First 50 rows, as stored', PATIENT);
  await at('sample-rows');
}
