// Problems on a screen: what axe finds, of any level, and what is wider than the window.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

export type Theme = 'light' | 'dark';

/** The only rules whose outcome depends on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/** Elements of Base UI that pass the focus on as soon as they get it. */
const FOCUS_GUARDS = '[data-base-ui-focus-guard]';

/** Which rules: in dark only those of colors, as long as a screen is looked at in light, too. */
type Rules = 'all' | 'colors';

/** A sentence each. The window has the theme already. */
export async function findings(
  page: Page,
  screen: string,
  theme: Theme,
  rules: Rules = theme === 'dark' ? 'colors' : 'all',
): Promise<string[]> {
  const found = [...(await axeFindings(page, screen, rules)), ...(await overflow(page))];
  return found.map((finding) => `${screen}, ${theme}: ${finding}`);
}

/** Findings of the same screen in a small window: what scrolls there must be scrollable by keyboard. */
export async function findingsInSmall(page: Page, screen: string): Promise<string[]> {
  const { violations } = await (await axeOn(page)).withRules(['scrollable-region-focusable']).analyze();
  return [...sentences(violations), ...(await overflow(page))].map((finding) => `${screen}, small: ${finding}`);
}

async function axeFindings(page: Page, screen: string, rules: Rules): Promise<string[]> {
  const axe = await axeOn(page);
  if (rules === 'colors') axe.withRules(COLOR_RULES);
  // An open menu has the focus, and lies over all landmarks.
  else if (screen === 'menu') axe.disableRules('region');
  return sentences((await axe.analyze()).violations);
}

async function axeOn(page: Page): Promise<AxeBuilder> {
  const isInjected = await page.evaluate(() => 'axe' in window);
  return (
    new AxeBuilder({ page, ...(isInjected && { axeSource: ';' }) })
      // Run in the page itself. The other mode collects results in a page of its own, which Electron cannot open.
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .exclude(FOCUS_GUARDS)
  );
}

function sentences(violations: Awaited<ReturnType<AxeBuilder['analyze']>>['violations']): string[] {
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact}, ${id}: ${target.join(' ')} ${failureSummary}`),
  );
}

async function overflow(page: Page): Promise<string[]> {
  const pixels = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return pixels > 0 ? [`${pixels} pixels wider than the window`] : [];
}
