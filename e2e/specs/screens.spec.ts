// What holds on every screen, in light and in dark: axe finds nothing, of any level, and nothing is wider than the window. And their pictures.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findings as findingsOn, findingsInSmall } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { Tour } from '../pages/tour.ts';
import type { OnScreen } from '../pages/on-screen.ts';
import { toWebp } from '../picture-in-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const SIZE = { width: 1280, height: 800 };
const SMALL = { width: 800, height: 600 };
/** Menus are positioned once. */
const CLOSED_BY_RESIZING = new Set(['menu']);

const PICTURES = join(import.meta.dirname, '..', 'screenshots');
/** Pictures are kept only on request: their bytes differ a little each time. */
const KEEPS_PICTURES = process.env['SIDELITE_SCREENSHOTS'] === '1';
const PICTURED = new Set([
  'welcome',
  'library',
  'table',
  'sql',
  'history',
  'compare',
  'merge',
  'import',
  'diagram',
  'health-space',
  'design',
  'benchmark-setup',
  'benchmark-run',
  'live-counters',
  'palette',
  'help',
]);

test.setTimeout(600_000);

test('files, library and what lies over the window', async ({ idleApp }) => {
  const { tour, findings } = await begin(idleApp);
  await tour.ofFilesAndLibrary();
  expect(findings).toEqual([]);
});

test('the schema: designer, diagram, health', async ({ idleApp }) => {
  const { tour, findings } = await begin(idleApp);
  await tour.ofSchema();
  expect(findings).toEqual([]);
});

test('a table, its cards and dialogs', async ({ idleApp }) => {
  const { tour, findings } = await begin(idleApp);
  await tour.ofTable();
  expect(findings).toEqual([]);
});

test('SQL, history, settings, and import', async ({ idleApp }) => {
  const { tour, findings } = await begin(idleApp);
  await tour.ofTabs();
  expect(findings).toEqual([]);
});

test('what measures, and an engine that restarts', async ({ idleApp }) => {
  const { tour, findings } = await begin(idleApp);
  await tour.ofMeasuring();
  expect(findings).toEqual([]);
});

async function begin(app: SideliteApp): Promise<{ readonly tour: Tour; readonly findings: readonly string[] }> {
  app.opensFiles = null;
  const page = await app.start();
  const window = await app.electron.browserWindow(page);
  const resize = async (size: typeof SIZE): Promise<void> => {
    await window.evaluate((it, { width, height }) => it.setContentSize(width, height), size);
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(size.width);
  };
  await resize(SIZE);
  const findings: string[] = [];
  const look: OnScreen = async (screen) => {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator(`html[data-theme=${theme}]`)).toBeAttached();
      findings.push(...(await findingsOn(page, screen, theme)));
      if (KEEPS_PICTURES && PICTURED.has(screen)) await keepPicture(page, `${screen}-${theme}`);
    }
    if (CLOSED_BY_RESIZING.has(screen)) return;
    await resize(SMALL);
    findings.push(...(await findingsInSmall(page, screen)));
    await resize(SIZE);
  };
  return { tour: new Tour(app, page, look), findings };
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const png = await page.screenshot();
  const webp = await page.evaluate(toWebp, png.toString('base64'));
  writeFileSync(join(PICTURES, `${name}.webp`), Buffer.from(webp, 'base64'));
}
