// The health page on both engines: sizes that add up, findings that lead to their rows and are mended, settings, and maintenance.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeDatabase } from '../data/make-database.ts';
import { findings as findingsOn } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { holdBack } from '../hold-in-page.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import type { Locator } from '@playwright/test';

const PATIENT = { timeout: 30_000 };

/** One of each fault, under names that look like something else. */
const FAULTY = `
  PRAGMA foreign_keys = OFF;
  CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, age INTEGER, note TEXT);
  CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person, name TEXT);
  CREATE TABLE "<b>x</b>'; DROP TABLE pet; --" (a, b);
  CREATE INDEX person_name ON person (name);
  CREATE INDEX person_name_age ON person (name, age);
  INSERT INTO person (id, name, age) VALUES (1, 'Ann', 40), (2, 'Bob', 'forty'), (9223372036854775800, 'Cid', 30);
  UPDATE person SET note = CAST(x'636166e9' AS TEXT) WHERE id = 1;
  INSERT INTO pet (owner, name) VALUES (1, 'Rex'), (77, 'Tom'), (78, 'Kit');
  INSERT INTO "<b>x</b>'; DROP TABLE pet; --" VALUES (1, 2);
  CREATE VIEW endless AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;
`;

const makeFaulty = (app: SideliteApp): string =>
  makeDatabase(join(app.folder, 'faulty.db'), { kind: 'sql', sql: FAULTY });

class HealthPage {
  readonly view: AppWindow;

  constructor(view: AppWindow) {
    this.view = view;
  }

  get bar(): Locator {
    return this.view.page.getByRole('toolbar', { name: 'Health' });
  }

  /** Waits until nothing runs anymore: Stop appears only for what runs for a while. */
  async idle(): Promise<void> {
    await expect(this.view.page.locator('.health[data-running]')).toHaveCount(0, PATIENT);
  }

  async open(): Promise<void> {
    await this.view.command('Show Health');
    await expect(this.view.page.getByRole('tabpanel', { name: 'Space' })).toBeVisible(PATIENT);
  }

  async section(name: 'Space' | 'Findings' | 'Settings' | 'Maintenance'): Promise<Locator> {
    await this.bar.getByRole('tab', { name }).click();
    return this.view.page.getByRole('tabpanel', { name });
  }

  async check(name: string): Promise<void> {
    await this.view.page.getByRole('button', { name: `Check: ${name}` }).click();
    await expect(this.view.page.getByRole('button', { name: `Check again: ${name}` })).toBeVisible(PATIENT);
  }

  group(name: string): Locator {
    return this.view.page.getByRole('region', { name, exact: true });
  }

  readonly titles = (): Promise<(string | null)[]> =>
    this.view.page
      .getByRole('tabpanel')
      .getByRole('region')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
}

async function begin(app: SideliteApp, place: 'copy' | 'in-place', file: string): Promise<HealthPage> {
  app.opensFiles = place;
  const view = new AppWindow(await app.start(file));
  await view.opened(place === 'copy' ? 'faulty' : 'faulty.db');
  const page = new HealthPage(view);
  await page.open();
  return page;
}

/** Runs in the page. How far the values of a column end from its heading; NaN unless the rows have a scroll bar. */
function columnsOffset(): number {
  const rows = document.querySelector('.health-rows')!;
  if (rows.scrollHeight <= rows.clientHeight) return NaN;
  const endOf = (role: string): number =>
    document.querySelector(`.health-list [role=${role}][data-column=fill]`)!.getBoundingClientRect().right;
  return Math.round(endOf('columnheader') - endOf('cell'));
}

