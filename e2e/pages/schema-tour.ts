// The screens about the schema of the sample, one after the other.
import { expect } from '@playwright/test';
import type { AppWindow } from './app-window.ts';

const PATIENT = { timeout: 30_000 };

/** @param at called on each screen, once it has come to rest */
export async function tourOfSchema(view: AppWindow, at: (screen: string) => Promise<void>): Promise<void> {
  await diagram(view, at);
  await health(view, at);
}

async function diagram(view: AppWindow, at: (screen: string) => Promise<void>): Promise<void> {
  await view.command('Show Diagram');
  const { page } = view;
  await expect(page.getByRole('listbox', { name: /^Diagram: / })).toHaveAccessibleName(/tables/, PATIENT);
  await expect(page.getByRole('toolbar', { name: 'Diagram' })).not.toContainText('Laying out', PATIENT);
  await at('diagram');
}

async function health(view: AppWindow, at: (screen: string) => Promise<void>): Promise<void> {
  await view.command('Show Health');
  const bar = view.page.getByRole('toolbar', { name: 'Health' });
  for (const section of ['Space', 'Findings', 'Settings', 'Maintenance']) {
    await bar.getByRole('tab', { name: section }).click(PATIENT);
    await expect(view.page.getByRole('tabpanel', { name: section })).toBeVisible(PATIENT);
    await expect(bar.getByRole('button', { name: 'Stop' })).toHaveCount(0, PATIENT);
    await at(`health-${section.toLowerCase()}`);
  }
}
