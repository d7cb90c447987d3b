// The same app in a plain browser tab: its own host in an iframe, one tab at a time, files in and out without a shell.
import { readFileSync, rmSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { answerLocksLate } from '../data/late-lock.ts';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { editor, startWithAnimals } from '../pages/query-page.ts';

test('page, embedded host and worker are cross-origin isolated', async ({ webPage }) => {
  expect(await webPage.evaluate(() => crossOriginIsolated)).toBe(true);
  await expect.poll(() => webPage.workers().length).toBe(1);
  expect(await webPage.workers()[0]!.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(await webPage.evaluate(() => 'sidelite' in window)).toBe(false);
});

test('a second tab is told that the library is open, and goes on when the first is closed', async ({
  webPage,
  context,
}) => {
  await expect(webPage.getByRole('button', { name: 'Open file' }).first()).toBeVisible();
  const second = await context.newPage();
  await second.goto('/');
  await expect(second.getByText('open in another Sidelite tab')).toBeVisible();
  expect(await findings(second, 'refused', 'light')).toEqual([]);
  await webPage.close();
  await expect(second.getByRole('button', { name: 'Open file' }).first()).toBeVisible();
});

test(
  'a browser that takes seconds to grant a free lock names no second tab',
  { tag: '@long' },
  async ({ context, webPage }) => {
    await context.addInitScript(answerLocksLate, 3000);
    // A reload, too: the page before gives the lock back while this one already asks for it.
    for (const load of [() => webPage.goto('/'), () => webPage.reload()]) {
      const names: string[] = [];
      await load();
      const opened = webPage.getByRole('button', { name: 'Open file' }).first();
      await expect
        .poll(
          async () => {
            names.push(...(await webPage.getByRole('heading', { name: 'elsewhere' }).allTextContents()));
            return opened.isVisible();
          },
          { timeout: 20_000, intervals: [50] },
        )
        .toBe(true);
      expect(names).toEqual([]);
    }
  },
);

test('what was typed right before a reload is there again', async ({ anyApp }) => {
  const page = await startWithAnimals(anyApp);
  // Do both in one task, so that nothing else can be done between the two.
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate(() => {
      document.execCommand('insertText', false, 'SELECT 42');
      location.reload();
    }),
  ]);
  await expect(editor(page)).toHaveText('SELECT 42');
});

test('what is stored is there after the browser was ended', { tag: '@long' }, async ({ baseURL }, testInfo) => {
  const path = makeDatabase(testInfo.outputPath('lasting.db'), { kind: 'every-type' });
  const profile = testInfo.outputPath('profile');
  const first = await chromium.launchPersistentContext(profile);
  const page = first.pages()[0]!;
  await page.goto(baseURL!);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).first().click();
  await (await choosing).setFiles(path);
  await new AppWindow(page).opened('lasting');
  await first.close();

  const second = await chromium.launchPersistentContext(profile);
  const again = second.pages()[0]!;
  await again.goto(baseURL!);
  const view = new AppWindow(again);
  await view.connected();
  await again.keyboard.press('Control+l');
  await expect(again.getByRole('row', { name: 'lasting', exact: true })).toBeVisible();
  await second.close();
  rmSync(profile, { recursive: true });
});

test('a chosen file is opened and kept', { tag: '@long' }, async ({ webPage }, testInfo) => {
  const file = makeDatabase(testInfo.outputPath('from a tab.db'), { kind: 'every-type' });
  const choosing = webPage.waitForEvent('filechooser');
  await webPage.getByRole('button', { name: 'Open file' }).first().click();
  await (
    await choosing
  ).setFiles({ name: 'from a tab.db', mimeType: 'application/octet-stream', buffer: readFileSync(file) });
  // The progress of the import says the name, too.
  await new AppWindow(webPage).opened('from a tab');
  await webPage.reload();
  await expect(webPage.getByText('from a tab').first()).toBeVisible();
});
