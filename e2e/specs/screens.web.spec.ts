// The screens that only a browser has: axe finds nothing on them, in light and in dark.
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';

test('a tab that is refused', { tag: '@long' }, async ({ webPage, context }) => {
  await expect(webPage.getByRole('button', { name: 'Open file' }).first()).toBeVisible();
  const second = await context.newPage();
  await second.goto('/');
  await expect(second.getByRole('heading', { name: 'The library is open elsewhere' })).toBeVisible();
  for (const theme of ['light', 'dark'] as const) {
    await second.emulateMedia({ colorScheme: theme });
    await expect(second.locator(`html[data-theme=${theme}]`)).toBeAttached();
    await second.setViewportSize({ width: 800, height: 600 });
    expect(await findings(second, 'refused', theme)).toEqual([]);
  }
});
