// The benchmark tab as the user uses it, for specs.
import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import type { SideliteApp } from '../sidelite-app.ts';
import type { AppWindow } from './app-window.ts';

/** Engines start, and every test runs several rounds. */
const MEASURING = { timeout: 150_000 };

export class BenchmarkPage {
  readonly view: AppWindow;
  readonly table: Locator;
  readonly strip: Locator;
  readonly details: Locator;
  readonly runs: Locator;

  constructor(view: AppWindow) {
    const { page } = view;
    this.view = view;
    this.table = page.getByRole('grid', { name: 'Results' });
    this.strip = page.getByRole('group', { name: 'Run', exact: true });
    this.details = page.getByRole('complementary', { name: /^Details of / });
    this.runs = page.getByRole('table', { name: 'Kept runs' }).getByRole('row').filter({ hasText: /./ });
  }

  async open(): Promise<void> {
    await this.view.connected();
    await this.view.page.keyboard.press('Control+Shift+b');
    await expect(this.screen('Kept runs')).toBeVisible();
  }

  screen(name: 'New run' | 'Result' | 'Kept runs'): Locator {
    return this.view.page
      .getByRole('radiogroup', { name: 'Benchmark' })
      .getByRole('radio', { name: new RegExp(`^${name}`) });
  }

  /** Selects only these suites and engines, with so many rounds. */
  async setUp(suites: readonly RegExp[], engines: readonly string[], rounds: number): Promise<void> {
    const { page } = this.view;
    await this.screen('New run').click();
    const chosen = page.getByRole('checkbox', { checked: true });
    while ((await chosen.count()) > 0) await chosen.first().uncheck();
    for (const name of suites) await page.getByRole('checkbox', { name }).check();
    for (const name of engines) await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check();
    await page.getByRole('spinbutton', { name: /^Rounds/ }).fill(String(rounds));
  }

  async begin(): Promise<void> {
    await this.view.page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(this.strip).toBeVisible();
  }

  async done(): Promise<void> {
    await expect(this.strip).toHaveCount(0, MEASURING);
  }

  cell(name: RegExp | string): Locator {
    return this.table.getByRole('gridcell', { name });
  }

  async keptRuns(count: number): Promise<void> {
    await this.screen('Kept runs').click();
    // The head is a row, too.
    await expect(this.runs).toHaveCount(count + 1);
  }

  async import(app: SideliteApp, ...paths: string[]): Promise<void> {
    await app.answerOpenDialog(...paths);
    await this.screen('Kept runs').click();
    await this.view.page.getByRole('button', { name: 'Import JSON' }).click();
  }
}
