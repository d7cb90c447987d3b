// The fixtures of all specs: `app` and `page` for the real app, `webPage` for a plain browser. Any test with a problem fails.
import { test as base, expect } from '@playwright/test';
import type { Page, TestInfo } from '@playwright/test';
import { collectProblems } from './problems.ts';
import { SideliteApp } from './sidelite-app.ts';

interface Fixtures {
  /** Problems a test provokes on purpose: `test.use({ expectedProblems: /404/ })`. */
  readonly expectedProblems: RegExp | null;
  /** The app, not yet started: for tests that prepare its files first. */
  readonly idleApp: SideliteApp;
  /** The app, started. */
  readonly app: SideliteApp;
  /** The first window of the app. */
  readonly page: Page;
  /** A tab of a plain browser with Sidelite in it. */
  readonly webPage: Page;
}

export const test = base.extend<Fixtures>({
  expectedProblems: [null, { option: true }],

  idleApp: async ({ expectedProblems }, use, testInfo) => {
    const app = new SideliteApp();
    await use(app);
    const pages = failed(testInfo) && app.running ? app.windows() : [];
    for (const page of pages) await attachScreenshot(page, testInfo);
    await app.dispose();
    expect(unexpected(app.problems, expectedProblems)).toEqual([]);
  },

  app: async ({ idleApp }, use) => {
    await idleApp.start();
    await use(idleApp);
  },

  page: async ({ app }, use) => {
    await use(await app.window());
  },

  webPage: async ({ context, expectedProblems }, use) => {
    const problems: string[] = [];
    const page = await context.newPage();
    collectProblems(page, problems);
    await page.goto('/');
    await use(page);
    expect(unexpected(problems, expectedProblems)).toEqual([]);
  },
});

export { expect };

function failed(testInfo: TestInfo): boolean {
  return testInfo.status !== testInfo.expectedStatus;
}

function unexpected(problems: readonly string[], expected: RegExp | null): string[] {
  return problems.filter((problem) => !expected?.test(problem));
}

async function attachScreenshot(page: Page, testInfo: TestInfo): Promise<void> {
  const body = await page.screenshot({ timeout: 5000 }).catch(() => null);
  if (body) await testInfo.attach(`${page.url()}.png`, { body, contentType: 'image/png' });
}
