// A walk through every main screen of the app, in one start of it: for what has to hold on all of them, and for their pictures.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { ensureSqld } from '../../build/sqld/ensure-sqld.ts';
import { startSqld } from '../../build/sqld/start-sqld.ts';
import { makeDatabase } from '../data/make-database.ts';
import { holdBack } from '../hold-in-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { saveConnection } from '../support/server.ts';
import { AppWindow } from './app-window.ts';
import { HistoryPage } from './history-page.ts';
import { tourOfImport } from './import-tour.ts';
import { tourOfBenchmark, tourOfCompare } from './measuring-tour.ts';
import type { OnScreen } from './on-screen.ts';
import { tourOfSchema } from './schema-tour.ts';
import { tourOfTable } from './table-tour.ts';

const NOTES = `
  CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT, stars INTEGER CHECK (stars < 6), changed TEXT);
  INSERT INTO note VALUES
    (1, 'Groceries', 'Flour, butter, two lemons', 3, '2026-03-01'), (2, 'Library', 'Return the atlas', 2, '2026-03-04'),
    (3, 'Bicycle', 'New brake pads, size 52', 4, '2026-03-09'), (4, 'Birthday', NULL, 5, '2026-03-12');`;

/** Changes to the source file while its copy was edited, too. */
const ELSEWHERE = `UPDATE note SET body = 'Return the atlas and the novel', stars = 5 WHERE id = 2;
  UPDATE note SET stars = 1 WHERE id = 3; DELETE FROM note WHERE id = 4;`;

export class Tour {
  readonly #app: SideliteApp;
  readonly #view: AppWindow;
  readonly #at: OnScreen;
  readonly #source: string;
  #hasSample = false;

  /** @param app just started without a file, and asking what opening one means */
  constructor(app: SideliteApp, page: Page, at: OnScreen) {
    this.#app = app;
    this.#view = new AppWindow(page);
    this.#at = at;
    this.#source = makeDatabase(join(app.folder, 'notes.db'), { kind: 'sql', sql: NOTES });
  }

  async ofFilesAndLibrary(): Promise<void> {
    await this.#beginnings();
    await this.#changedSource();
    await this.#sample();
    await this.#library();
    await this.#overlays();
    await this.#messages();
  }

