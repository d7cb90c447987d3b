// A diagram tab as the user names its parts.
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { boxOf, settled } from '../support/settled.ts';

const PATIENT = { timeout: 30_000 };

export class DiagramPage {
  readonly page: Page;
  /** The picture for the keyboard and for screen readers. */
  readonly list: Locator;
  readonly bar: Locator;
  readonly search: Locator;
  readonly strip: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('listbox', { name: /^Diagram: / });
    this.bar = page.getByRole('toolbar', { name: 'Diagram' });
    this.search = page.getByRole('searchbox', { name: 'Find table or column' });
    this.strip = page.getByRole('region', { name: /^Relations of / });
  }

  /** Waits until so many tables and relations are laid out. */
  async shows(tables: number, relations: number): Promise<void> {
    await expect(this.list).toHaveAccessibleName(`Diagram: ${tables} tables, ${relations} relations`, PATIENT);
    await expect(this.bar).not.toContainText('Laying out', PATIENT);
  }

  table(name: string): Locator {
    return this.page.locator(`[data-diagram-table="${name}"]`);
  }

  get edges(): Locator {
    return this.page.locator('[data-diagram-edge]');
  }

  /** The table the keyboard is at. */
  get current(): Locator {
    return this.list.getByRole('option', { selected: true });
  }

  async boxOf(name: string): Promise<{ x: number; y: number; width: number; height: number }> {
    await expect(this.table(name)).toBeVisible(PATIENT);
    return settled(() => boxOf(this.table(name)));
  }

  /** Position in the picture, however large that is shown. */
  async placeOf(name: string): Promise<string> {
    return (await this.table(name).getAttribute('transform'))!;
  }

  async dragBy(name: string, dx: number, dy: number): Promise<void> {
    const { x, y, width } = await this.boxOf(name);
    const { mouse } = this.page;
    await mouse.move(x + width / 2, y + 8);
    await mouse.down();
    await mouse.move(x + width / 2 + dx / 2, y + 8 + dy / 2, { steps: 4 });
    await mouse.move(x + width / 2 + dx, y + 8 + dy, { steps: 4 });
    await mouse.up();
  }

  async zoomPercent(): Promise<number> {
    return Number.parseInt((await this.page.getByRole('button', { name: 'Zoom to 100%' }).textContent())!, 10);
  }
}
