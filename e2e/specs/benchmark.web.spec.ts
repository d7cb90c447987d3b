// The benchmark in a plain browser: engines of wasm are measured, native ones say why not, leaving the page is asked about, and a full
// localStorage is a reason: only a browser limits it, Electron does not.
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { BenchmarkPage } from '../pages/benchmark-page.ts';

test('a browser measures what it has, and asks before a run is left', { tag: '@long' }, async ({ webPage: page }) => {
  test.setTimeout(200_000);
  const bench = new BenchmarkPage(new AppWindow(page));
  await bench.open();
  await bench.screen('New run').click();
  const native = page.getByRole('checkbox', { name: /^better-sqlite3, memory/ });
  await expect(native).toBeDisabled();
  await expect(page.getByText('A browser cannot run native engines. Use the desktop app.').first()).toBeVisible();
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

test('a full localStorage is why kvvfs has no number, and no failure', { tag: '@long' }, async ({ webPage: page }) => {
  test.setTimeout(200_000);
  const bench = new BenchmarkPage(new AppWindow(page));
  await bench.open();
  await bench.screen('New run').click();
  await page.getByText('SQLite’s wasm build, other storage').click();
  await bench.setUp([/^The 16 tests/], ['sqlite-wasm, kvvfs'], 1);
  await bench.begin();
  await bench.done();
  const ofKvvfs = bench.cell(/ kvvfs: /);
  // The first of its parts fits.
  await expect(ofKvvfs.first()).toHaveAccessibleName(/^1, .* kvvfs: [\d.]+ m?s/);
  await expect(bench.cell(/ kvvfs: not possible\. localStorage is full: /).first()).toBeVisible();
  await expect(bench.cell(/ kvvfs: failed/)).toHaveCount(0);
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('kvvfs-'))))
    .toEqual([]);
});
