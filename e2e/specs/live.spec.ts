// Rows that stay in step: what one window commits another shows, without taking anything from under the user there.
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { GridPage } from '../pages/grid-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { readClipboard } from '../support/clipboard.ts';
import { boxOf, settled } from '../support/settled.ts';

const BIRDS = `CREATE TABLE bird (id INTEGER PRIMARY KEY, name TEXT, weight REAL);
  WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 10 FROM n WHERE i < 20000)
  INSERT INTO bird SELECT i, 'bird ' || i, i / 4.0 FROM n;
  CREATE TABLE place (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
  INSERT INTO place VALUES ('a', 'Aarhus'), ('b', 'Bergen'), ('c', 'Cadiz');`;

interface TwoWindows {
  readonly mine: AppWindow;
  readonly theirs: AppWindow;
  readonly grid: GridPage;
  /** Runs SQL in the other window. */
  run(sql: string): Promise<void>;
}

async function openTwo(app: SideliteApp, table: string): Promise<TwoWindows> {
  const file = makeDatabase(join(app.folder, 'birds.db'), { kind: 'sql', sql: BIRDS });
  const mine = new AppWindow(await app.start(file));
  const grid = await mine.openTable(table);
  const theirs = await mine.secondWindow(app, 'birds');
  const run = async (sql: string): Promise<void> => {
    await theirs.runSql(sql);
    await theirs.page.keyboard.press('Control+w');
  };
  return { mine, theirs, grid, run };
}

test('scroll, selection and an open editor stay with their rows while others edit, insert and delete', async ({
  idleApp,
}) => {
  const { mine, grid, run } = await openTwo(idleApp, 'bird');
  await grid.click(0, 'name');
  // Down to a row below, so that the one that matters is not at the edge.
  for (const row of ['1010', '1001']) {
    await mine.page.keyboard.press('Control+g');
    await mine.dialog.getByRole('textbox').fill(row);
    await mine.page.keyboard.press('Enter');
    await expect(grid.cell(Number(row) - 1, 'name')).toHaveAttribute('aria-selected', 'true');
    await expect(grid.root).toBeFocused();
  }
  const placeOf = async (name: string): Promise<number> =>
    Math.round((await boxOf(grid.root.getByRole('gridcell', { name, exact: true }))).y);
  const before = await settled(() => placeOf('bird 10010'));
  await mine.page.keyboard.press('F2');
  await mine.page.keyboard.press('End');
  await mine.page.keyboard.type(', typed');
  const editor = grid.editor.getByRole('textbox');
  const editorAt = async (): Promise<number> => Math.round((await boxOf(editor)).y);
  const editorBefore = await settled(editorAt);

  await run("INSERT INTO bird VALUES (5, 'first', 1), (15, 'second', 1), (25, 'third', 1);");
  await expect(grid.cell(1003, 'name')).toHaveText('bird 10010');
  await expect.poll(() => placeOf('bird 10010')).toBe(before);
  await expect.poll(editorAt).toBe(editorBefore);

  await run('DELETE FROM bird WHERE id IN (5, 10020, 10030);');
  await expect(grid.cell(1002, 'name')).toHaveText('bird 10010');
  await expect(grid.cell(1003, 'name')).toHaveText('bird 10040');
  await expect.poll(() => placeOf('bird 10010')).toBe(before);

  await run("UPDATE bird SET weight = 0.5 WHERE id = 10010; UPDATE bird SET name = 'new name' WHERE id = 10050;");
  await expect(grid.cell(1002, 'weight')).toHaveText('0.5');
  await expect(grid.cell(1004, 'name')).toHaveText('new name');
  await expect(editor).toHaveValue('bird 10010, typed');
  await expect.poll(editorAt).toBe(editorBefore);
  await mine.page.keyboard.press('Enter');
  await expect(grid.cell(1002, 'name')).toHaveText('bird 10010, typed');
  await expect(mine.status).toContainText('2,000 rows');

  await grid.click(1002, 'name');
  await mine.page.keyboard.press('F2');
  await mine.page.keyboard.type('typed for long');
  await run('DELETE FROM bird WHERE id = 10010;');
  await expect(grid.editor.getByRole('alert')).toContainText('This row was deleted in the meantime');
  await expect(editor).toHaveValue('typed for long');
  await grid.editor.getByRole('button', { name: 'Close' }).click();
  await expect(grid.editor).toHaveCount(0);
});

