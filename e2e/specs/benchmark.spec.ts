// The benchmark tab: a run from setting up to comparing, what Stop keeps, and results of others.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResult } from '../../shared/bench/result.ts';
import type { BenchResult } from '../../shared/bench/result.ts';
import { someResult } from '../data/bench-result.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { BenchmarkPage } from '../pages/benchmark-page.ts';

declare global {
  interface Window {
    /** Lets the answers come that {@link holdBackTables} holds back, and waits until the page has dealt with them. */
    letTablesCome(): Promise<void>;
  }
}

/** Runs in the page: what is asked about single tables leaves it only when told to. */
function holdBackTables(): void {
  const { postMessage } = MessagePort.prototype;
  const held: (() => Promise<void>)[] = [];
  MessagePort.prototype.postMessage = function (
    this: MessagePort,
    message: { op?: string; id?: number } | null,
    options?: StructuredSerializeOptions,
  ) {
    const send = (): void => postMessage.call(this, message, options);
    if (message?.op !== 'schema.table') return send();
    held.push(() => {
      const answered = new Promise<void>((resolve) =>
        this.addEventListener(
          'message',
          ({ data }: MessageEvent<{ id?: number; messages?: { id?: number }[] } | null>) => {
            if ([data, ...(data?.messages ?? [])].some((each) => each?.id === message.id)) resolve();
          },
        ),
      );
      send();
      return answered;
    });
  } as MessagePort['postMessage'];
  window.letTablesCome = async () => {
    while (held.length === 0) await new Promise(requestAnimationFrame);
    await Promise.all(held.map((release) => release()));
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  };
}

const OWN = /^Your own query/;
const SIDELITE = 'Sidelite, OPFS, balanced';
const MEASURING = { timeout: 150_000 };

/**
 * Each sample is slower than the slowest one before, so that no cell can hide it in its spread: on a busy machine the slowest sample of a cell
 * took up to 400 times as long as its fastest.
 */
function slower(result: BenchResult): BenchResult {
  const cells = result.cells.map((cell) => {
    const slowest = Math.max(...cell.samples);
    return { ...cell, samples: cell.samples.map((us) => slowest + us + 100) };
  });
  return { ...result, cells };
}

test('a run is measured, looked at, kept, exported, imported and compared', async ({ app, page }) => {
  test.setTimeout(200_000);
  const view = new AppWindow(page);
  const bench = new BenchmarkPage(view);
  await view.connected();
  await page.getByRole('button', { name: /Sample database/ }).click();
  await view.opened('Sample');
  await bench.open();
  await bench.setUp([OWN], [SIDELITE], 5);
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await expect(run).toBeDisabled();
  const sql = page.getByRole('textbox', { name: 'SQL to measure' });
  await sql.fill('SELECT nope FROM order_line');
  await run.click();
  await expect(page.getByRole('alert')).toContainText('There is no column named “nope”');
  await sql.fill('SELECT count(*), sum(quantity) FROM order_line');
  await bench.begin();
  await bench.done();

  // Use the keyboard: into the table, onto the cell, into its details and back.
  await expect(bench.cell(new RegExp(`${SIDELITE}: .*×`))).toBeVisible();
  await bench.table.focus();
  await page.keyboard.press('Enter');
  await expect(bench.details).toContainText('sum(quantity) FROM order_line');
  await expect(bench.details).toContainText('5 samples');
  await page.keyboard.press('Escape');
  await expect(bench.details).toHaveCount(0);
  await expect(bench.table).toBeFocused();

  const file = join(app.folder, 'own.json');
  await app.answerSaveDialog(file);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^JSON/ }).click();
  await expect(view.messages).toContainText('was saved to own.json');
  const exported = readResult(JSON.parse(readFileSync(file, 'utf8')));
  expect(exported.cells.map(({ engine, status, samples }) => [engine, status, samples.length])).toEqual([
    ['opfs-balanced', 'ok', 5],
    ['native-balanced', 'ok', 5],
  ]);
  writeFileSync(file, JSON.stringify(slower(exported)));
  await bench.import(app, file);
  await expect(page.getByText('imported from own.json')).toBeVisible();
  // Its medians are still the old ones.
  await expect(page.getByRole('status', { name: 'Warnings' })).toContainText('inconsistent figures');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('menuitem', { name: OWN }).click();
  await expect(page.getByText('2 regressed')).toBeVisible();
  await page.getByRole('button', { name: 'Swap' }).click();
  await expect(page.getByText('2 improved')).toBeVisible();
  await expect(page.getByText('0 regressed')).toBeVisible();
  await bench.keptRuns(2);
});

