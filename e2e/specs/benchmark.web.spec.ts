// The benchmark in a plain browser: engines of wasm are measured, native ones say why not, and leaving the page is asked about.
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { BenchmarkPage } from '../pages/benchmark-page.ts';

test('a browser measures what it has, and asks before a run is left', async ({ webPage: page }) => {
  test.setTimeout(200_000);
  const bench = new BenchmarkPage(new AppWindow(page));
  await bench.open();
  await bench.screen('New run').click();
  const native = page.getByRole('checkbox', { name: /^better-sqlite3, memory/ });
  await expect(native).toBeDisabled();
  await expect(page.getByText('A browser runs nothing native. The desktop app does.').first()).toBeVisible();
  await bench.setUp([/^Round trips/], ['Sidelite, memory'], 3);
  await bench.begin();
  await expect(bench.cell(/^insert-number, .* Sidelite, memory/)).toBeVisible({ timeout: 60_000 });
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.evaluate(() => location.reload());
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await bench.done();
  await expect(bench.cell(/^insert-number, .* better-sqlite3, memory: not possible/)).toBeVisible();
  await bench.keptRuns(1);
});