test(
  'an editor over a cell that others change says so at once, and nothing typed is lost',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { mine, grid, run } = await openTwo(idleApp, 'place');
    const { keyboard } = mine.page;
    const text = grid.editor.getByRole('textbox');
    const note = grid.editor.getByRole('alert');
    await grid.click(1, 'name');
    await keyboard.press('F2');
    await keyboard.type('mine');
    await run("UPDATE place SET name = 'theirs' WHERE code = 'b';");
    await expect(note).toContainText('Changed in the meantime to “theirs”');
    await keyboard.press('Tab');
    await expect(grid.editor.getByRole('button', { name: 'Keep mine' })).toBeFocused();
    await keyboard.press('Escape');
    await expect(text).toBeFocused();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await expect(note).toHaveCount(0);
    await expect(text).toBeFocused();
    await keyboard.press('Enter');
    await expect(grid.cell(1, 'name')).toHaveText('mine');
    await expect(grid.editor).toHaveCount(0);

    await grid.click(1, 'name');
    await keyboard.press('F2');
    await keyboard.type('typed for long');
    await run("DELETE FROM place WHERE code = 'b'; INSERT INTO place VALUES ('0', 'Oslo');");
    await expect(note).toContainText('This row was deleted in the meantime');
    await expect(text).toHaveValue('typed for long');
    await grid.editor.getByRole('button', { name: 'Copy the text' }).click();
    await expect(grid.editor).toHaveCount(0);
    await expect.poll(() => readClipboard(mine.page)).toBe('typed for long');
    await expect(grid.cell(0, 'name')).toHaveText('Oslo');
  },
);

test(
  'a live result runs when its columns are touched, not otherwise; it can be paused, and gives up when it is slow',
  { tag: '@long' },
  async ({ idleApp }) => {
    // The slow query rests twice as long as it has run, and a busy machine runs it ten times as long.
    test.setTimeout(120_000);
    const { mine, run } = await openTwo(idleApp, 'place');
    await mine.runSql('SELECT name FROM bird WHERE id IN (10, 20) ORDER BY id;');
    const rows = mine.grid(/^Rows of result/);
    const control = mine.page.getByRole('button', { name: 'Live', exact: true });
    await expect(control).toBeVisible();
    await mine.page.keyboard.press('Control+Shift+L');
    const counters = mine.page.getByRole('region', { name: 'Live counters' });
    const figures = (): Promise<string[]> =>
      counters
        .getByRole('row', { name: /^SELECT name FROM bird/ })
        .getByRole('cell')
        .allTextContents();

    await run('UPDATE bird SET weight = weight + 1;');
    await expect.poll(async () => Number((await figures())[4])).toBeGreaterThan(0);
    await expect.poll(async () => (await figures()).slice(2, 4)).toEqual(['live', '0']);
    await run("UPDATE bird SET name = 'changed' WHERE id = 20;");
    await expect(rows.cell(1, 'name')).toHaveText('changed');
    await expect.poll(async () => (await figures())[3]).toBe('1');

    await choose(mine, control, 'Pause');
    await expect.poll(async () => (await figures())[2]).toBe('paused');
    await run("UPDATE bird SET name = 'while paused' WHERE id = 20;");
    await expect(mine.page.getByText('Paused. Data changed since this ran')).toBeVisible();
    await expect(rows.cell(1, 'name')).toHaveText('changed');
    await choose(mine, mine.page.getByRole('button', { name: 'Paused' }), 'Resume');
    await expect(rows.cell(1, 'name')).toHaveText('while paused');
    await expect(control).toBeVisible();

    await mine.runSql(
      'SELECT name, (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT max(i) FROM n) FROM bird LIMIT 1;',
    );
    const notLive = mine.page.getByRole('button', { name: 'Not live' });
    await choose(mine, notLive, '50 ms');
    await choose(mine, notLive, 'Keep live');
    await expect(control).toBeVisible();
    await choose(mine, control, '50 ms');
    await run("UPDATE bird SET name = 'again' WHERE id = 10;");
    await expect(mine.page.getByRole('button', { name: /^Too slow/ })).toBeVisible({ timeout: 60_000 });
  },
);