test(
  'a run is measured, looked at, measured again, kept, compared, exported and imported',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(400_000);
    let view = new AppWindow(await idleApp.start());
    await view.page.getByRole('button', { name: /Sample database/ }).click();
    await view.opened('Sample');
    let bench = new BenchmarkPage(view);
    await bench.open();
    await bench.setUp([OWN], [SIDELITE], 5);
    const run = view.page.getByRole('button', { name: 'Run', exact: true });
    await expect(run).toBeDisabled();
    const sql = view.page.getByRole('textbox', { name: 'SQL to measure' });
    for (const [wrong, why] of [
      ['SELECT nope FROM order_line', 'There is no column named “nope”'],
      ['-- nothing', 'no statement in it'],
    ] as const) {
      await sql.fill(wrong);
      await run.click();
      await expect(view.page.getByRole('alert')).toContainText(why);
    }
    await sql.fill('SELECT count(*), sum(quantity) FROM order_line');
    await bench.begin();
    await bench.done();

    // Use the keyboard: into the table, onto the cell, into its details and back.
    await expect(bench.cell(new RegExp(`${SIDELITE}: .*×`))).toBeVisible();
    await bench.table.focus();
    await view.page.keyboard.press('Enter');
    await expect(bench.details).toContainText('sum(quantity) FROM order_line');
    await expect(bench.details).toContainText('5 samples');
    await view.page.keyboard.press('Escape');
    await expect(bench.details).toHaveCount(0);
    await expect(bench.table).toBeFocused();

    await bench.setUp([/^Round trips/], ['Sidelite, memory'], 3);
    await bench.begin();
    await bench.done();
    const inserts = bench.cell(/^insert-number/);
    const before = await inserts.allTextContents();
    await bench.cell(/^insert-number, 100 statements, Sidelite/).click();
    await bench.details.getByRole('button', { name: 'Re-run' }).click();
    await expect(bench.strip).toBeVisible();
    await bench.done();
    await expect.poll(() => inserts.allTextContents()).not.toEqual(before);
    await bench.keptRuns(2);

    // Kept, with what was looked at.
    view = new AppWindow(await idleApp.relaunch());
    bench = new BenchmarkPage(view);
    await bench.keptRuns(2);
    await view.page.getByRole('row', { name: /^Round trips/ }).dblclick();
    await expect(bench.cell(/^select-number/).first()).toBeVisible();
    const file = join(idleApp.folder, 'rtt.json');
    await idleApp.answerSaveDialog(file);
    await view.page.getByRole('button', { name: 'Export' }).click();
    await view.page.getByRole('menuitem', { name: /^JSON/ }).click();
    await expect(view.messages).toContainText('was saved to rtt.json');
    const exported = readResult(JSON.parse(readFileSync(file, 'utf8')));
    expect(exported.cells).toHaveLength(24);
    for (const { samples, status } of exported.cells)
      expect([status, samples.length]).toEqual(['ok', samples.length || 'some']);

    writeFileSync(file, JSON.stringify(slower(exported)));
    await bench.import(idleApp, file);
    await expect(view.page.getByText('imported from rtt.json')).toBeVisible();
    // Its medians are still the old ones.
    await expect(view.page.getByRole('status', { name: 'Warnings' })).toContainText('inconsistent figures');
    await bench.cell(/^select-number, 100 statements, Sidelite/).click();
    await expect(bench.details.getByRole('button', { name: 'Re-run' })).toBeDisabled();
    await view.page.keyboard.press('Escape');
    await view.page.getByRole('button', { name: 'Compare' }).click();
    await view.page.getByRole('menuitem', { name: /^Round trips/ }).click();
    await expect(view.page.getByText('24 regressed')).toBeVisible();
    await view.page.getByRole('button', { name: 'Swap' }).click();
    await expect(view.page.getByText('24 improved')).toBeVisible();
    await expect(view.page.getByText('0 regressed')).toBeVisible();

    view = new AppWindow(await idleApp.relaunch());
    await expect(view.page.getByRole('table', { name: 'Comparison' })).toBeVisible();
  },
);

