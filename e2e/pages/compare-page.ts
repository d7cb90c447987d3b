// The Compare tab as the user names its parts.
import type { Locator } from '@playwright/test';
import { expect } from '@playwright/test';
import type { AppWindow } from './app-window.ts';
import { GridPage } from './grid-page.ts';

export class ComparePage {
  readonly view: AppWindow;
  readonly verdict: Locator;
  readonly wasm: GridPage;
  readonly native: GridPage;

  constructor(view: AppWindow) {
    this.view = view;
    const { page } = view;
    this.verdict = page.getByRole('status', { name: 'Verdict' });
    this.wasm = new GridPage(page, page.getByRole('grid', { name: 'Rows on wasm' }));
    this.native = new GridPage(page, page.getByRole('grid', { name: 'Rows on native' }));
  }

  side(engine: 'wasm' | 'native'): Locator {
    return this.view.page.getByRole('region', { name: engine, exact: true });
  }

  valueOn(engine: 'wasm' | 'native'): Locator {
    return this.view.page.getByLabel(`Value on ${engine}`);
  }

  /** A new Compare tab with the text, which is run. */
  async open(sql: string): Promise<void> {
    await this.view.writeSql(sql);
    await this.view.page.keyboard.press('Control+Alt+c');
    await expect(this.view.page.getByRole('toolbar', { name: 'Comparison' })).toBeVisible();
  }

  /** Resolves when the comparison is finished. */
  async again(): Promise<void> {
    const button = this.view.page.getByRole('button', { name: /^Compare Ctrl/ });
    await button.click();
    await expect(button).toBeEnabled({ timeout: 30_000 });
  }

  async part(name: 'Rows' | 'Plans' | 'Times' | 'Engines'): Promise<void> {
    await this.view.page.getByRole('tablist', { name: 'Parts of the comparison' }).getByRole('tab', { name }).click();
  }
}
