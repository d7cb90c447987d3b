// The app in a plain browser under test: a context with storage of its own, whose tab is given files and whose downloads are kept.
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Browser, BrowserContext, Page, ViewportSize } from '@playwright/test';
import { collectProblems } from './problems.ts';
import type { TestedApp } from './tested-app.ts';
import { TestLog } from './test-log.ts';
import { keepState } from './support/kept-state.ts';

interface WebAppOptions {
  /** Shared with the other tests of the worker: what is stored belongs to a context, and goes with it. */
  readonly browser: Browser;
  readonly baseURL: string;
  readonly viewport: ViewportSize | null;
}

export class WebApp implements TestedApp {
  readonly folder = mkdtempSync(join(tmpdir(), 'sidelite-web-'));
  readonly problems: string[] = [];
  readonly #options: WebAppOptions;
  readonly #log = new TestLog();
  #context: BrowserContext | null = null;
  #page: Page | null = null;
  /** Files with which the next file chooser is answered. */
  #chosen: readonly string[] = [];

  constructor(options: WebAppOptions) {
    this.#options = options;
  }

  get running(): boolean {
    return this.#page !== null;
  }

  async start(...files: string[]): Promise<Page> {
    const { browser, baseURL, viewport } = this.#options;
    this.#context ??= await browser.newContext({
      baseURL,
      viewport,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await this.#context.newPage();
    this.#page = page;
    collectProblems(page, this.problems);
    this.#log.follow(page);
    answerFileChoosers(page, () => this.#chosen);
    await page.goto('/');
    if (files.length > 0) await this.#open(page, files);
    return page;
  }

  async relaunch(...files: string[]): Promise<Page> {
    // The tab ends its worker at once. A person leaves the tab before closing it, and this is when its state is kept.
    if (this.#page) await keepState(this.#page);
    await this.quit();
    return await this.start(...files);
  }

  windows(): Page[] {
    return this.#page ? [this.#page] : [];
  }

  answerOpenDialog(...filePaths: string[]): Promise<void> {
    this.#chosen = filePaths;
    return Promise.resolve();
  }

  answerSaveDialog(filePath: string): Promise<void> {
    this.#page?.once('download', (download) => {
      // Renamed when complete, so that a waiting reader finds the whole file.
      const part = `${filePath}.part`;
      void download.saveAs(part).then(() => renameSync(part, filePath));
    });
    return Promise.resolve();
  }

  /** Closes the tab: what it has stored is there when another one is opened. */
  async quit(): Promise<void> {
    await this.#page?.close();
    this.#page = null;
  }

  finish(): Promise<void> {
    return this.quit();
  }

  async dispose(): Promise<void> {
    await this.quit();
    await this.#context?.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  readLog(): string {
    return this.#log.text;
  }

  async #open(page: Page, files: readonly string[]): Promise<void> {
    await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('SQLite 3', { timeout: 30_000 });
    await this.answerOpenDialog(...files);
    await page.keyboard.press('Control+o');
  }
}

/**
 * Set up before the page is loaded: if a chooser opens before the browser has been told to leave it to the driver, nothing answers it.
 */
export function answerFileChoosers(page: Page, chosen: () => readonly string[]): void {
  page.on('filechooser', (chooser) => void (chosen().length > 0 && chooser.setFiles([...chosen()])));
}
