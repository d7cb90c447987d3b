// Extensions of files in place, through the operations of the native process: loaded only as approved, into one database, by no SQL.
import { createRequire } from 'node:module';
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getLoadablePath } from 'sqlite-vec';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHANGED_SINCE_APPROVED } from '#shared/extensions.ts';
import type { ExtensionToLoad } from '#shared/extensions.ts';
import type { NativeFile } from '#shared/native-link.ts';
import { inPlaceId } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { DatabaseConstructor } from '../engines/native/runtime/load.ts';
import { approvedFile, clientOf, endServer, failure } from './extended-server.test-suite.ts';

const Database = createRequire(import.meta.url)('better-sqlite3') as DatabaseConstructor;
const [SHOP, OTHER] = [inPlaceId('a1'), inPlaceId('b2')];
const LIBRARY_ENDING = { darwin: 'dylib', win32: 'dll' }[process.platform as string] ?? 'so';
const NEAREST = "SELECT rowid FROM place WHERE at MATCH '[1, 2]' ORDER BY distance LIMIT 1";

let folder: string;
let library: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-extensions-'));
  library = join(folder, 'vec0.so');
  copyFileSync(getLoadablePath(), library);
  for (const name of ['shop.db', 'other.db']) {
    const db = new Database(join(folder, name), {});
    db.loadExtension(library);
    db.exec("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'ant')");
    db.exec("CREATE VIRTUAL TABLE place USING vec0 (at float[2]); INSERT INTO place (rowid, at) VALUES (7, '[1, 2]')");
    db.close();
  }
});
afterEach(() => {
  endServer();
  rmSync(folder, { recursive: true });
});

const approved = (path = library, why: string | null = null): ExtensionToLoad => approvedFile(path, why);

const open = (
  extensions: readonly ExtensionToLoad[] | null,
  database: DatabaseId = SHOP,
  fileName = 'shop.db',
  more: Pick<NativeFile, 'trustsSchema'> = {},
) => clientOf(database, join(folder, fileName), { ...(extensions && { extensions }), ...more });

test('an approved file is loaded by the C API, and SQL loads nothing before, meanwhile, or afterwards', async () => {
  const client = await open([approved()]);
  const run = (sql: string) => client.call('query.run', { database: SHOP, sql });
  const { extensions } = await client.call('database.open', { database: SHOP });
  expect(extensions).toEqual([
    { ...listed(null), functions: expect.any(Number) as number, modules: expect.arrayContaining(['vec0']) as string[] },
  ]);
  expect(extensions![0]!.functions).toBeGreaterThan(10);
  expect(await run(NEAREST)).toMatchObject({ results: 1 });
  const loads = `SELECT load_extension('${library}')`;
  expect(await failure(run(loads))).toMatch(/not authorized/i);
  expect(await failure(run(`${NEAREST}; ${loads}`))).toMatch(/not authorized/i);
  expect(await failure(run(`CREATE VIEW v AS ${loads}; SELECT * FROM v`))).not.toBe('nothing was refused');
});

test('rows of its tables are changed, and undone', async () => {
  const client = await open([approved()]);
  const run = (sql: string) => client.call('query.run', { database: SHOP, sql });
  await client.call('database.open', { database: SHOP });
  const places = (): unknown => {
    const db = new Database(join(folder, 'shop.db'), {});
    db.loadExtension(library);
    const rows = db.prepare('SELECT rowid, vec_to_json(at) FROM place').raw(true).all();
    db.close();
    return rows;
  };
  const before = places();
  await run("INSERT INTO place (rowid, at) VALUES (8, '[5, 6]')");
  const after = places();
  expect(after).not.toEqual(before);
  await client.call('history.undo', { database: SHOP });
  expect(places()).toEqual(before);
  await client.call('history.redo', { database: SHOP });
  expect(places()).toEqual(after);
});

test('it is loaded into its database only, also in the same engine', async () => {
  await (await open([approved()])).call('database.open', { database: SHOP });
  const other = await open(null, OTHER, 'other.db');
  expect((await other.call('database.open', { database: OTHER })).extensions).toBeUndefined();
  expect(await failure(other.call('query.run', { database: OTHER, sql: 'SELECT vec_version()' }))).toContain(
    'vec_version',
  );
});

test('completion learns which functions and table-valued functions it adds', async () => {
  const client = await open([approved()]);
  await client.call('database.open', { database: SHOP });
  const { functions, tables } = await client.call('schema.added', { database: SHOP });
  expect(functions).toContainEqual({ name: 'vec_distance_l2', argumentCounts: [2] });
  expect(tables).toContainEqual({ name: 'vec_each', columns: ['value'], parameters: ['vector'] });
  // Its tables have to be created first.
  expect(tables.map(({ name }) => name)).not.toContain('vec0');
  expect(functions.map(({ name }) => name)).not.toContain('abs');
});

test('a file that has changed is not loaded: the database opens, and says what its schema lacks', async () => {
  const extension = approved();
  appendFileSync(library, 'changed');
  const client = await open([extension]);
  const { extensions } = await client.call('database.open', { database: SHOP });
  expect(extensions).toEqual([{ ...listed(CHANGED_SINCE_APPROVED), awaitsApproval: true, functions: 0, modules: [] }]);
  const { objects } = await client.call('schema.get', { database: SHOP });
  expect(objects.find(({ name }) => name === 'place')).toMatchObject({
    problem: expect.stringContaining('vec0') as string,
    missing: { kind: 'module', name: 'vec0' },
  });
  expect(objects.find(({ name }) => name === 'item')).toMatchObject({ problem: null, rows: { count: 1 } });
});

