// A file in place that waits for its first edit: nothing is written to it before the user was asked, whatever asks for it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RowChange } from '#shared/protocol/edit.ts';
import type { LibraryEntry } from '#shared/protocol/library.ts';
import type { QueryChunk } from '#shared/protocol/query.ts';
import type { Value } from '#shared/protocol/values.ts';
import { ASKS_BEFORE_WRITING } from '#shared/protocol/session.ts';
import type { DatabaseState } from '#shared/protocol/session.ts';
import type { Connection } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { failureOf, runScript, TestWindow, valuesOf } from '../operations/database-fixture.test-suite.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { createClock } from './clock.ts';
import { OpenDatabase } from './database-session.ts';
import type { Pause } from './session.ts';
import { RestingConnection } from './resting-connection.ts';
import { WorkMonitor } from './work-monitor.ts';

const engine = await createNativeEngine();
const entry = { id: 'db', name: 'shop.db', durability: 'full', source: null } as unknown as LibraryEntry;
const EDIT: readonly RowChange[] = [{ kind: 'update', key: [1], set: { name: 'emu' }, base: { name: 'ant' } }];
const NUMBERS = 'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000) SELECT x FROM n';
const INSERT = "INSERT INTO item (name) VALUES ('bee')";

let folder: string;
let path: string;
let before: Buffer;
let states: DatabaseState[];
let database: OpenDatabase;
let window: TestWindow;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-first-write-'));
  path = join(folder, 'shop.db');
  const made = engine.open(path, { durability: 'full', create: true });
  runScript(made, "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item (name) VALUES ('ant')");
  made.close();
  before = readFileSync(path);
  states = [];
  const clock = createClock();
  database = new OpenDatabase('db', new RestingConnection(() => engine.open(path, { durability: 'full' })), {
    clock,
    monitor: new WorkMonitor(new WorkStatusBuffer(), clock, () => undefined),
    entryOf: () => entry,
    busyElsewhere: () => false,
    asksBeforeWriting: () => true,
    onChanges: () => undefined,
    onStateChanged: (_id, state) => void states.push(state),
  });
  window = new TestWindow('Window 1', database);
});
afterEach(() => {
  database.leave(window.session);
  database.close();
  rmSync(folder, { recursive: true });
});

const run = (sql: string, chunks: unknown[] = []): Promise<unknown> => window.call('query.run', { sql }, chunks);
/** The first rows of the results, by result. */
async function resultsIn(chunks: readonly unknown[]): Promise<readonly (readonly Value[][])[]> {
  const events = (chunks as QueryChunk[])
    .flat()
    .flatMap((event) => (event.kind === 'result' ? [event.reader.reader] : []));
  const pages = events.map((reader) => window.call('rows.read', { reader, start: 0, count: 1 }));
  return (await Promise.all(pages)).map(({ rows }) => valuesOf(rows));
}
/** Work that says that it does `kind`, and inserts a row. */
const insert = (kind: 'read' | 'write', more: { tries?: true } = {}): Promise<unknown> =>
  database.enqueue({ window: window.session, kind, title: 'insert', ...more, body: insertAndRollBack });
const insertAndRollBack = ({ connection }: { connection: Connection }): unknown => {
  connection.run('BEGIN');
  try {
    return connection.run(INSERT);
  } finally {
    connection.run('ROLLBACK');
  }
};

test('each way of writing is refused with the request to ask, before anything of it has run', async () => {
  const edit = await failureOf(window.call('edit.apply', { table: 'item', changes: EDIT }));
  expect([edit.code, edit.detail]).toEqual(['refused', { [ASKS_BEFORE_WRITING]: true }]);
  expect(edit.message).toBe('“shop.db” is read-only until your first edit. Nothing was changed.');
  for (const sql of [
    INSERT,
    `SELECT 1; ${INSERT}`,
    'SELECT 1; BEGIN',
    "SELECT 1; ATTACH ':memory:' AS other",
    'SELECT 1; PRAGMA user_version = 5',
    'SELECT 1; CREATE TABLE other (a); SELECT * FROM other',
    'SELECT 1; PRAGMA user_version(5)',
    'SELECT 1; PRAGMA query_only(0)',
    'SELECT 1; EXPLAIN PRAGMA query_only(0)',
    'SELECT 1; PRAGMA wal_checkpoint',
    'SELECT 1; PRAGMA incremental_vacuum',
    'SELECT 1; PRAGMA optimize',
  ]) {
    const chunks: unknown[] = [];
    const { detail } = await failureOf(run(sql, chunks));
    expect([sql, detail, chunks]).toEqual([sql, { [ASKS_BEFORE_WRITING]: true }, []]);
  }
  expect(readFileSync(path)).toEqual(before);
});

