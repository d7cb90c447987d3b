// The data grid through its ARIA mirror: cells are read there and clicked where they are painted.
import type { Locator, Page } from '@playwright/test';
import { placeIn } from '../support/settled.ts';

export class GridPage {
  readonly page: Page;
  readonly root: Locator;

  constructor(page: Page, root: Locator) {
    this.page = page;
    this.root = root;
  }

  /** Row counts from 0. */
  cell(row: number, column: string): Locator {
    return this.root.locator(`[role=gridcell][data-row="${row}"][data-column=${JSON.stringify(column)}]`);
  }

  column(name: string): Locator {
    return this.root.locator(`[role=columnheader][data-column=${JSON.stringify(name)}]`);
  }

  get rows(): Locator {
    return this.root.locator('[role=row][data-row]');
  }

  /** Number of rows, from `aria-rowcount`, which counts the header, too. */
  async rowCount(): Promise<number> {
    return Number(await this.root.getAttribute('aria-rowcount')) - 1;
  }

  async click(row: number, column: string, options: { double?: boolean } = {}): Promise<void> {
    const at = await placeIn(this.cell(row, column), '.grid');
    await this.page.mouse.click(at.x, at.y, { clickCount: options.double ? 2 : 1 });
  }

  async clickHeader(column: string, options: { button?: 'left' | 'right' } = {}): Promise<void> {
    const at = await placeIn(this.column(column), '.grid');
    await this.page.mouse.click(at.x, at.y, options);
  }

  /** Types into the cell as the user does and keeps it with Enter. */
  async edit(row: number, column: string, text: string): Promise<void> {
    await this.click(row, column);
    await this.page.keyboard.press('F2');
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  get editor(): Locator {
    return this.page.locator('[data-cell-editor]');
  }
}
