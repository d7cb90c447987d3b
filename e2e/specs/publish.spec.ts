// Publishing a local database to an empty one on a real libSQL server: what is sent, what arrives, and what is left after a failure.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { AppWindow } from '../pages/app-window.ts';
import { expect, test } from '../server-fixtures.ts';
import type { StoryServer } from '../server-fixtures.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { killEngine } from '../support/engine-process.ts';
import { saveConnection } from '../support/server.ts';
import { openShop } from '../support/shop-in-place.ts';

/** Many round trips, of which each waits for three processes on a busy machine. */
const LONG = { timeout: 150_000 };
const PLAYLIST = `
  CREATE TABLE artist (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
  CREATE TABLE song (artist INTEGER REFERENCES artist (id), title TEXT, seconds REAL, minutes AS (seconds / 60));
  WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 500) INSERT INTO artist (name) SELECT 'artist ' || x FROM c;
  INSERT INTO song SELECT id, 'song ' || id, id / 7.0 FROM artist;
  CREATE INDEX by_title ON song (title);
  CREATE VIEW long_song AS SELECT title FROM song WHERE seconds > 60;
  CREATE TRIGGER named AFTER INSERT ON artist BEGIN SELECT 1; END;
  CREATE VIRTUAL TABLE lyrics USING fts5(body);
  INSERT INTO lyrics VALUES ('la la la');
`;

/** The dialog that publishes a file in place with 20,003 rows, about to begin. */
async function askToPublish(app: SideliteApp, server: StoryServer) {
  const { view, other } = await openShop(
    app,
    'wal',
    `CREATE TABLE big (id INTEGER PRIMARY KEY, t TEXT);
     WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) INSERT INTO big SELECT x, hex(randomblob(200)) FROM c;`,
  );
  await saveConnection(view.page, { address: server.url });
  await view.command('Publish to Server');
  await view.dialog.getByRole('radio', { name: /^Shop/ }).check();
  await button(view, 'Continue').click();
  await expect(view.dialog).toContainText('2 tables with 20,003 rows', LONG);
  return { view, other };
}

const button = (view: AppWindow, name: string) => view.dialog.getByRole('button', { name, exact: true });

