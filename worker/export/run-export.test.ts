import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/export.ts';
import type { ExportSource } from '#shared/protocol/export.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Connection } from '../engines/engine.ts';
import { layoutOfResult } from '../live/select.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import {
  databaseOf,
  ENGINES,
  exported,
  native,
  ofTable,
  runScript,
  temporaryFolder,
  wasm,
} from './export-fixture.test-suite.ts';
import { formatOf } from './formats/all.ts';
import { BLOB, INTEGER, NOT_UTF8, REAL, TEXT } from './round-trip-fixture.test-suite.ts';
import { runExport } from './run-export.ts';
import type { ExportJob } from './run-export.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';

const MANY = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100000)';

function begin(connection: Connection, source: ExportSource, format: string, job: Partial<ExportJob> = {}) {
  const chunks: Uint8Array[] = [];
  const turn = { ...undisturbedTurn(connection), stopRequested: false };
  const body = runExport(turn, {
    source,
    format: formatOf(format),
    options: DEFAULT_EXPORT_OPTIONS,
    sink: { write: async (bytes) => void chunks.push(bytes), finish: async () => undefined },
    maxRows: null,
    maxBytes: null,
    isFragment: false,
    reader: null,
    report: async () => undefined,
    ...job,
  });
  return { body, turn, text: () => Buffer.concat(chunks).toString('utf8') };
}

function finish({ body }: ReturnType<typeof begin>) {
  let step = body.next();
  while (!step.done) step = body.next();
  return step.value;
}

test('all tables are of one moment, although another program writes in between', () => {
  const file = join(temporaryFolder(), 'shared.db');
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  other.exec(
    `PRAGMA journal_mode = WAL; CREATE TABLE a (i INTEGER PRIMARY KEY); CREATE TABLE b (i); ${MANY} INSERT INTO a SELECT i FROM c`,
  );
  const connection = native.open(file, { durability: 'balanced', untrusted: false });
  onTestFinished(() => connection.close());
  const running = begin(connection, { kind: 'database' }, 'dump');
  expect(running.body.next()).toEqual({ done: false, value: 'reading' });
  other.exec('INSERT INTO a VALUES (999999); INSERT INTO b VALUES (1); CREATE TABLE c (x)');
  expect(finish(running).rows).toBe(100_000);
  expect(running.text()).not.toContain('INTO "b"');
  expect(connection.one('SELECT count(*) FROM b')).toEqual([1]);
});

test.each(ENGINES)(
  'it pauses while a sink takes what is written, and fails as that fails (%s)',
  async (_name, engine) => {
    const connection = databaseOf(
      engine,
      `CREATE TABLE a (i INTEGER PRIMARY KEY); ${MANY} INSERT INTO a SELECT i FROM c`,
    );
    const full = new Error('disk full');
    const running = begin(connection, ofTable('a'), 'csv', {
      sink: { write: () => Promise.reject(full), finish: async () => undefined },
    });
    const goOn = async (): Promise<void> => {
      while (!running.body.next().done) await new Promise((resolve) => setImmediate(resolve));
    };
    await expect(goOn()).rejects.toThrow(full);
    // Nothing is left half read: the table can be written to.
    runScript(connection, 'DELETE FROM a');
  },
);

test.each(ENGINES)('a stop between two slices ends it (%s)', (_name, engine) => {
  const connection = databaseOf(
    engine,
    `CREATE TABLE a (i INTEGER PRIMARY KEY); ${MANY} INSERT INTO a SELECT i FROM c`,
  );
  const running = begin(connection, ofTable('a'), 'csv');
  running.body.next();
  running.turn.stopRequested = true;
  expect(() => finish(running)).toThrow(/was stopped/);
  runScript(connection, 'DELETE FROM a');
});

const SIXTY_FIVE = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 65) SELECT i FROM c';

/** The connection without its own way to read tables. */
const withoutScan = (connection: Connection): Connection =>
  new Proxy(connection, {
    get(target, name) {
      if (name === 'scan') return undefined;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

describe('a table that the engine scans', () => {
  const value = fc.oneof(fc.constant(null), INTEGER, REAL, TEXT, BLOB, NOT_UTF8);
  const tables = {
    'with a row id': 'CREATE TABLE a (x, y, z)',
    'with typed columns': 'CREATE TABLE a (x TEXT, y REAL, z INTEGER, w AS (y + z))',
    'WITHOUT ROWID': 'CREATE TABLE a (x, y, z, n INTEGER, PRIMARY KEY (n DESC, x)) WITHOUT ROWID',
  };
  test.each(Object.entries(tables))('%s is written byte for byte as by its statement', (_what, sql) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value, value), { maxLength: 30 }), (rows) => {
        const connection = databaseOf(native, sql);
        const hasKey = sql.includes('WITHOUT');
        for (const [at, row] of rows.entries())
          connection.run(
            `INSERT INTO a (x, y, z${hasKey ? ', n' : ''}) VALUES (${hasKey ? 'ifnull(?, 0), ?, ?, ?' : '?, ?, ?'})`,
            hasKey ? [...row, at % 5] : row,
          );
        // A table of few rows is not scanned.
        const key = hasKey ? ['n', ', 100 + i'] : ['x', ', i'];
        connection.run(
          `INSERT INTO a (y, ${hasKey ? 'x, ' : ''}${key[0]}) SELECT i${hasKey ? ', i' : ''}${key[1]} FROM (${SIXTY_FIVE})`,
        );
        const scans = vi.spyOn(connection, 'scan');
        for (const format of ['csv', 'json', 'sql', 'markdown']) {
          const { bytes, notes } = exported(connection, ofTable('a'), format);
          const expected = exported(withoutScan(connection), ofTable('a'), format);
          expect({ text: bytes.toString('latin1'), notes }).toEqual({
            text: expected.bytes.toString('latin1'),
            notes: expected.notes,
          });
        }
        const dump = exported(connection, { kind: 'database' }, 'dump').bytes;
        expect(dump.equals(exported(withoutScan(connection), { kind: 'database' }, 'dump').bytes)).toBe(true);
        expect(scans).toHaveBeenCalledTimes(5);
        expect(scans.mock.results.every((result) => result.value !== null)).toBe(true);
      }),
      { seed: 1312, numRuns: seedCount(25) },
    );
  });
});