for (const place of ['copy', 'in-place'] as const)
  test.describe(place === 'copy' ? 'in the library' : 'in place', () => {
    test(
      'a database with one of each fault shows exactly these, and each leads to its rows or is mended and undone',
      { tag: place === 'copy' ? [] : '@long' },
      async ({ idleApp }) => {
        const health = await begin(idleApp, place, makeFaulty(idleApp));
        const { view } = health;
        const appWindow = await idleApp.electron.browserWindow(view.page);
        const size = await appWindow.evaluate((it) => it.getContentSize());
        await appWindow.evaluate((it) => it.setContentSize(1000, 600));
        await expect.poll(() => view.page.evaluate(columnsOffset)).toBe(0);
        await appWindow.evaluate((it, [width, height]) => it.setContentSize(width!, height!), size);
        const panel = await health.section('Findings');
        for (const check of ['Foreign keys', 'Values and types', 'Text encoding', 'File integrity'])
          await health.check(check);
        await expect
          .poll(health.titles)
          .toEqual([
            'Broken foreign keys',
            'Row ids about to run out',
            'Text that is not UTF-8',
            'Values that do not match their column type',
            'Indexes that are not needed',
            'Foreign keys without an index',
            'No statistics',
            'Tables without a primary key',
          ]);
        await expect(panel).toContainText(`“<b>x</b>'; DROP TABLE pet; --”`);
        await expect(health.group('Values that do not match their column type')).toContainText(
          '1 value of “age” in “person” is stored as text, but the column is declared INTEGER',
        );
        expect(await findingsOn(view.page, 'health', 'light')).toEqual([]);

        const index = health.group('Indexes that are not needed');
        await expect(index).toContainText('“person_name” on “person”: “person_name_age” begins with the same columns');
        await index.getByRole('button', { name: 'Drop index', exact: true }).click();
        await expect(index).toHaveCount(0, PATIENT);
        await expect(view.messages).toContainText('The index “person_name” was dropped.');
        await view.messages.getByRole('button', { name: 'Undo' }).click();
        await expect(view.messages).toContainText('Undid', PATIENT);
        await view.page.locator('.health-stale').getByRole('button', { name: 'Refresh' }).click();
        await expect(index).toContainText('“person_name” on “person”', PATIENT);
        await health.idle();

        await health.group('Broken foreign keys').getByRole('button', { name: 'Show rows' }).click();
        const grid = view.grid('Rows of pet');
        await expect(grid.cell(0, 'name')).toHaveText('Tom', PATIENT);
        await expect(grid.cell(1, 'name')).toHaveText('Kit');
        await expect(view.status).toContainText('2 rows');
        await view.tabs.filter({ hasText: 'Health' }).click();
        await health.group('Broken foreign keys').getByRole('button', { name: 'Set to NULL', exact: true }).click();
        await expect(health.group('Broken foreign keys')).toHaveCount(0, PATIENT);
      },
    );

    test(
      'sizes add up to the file, follow a commit only when asked, and the page is there again after a restart',
      { tag: '@long' },
      async ({ idleApp }) => {
        const file = makeFaulty(idleApp);
        const health = await begin(idleApp, place, file);
        const { view } = health;
        const list = view.page.getByRole('table', { name: 'Tables and indexes by size' });
        await health.idle();
        await expect(list).not.toContainText('~', PATIENT);
        // Every page of the file belongs to one of the trees that are listed.
        const counts =
          'SELECT page_count, (SELECT count(*) FROM dbstat), (SELECT count(DISTINCT name) FROM dbstat) FROM pragma_page_count';
        const [[pages, counted, trees]] = query(file, counts) as [[number, number, number]];
        expect(counted).toBe(pages);
        await expect(list.getByRole('row')).toHaveCount(1 + trees);
        await expect(list.getByRole('row', { name: /^person table/ })).toContainText('4.1 KB');
        const stale = view.page.getByText('These figures are from before the last change');
        await expect(stale).toHaveCount(0);
        await view.runSql(
          `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO pet (name) SELECT 'name ' || i FROM n`,
        );
        await view.tabs.filter({ hasText: 'Health' }).click();
        await expect(stale).toBeVisible();
        await expect(list.getByRole('row', { name: /^pet table/ })).toContainText('4.1 KB');
        await health.bar.getByRole('button', { name: 'Refresh' }).click();
        await expect(list.getByRole('row', { name: /^pet table/ })).not.toContainText('4.1 KB', PATIENT);
        await expect(stale).toHaveCount(0, PATIENT);
        await health.section('Settings');

        const again = new HealthPage(new AppWindow(await idleApp.relaunch()));
        await expect(again.view.page.getByRole('tabpanel', { name: 'Settings' })).toBeVisible(PATIENT);
        await expect(again.view.page.getByRole('group', { name: 'page_size' })).toContainText('4096', PATIENT);
      },
    );

    test(
      'a setting of the file is changed and undone, and maintenance says what came of it',
      { tag: '@long' },
      async ({ idleApp }) => {
        const health = await begin(idleApp, place, makeFaulty(idleApp));
        const { view } = health;
        await health.idle();
        await health.section('Settings');
        await view.page.getByRole('combobox', { name: 'secure_delete' }).selectOption('on');
        await expect(view.messages).toContainText('PRAGMA secure_delete is now on.', PATIENT);
        await health.idle();
        const version = view.page.getByRole('textbox', { name: 'user_version' });
        await version.fill('x');
        await expect(view.page.getByRole('button', { name: 'Set' })).toHaveAttribute('aria-disabled', 'true');
        await version.fill('42');
        await version.press('Enter');
        await expect(view.messages).toContainText('PRAGMA user_version is now 42.', PATIENT);
        await expect(version).toHaveValue('42');
        await expect(view.page.locator('.health-stale')).toHaveCount(0);
        await view.command('Undo');
        await expect(view.messages).toContainText('Undid: PRAGMA user_version = 42', PATIENT);
        await view.page.locator('.health-stale').getByRole('button', { name: 'Refresh' }).click();
        await expect(version).toHaveValue('0', PATIENT);
        expect(await findingsOn(view.page, 'health', 'light')).toEqual([]);

        await view.runSql(
          `CREATE TABLE large AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT i, 'text ' || i AS t FROM n; DROP TABLE large`,
        );
        await view.tabs.filter({ hasText: 'Health' }).click();
        await health.bar.getByRole('button', { name: 'Refresh' }).click();
        await health.section('Maintenance');
        const compact = health.group('Compact');
        await expect(compact).toContainText('of free pages would be returned to the disk', PATIENT);
        await health.idle();
        await compact.getByRole('button', { name: 'Run VACUUM' }).click();
        await expect(compact).toContainText(/VACUUM took .* The file went from .* to /, PATIENT);
        await expect(compact).toContainText('There are no free pages', PATIENT);
        await health.idle();
        const statistics = health.group('Collect statistics');
        await expect(statistics).toContainText('no statistics');
        await statistics.getByRole('button', { name: 'Run ANALYZE' }).click();
        await expect(statistics).toContainText(/ANALYZE took/, PATIENT);
        expect(await findingsOn(view.page, 'health', 'light')).toEqual([]);
      },
    );
  });

