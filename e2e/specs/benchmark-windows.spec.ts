// A benchmark among windows: one measures at a time, none goes without a question, and what dies meanwhile takes little along.
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { BenchmarkPage } from '../pages/benchmark-page.ts';
import { answerQuestions, questionsAsked } from '../support/message-boxes.ts';
import { killEngine } from '../support/engine-process.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const SIDELITE = 'Sidelite, OPFS, balanced';
const LONG = [/^Wasm vs. native/, /^Round trips/, /^A million rows/];
const MEASURING = { timeout: 150_000 };

async function measuring(view: AppWindow): Promise<BenchmarkPage> {
  const bench = new BenchmarkPage(view);
  await bench.open();
  await bench.setUp(LONG, [SIDELITE], 3);
  await bench.begin();
  await expect(bench.cell(/Sidelite/).first()).toBeVisible(MEASURING);
  return bench;
}

async function another(app: SideliteApp): Promise<AppWindow> {
  const count = app.windows().length;
  await app.menu('file.newWindow');
  return new AppWindow(await app.window(count));
}

test(
  'one window measures at a time: another says which, goes there, or waits for it',
  { tag: '@long' },
  async ({ app, page }) => {
    test.setTimeout(300_000);
    await answerQuestions(app, 0);
    const first = await measuring(new AppWindow(page));
    const view = await another(app);
    const second = new BenchmarkPage(view);
    await second.open();
    await second.setUp([/^Round trips/], ['Sidelite, memory'], 1);
    const line = view.page.getByRole('status', { name: 'Other window' });
    await expect(line).toContainText(/Window 1 is running a benchmark, \d+%/);

    await first.view.page.keyboard.press('Control+l');
    await line.getByRole('button', { name: 'Go to Window 1' }).click();
    await expect(first.strip).toBeVisible();

    await view.page.getByRole('button', { name: 'Run when it finishes' }).click();
    await expect(line).toContainText('starts as soon as it finishes');
    await expect(second.strip).toHaveCount(0);
    await first.strip.getByRole('button', { name: 'Stop' }).click();
    await first.done();
    await expect(line).toHaveCount(0, MEASURING);
    await expect(view.page.getByRole('button', { name: 'Run', exact: true })).toBeVisible(MEASURING);
    await first.keptRuns(2);
  },
);

test(
  'a window that measures asks before it closes, and what it has measured is kept',
  { tag: '@long' },
  async ({ app, page }) => {
    test.setTimeout(200_000);
    const view = await another(app);
    const bench = await measuring(view);
    await answerQuestions(app, 1);
    await view.page.keyboard.press('Control+Shift+w');
    await expect
      .poll(() => questionsAsked(app))
      .toEqual([expect.stringMatching(/^Window 2 is running a benchmark. Stop it\?/)]);
    await expect(bench.strip).toBeVisible();
    await answerQuestions(app, 0);
    // It may be gone before the driver has heard that the key was pressed.
    await view.page.keyboard.press('Control+Shift+w').catch(() => undefined);
    await expect.poll(() => app.windows().length, MEASURING).toBe(1);
    const kept = new BenchmarkPage(new AppWindow(page));
    await kept.open();
    await kept.keptRuns(1);
    await page.getByRole('row', { name: /^Wasm vs. native/ }).dblclick();
    await expect(kept.cell(/stopped/).first()).toBeVisible();
    await expect(kept.cell(/×/).first()).toBeVisible();
  },
);

test(
  'quitting asks, too; where the app is killed what was measured before is there',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(300_000);
    let view = new AppWindow(await idleApp.start());
    let bench = await measuring(view);
    await answerQuestions(idleApp, 1);
    await idleApp.electron.evaluate(({ app }) => app.quit());
    await expect.poll(() => questionsAsked(idleApp)).toHaveLength(1);
    await expect(bench.screen('Kept runs')).toHaveText('Kept runs (1)', MEASURING);
    await idleApp.kill();

    view = new AppWindow(await idleApp.start());
    bench = new BenchmarkPage(view);
    await bench.open();
    await bench.keptRuns(1);
    await expect(view.page.getByRole('row', { name: /^Wasm vs. native/ })).toContainText('not finished');
    await view.page.getByRole('row', { name: /^Wasm vs. native/ }).dblclick();
    await expect(view.page.getByRole('status', { name: 'Warnings' })).toContainText('not finished');
    await expect(bench.cell(/×/).first()).toBeVisible();
  },
);

test.describe('what dies', () => {
  test.use({ expectedProblems: /host|crash|disconnected/i });

  test('in the middle is said in its cell, and is there for the next test', { tag: '@long' }, async ({ app, page }) => {
    test.setTimeout(300_000);
    const bench = await measuring(new AppWindow(page));
    await answerQuestions(app, 0);
    // One that dies between its last round of a test and the next test has lost nothing, and is started again without a word.
    await expect(async () => {
      await killEngine(app, 'bench');
      await expect(bench.cell(/failed.*better-sqlite3, file, balanced crashed/).first()).toBeVisible();
    }).toPass(MEASURING);
    await expect(async () => {
      await app.electron.evaluate(({ webContents }) =>
        webContents
          .getAllWebContents()
          .find((contents) => contents.getURL().includes('host.html'))!
          .forcefullyCrashRenderer(),
      );
      await expect(bench.cell(/failed.*Sidelite, OPFS, balanced crashed/).first()).toBeVisible();
    }).toPass(MEASURING);
    await expect(bench.cell(/^count-filtered, .* Sidelite.*×/).first()).toBeVisible(MEASURING);
    await bench.done();
  });
});

test('cells say when the window was hidden in their rounds', { tag: '@long' }, async ({ app, page }) => {
  test.setTimeout(200_000);
  await answerQuestions(app, 0);
  const bench = await measuring(new AppWindow(page));
  // The driver keeps its pages visible whatever becomes of their windows.
  const show = (isShown: boolean): Promise<void> =>
    page.evaluate((shown) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: !shown });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isShown);
  await show(false);
  const seen = await bench.table.getByRole('row').count();
  // The next row may be of a test that had ended before, and the one after it of a test whose last rounds had.
  await expect.poll(() => bench.table.getByRole('row').count(), MEASURING).toBeGreaterThan(seen + 2);
  // Whatever is measured to its end until then was hidden in a round.
  await bench.strip.getByRole('button', { name: 'Stop' }).click();
  await bench.done();
  await show(true);
  await expect(page.getByRole('status', { name: 'Warnings' })).toContainText('window hidden');
  await bench.table.focus();
  await page.keyboard.press('Enter');
  await expect(bench.details).not.toContainText('The window was hidden in');
  await page.keyboard.press('Escape');
  // The last one that was measured to its end.
  await bench
    .cell(/Sidelite.*×/)
    .last()
    .click();
  await expect(bench.details).toContainText(/The window was hidden in \d of 3 rounds/);
});