/** `count` tables of two rows, each with an index, and a foreign key to the one before. */
const tables = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `CREATE TABLE t${at} (id INTEGER PRIMARY KEY, a TEXT, b REFERENCES t${Math.max(0, at - 1)});
       CREATE INDEX i${at} ON t${at} (a); INSERT INTO t${at} VALUES (1, 'one', NULL), (2, 'two', 1);`,
  ).join('\n');

test.each(ENGINES)('a dump by the %s engine prepares one statement for 64 tables of few rows', (_name, engine) => {
  // No slice ends early, after which a table would be gone on with by another statement.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const [some, more] = [64, 192].map((count) => {
    const connection = databaseOf(engine, tables(count));
    const prepared = vi.spyOn(connection, 'prepare');
    exported(connection, { kind: 'database' }, 'dump');
    return prepared.mock.calls.length;
  });
  expect(more! - some!).toBe(2);
});

test('a dump pauses between its parts, so that it can be stopped', () => {
  const running = begin(databaseOf(native, tables(10)), { kind: 'schema' }, 'dump');
  running.turn.deadlineMs = 0;
  let pauses = 0;
  while (!running.body.next().done) pauses++;
  expect(pauses).toBeGreaterThan(10);
});

test('a preview is the beginning of the file', () => {
  const connection = databaseOf(
    wasm,
    `CREATE TABLE a (i INTEGER PRIMARY KEY, t); ${MANY} INSERT INTO a SELECT i, 'text ' || i FROM c`,
  );
  for (const format of ['csv', 'json', 'sql']) {
    const preview = begin(connection, ofTable('a'), format, { maxRows: 5 });
    expect(finish(preview).rows).toBe(5);
    const whole = exported(connection, ofTable('a'), format).text;
    const lines = preview.text().split('\n').slice(0, 5).join('\n');
    expect(whole.startsWith(lines.replace(/,$/, ''))).toBe(true);
  }
  const large = begin(connection, { kind: 'database' }, 'dump', { maxRows: 100_000, maxBytes: 5000 });
  finish(large);
  expect(large.text().length).toBeLessThan(100_000);
});

test('a preview reads no more of a value than it shows', () => {
  const connection = databaseOf(
    wasm,
    "CREATE TABLE a (b, t); INSERT INTO a VALUES (zeroblob(90000000), printf('%.*c', 1000000, 'é'))",
  );
  for (const format of ['csv', 'json', 'sql', 'html']) {
    const preview = begin(connection, ofTable('a'), format, { maxRows: 5, maxBytes: 1000 });
    finish(preview);
    expect(preview.text()).toContain('0000');
    expect(preview.text().length).toBeLessThan(10_000);
  }
});

/** A result as it is kept after its statement has run. */
function resultOf(connection: Connection, sql: string, previewBytes: number): SpooledReader {
  const statement = connection.prepare(sql);
  const reader = new SpooledReader(
    { extentChanged: () => undefined, liveChanged: () => undefined } as never,
    layoutOfResult(statement.columns),
    {
      title: 'Result',
      query: null,
      state: 'fixed',
      limitMs: null,
      whenStopped: 'failed',
    },
  );
  const writer = new PackedRowsWriter(statement.columnCount, { previewBytes });
  statement.pack(writer, { maxRows: Infinity });
  reader.spool.append(writer.finish());
  statement.finalize();
  reader.grew(1);
  return reader;
}

test('a result is exported as it is kept, also after the table has changed', () => {
  const connection = databaseOf(
    wasm,
    "CREATE TABLE a (i, t); INSERT INTO a VALUES (1, 'one'), (2, 'two'), (3, 'three')",
  );
  const sql = 'SELECT i, t FROM a';
  const reader = resultOf(connection, sql, 1000);
  runScript(connection, 'DELETE FROM a');
  const whole = begin(connection, { kind: 'result', reader: 1, sql }, 'csv', { reader });
  finish(whole);
  expect(whole.text()).toBe('i,t\n1,one\n2,two\n3,three\n');
  const rows = [
    { first: 0, last: 0 },
    { first: 2, last: 2 },
  ];
  const part = begin(connection, { kind: 'result', reader: 1, sql, rows, columns: [1] }, 'csv', { reader });
  finish(part);
  expect(part.text()).toBe('t\none\nthree\n');
});

test('a result with a value that is kept in part only is run again, if its statement only reads', () => {
  const long = 'x'.repeat(5000);
  const connection = databaseOf(wasm, `CREATE TABLE a (t); INSERT INTO a VALUES ('${long}')`);
  const sql = 'SELECT t FROM a';
  const reader = resultOf(connection, sql, 100);
  const again = begin(connection, { kind: 'result', reader: 1, sql }, 'csv', { reader });
  finish(again);
  expect(again.text()).toBe(`t\n${long}\n`);
  expect(() => finish(begin(connection, { kind: 'result', reader: 1, sql: null }, 'csv', { reader }))).toThrow(
    /more than 64 KB/,
  );
});
