// Detects what must never happen in any page, whatever is tested.
import type { Page } from '@playwright/test';

/** Console errors (Chromium reports policy violations there, too) and uncaught errors of `page` and its workers. */
export function collectProblems(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error')
      problems.push(`console of ${page.url()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`error in ${page.url()}: ${error.stack ?? error.message}`));
}