test('a database of the library is published, compared, and opened on the server', async ({
  app,
  page,
  emptyServer: server,
}) => {
  test.setTimeout(400_000);
  const view = new AppWindow(page);
  await view.openFile(app, makeDatabase(join(app.folder, 'playlist.db'), { kind: 'sql', sql: PLAYLIST }));
  await view.opened('playlist');
  // If there is no connection, the dialog offers one.
  await view.command('Publish to Server');
  await button(view, 'Connect to server…').click();
  await expect(view.dialog.getByRole('textbox', { name: 'Address' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(view.dialog).toHaveCount(0);
  await saveConnection(page, { address: server.url, name: 'Live', production: true });
  await saveConnection(page, { address: 'http://127.0.0.1:9', name: 'Archive', readOnly: true });
  await view.command('Publish to Server');
  await expect(view.dialog.getByRole('radio', { name: /^Archive/ })).toBeDisabled();
  await view.dialog.getByRole('radio', { name: /^Live/ }).check();
  await button(view, 'Continue').click();
  await expect(view.dialog).toContainText('read back and compared at the end', LONG);
  expect(await findings(page, 'publish', 'light')).toEqual([]);
  await button(view, 'Publish').click();
  // It is a production database.
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await expect(view.dialog).toContainText('the same in number and value', LONG);
  expect(await findings(page, 'published', 'light')).toEqual([]);
  await button(view, 'Open “Live”').click();
  await view.opened('Live');
  const grid = await view.openTable('artist');
  await expect(grid.cell(0, 'id')).toBeVisible();
  expect(await server.run('SELECT count(*) > 0 FROM artist', 'PRAGMA foreign_key_check')).toEqual(['1', null]);
  // It is no longer empty, and has something from someone else.
  await server.run('CREATE TABLE theirs (a)');
  await page.keyboard.press('Control+l');
  await page.getByRole('row', { name: 'playlist', exact: true }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Publish to server…' }).click();
  await view.dialog.getByRole('radio', { name: /^Live/ }).check();
  await button(view, 'Continue').click();
  await expect(view.dialog.getByRole('alert')).toContainText('The database on the server is not empty', LONG);
  await expect(button(view, 'Publish')).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(view.dialog).toHaveCount(0);
});

test(
  'when the server is gone in the middle, what is there is told, and removed',
  { tag: '@long' },
  async ({ idleApp: app, emptyServer: server }) => {
    test.setTimeout(400_000);
    const { view, other } = await askToPublish(app, server);
    await button(view, 'Publish').click();
    // Rows are sent once the app knows that the tables are there.
    const hasItems = () => server.run('SELECT count(*) > 0 FROM item').catch(() => ['0']);
    await expect.poll(hasItems, { ...LONG, intervals: [20] }).toEqual(['1']);
    await server.kill();
    await expect(button(view, 'Remove what was published')).toBeVisible(LONG);
    await expect(view.dialog).toContainText('The server now has 2 tables with');
    await server.startAgain();
    await button(view, 'Remove what was published').click();
    await expect(view.dialog).toContainText('The database on the server is empty again.', LONG);
    expect(await server.run("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'")).toEqual(['0']);
    // A later change of the file is not in the copy that was made.
    other.exec("INSERT INTO item (name) VALUES ('dog')");
    await button(view, 'Publish').click();
    await expect(view.dialog).toContainText('20,003 rows read back from the server', LONG);
    await button(view, 'Close').click();
    expect(await server.run('SELECT count(*) FROM item', 'SELECT sum(id) FROM big')).toEqual(['3', '200010000']);
    other.close();
  },
);

test(
  'when the process that sends is gone, what it has sent is found, continued, and removed',
  { tag: '@long' },
  async ({ idleApp: app, emptyServer: server }) => {
    test.setTimeout(400_000);
    const { view, other } = await askToPublish(app, server);
    const count = async () => Number((await server.run('SELECT count(*) FROM big'))[0]);
    await button(view, 'Publish').click();
    const hasRows = () => count().catch(() => 0);
    await expect.poll(hasRows, { ...LONG, intervals: [10] }).toBeGreaterThan(0);
    await killEngine(app, 'remote');
    await expect(view.dialog).toContainText('The process that works with the server ended unexpectedly.', LONG);
    await expect(button(view, 'Remove what was published')).toBeVisible(LONG);
    // Exactly what is there, whatever the process was about to commit.
    const there = (await count()) + 3;
    await expect(view.dialog).toContainText(`The server now has 2 tables with ${there.toLocaleString('en-US')} rows.`);
    // A later change of the file is not in the copy that is being published.
    other.exec("INSERT INTO item (name) VALUES ('dog')");
    await button(view, 'Continue').click();
    await expect(view.dialog).toContainText('20,003 rows read back from the server', LONG);
    await button(view, 'Close').click();
    await expect(view.dialog).toHaveCount(0);
    other.exec("DELETE FROM item WHERE name = 'dog'");
    // Begun by an earlier dialog.
    await view.command('Publish to Server');
    await view.dialog.getByRole('radio', { name: /^Shop/ }).check();
    await button(view, 'Continue').click();
    await expect(view.dialog).toContainText('already has the tables of this one', LONG);
    await button(view, 'Compare').click();
    await expect(button(view, 'Continue')).toBeVisible(LONG);
    await expect(view.dialog).toContainText('The server now has 2 tables with 20,003 rows.');
    await button(view, 'Remove what was published').click();
    await expect(view.dialog).toContainText('The database on the server is empty again.', LONG);
    expect(await server.run("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'")).toEqual(['0']);
    other.close();
  },
);
