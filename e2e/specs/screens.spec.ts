// What holds on every screen, in light and in dark: axe finds nothing, of any level, and nothing is wider than the window. And their pictures.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { Tour } from '../pages/tour.ts';
import type { OnScreen } from '../pages/tour.ts';
import { toWebp } from '../picture-in-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';

type Theme = 'light' | 'dark';

const SIZE = { width: 1280, height: 800 };
/** The only rules whose outcome depends on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/** Elements of Base UI that pass the focus on as soon as they get it. */
const FOCUS_GUARDS = '[data-base-ui-focus-guard]';

const PICTURES = join(import.meta.dirname, '..', 'screenshots');
/** Only when asked: their bytes differ a little each time. */
const KEEPS_PICTURES = process.env['SIDELITE_SCREENSHOTS'] === '1';
const PICTURED = new Set([
  'welcome',
  'library',
  'table',
  'sql',
  'history',
  'compare',
  'merge',
  'benchmark-setup',
  'benchmark-run',
  'live-counters',
  'palette',
  'help',
]);

test.setTimeout(300_000);

test('files, library and what lies over the window', async ({ idleApp }) => {
  const { tour, findings } = await begin(idleApp);
  await tour.ofFilesAndLibrary();
  expect(findings).toEqual([]);
});

test('every kind of tab', async ({ idleApp }) => {
  const { tour, findings } = await begin(idleApp);
  await tour.ofTabs();
  expect(findings).toEqual([]);
});

async function begin(app: SideliteApp): Promise<{ readonly tour: Tour; readonly findings: readonly string[] }> {
  app.opensFiles = null;
  const page = await app.start();
  const window = await app.electron.browserWindow(page);
  await window.evaluate((it, { width, height }) => it.setContentSize(width, height), SIZE);
  const findings: string[] = [];
  const look: OnScreen = async (screen) => {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator(`html[data-theme=${theme}]`)).toBeAttached();
      const found = [...(await axeFindings(page, theme, screen)), ...(await overflow(page))];
      findings.push(...found.map((finding) => `${screen}, ${theme}: ${finding}`));
      if (KEEPS_PICTURES && PICTURED.has(screen)) await keepPicture(page, `${screen}-${theme}`);
    }
  };
  return { tour: new Tour(app, page, look), findings };
}

async function axeFindings(page: Page, theme: Theme, screen: string): Promise<string[]> {
  const isInjected = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(isInjected && { axeSource: ';' }) })
    // In the page itself. The other mode collects results in a page of its own, which Electron cannot open.
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .exclude(FOCUS_GUARDS);
  if (theme === 'dark') axe.withRules(COLOR_RULES);
  // An open menu has the focus, and lies over all landmarks.
  else if (screen === 'menu') axe.disableRules('region');
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact}, ${id}: ${target.join(' ')} ${failureSummary}`),
  );
}

async function overflow(page: Page): Promise<string[]> {
  const pixels = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return pixels > 0 ? [`${pixels} pixels wider than the window`] : [];
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const png = await page.screenshot();
  const webp = await page.evaluate(toWebp, png.toString('base64'));
  writeFileSync(join(PICTURES, `${name}.webp`), Buffer.from(webp, 'base64'));
}