test(
  'a result in one tab follows what is edited in another, and a paused one waits',
  { tag: ['@long', '@web-long'] },
  async ({ anyApp }) => {
    const file = makeDatabase(join(anyApp.folder, 'birds.db'), { kind: 'sql', sql: BIRDS });
    const view = new AppWindow(await anyApp.start(file));
    const places = await view.openTable('place');
    await view.runSql("SELECT group_concat(name, '+') AS names, count(*) AS n FROM place;");
    const result = view.grid(/^Rows of result/);
    await expect(result.cell(0, 'names')).toHaveText('Aarhus+Bergen+Cadiz');
    const table = view.tabs.filter({ hasText: 'place' });
    const query = view.tabs.filter({ hasText: 'Query' });

    await table.click();
    await places.edit(1, 'name', 'Bern');
    await expect(places.cell(1, 'name')).toHaveText('Bern');
    await query.click();
    await expect(result.cell(0, 'names')).toHaveText('Aarhus+Bern+Cadiz');

    await choose(view, view.page.getByRole('button', { name: 'Live', exact: true }), 'Pause');
    await table.click();
    await places.click(0, 'code');
    await view.page.keyboard.press('Control+Backspace');
    await expect(view.status).toContainText('2 rows');
    await query.click();
    await expect(view.page.getByText('Paused. Data changed since this ran')).toBeVisible();
    await expect(result.cell(0, 'n')).toHaveText('3');
    await choose(view, view.page.getByRole('button', { name: 'Paused' }), 'Resume');
    await expect(result.cell(0, 'names')).toHaveText('Bern+Cadiz');
  },
);

test(
  'after a restart of the app a result that was kept live says so, and is live again with its limit',
  { tag: ['@web', '@long'] },
  async ({ anyApp }) => {
    const mine = new AppWindow(
      await anyApp.start(makeDatabase(join(anyApp.folder, 'birds.db'), { kind: 'sql', sql: BIRDS })),
    );
    await mine.opened('birds');
    await mine.runSql(
      'SELECT name, (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT max(i) FROM n) FROM bird LIMIT 1;',
    );
    await choose(mine, mine.page.getByRole('button', { name: 'Not live' }), 'No limit');
    await choose(mine, mine.page.getByRole('button', { name: 'Not live' }), 'Keep live');
    await expect(mine.page.getByRole('button', { name: 'Live', exact: true })).toBeVisible();

    const again = new AppWindow(await anyApp.relaunch());
    await again.opened('birds');
    await expect(again.editor).toContainText('SELECT name');
    await expect(again.grid(/^Rows of result/).root).toHaveCount(0);
    await expect(again.page.getByText('This result was live. Run it again to keep it live.')).toBeVisible();
    await again.editor.click();
    await again.page.keyboard.press('F5');
    const control = again.page.getByRole('button', { name: 'Live', exact: true });
    await expect(control).toBeVisible({ timeout: 15_000 });
    await control.click();
    await expect(again.page.getByRole('menuitemradio', { name: 'No limit' })).toBeChecked();
  },
);

async function choose(view: AppWindow, control: Locator, label: string): Promise<void> {
  await control.focus();
  await view.page.keyboard.press('Enter');
  await view.page.getByRole(/ ms$|limit$/.test(label) ? 'menuitemradio' : 'menuitem', { name: label }).click();
  // The menu that closes must not get the next key.
  await expect(view.page.getByRole('menu')).toHaveCount(0);
}

test(
  'rows that refer to the selected one are counted live, and shown on a click',
  { tag: '@long' },
  async ({ idleApp }) => {
    const file = makeDatabase(join(idleApp.folder, 'music.db'), {
      kind: 'sql',
      sql: `CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, artist INTEGER REFERENCES artist);
      INSERT INTO artist VALUES (1, 'Ada'), (2, 'Bea'); INSERT INTO album (title, artist) VALUES ('One', 1), ('Two', 1);`,
    });
    const mine = new AppWindow(await idleApp.start(file));
    const grid = await mine.openTable('artist');
    const theirs = await mine.secondWindow(idleApp, 'music');
    await grid.click(0, 'name');
    const related = mine.page.getByRole('region', { name: 'Related rows' });
    await expect(related).toContainText('album → artist2');
    await theirs.runSql("INSERT INTO album (title, artist) VALUES ('Three', 1);");
    await expect(related).toContainText('album → artist3');
    await grid.click(1, 'name');
    await expect(related).toContainText('album → artist0');
    await grid.click(0, 'name');
    await related.getByRole('button', { name: 'album → artist' }).click();
    await expect(mine.grid('Rows of album').rows).toHaveCount(3);
  },
);
