// Extensions of a database: approved by the person, loaded, still loaded after a restart, asked about when the file changes, and not loaded
// again after two crashes, which take no other database down. No page, list, or setting loads one.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { getLoadablePath } from 'sqlite-vec';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { enginePids, kill } from '../support/engine-process.ts';
import { answerQuestions, questionsAsked } from '../support/message-boxes.ts';
import { makeShop } from '../support/shop-in-place.ts';
import '../support/shell-in-page.ts';

const PATIENT = { timeout: 30_000 };
const NEAREST = "SELECT rowid AS nearest FROM place WHERE at MATCH '[5, 6]' ORDER BY distance LIMIT 1";

const COMPILER = process.env['CC'] ?? 'cc';
const HAS_COMPILER = spawnSync(COMPILER, ['--version']).status === 0;

/** A database with a table of sqlite-vec, and a copy of that extension. */
function makePlaces(app: SideliteApp): { readonly file: string; readonly library: string } {
  const file = makeDatabase(join(app.folder, 'places.db'), { kind: 'sql', sql: 'CREATE TABLE city (name TEXT)' });
  const library = join(app.folder, 'vec0.so');
  copyFileSync(getLoadablePath(), library);
  const db = new Sqlite(file);
  db.loadExtension(library);
  db.exec(`INSERT INTO city VALUES ('Ulm'); CREATE VIRTUAL TABLE place USING vec0 (at float[2]);
    INSERT INTO place (rowid, at) VALUES (3, '[1, 2]'), (4, '[5, 6]'); CREATE VIEW spot AS SELECT rowid AS id FROM place`);
  db.close();
  return { file, library };
}