test(
  'a table that comes late does not take the place of the tab that was opened meanwhile',
  { tag: '@long' },
  async ({ app, page }) => {
    const view = new AppWindow(page);
    const bench = new BenchmarkPage(view);
    await view.connected();
    await page.evaluate(holdBackTables);
    await view.openFile(app, makeDatabase(join(app.folder, 'late.db'), { kind: 'every-type' }));
    await view.opened('late');
    await bench.open();
    await page.evaluate(() => window.letTablesCome());
    await expect(view.tabs).toHaveCount(1);
    await expect(bench.screen('Kept runs')).toBeVisible();
  },
);

test('the focus stays where a person has put it while the tab they went to is still to come', async ({ idleApp }) => {
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'focus.db'), { kind: 'every-type' }));
  const view = new AppWindow(page);
  const bench = new BenchmarkPage(view);
  await view.opened('focus');
  // A table that comes later than the benchmark gets no tab.
  await expect(view.grid().root).toBeVisible();
  await bench.open(); // its code is loaded now
  await view.tabs.first().click();
  await expect(view.grid().root).toBeVisible();
  // The user presses the pointer before the two frames are over in which the benchmark comes.
  const focused = await page.evaluate(async () => {
    const field = document.querySelector<HTMLElement>('input[type=search]')!;
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'B', code: 'KeyB', ctrlKey: true, shiftKey: true }));
    field.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    field.focus();
    while (!document.querySelector('.bench [role=radio][aria-checked=true]')) await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
    return document.activeElement === field;
  });
  expect(focused).toBe(true);
  await expect(bench.screen('Kept runs')).toBeVisible();
});

test('Pause waits, and Stop keeps what was measured until then', { tag: '@long' }, async ({ page }) => {
  test.setTimeout(200_000);
  const view = new AppWindow(page);
  const bench = new BenchmarkPage(view);
  await bench.open();
  await bench.setUp([/^Round trips/, /^Wasm vs. native/], ['Sidelite, memory'], 3);
  await bench.begin();
  await expect(bench.cell(/^insert-/).first()).toBeVisible(MEASURING);
  await bench.strip.getByRole('button', { name: 'Pause' }).click();
  await expect(bench.strip).toContainText('paused');
  await bench.strip.getByRole('button', { name: 'Resume' }).click();
  await expect(bench.strip).not.toContainText('paused');

  // The rest of the app stays usable, and the run continues behind another tab.
  await page.keyboard.press('Control+l');
  await page.getByRole('button', { name: 'Close library' }).click();
  await page.keyboard.press('Control+.');
  await bench.done();
  await expect(bench.cell(/stopped/).first()).toBeVisible();
  await bench.keptRuns(1);
});

