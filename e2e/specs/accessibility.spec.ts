// No screen has anything that axe finds, of any level, in light and in dark.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { Tour } from '../pages/tour.ts';

type Theme = 'light' | 'dark';

/** The only rules whose outcome depends on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/** Elements of Base UI that pass the focus on as soon as they get it. */
const FOCUS_GUARDS = '[data-base-ui-focus-guard]';

test('axe finds nothing on any screen, in light and in dark', async ({ idleApp }) => {
  test.setTimeout(300_000);
  idleApp.opensFiles = null;
  const page = await idleApp.start();
  const findings: string[] = [];
  await new Tour(idleApp, page, async (screen) => {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator(`html[data-theme=${theme}]`)).toBeAttached();
      const found = await findingsOf(page, theme, screen === 'menu');
      findings.push(...found.map((finding) => `${screen}, ${theme}: ${finding}`));
    }
  }).all();
  expect(findings).toEqual([]);
});

async function findingsOf(page: Page, theme: Theme, isMenu: boolean): Promise<string[]> {
  const isInjected = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(isInjected && { axeSource: ';' }) })
    // In the page itself. The other mode collects results in a page of its own, which Electron cannot open.
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .exclude(FOCUS_GUARDS);
  if (theme === 'dark') axe.withRules(COLOR_RULES);
  // An open menu has the focus, and lies over all landmarks.
  else if (isMenu) axe.disableRules('region');
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact}, ${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