test.describe('extensions', () => {
  test.use({ isAlone: true });

  test('are approved, loaded, asked about when they change, and given up after two crashes', async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const { file, library } = makePlaces(idleApp);
    let view = new AppWindow(await idleApp.start(makeShop(idleApp)));
    await view.opened('shop.db');
    await view.openFile(idleApp, file);
    await view.opened('places.db');

    await test.step('a table without its module says what is missing, and other tables are there', async () => {
      await view.treeItem('city').click();
      await expect(view.grid('Rows of city').cell(0, 'name')).toHaveText('Ulm');
      await view.treeItem('place').click();
      await expect(view.page.getByRole('alert')).toContainText(
        'The module “vec0” is not part of SQLite. It usually comes with sqlite-vec',
      );
    });

    await test.step('a file that is chosen there is loaded once it is approved', async () => {
      await idleApp.answerOpenDialog(library);
      await answerQuestions(idleApp, 1);
      const load = view.page.getByRole('button', { name: 'Load extension…' });
      await load.click();
      await expect.poll(() => questionsAsked(idleApp)).toHaveLength(1);
      const [question] = await questionsAsked(idleApp);
      expect(question).toContain('Load “vec0.so” into “places.db”?');
      expect(question).toContain('runs with your rights');
      expect(question).toMatch(/SHA-256: [0-9a-f]{64}/);
      await expect(load).toBeVisible();
      await answerQuestions(idleApp, 0);
      await load.click();
      await expect(view.grid('Rows of place').cell(0, 'rowid')).toHaveText('3', PATIENT);
      await view.runSql(NEAREST);
      await expect(view.grid('Result 1').cell(0, 'nearest')).toHaveText('4');
      await view.writeSql('SELECT vec_dist');
      await view.page.keyboard.press('Control+Space');
      await expect(view.page.getByRole('option', { name: /vec_distance_l2/ })).toBeVisible();
      await view.page.keyboard.press('Escape');
    });

    await test.step('the health page lists it, and SQL still loads none', async () => {
      await view.runSql(`SELECT load_extension('${library}')`);
      await expect(view.page.getByRole('list', { name: 'Messages' })).toContainText('Not authorized');
      await view.command('Health: Extensions');
      await expect(extensionOf(view)).toContainText(/Loaded: \d+ functions and \d modules \(.*vec0/);
      expect(await findings(view.page, 'extensions', 'light')).toEqual([]);
    });

    await test.step('a view uses its tables once the person allows it', async () => {
      const trust = view.page.getByRole('checkbox', { name: 'use all functions of extensions' });
      await answerQuestions(idleApp, 1);
      await trust.click();
      const last = async () => (await questionsAsked(idleApp)).at(-1);
      await expect.poll(last).toContain('Let “places.db” use all functions of its extensions?');
      await expect(trust).not.toBeChecked();
      await answerQuestions(idleApp, 0);
      await trust.click();
      await expect(trust).toBeChecked(PATIENT);
      await view.runSql('SELECT id FROM spot');
      await expect(view.grid('Result 1').cell(0, 'id')).toHaveText('3');
    });

    view = new AppWindow(await idleApp.relaunch());
    await test.step('after a restart it is loaded without a question', async () => {
      await view.opened('places.db');
      await view.runSql(NEAREST);
      await expect(view.grid('Result 1').cell(0, 'nearest')).toHaveText('4');
      expect(await questionsAsked(idleApp)).toEqual([]);
    });

    await test.step('when the file has changed, it is asked about again', async () => {
      await idleApp.quit();
      appendFileSync(library, 'changed');
      view = new AppWindow(await idleApp.start());
      await expect(view.messages).toContainText('“vec0.so”: The file has changed since it was approved', PATIENT);
      await view.messages.getByRole('button', { name: 'Extensions…' }).click();
      await answerQuestions(idleApp, 0);
      await extensionOf(view).getByRole('button', { name: 'Approve…' }).click();
      await expect(extensionOf(view)).toContainText('Loaded:', PATIENT);
      expect((await questionsAsked(idleApp)).join()).toContain('it has changed');
    });

    await test.step('two crashes end no other engine, and then the database opens without it', async () => {
      for (const then of ['Loaded:', 'ended unexpectedly twice']) {
        const own = ownPid(idleApp, file);
        const others = (await enginePids(idleApp)).filter((pid) => pid !== own);
        expect(others).toHaveLength(1);
        kill(own);
        await expect.poll(() => ownPid(idleApp, file), PATIENT).not.toBe(own);
        await expect(extensionOf(view)).toContainText(then, PATIENT);
        expect(await enginePids(idleApp)).toEqual(expect.arrayContaining(others));
      }
      await view.treeItem('city').click();
      await expect(view.grid('Rows of city').cell(0, 'name')).toHaveText('Ulm');
    });

    view = new AppWindow(await idleApp.relaunch());
    await test.step('nor after a restart, until the person asks for it', async () => {
      await view.opened('places.db');
      await view.command('Health: Extensions');
      await expect(extensionOf(view)).toContainText('ended unexpectedly twice');
      await extensionOf(view).getByRole('button', { name: 'Load again' }).click();
      await expect(extensionOf(view)).toContainText('Loaded:', PATIENT);
      await extensionOf(view).getByRole('button', { name: 'Remove' }).click();
      await expect(extensionOf(view)).toHaveCount(0, PATIENT);
    });
  });

  test('one that ends its process while it is loaded leaves the database open without it @long', async ({
    idleApp,
  }) => {
    test.skip(!HAS_COMPILER, 'needs a C compiler (cc), for an extension that crashes');
    idleApp.opensFiles = 'in-place';
    const crashing = join(idleApp.folder, 'crash.so');
    writeFileSync(`${crashing}.c`, '#include <stdlib.h>\nint sqlite3_extension_init(void) { abort(); }\n');
    execFileSync(COMPILER, ['-shared', '-fPIC', '-o', crashing, `${crashing}.c`]);
    const view = new AppWindow(await idleApp.start(makeShop(idleApp)));
    await view.opened('shop.db');
    await idleApp.answerOpenDialog(crashing);
    await answerQuestions(idleApp, 0);
    await view.command('Health: Extensions');
    await view.page.getByRole('button', { name: 'Add extension…' }).click();
    const line = extensionOf(view, 'crash.so');
    await expect(line).toContainText('ended unexpectedly twice', PATIENT);
    const grid = await view.openTable('item');
    await expect(grid.cell(0, 'name')).toHaveText('ant');
    await view.command('Health: Extensions');
    await line.getByRole('button', { name: 'Remove' }).click();
    await expect(line).toHaveCount(0, PATIENT);
  });

  test(
    'one that hangs while it is loaded can be stopped, and leaves the database open without it',
    { tag: '@long' },
    async ({ idleApp }) => {
      test.skip(!HAS_COMPILER, 'needs a C compiler (cc), for an extension that hangs');
      idleApp.opensFiles = 'in-place';
      const hanging = join(idleApp.folder, 'hang.so');
      writeFileSync(`${hanging}.c`, 'int sqlite3_extension_init(void) { for (volatile int i = 0;; i++); }\n');
      execFileSync(COMPILER, ['-shared', '-fPIC', '-o', hanging, `${hanging}.c`]);
      const view = new AppWindow(await idleApp.start(makeShop(idleApp)));
      await view.opened('shop.db');
      await idleApp.answerOpenDialog(hanging);
      await answerQuestions(idleApp, 0);
      await view.command('Health: Extensions');
      await view.page.getByRole('button', { name: 'Add extension…' }).click();
      await view.status.getByRole('button', { name: 'Stop' }).click(PATIENT);
      await view.status.getByRole('button', { name: 'Restart engine…' }).click(PATIENT);
      await view.dialog.getByRole('button', { name: 'Stop it' }).click();
      const line = extensionOf(view, 'hang.so');
      await expect(line).toContainText('was stopped before the database was open', PATIENT);
      await line.getByRole('button', { name: 'Remove' }).click();
      await expect(line).toHaveCount(0, PATIENT);
      const grid = await view.openTable('item');
      await expect(grid.cell(0, 'name')).toHaveText('ant');
    },
  );

  test('are loaded by no page, no settings, and no list from elsewhere', async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const { file, library } = makePlaces(idleApp);
    const view = new AppWindow(await idleApp.start(file));
    await view.opened('places.db');
    await answerQuestions(idleApp, 1);
    await idleApp.answerOpenDialog();
    const named = { path: library, location: locationOf(file) };
    const replies = await view.page.evaluate(async ({ path, location }) => {
      const { extensions } = window.sidelite;
      return {
        path: await extensions.add(path),
        object: await extensions.add({ path } as never),
        approved: await extensions.approve(path, path),
        removed: await extensions.remove(path, path),
        // The window has this file open: main shows a dialog of the system, which is canceled here, and no path takes its place.
        chosen: await extensions.add(location),
        ofFile: await extensions.approve(location, path),
      };
    }, named);
    const refused = { why: expect.stringContaining('not open in this window') };
    expect(replies).toMatchObject({ path: refused, object: refused, approved: refused, removed: refused });
    expect(replies).toMatchObject({ chosen: { changed: false }, ofFile: { changed: false } });
    expect(await questionsAsked(idleApp)).toEqual([]);

    const settings = join(idleApp.folder, 'settings.json');
    const list = { lists: { '*': [library] }, approved: { [library]: '*' } };
    writeFileSync(settings, JSON.stringify({ extensions: [library], 'extensions.paths': list, ...list }));
    await idleApp.answerOpenDialog(settings);
    await view.command('Settings');
    await view.page.getByRole('button', { name: 'Import…', exact: true }).click();
    await expect(view.messages).toContainText('The settings were imported');
    await expect(view.page.getByRole('region', { name: 'Extensions' })).toContainText('importing settings loads none');
    const again = new AppWindow(await idleApp.relaunch());
    await again.opened('places.db');
    await again.command('Health: Extensions');
    await expect(again.page.getByRole('button', { name: 'Add extension…' })).toBeVisible();
    await expect(extensionOf(again)).toHaveCount(0);
  });
});

const extensionOf = (view: AppWindow, name = 'vec0.so') =>
  view.page.getByRole('list', { name: 'Extensions of this database' }).getByRole('listitem', { name });

/** How main names the file. */
const locationOf = (file: string): string => createHash('sha256').update(realpathSync(file)).digest('hex').slice(0, 16);

/** The process that keeps the history of the file. */
function ownPid(app: SideliteApp, file: string): number {
  const claim = readFileSync(join(app.profile, 'history-of-files', 'in-use', `file+${locationOf(file)}`), 'utf8');
  return (JSON.parse(claim) as { pid: number }).pid;
}
