// What the parts of an app under test said, with the time, for diagnosing a failed test.
import type { Page } from '@playwright/test';

const MAX_LINES = 5000;

export class TestLog {
  readonly #lines: string[] = [];

  note(line: string): void {
    this.#lines.push(`${new Date().toISOString()} ${line}`);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  follow(page: Page): void {
    page.on('console', (message) => this.note(`${page.url()} ${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => this.note(`${page.url()} threw: ${error.stack ?? error.message}`));
    page.on('crash', () => this.note(`${page.url()} crashed`));
  }

  get text(): string {
    return this.#lines.join('\n');
  }
}