test(
  'a large file shows estimates until it is counted, which is stopped, and begun again',
  { tag: '@long' },
  async ({ idleApp }) => {
    const file = join(idleApp.folder, 'faulty.db');
    const made = new Sqlite(file);
    made.exec(`PRAGMA journal_mode = OFF; PRAGMA page_size = 512;
    CREATE TABLE t (id INTEGER PRIMARY KEY, a);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 400000) INSERT INTO t SELECT i, zeroblob(400) FROM n;`);
    made.close();
    idleApp.opensFiles = 'in-place';
    const view = new AppWindow(await idleApp.start(file));
    await view.opened('faulty.db');
    const health = new HealthPage(view);
    const letGo = await holdBack(view.page, 'health.sizes');
    await health.open();
    const list = view.page.getByRole('table', { name: 'Tables and indexes by size' });
    const size = list.getByRole('row', { name: /^t table/ });
    await expect(size).toContainText(/~2\d\d MB/, PATIENT);
    await health.bar.getByRole('button', { name: 'Stop' }).click();
    await letGo();
    await expect(view.page.getByText('Counting was stopped')).toBeVisible(PATIENT);
    await expect(size).toContainText('~');
    await health.bar.getByRole('button', { name: 'Refresh' }).click();
    await expect(view.page.getByText('Counting was stopped')).toHaveCount(0, PATIENT);
    await expect(size).not.toContainText('~', PATIENT);
  },
);
