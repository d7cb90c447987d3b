// What holds on every screen: axe finds nothing, of any level, and nothing is wider than the window. In full in light and in dark, and in a small
// window too; and their pictures. `npm test` walks through most screens, and looks at one of each subject.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findings as findingsOn, findingsInSmall } from '../findings.ts';
import type { Theme } from '../findings.ts';
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

interface Walk {
  readonly through: string;
  /** Which of the two, where only one is looked at: each on half of the screens. */
  readonly theme: Theme;
  /** Its main screens are looked at in the stories about them, too. */
  readonly isLong?: true;
  readonly go: (tour: Tour) => Promise<void>;
}

const WALKS: readonly Walk[] = [
  {
    through: 'files, library and what lies over the window',
    theme: 'light',
    isLong: true,
    go: (tour) => tour.ofFilesAndLibrary(),
  },
  { through: 'a table, its cards and dialogs', theme: 'light', go: (tour) => tour.ofTable() },
  { through: 'SQL, history, settings, and import', theme: 'dark', go: (tour) => tour.ofTabs() },
  { through: 'the schema', theme: 'dark', go: (tour) => tour.ofSchema() },
  {
    through: 'what measures, and an engine that restarts',
    theme: 'dark',
    isLong: true,
    go: (tour) => tour.ofMeasuring(),
  },
];

test.setTimeout(600_000);

for (const { through, theme, isLong, go } of WALKS) {
  test(`${through}, ${theme}`, { tag: isLong ? '@long' : [] }, async ({ idleApp }) => {
    const page = await start(idleApp);
    await show(page, theme);
    const findings: string[] = [];
    // The first screen of each subject, such as `sql` of `sql-chart`: axe takes most of the time of a walk.
    const seen = new Set<string>();
    const look: OnScreen = async (screen) => {
      const [subject] = screen.split('-') as [string];
      if (seen.has(subject)) return;
      seen.add(subject);
      findings.push(...(await findingsOn(page, screen, theme, 'all')));
    };
    await go(new Tour(idleApp, page, look));
    expect(findings).toEqual([]);
  });

  test(`${through}, light and dark, and in a small window`, { tag: '@long' }, async ({ idleApp }) => {
    const page = await start(idleApp);
    const findings: string[] = [];
    const look: OnScreen = async (screen) => {
      for (const each of ['light', 'dark'] as const) {
        await show(page, each);
        findings.push(...(await findingsOn(page, screen, each)));
        if (KEEPS_PICTURES && PICTURED.has(screen)) await keepPicture(page, `${screen}-${each}`);
      }
      if (CLOSED_BY_RESIZING.has(screen)) return;
      await resize(idleApp, page, SMALL);
      findings.push(...(await findingsInSmall(page, screen)));
      await resize(idleApp, page, SIZE);
    };
    await go(new Tour(idleApp, page, look));
    expect(findings).toEqual([]);
  });
}

async function start(app: SideliteApp): Promise<Page> {
  app.opensFiles = 'ask';
  const page = await app.start();
  await resize(app, page, SIZE);
  return page;
}

async function show(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator(`html[data-theme=${theme}]`)).toBeAttached();
}

async function resize(app: SideliteApp, page: Page, size: typeof SIZE): Promise<void> {
  const window = await app.electron.browserWindow(page);
  await window.evaluate((it, { width, height }) => it.setContentSize(width, height), size);
  await expect.poll(() => page.evaluate(() => innerWidth), { intervals: [20] }).toBe(size.width);
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const png = await page.screenshot();
  const webp = await page.evaluate(toWebp, png.toString('base64'));
  writeFileSync(join(PICTURES, `${name}.webp`), Buffer.from(webp, 'base64'));
}