test.each([
  ['fts5 (a)', "fts5 (a, tokenize = 'better_trigram')", { kind: 'tokenizer', name: 'better_trigram' }],
  ['fts5 (b)', 'spellfix1', { kind: 'module', name: 'spellfix1' }],
])('what a table lacks is named, beside the tables that can be read: %s as %s', async (now, then, missing) => {
  const db = new Database(join(folder, 'shop.db'), {});
  db.exec(`CREATE VIRTUAL TABLE word USING ${now}`);
  db.unsafeMode(true);
  db.exec('PRAGMA writable_schema = ON');
  const sql = `CREATE VIRTUAL TABLE word USING ${then}`;
  db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'word'").run(sql);
  db.close();
  const client = await open(null);
  await client.call('database.open', { database: SHOP });
  const { objects } = await client.call('schema.get', { database: SHOP });
  expect(objects.find(({ name }) => name === 'word')).toMatchObject({ missing });
  expect(objects.find(({ name }) => name === 'item')).toMatchObject({ problem: null });
});

test.each([
  ['is no library', () => writeFileSync(library, 'text'), 'could not be loaded'],
  ['is not to be loaded', () => undefined, 'It crashed.'],
])('one that %s leaves the database as it is without it', async (_, change, why) => {
  change();
  const client = await open([approved(library, why === 'It crashed.' ? why : null)]);
  const { extensions } = await client.call('database.open', { database: SHOP });
  expect(extensions).toMatchObject([{ why: expect.stringContaining(why) as string, functions: 0 }]);
  expect(await client.call('query.run', { database: SHOP, sql: 'SELECT name FROM item' })).toMatchObject({
    results: 1,
  });
});

test.each([
  ['', 'could not be loaded'],
  ['$ORIGIN', 'neither was loaded'],
])('a file beside one that cannot be loaded is not loaded in its place: %s', async (text, why) => {
  copyFileSync(library, `${library}.${LIBRARY_ENDING}`);
  writeFileSync(library, `text${text}`);
  const client = await open([approved()]);
  const { extensions } = await client.call('database.open', { database: SHOP });
  expect(extensions).toMatchObject([{ why: expect.stringContaining(why) as string, functions: 0 }]);
});

test('one that was renamed, so that SQLite finds no entry point, says so', async () => {
  const renamed = join(folder, 'download.so');
  copyFileSync(library, renamed);
  const client = await open([approved(renamed)]);
  const { extensions } = await client.call('database.open', { database: SHOP });
  expect(extensions).toMatchObject([{ why: expect.stringMatching(/renamed.*sqlite3_download_init/) as string }]);
});

test('tables named like the lists of functions and modules hide nothing, and are not read', async () => {
  const db = new Database(join(folder, 'shop.db'), {});
  const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS name, 1 AS narg FROM n';
  for (const name of ['function', 'module']) db.exec(`CREATE VIEW pragma_${name}_list AS ${endless}`);
  db.close();
  const client = await open([approved()]);
  const { extensions } = await client.call('database.open', { database: SHOP });
  expect(extensions).toMatchObject([{ why: null, modules: expect.arrayContaining(['vec0']) as string[] }]);
});

test('one whose file is gone says so, and the next one is loaded', async () => {
  const gone = { ...approved(), id: 'x0', path: join(folder, 'gone.so') };
  const client = await open([gone, approved()]);
  const { extensions } = await client.call('database.open', { database: SHOP });
  expect(extensions).toMatchObject([{ id: 'x0', why: expect.stringContaining('no file') as string }, { why: null }]);
});

test('a view uses what an extension does not declare harmless only where the user allows it, and SQL allows nothing', async () => {
  const db = new Database(join(folder, 'shop.db'), {});
  db.exec('CREATE VIEW near AS SELECT rowid, vec_to_json(at) AS at FROM place');
  db.close();
  copyFileSync(join(folder, 'shop.db'), join(folder, 'other.db'));
  const sql = 'SELECT * FROM near';
  const refusing = await open([approved()]);
  expect((await refusing.call('database.open', { database: SHOP })).trustsSchema).toBeUndefined();
  expect(await failure(refusing.call('query.run', { database: SHOP, sql }))).toMatch(
    /^Unsafe use .*Health: Extensions/,
  );
  const allows = 'PRAGMA trusted_schema = ON';
  expect(await failure(refusing.call('query.run', { database: SHOP, sql: allows }))).not.toBe('nothing was refused');
  const trusting = await open([approved()], OTHER, 'other.db', { trustsSchema: true });
  expect(await trusting.call('database.open', { database: OTHER })).toMatchObject({ trustsSchema: true });
  expect(await trusting.call('query.run', { database: OTHER, sql })).toMatchObject({ results: 1 });
  const loads = `CREATE VIEW loads AS SELECT load_extension('${library}'); SELECT * FROM loads`;
  expect(await failure(trusting.call('query.run', { database: OTHER, sql: loads }))).toMatch(
    /^Unsafe use of load_extension/,
  );
});

test('no file is attached to a database with extensions, which is said', async () => {
  const client = await open([approved()]);
  await client.call('database.open', { database: SHOP });
  expect(await failure(client.call('database.attach', { database: SHOP, name: 'x', file: OTHER }))).toContain(
    'without extensions',
  );
});

const listed = (why: string | null) => ({ id: 'x1', fileName: 'vec0.so', displayPath: library, why });
