// The History tab as the user reads it: the steps at the left, the rows of the chosen one at the right.
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

export class HistoryPage {
  readonly page: Page;
  readonly steps: Locator;
  readonly bar: Locator;
  /** Rows before and after, of a step or of a dry run. */
  readonly rows: Locator;

  constructor(page: Page) {
    this.page = page;
    this.steps = page.getByRole('listbox', { name: 'Steps' }).getByRole('option');
    this.bar = page.getByRole('toolbar', { name: 'History' });
    this.rows = page.getByRole('table', { name: /^Rows of / });
  }

  async show(): Promise<void> {
    await this.page.keyboard.press('Control+Shift+H');
    await expect(this.bar).toBeVisible();
  }

  step(title: string | RegExp): Locator {
    return this.steps.filter({ hasText: title }).first();
  }

  /** Chooses a step and answers the part of the tab that is about it. */
  async choose(title: string | RegExp): Promise<Locator> {
    await this.step(title).click();
    await expect(this.step(title)).toHaveAttribute('aria-selected', 'true');
    return this.page.locator('.list-view-details');
  }

  async undo(): Promise<void> {
    await this.bar.getByRole('button', { name: /^Undo/ }).click();
  }

  async redo(): Promise<void> {
    await this.bar.getByRole('button', { name: /^Redo/ }).click();
  }

  /** Rows of the difference table as “+ 3 | three”. */
  row(kind: 'inserted' | 'updated' | 'deleted', text: string | RegExp): Locator {
    return this.rows.locator(`[data-kind="${kind}"]`).filter({ hasText: text });
  }
}