test('reading asks nothing, and SQLite refuses what says that it reads, also after the file was at rest', async () => {
  expect(database.state).toMatchObject({ writable: true, asksBeforeWriting: true });
  await run('SELECT * FROM item; PRAGMA table_info(item); SELECT no_such_column FROM item').catch(() => undefined);
  await run('SELECT * FROM item');
  await run(`EXPLAIN ${INSERT}; EXPLAIN QUERY PLAN DELETE FROM item; PRAGMA journal_mode; PRAGMA main.journal_mode`);
  expect((await failureOf(insert('read'))).sqlite?.result).toBe(8);
  await run('PRAGMA foreign_keys');
  expect([database.rest(), database.isResting]).toEqual([true, true]);
  expect((await failureOf(insert('read'))).sqlite?.result).toBe(8);
  expect(readFileSync(path)).toEqual(before);
});

test('TEMP tables are written to without an answer, between statements that read, and the file stays closed', async () => {
  const chunks: unknown[] = [];
  await run(
    `CREATE TEMP TABLE found AS SELECT id, name FROM item; SELECT name FROM found; UPDATE found SET name = 'yak';
     ${NUMBERS}; INSERT INTO found SELECT 2, 'gnu' RETURNING name; SELECT group_concat(name) FROM found`,
    chunks,
  );
  expect(await resultsIn(chunks)).toEqual([[['ant']], [[1]], [['gnu']], [['yak,gnu']]]);
  await run('DELETE FROM found WHERE id = 1; ALTER TABLE found RENAME TO kept; DROP TABLE kept');
  expect(database.state).toMatchObject({ asksBeforeWriting: true, transaction: null });
  expect((await failureOf(insert('read'))).sqlite?.result).toBe(8);
  expect([readFileSync(path), readdirSync(folder)]).toEqual([before, ['shop.db']]);
});

test('a statement that writes to the file after all, because a TEMP table of its name is gone, is refused alone', async () => {
  await run('CREATE TEMP TABLE item (id, name)');
  const failure = await failureOf(run('DROP TABLE item; DELETE FROM item'));
  expect([failure.code, failure.detail]).toEqual(['refused', expect.objectContaining({ statement: 1 })]);
  expect(failure.message).toContain('read-only until your first edit');
  expect(failure.detail).not.toHaveProperty(ASKS_BEFORE_WRITING);
  expect(readFileSync(path)).toEqual(before);
});

test('what is only tried needs no answer, and leaves the file as closed as it was', async () => {
  expect(await insert('write', { tries: true })).toBe(1);
  expect((await failureOf(insert('read'))).sqlite?.result).toBe(8);
  expect(readFileSync(path)).toEqual(before);
});

test('once it is allowed, everything is written, and all windows hear of it', async () => {
  await failureOf(run(INSERT));
  await run('PRAGMA table_info(item)');
  database.allowWriting(true);
  expect(states).toMatchObject([{ writable: true }]);
  expect(states[0]).not.toHaveProperty('asksBeforeWriting');
  await run(`BEGIN; ${INSERT}; COMMIT`);
  // A file that may be written to is closed and opened again as any other.
  expect(database.rest()).toBe(true);
  await window.call('edit.apply', { table: 'item', changes: EDIT });
  const names = await database.enqueue({
    window: window.session,
    kind: 'read',
    title: 'names',
    body: ({ connection }) => connection.all('SELECT name FROM item'),
  });
  expect(names).toEqual([['emu'], ['bee']]);

  // The user wants to be asked again.
  database.allowWriting(false);
  expect(states.at(-1)).toMatchObject({ writable: true, asksBeforeWriting: true });
  expect((await failureOf(run(INSERT))).detail).toEqual({ [ASKS_BEFORE_WRITING]: true });
  expect((await failureOf(insert('read'))).sqlite?.result).toBe(8);
});

test('the answer does not end what is half read, and the write waits for it', async () => {
  let rows = 0;
  const read = database.enqueue({
    window: window.session,
    kind: 'read',
    title: 'rows',
    pausesReading: true,
    *body({ connection }): Generator<Pause, number> {
      // SQLite opens the table of the second part only after the first.
      const statement = connection.prepare(`${NUMBERS} UNION ALL SELECT id FROM item`);
      try {
        for (; statement.step(); rows++) if (rows % 1000 === 0) yield 'reading';
      } finally {
        statement.finalize();
      }
      return rows;
    },
  });
  await expect.poll(() => rows, { interval: 1 }).toBeGreaterThan(0);
  database.allowWriting(true);
  const written = run(INSERT);
  expect(await read).toBe(5001);
  await written;
});

test('the user is asked again only when nothing waits to be committed', async () => {
  database.allowWriting(true);
  await run(`BEGIN; ${INSERT}`);
  expect(() => database.allowWriting(false)).toThrow('“shop.db” is in use');
  await run('ROLLBACK');
  database.allowWriting(false);
  expect(database.asksBeforeWriting).toBe(true);
});
