// Extensions of files in place, through the operations of the native process: loaded only as approved, into one database, by no SQL.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { getLoadablePath } from 'sqlite-vec';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHANGED_SINCE_APPROVED } from '#shared/extensions.ts';
import type { ExtensionToLoad } from '#shared/extensions.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import { inPlaceId } from '#shared/protocol/index.ts';
import type { DatabaseId, Operations } from '#shared/protocol/index.ts';
import type { Events } from '#shared/protocol/session.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import type { DatabaseConstructor } from '../engines/native/runtime/load.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { NativeServer } from './native-server.ts';

const Database = createRequire(import.meta.url)('better-sqlite3') as DatabaseConstructor;
const engine = await createNativeEngine();
const [SHOP, OTHER] = [inPlaceId('a1'), inPlaceId('b2')];
const LIBRARY_ENDING = { darwin: 'dylib', win32: 'dll' }[process.platform as string] ?? 'so';
const NEAREST = "SELECT rowid FROM place WHERE at MATCH '[1, 2]' ORDER BY distance LIMIT 1";

let folder: string;
let library: string;
let server: NativeServer | null;
const ends: (() => void)[] = [];

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
  server = null;
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  server?.settle();
  rmSync(folder, { recursive: true });
});

function approved(path = library, why: string | null = null): ExtensionToLoad {
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { id: 'x1', fileName: 'vec0.so', displayPath: path, path, sha256, why };
}

async function open(
  extensions: readonly ExtensionToLoad[] | null,
  database: DatabaseId = SHOP,
  fileName = 'shop.db',
): Promise<Client<Operations, Events>> {
  if (server === null) {
    const parts = { files: null as never, workStatus: new WorkStatusBuffer(), onBusy: () => undefined };
    const ofOwn = { slot: 3, opened: () => undefined };
    server = new NativeServer({ engine, ...parts, historyFolder: join(folder, 'history'), ofOwn });
  }
  const path = join(folder, fileName);
  const file = { database, fileName, displayPath: path, locationId: database, path };
  server.addFile({ ...file, ...(extensions && { extensions }) }, database);
  const { port1, port2 } = new MessageChannel();
  server.serve(database, domPort(port1 as never));
  const client = createClient<Operations, Events>(domPort(port2 as never));
  ends.push(() => port2.close());
  await client.call('session.begin', { windowTitle: database });
  return client;
}

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (thrown: unknown) => toAppError(thrown).message,
  );

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

test('a file beside one that cannot be loaded is not loaded in its place', async () => {
  copyFileSync(library, `${library}.${LIBRARY_ENDING}`);
  writeFileSync(library, 'text');
  const client = await open([approved()]);
  const { extensions } = await client.call('database.open', { database: SHOP });
  expect(extensions).toMatchObject([{ why: expect.stringContaining('neither was loaded') as string, functions: 0 }]);
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
  expect(extensions).toMatchObject([{ id: 'x0', why: expect.stringContaining('gone.so') as string }, { why: null }]);
});

test('no file is attached to a database with extensions, which is said', async () => {
  const client = await open([approved()]);
  await client.call('database.open', { database: SHOP });
  expect(await failure(client.call('database.attach', { database: SHOP, name: 'x', file: OTHER }))).toContain(
    'without extensions',
  );
});

const listed = (why: string | null) => ({ id: 'x1', fileName: 'vec0.so', displayPath: library, why });