test(
  'somebody else’s result is shown with its machine, and leaves as table and picture',
  { tag: '@long' },
  async ({ app, page }) => {
    const view = new AppWindow(page);
    const bench = new BenchmarkPage(view);
    await bench.open();
    const file = join(app.folder, 'theirs.json');
    writeFileSync(file, JSON.stringify(someResult(120)));
    await bench.import(app, file);
    await expect(
      bench.cell('test-1, 1,000 rows, better-sqlite3, file, balanced: void. It read 3 rows, the others 4.'),
    ).toBeVisible();
    await expect(page.getByRole('status', { name: 'Warnings' })).toContainText('on battery');
    await expect(page.getByText(/(won|No difference).*geometric mean of \d+ tests\)\.$/)).toBeVisible();
    // 600 cells, and only those on screen are in the document.
    await expect.poll(() => bench.table.getByRole('row').count()).toBeLessThan(60);
    await bench.table.focus();
    await page.keyboard.press('End');
    await expect(bench.cell(/^test-120, .* Sidelite, OPFS, balanced/)).toBeVisible();

    await page.getByRole('radio', { name: 'Environment' }).click();
    await expect(page.getByText('Plan 9 <script>alert(1)</script>')).toBeVisible();
    const compiled = page.getByRole('row', { name: /^Sidelite, OPFS, balanced .*wasm 881 KB 412 KB 9\.10 ms 420 µs/ });
    await expect(compiled).toBeVisible();
    await page.getByRole('radio', { name: 'Plots' }).click();
    await expect(page.getByRole('img', { name: /^test-1, 1,000 rows/ })).toBeVisible();
    await page.getByRole('radio', { name: 'Table' }).click();
    for (const [format, begins] of [
      ['csv', /^suite,test,size,engine,/],
      ['md', /^# Wasm vs. native/],
      ['png', /^.PNG/],
    ] as const) {
      const target = join(app.folder, `out.${format}`);
      await app.answerSaveDialog(target);
      await page.getByRole('button', { name: 'Export' }).click();
      await page
        .getByRole('menuitem', { name: new RegExp(`^${format === 'md' ? 'Markdown' : format.toUpperCase()}`) })
        .click();
      await expect(view.messages).toContainText(`out.${format}`);
      expect(readFileSync(target, 'latin1')).toMatch(begins);
    }
    // Renamed and deleted by keyboard.
    await bench.keptRuns(1);
    await page.getByRole('row', { name: /^Wasm vs. native/ }).focus();
    await page.keyboard.press('F2');
    await view.dialog.getByRole('textbox').fill('Theirs');
    await page.keyboard.press('Enter');
    await expect(view.dialog).toHaveCount(0);
    await page.getByRole('row', { name: 'Theirs' }).focus();
    await page.keyboard.press('Delete');
    await view.dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No runs are kept yet')).toBeVisible();
  },
);

test(
  'what is no result is refused, the place is named, and nothing is kept',
  { tag: '@long' },
  async ({ app, page }) => {
    const view = new AppWindow(page);
    const bench = new BenchmarkPage(view);
    await bench.open();
    const good = someResult(1);
    const [cell] = good.cells;
    const spoiled: readonly (readonly [unknown, string])[] = [
      ['{', 'it is not JSON'],
      [{ ...good, schema: 2 }, 'it has schema 2'],
      [{ ...good, cells: [{ ...cell, engine: '<img src=x onerror=alert(1)>' }] }, 'cells[0].engine'],
      [{ ...good, cells: [{ ...cell, samples: { length: 1e9 } }] }, 'cells[0].samples'],
      [{ ...good, cells: [{ ...cell, median: 'NaN' }] }, 'cells[0].median'],
      [{ ...good, env: { ...good.env, events: 5 } } satisfies Record<keyof BenchResult, unknown>, 'env.events'],
    ];
    for (const [value, place] of spoiled) {
      const file = join(app.folder, 'bad.json');
      writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
      await bench.import(app, file);
      await expect(view.messages).toContainText(place);
    }
    await expect(page.getByText('No runs are kept yet')).toBeVisible();
  },
);
