// An import tab as the user names its parts, for specs.
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { TestedApp } from '../tested-app.ts';
import type { AppWindow } from './app-window.ts';
import { GridPage } from './grid-page.ts';

/** The whole file is read on a busy two-core machine. */
const PATIENT = { timeout: 30_000 };

export class ImportPage {
  readonly page: Page;
  readonly bar: Locator;
  readonly choices: Locator;
  readonly result: Locator;
  readonly recipe: Locator;
  readonly preview: GridPage;
  /** Rows that were not imported. */
  readonly problems: GridPage;

  constructor({ page }: Pick<AppWindow, 'page'>) {
    this.page = page;
    this.bar = page.getByRole('toolbar', { name: 'Import' });
    this.choices = page.getByRole('region', { name: 'Choices', exact: true });
    this.result = page.getByRole('region', { name: 'Result of the import' });
    this.recipe = page.getByRole('region', { name: 'Choices of an earlier import' });
    this.preview = new GridPage(page, page.getByRole('grid', { name: 'Rows as they will be stored' }));
    this.problems = new GridPage(page, page.getByRole('grid', { name: 'Rows that were not imported' }));
  }

  /** “Import 3 rows”: how many there are once the whole file has been read; “Add 1, update 2” by key. */
  importButton(rows?: string): Locator {
    return this.bar.getByRole('button', {
      name: rows === undefined ? /^(Import|Add \d|Update \d|Skip \d)/ : new RegExp(`^Import ${rows} rows?$`),
    });
  }

  field(label: string): Locator {
    return this.choices.getByLabel(label, { exact: true });
  }

  column(source: string): Locator {
    return this.page.getByRole('group', { name: `Column ${source}`, exact: true });
  }

  /** Opens a file through the command and the (answered) dialog. */
  async open(app: TestedApp, view: AppWindow, path: string): Promise<void> {
    await this.choose(app, view, path);
    await this.read();
  }

  /** The same, without waiting for what is in the file. */
  async choose(app: TestedApp, view: AppWindow, path: string): Promise<void> {
    await view.connected();
    await app.answerOpenDialog(path);
    await this.page.keyboard.press('Control+Shift+o');
  }

  /** Waits until the whole file has been read, and its first rows are loaded. */
  async read(): Promise<void> {
    await expect(this.importButton()).toHaveText(/\d/, PATIENT);
    await expect(this.preview.rows.first()).toBeAttached(PATIENT);
  }

  async run(): Promise<void> {
    await this.importButton().click();
    await expect(this.result).toBeVisible(PATIENT);
  }
}