  async ofSchema(): Promise<void> {
    await this.#sample();
    await this.#design();
    await tourOfSchema(this.#view, this.#at);
  }

  async ofTable(): Promise<void> {
    await this.#sample();
    await tourOfTable(this.#app, this.#view, this.#at);
  }

  async ofTabs(): Promise<void> {
    await this.#sample();
    await tourOfSql(this.#view, this.#at);
    await tourOfComparison(this.#view, this.#at);
    await tourOfSavedQueries(this.#view, this.#at);
    await tourOfQueryHistory(this.#view, this.#at);
    await this.#history();
    await tourOfSettings(this.#view, this.#at);
    await tourOfImport(this.#app, this.#view, this.#at);
  }

  async ofMeasuring(): Promise<void> {
    await this.#sample();
    await tourOfCompare(this.#view, this.#at);
    await tourOfBenchmark(this.#app, this.#view, this.#at);
    await this.#disconnected();
  }

  async #beginnings(): Promise<void> {
    await this.#view.connected();
    await this.#at('welcome');
    await this.#view.openFile(this.#app, this.#source);
    await expect(this.#view.dialog).toContainText('In place');
    await this.#at('opening');
    await this.#view.dialog.getByRole('button', { name: 'Library copy' }).click();
    await this.#view.opened('notes');
    await this.#view.grid('Rows of note').edit(1, 'body', 'Return the atlas on Monday');
  }

  /** Tours a copy whose source has changed, too. */
  async #changedSource(): Promise<void> {
    const file = new Sqlite(this.#source);
    file.exec(ELSEWHERE);
    file.close();
    await expect(this.#view.status.getByRole('button', { name: /^Source: / })).toHaveText('Both changed');
    for (const [command, screen, text] of [
      ['Merge from Source', 'merge', 'row to decide'],
      ['Compare with Source', 'comparison-with-source', 'differ'],
      ['Where This Data Lives', 'file', 'notes.db'],
    ] as const) {
      await this.#view.command(command);
      await expect(this.#view.dialog).toContainText(text);
      await this.#at(screen);
      await this.#view.page.keyboard.press('Escape');
      await expect(this.#view.dialog).toHaveCount(0);
    }
  }

  async #sample(): Promise<void> {
    if (this.#hasSample) return;
    await this.#view.connected();
    await this.#view.command('Create Sample Database');
    // With 100,000 rows.
    await expect(this.#view.database).toHaveText(/^Sample/, { timeout: 90_000 });
    this.#hasSample = true;
  }

  async #design(): Promise<void> {
    await this.#view.command('New Table…');
    const { page } = this.#view;
    for (const what of ['column', 'foreign key', 'unique key', 'check'])
      await page.getByRole('button', { name: `Add ${what}` }).click();
    await expect(page.getByLabel('Referenced table')).toBeVisible();
    await this.#at('design');
  }

  async #history(): Promise<void> {
    const { page } = this.#view;
    await this.#view.writeSql('UPDATE product SET price_cents = price_cents + 50 WHERE id < 6;');
    await page.keyboard.press('Control+Alt+Shift+Enter');
    const dryRun = page.getByRole('region', { name: 'Dry run' });
    await expect(dryRun).toContainText('5 rows');
    await this.#at('dry-run');
    await dryRun.getByRole('button', { name: 'Keep' }).click();
    await expect(dryRun).toHaveCount(0);
    const history = new HistoryPage(page);
    await history.show();
    await expect(history.row('updated', /./).first()).toBeVisible();
    await this.#at('history');
    await this.#view.runSql('UPDATE product SET price_cents = 700 WHERE id = 2;');
    await history.show();
    const step = await history.choose(/price_cents \+ 50/);
    await step.getByRole('button', { name: 'Undo only this step' }).click();
    await expect(this.#view.dialog).toContainText('700');
    await this.#at('history-conflict');
    await page.keyboard.press('Escape');
    await expect(this.#view.dialog).toHaveCount(0);
  }

  /** The engine has crashed so often that the user is asked whether to start it again. */
  async #disconnected(): Promise<void> {
    const banner = this.#view.page.getByText('The database engine is restarting');
    await this.#app.electron.evaluate(({ dialog }) => {
      dialog.showMessageBox = () => {
        (globalThis as { isAsked?: boolean }).isAsked = true;
        return new Promise(() => undefined);
      };
    });
    const crash = (): Promise<boolean> =>
      this.#app.electron.evaluate(({ webContents }) => {
        if ((globalThis as { isAsked?: boolean }).isAsked) return true;
        const host = webContents.getAllWebContents().find((contents) => contents.getURL().endsWith('/host.html'));
        if (host && !host.isCrashed()) host.forcefullyCrashRenderer();
        return false;
      });
    await expect.poll(crash, { intervals: [100] }).toBe(true);
    await expect(banner).toBeVisible();
    await this.#at('disconnected');
  }

  async #overlays(): Promise<void> {
    const { page, dialog } = this.#view;
    await page.keyboard.press('Control+p');
    await expect(dialog.getByRole('option').first()).toBeVisible();
    await this.#at('palette');
    await page.keyboard.type('histo');
    await expect(dialog.getByRole('option').first()).toContainText('History');
    await this.#at('palette-filtered');
    await page.keyboard.type('zzz');
    await expect(dialog.getByRole('option').first()).toContainText('histozzz');
    await this.#at('palette-empty');
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    await expect(dialog).toContainText('Keyboard shortcuts');
    await this.#at('help');
    await page.keyboard.press('Escape');
    await this.#view.command('About Sidelite');
    await expect(dialog).toContainText('Chromium');
    await this.#at('about');
    await page.keyboard.press('Escape');
    await this.#connect();
    await tourOfPublishing(this.#view, 'notes', this.#at);
    await this.#view.openFromLibrary('Sample');
    await this.#view.command('Export…');
    await dialog.getByRole('checkbox', { name: 'Protect against formulas' }).check();
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(',');
    await this.#at('export');
    await dialog.getByLabel('What to export').selectOption('Several tables');
    await this.#at('export-tables');
    await page.keyboard.press('Escape');
    await this.#view.tabs.first().click();
    await page.keyboard.press('Control+Shift+l');
    await expect(page.getByRole('region', { name: 'Live counters' }).getByRole('row').nth(1)).toBeVisible();
    await this.#at('live-counters');
    await page.keyboard.press('Control+Shift+l');
  }

  async #connect(): Promise<void> {
    const { page, dialog } = this.#view;
    await this.#view.command('Connect to Server');
    await dialog.getByLabel('Address').fill('http://shop.example.com');
    await expect(dialog).toContainText('Without encryption');
    await this.#at('connect');
    await dialog.getByLabel('Address').fill(`http://127.0.0.1:59998/${'a-long-path/'.repeat(12)}`);
    await dialog.getByLabel('Name').fill('The shop, with its orders of the last ten years '.repeat(3).trim());
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect(dialog.getByRole('status')).toContainText('No server responds', { timeout: 60_000 });
    await expect(dialog.getByRole('button', { name: 'Save anyway' })).toBeVisible();
    await this.#at('connect-failed');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }

  async #library(): Promise<void> {
    const { page, dialog } = this.#view;
    await page.keyboard.press('Control+l');
    await this.#at('library');
    const actions = page.getByRole('button', { name: 'Actions for Sample' });
    await actions.click();
    await expect(page.getByRole('menu')).toBeVisible();
    await this.#at('menu');
    for (const [entry, screen] of [
      [/^Rename/, 'question-text'],
      [/^Delete/, 'question'],
    ] as const) {
      if (screen === 'question') await actions.click();
      await page.getByRole('menuitem', { name: entry }).click();
      await expect(dialog).toBeVisible();
      await this.#at(screen);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog).toHaveCount(0);
    }
    await page.getByRole('button', { name: 'Close library' }).click();
  }

  /** A job that continues, and the message when something fails. */
  async #messages(): Promise<void> {
    const { page } = this.#view;
    const letGo = await holdBack(page, 'database.check');
    await this.#view.command('Check Integrity');
    await this.#app.answerSaveDialog(join(this.#app.folder, 'no-such-folder', 'sample.db'));
    await this.#view.backUp();
    await expect(this.#view.messages.getByRole('alert')).toBeVisible();
    await expect(page.getByRole('region', { name: /^Checking/ })).toBeVisible();
    await this.#at('messages');
    await letGo();
  }
}

// The settings page: as it opens, the keys of commands with a conflict, and a search that finds nothing.

/** Leaves every setting as it was. @param at called on each screen, once it has come to rest */
async function tourOfSettings(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await view.command('Settings');
  const search = page.getByRole('searchbox', { name: 'Search settings' });
  await expect(search).toBeFocused();
  await page.getByRole('combobox', { name: 'Density' }).selectOption('Compact');
  await at('settings');
  await search.fill('keyboard file');
  const recent = page.getByRole('group', { name: 'Import…', exact: true });
  await recent.getByRole('button', { name: /^Add a key/ }).click();
  await page.keyboard.press('Control+o');
  await expect(recent).toContainText('is also the key of “Open File…”.');
  await recent.getByRole('button', { name: /^Add a key/ }).click();
  await page.keyboard.press('Control+q');
  await expect(recent.getByRole('alert')).toContainText('It quits Sidelite.');
  await at('settings-keys');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reset all' }).click();
  await search.fill('nothing like this');
  await expect(page.getByText('No setting or command matches.')).toBeVisible();
  await at('settings-empty');
  await search.fill('');
  // Messages would be on the next screens. Some go by themselves while this looks at them.
  const dismiss = view.messages.getByRole('button', { name: 'Dismiss' });
  await expect(async () => {
    if ((await dismiss.count()) > 0) await dismiss.first().click({ timeout: 1000 });
    expect(await dismiss.count()).toBe(0);
  }).toPass({ intervals: [50] });
}

// The screens of the query history and of saved queries, after some statements were run.

/** @param at called on each screen, once it has come to rest */
async function tourOfQueryHistory(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await view.command('Show Query History');
  const runs = page.getByRole('listbox', { name: 'Runs' });
  await expect(runs).toBeFocused();
  await expect(page.getByRole('region', { name: 'Selected run' })).toContainText('SELECT');
  await at('query-history');
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(page.getByRole('group', { name: 'SQL of both runs' })).toContainText('SELECT');
  await at('query-history-comparison');
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('nothing like this');
  await expect(page.getByText('No matching runs')).toBeVisible();
  await at('query-history-empty');
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('');
}

/** Compares two results, in an SQL tab of its own. @param at called on the screen, once it has come to rest */
async function tourOfComparison(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await view.runSql("SELECT 1 AS id, 'ant' AS name UNION ALL SELECT 2, 'bee'; SELECT 1 AS id, 'fox' AS name");
  await page.getByRole('button', { name: 'Compare with another result' }).click();
  await expect(page.getByRole('table', { name: 'Rows that differ' })).toContainText('fox');
  await at('result-comparison');
  await page.keyboard.press('Control+w');
}

/** Tours the saved queries of the SQL tab in front. @param at called on each screen, once it has come to rest */
async function tourOfSavedQueries(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await page.keyboard.press('Control+Alt+s');
  await view.dialog.getByRole('textbox', { name: 'Name' }).fill('Average prices');
  await page.keyboard.press('Enter');
  await expect(view.dialog).toHaveCount(0);
  await view.command('Show Saved Queries');
  await expect(page.getByRole('region', { name: 'Selected query' })).toBeVisible();
  await at('saved-queries');
}

// Publishing to a server: the choice of a database, what is sent, and what has arrived. Left out where there is no server for tests.

const PATIENT = { timeout: 60_000 };

/**
 * @param view shows a database of the library
 * @param small another one, of a few rows: the one that is sent
 */
async function tourOfPublishing(view: AppWindow, small: string, at: OnScreen): Promise<void> {
  const sqld = await ensureSqld();
  if ('why' in sqld) return;
  const server = await startSqld(sqld);
  try {
    const { dialog, page } = view;
    const button = (name: string) => dialog.getByRole('button', { name, exact: true });
    await view.command('Publish to Server');
    await expect(dialog).toContainText('There is no connection yet.');
    await at('publish-nowhere');
    await page.keyboard.press('Escape');
    await saveConnection(page, { address: server.url, name: 'The shop, with its orders of the last ten years' });
    await saveConnection(page, { address: 'http://127.0.0.1:9', name: 'Archive', readOnly: true });
    await view.command('Publish to Server');
    await dialog.getByRole('radio', { name: /^The shop/ }).check();
    await at('publish');
    await button('Continue').click();
    await expect(dialog).toContainText('read back and compared at the end', PATIENT);
    await at('publish-ready');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await view.openFromLibrary(small);
    await view.command('Publish to Server');
    await dialog.getByRole('radio', { name: /^The shop/ }).check();
    await button('Continue').click();
    await expect(dialog).toContainText('read back and compared at the end', PATIENT);
    await button('Publish').click();
    await expect(dialog).toContainText('the same in number and value', PATIENT);
    await at('published');
    await button('Close').click();
    await view.command('Publish to Server');
    await dialog.getByRole('radio', { name: /^The shop/ }).check();
    await button('Continue').click();
    await expect(dialog).toContainText('already has the tables of this one', PATIENT);
    await at('publish-begun');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  } finally {
    await server.remove();
  }
}

// The screens of an SQL tab: a result with its colors and chart, a plan, the index lab, the search, an error, and work that lasts.

const PRICES = `SELECT c.name AS category, count(*) AS products,
  round(avg(p.price_cents) / 100.0, 2) AS average_price
FROM product p JOIN category c ON c.id = p.category_id
GROUP BY c.name ORDER BY average_price DESC;`;
const FOREVER = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n;';

/** Tours an SQL tab of the sample. @param at called on each screen, once it has come to rest */
async function tourOfSql(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await view.runSql(PRICES);
  await expect(view.grid('Rows of result 1').cell(0, 'category')).toBeAttached();
  await at('sql');
  await view.grid('Rows of result 1').click(0, 'products');
  await view.command('Color Column by Rule…');
  await page.getByRole('button', { name: 'Add scale' }).click();
  await expect(page.getByRole('textbox', { name: 'Rule 1 to' })).not.toHaveValue('');
  await at('sql-colors');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Alt+r');
  await expect(page.getByRole('img', { name: /^Bars: / })).toBeVisible();
  await at('sql-chart');
  await page.getByRole('button', { name: 'Show the values as a table' }).click();
  await expect(page.getByRole('grid', { name: 'Values of the chart' })).toBeVisible();
  await at('sql-chart-values');
  await page.keyboard.press('Control+Alt+r');
  await view.editor.focus();
  await page.keyboard.press('Control+Alt+e');
  await expect(page.getByRole('region', { name: 'Query plan' })).toBeVisible();
  await at('sql-plan');
  await page.keyboard.press('Control+Alt+i');
  const lab = page.getByRole('region', { name: 'Index lab' });
  await expect(lab).toContainText('tried');
  await at('sql-index-lab');
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
  await page.keyboard.type('price');
  await at('sql-search');
  await page.keyboard.press('Escape');
  // The list of objects is the same on all the others.
  await page.keyboard.press('Control+b');
  await expect(view.tree).toHaveCount(0);
  await view.runSql('SELECT name, pric FROM product;');
  await expect(page.getByRole('tabpanel')).toContainText('pric');
  await at('sql-error');
  await view.writeSql(FOREVER);
  await page.keyboard.press('F5');
  const stop = page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'Stop' });
  await expect(stop).toBeVisible();
  await at('sql-running');
  await stop.click();
  await expect(stop).toHaveCount(0);
}
