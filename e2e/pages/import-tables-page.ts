// An import tab whose file is made of tables, as the user names its parts, for specs.
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { TestedApp } from '../tested-app.ts';
import type { AppWindow } from './app-window.ts';

/** The whole file is read on a busy two-core machine. */
const PATIENT = { timeout: 30_000 };

export class ImportTablesPage {
  readonly page: Page;
  readonly body: Locator;
  readonly bar: Locator;
  readonly choices: Locator;
  readonly tables: Locator;
  /** Statements that were not understood. */
  readonly left: Locator;
  readonly result: Locator;

  constructor({ page }: Pick<AppWindow, 'page'>) {
    this.page = page;
    this.body = page.locator('body');
    this.bar = page.getByRole('toolbar', { name: 'Import' });
    this.choices = page.getByRole('region', { name: 'Choices', exact: true });
    this.tables = page.getByRole('table', { name: 'Tables in the file' });
    this.left = page.getByRole('region', { name: 'Statements that were not understood' });
    this.result = page.getByRole('region', { name: 'Result of the import' });
  }

  field(label: string): Locator {
    return this.choices.getByLabel(label, { exact: true });
  }

  row(table: string): Locator {
    return this.tables.getByRole('row').filter({ has: this.page.getByLabel(`Import ${table}`, { exact: true }) });
  }

  /** Chooses a file through the command and the (answered) dialog. */
  async choose(app: TestedApp, view: AppWindow, path: string): Promise<void> {
    await view.connected();
    await app.answerOpenDialog(path);
    await this.page.keyboard.press('Control+Shift+o');
  }

  async read(): Promise<void> {
    await expect(this.tables).toBeVisible(PATIENT);
  }

  /** @param tables “2 tables” */
  async run(tables: string): Promise<void> {
    await this.bar.getByRole('button', { name: `Import ${tables}`, exact: true }).click();
    await expect(this.result).toBeVisible(PATIENT);
  }
}
