// State after the end of the app, of a window, of the worker, and after kills in the middle of writing.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { integrityOf, query } from '../support/compare-results.ts';
import { answerQuestions } from '../support/message-boxes.ts';
import { joinWire } from '../support/wire-in-page.ts';

test.use({ isAlone: true });

const TABLE = "CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO log (text) VALUES ('first');";

test('tabs, unsaved SQL and edits come back after a restart', { tag: '@smoke' }, async ({ idleApp }) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE })),
  );
  const grid = await view.openTable('log');
  await grid.edit(0, 'text', 'kept');
  await expect(grid.cell(0, 'text')).toHaveText('kept');
  await view.page.keyboard.press('Control+t');
  await expect(view.editor).toBeFocused();
  await view.page.keyboard.type('SELECT 1 + 1 -- not saved');
  await expect(view.tabs).toHaveCount(2);

  const again = new AppWindow(await idleApp.relaunch());
  await again.opened('log');
  await expect(again.tabs).toHaveCount(2);
  await expect(again.editor).toContainText('SELECT 1 + 1 -- not saved');
  await again.tabs.first().click();
  await expect(again.grid('Rows of log').cell(0, 'text')).toHaveText('kept');
});

test(
  'what was open before comes back without the welcome screen, and without an invitation to open something',
  { tag: '@long' },
  async ({ idleApp }) => {
    const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE }));
    const view = new AppWindow(page);
    await view.openTable('log');
    await joinWire(page);
    await expect.poll(() => page.evaluate(keptState)).toContain('"table":"log"');

    await page.addInitScript(() => {
      window.welcomes = 0;
      const look = (): void => void (window.welcomes += document.querySelector('.welcome, .hint-list') ? 1 : 0);
      new MutationObserver(look).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await expect(view.grid('Rows of log').cell(0, 'text')).toHaveText('first');
    expect(await page.evaluate(() => window.welcomes)).toBe(0);
  },
);

/** Runs in the page. */
const keptState = async (): Promise<unknown> => {
  const { windowId } = await window.sidelite.windowInfo();
  return await window.ask('state.get', { key: `window:${windowId}` });
};

// More of them, at random moments: `npm run faults -- --kills 30`.
test('ten kills in the middle of writing lose nothing that was committed', { tag: '@long' }, async ({ idleApp }) => {
  test.setTimeout(300_000);
  let page = await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE }));
  let acknowledged = 1;
  for (let round = 0; round < 10; round++) {
    const view = new AppWindow(page);
    await view.opened('log');
    await joinWire(page);
    // The list of open databases is saved with a short delay.
    await expect.poll(() => page.evaluate(keptState)).toContain('"databases":["');
    await page.evaluate(async () => {
      const [entry] = (await window.ask('library.list', {})) as { id: string }[];
      const sql = 'INSERT INTO log (text) SELECT hex(randomblob(200)) FROM (VALUES (1), (2), (3))';
      window.acknowledged = 0;
      const write = async (): Promise<void> => {
        for (;;) {
          await window.ask('query.run', { database: entry!.id, sql });
          window.acknowledged += 3;
        }
      };
      write().catch(() => undefined);
    });
    const enough = 3 + ((round * 37) % 90);
    await expect.poll(() => page.evaluate(() => window.acknowledged), { intervals: [5] }).toBeGreaterThan(enough);
    acknowledged += await page.evaluate(() => window.acknowledged);
    await idleApp.kill();
    page = await idleApp.start();
  }
  const view = new AppWindow(page);
  await view.opened('log');
  const target = join(idleApp.folder, 'after.db');
  await view.backUpTo(idleApp, target);
  expect(integrityOf(target)).toBe('ok');
  const [[rows]] = query(target, 'SELECT count(*) FROM log') as [[number]];
  expect(rows).toBeGreaterThanOrEqual(acknowledged);
  expect((rows - 1) % 3).toBe(0);
});

test('the worker is restarted without losing what was committed', { tag: '@long' }, async ({ idleApp }) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE })),
  );
  const grid = await view.openTable('log');
  await grid.edit(0, 'text', 'before');
  await expect(grid.cell(0, 'text')).toHaveText('before');
  await idleApp.electron.evaluate(({ webContents }) =>
    webContents
      .getAllWebContents()
      .find((contents) => contents.getURL().endsWith('/host.html'))!
      .forcefullyCrashRenderer(),
  );
  await expect(view.messages).toContainText('rolled back');
  await grid.edit(0, 'text', 'after');
  await expect(grid.cell(0, 'text')).toHaveText('after');
});

test('closing a window rolls back the transaction it left open', { tag: '@long' }, async ({ idleApp }) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE })),
  );
  const grid = await view.openTable('log');
  const second = await view.secondWindow(idleApp, 'log');
  await second.runSql("BEGIN; UPDATE log SET text = 'uncommitted';");
  await expect(view.status).toContainText('Window 2');
  await grid.edit(0, 'text', 'refused');
  await expect(grid.editor.getByRole('alert')).toContainText('Window 2');
  await view.page.keyboard.press('Escape');
  await answerQuestions(idleApp, 0);
  await second.page.evaluate(() => void window.sidelite.closeWindow());
  await expect(view.status).not.toContainText('Window 2');
  await expect(grid.cell(0, 'text')).toHaveText('first');
  await grid.edit(0, 'text', 'mine again');
  await expect(grid.cell(0, 'text')).toHaveText('mine again');
});
