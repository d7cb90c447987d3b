// The fixtures of all specs: `app` and `page` for the real app, `webPage` for a plain browser. Any test with a problem fails.
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test as base, expect } from '@playwright/test';
import type { Browser, Page, TestInfo } from '@playwright/test';
import { openVirtualScreen } from '../build/screen.ts';
import { collectProblems } from './problems.ts';
import { takeScreen } from './screens.ts';
import { SharedElectron } from './shared-electron.ts';
import { SideliteApp } from './sidelite-app.ts';
import type { TestedApp } from './tested-app.ts';
import { answerFileChoosers, WebApp } from './web-app.ts';

takeScreen();

interface Fixtures {
  /** For stories about the process itself, its profile, or its switches: `test.use({ isAlone: true })`. */
  readonly isAlone: boolean;
  /** Problems a test provokes on purpose: `test.use({ expectedProblems: /404/ })`. */
  readonly expectedProblems: RegExp | null;
  /** The app, not yet started: for tests that prepare its files first. */
  readonly idleApp: SideliteApp;
  /** One more, with a profile and a screen of its own, not yet started. */
  readonly otherApp: SideliteApp;
  /** An app, or in the project `web` a plain browser: for stories with the tag `@web`, which run in both. */
  readonly anyApp: TestedApp;
  readonly app: SideliteApp;
  /** The first window of the app. */
  readonly page: Page;
  /** A tab of a plain browser with Sidelite in it. */
  readonly webPage: Page;
}

interface WorkerFixtures {
  /** The process in which stories run their apps, one after another. */
  readonly sharedElectron: SharedElectron;
  /** One for all tests of a worker, each of which has contexts of its own; null in the project `electron`. */
  readonly sharedBrowser: Browser | null;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  sharedBrowser: [
    async ({ playwright, browserName }, use, { project }) => {
      const browser = project.name === 'web' ? await playwright[browserName].launch() : null;
      await use(browser);
      await browser?.close();
    },
    { scope: 'worker' },
  ],

  /** The one that the context of a test comes from. */
  browser: [async ({ sharedBrowser }, use) => use(sharedBrowser!), { scope: 'worker' }],

  sharedElectron: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs
    async ({}, use) => {
      const shared = new SharedElectron();
      await use(shared);
      await shared.dispose();
    },
    { scope: 'worker' },
  ],

  expectedProblems: [null, { option: true }],
  isAlone: [false, { option: true }],

  idleApp: async ({ expectedProblems, isAlone, sharedElectron }, use, testInfo) => {
    const app = new SideliteApp(isAlone ? null : sharedElectron);
    await useAndDispose(app, use, expectedProblems, testInfo);
  },

  otherApp: async ({ expectedProblems }, use, testInfo) => {
    const app = new SideliteApp();
    app.screen = process.platform === 'linux' ? await openVirtualScreen() : null;
    await useAndDispose(app, use, expectedProblems, testInfo);
    app.screen?.close();
  },

  anyApp: async ({ expectedProblems, isAlone, sharedElectron, sharedBrowser, baseURL, viewport }, use, testInfo) => {
    const app = sharedBrowser
      ? new WebApp({ browser: sharedBrowser, baseURL: baseURL!, viewport })
      : new SideliteApp(isAlone ? null : sharedElectron);
    await useAndDispose<TestedApp>(app, use, expectedProblems, testInfo);
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
    answerFileChoosers(page, () => []);
    await page.goto('/');
    await use(page);
    expect(unexpected(problems, expectedProblems)).toEqual([]);
  },
});

export { expect };

async function useAndDispose<App extends TestedApp>(
  app: App,
  use: (app: App) => Promise<void>,
  expectedProblems: RegExp | null,
  testInfo: TestInfo,
): Promise<void> {
  await use(app);
  if (failed(testInfo)) await keepEvidence(app, testInfo);
  await app.finish();
  const problems = unexpected(app.problems, expectedProblems);
  if (failed(testInfo) || problems.length > 0) await keepRemains(app, testInfo);
  await app.dispose();
  expect(problems).toEqual([]);
}

function failed(testInfo: TestInfo): boolean {
  return testInfo.status !== testInfo.expectedStatus;
}

function unexpected(problems: readonly string[], expected: RegExp | null): string[] {
  return problems.filter((problem) => !expected?.test(problem));
}

/** Keeps what the test saw last: a trace, and of each window a picture and what it said. */
async function keepEvidence(app: TestedApp, testInfo: TestInfo): Promise<void> {
  if (!app.running) return;
  for (const [index, page] of app.windows().entries()) {
    await attachScreenshot(page, `window-${index + 1}`, testInfo);
    await attachMessages(page, `messages-${index + 1}`, testInfo);
  }
  if (!app.keepTrace) return;
  const path = testInfo.outputPath('trace.zip');
  const isKept = await app.keepTrace(path).then(
    () => true,
    () => false, // A crashed app has no trace.
  );
  if (isKept) await testInfo.attach('trace', { path, contentType: 'application/zip' });
}

/** Keeps the log of the app, and what it left when it crashed. */
async function keepRemains(app: TestedApp, testInfo: TestInfo): Promise<void> {
  const path = testInfo.outputPath('log.txt');
  writeFileSync(path, app.readLog());
  for (const dump of app.crashDumps?.() ?? []) await testInfo.attach(basename(dump), { path: dump });
  await testInfo.attach('log', { path, contentType: 'text/plain' });
}

/** Messages, questions, and work under way: the log of a run prints the beginning of attached text, and no pictures. */
async function attachMessages(page: Page, name: string, testInfo: TestInfo): Promise<void> {
  const said = page.locator('[role=alert], [role=status], [role=dialog], [role=alertdialog], [role=progressbar]');
  const read = said.evaluateAll((all) =>
    all.map((one) => (one as HTMLElement).innerText || one.getAttribute('aria-label')),
  );
  const texts = await Promise.race([read, new Promise<null>((resolve) => setTimeout(resolve, 5000, null))]).catch(
    () => null,
  );
  const body = texts === null ? 'It did not answer.' : [...new Set(texts)].filter(Boolean).join('\n');
  if (body) await testInfo.attach(name, { body, contentType: 'text/plain' });
}

async function attachScreenshot(page: Page, name: string, testInfo: TestInfo): Promise<void> {
  const path = testInfo.outputPath(`${name}.png`);
  const isTaken = await page.screenshot({ path, timeout: 5000 }).then(
    () => true,
    () => false, // Nothing can be taken of a page that does not paint.
  );
  if (isTaken) await testInfo.attach(name, { path, contentType: 'image/png' });
}
