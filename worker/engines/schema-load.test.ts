// Tests that files which would keep SQLite busy as it loads their schema are refused by each engine, and others are not.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import type { Connection, OpenOptions } from './engine.ts';
import { createNativeEngine } from './native/native-engine.ts';
import { loadBetterSqlite } from './native/runtime/load.ts';
import { thrownBy } from './thrown-by.test-suite.ts';
import { FaultLab } from './wasm/faults/lab.test-suite.ts';

const Database = await loadBetterSqlite();
const folder = mkdtempSync(join(tmpdir(), 'sidelite-schema-load-'));
const path = join(folder, 'file.sqlite3');
const lab = await FaultLab.open();
const native = await createNativeEngine();
afterAll(() => rmSync(folder, { recursive: true }));

const PAGE = 4096;
const rows = (count: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${count})`;
const ANALYZED = 'CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE INDEX i ON t (a); ANALYZE;';
/** Pages that can be put to another use. */
const FILLER = 'CREATE TABLE filler (b); INSERT INTO filler VALUES (zeroblob(60000));';
const define = (sql: string): string =>
  `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '${sql}' WHERE name = 'sqlite_stat1';`;
const list = (count: number, item: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join();

interface Made {
  readonly sql: string;
  readonly wal?: boolean;
  readonly change?: (bytes: Buffer, pageOf: (name: string) => number) => void;
}

const made = new Map<Made, readonly [Buffer, Buffer | null]>();

/** Bytes of a database, and of its WAL. */
function make(how: Made): readonly [Buffer, Buffer | null] {
  if (!made.has(how)) made.set(how, build(how));
  return made.get(how)!;
}

function build({ sql, wal = false, change }: Made): readonly [Buffer, Buffer | null] {
  rmSync(path, { force: true });
  const db = new Database(path, {});
  db.unsafeMode(true);
  db.prepare(`PRAGMA page_size = ${PAGE}`).run();
  if (wal) db.exec('CREATE TABLE first (a); PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  db.exec(sql);
  const pageOf = (name: string): number =>
    db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck(true).get(name) as number;
  const bytes = readFileSync(path);
  const log = wal ? readFileSync(`${path}-wal`) : null;
  change?.(bytes, pageOf);
  db.close();
  return [bytes, log];
}

/** Makes `page` the root of a tree in which each of six levels reads the next one a hundred times, and the last one `leaf`. */
function makeEndless(bytes: Buffer, page: number, leaf: number, spare: number): void {
  let child = leaf;
  for (const at of [...Array.from({ length: 5 }, (_, level) => spare + level), page]) {
    const from = (at - 1) * PAGE;
    bytes.fill(0, from, from + PAGE);
    bytes[from] = 5;
    bytes.writeUInt16BE(100, from + 3);
    bytes.writeUInt16BE(PAGE - 500, from + 5);
    bytes.writeUInt32BE(child, from + 8);
    for (let cell = 0; cell < 100; cell++) {
      const offset = PAGE - 5 * (cell + 1);
      bytes.writeUInt32BE(child, from + offset);
      bytes[from + offset + 4] = cell;
      bytes.writeUInt16BE(offset, from + 12 + 2 * cell);
    }
    child = at;
  }
}

const rightmost = (bytes: Buffer, page: number): number =>
  bytes.readUInt32BE((page - 1) * PAGE + (page === 1 ? 108 : 8));

const COMPUTED = `${ANALYZED} ${rows(1000)} INSERT INTO sqlite_stat1 SELECT 't', 'i', i FROM n;
  ${define('CREATE TABLE sqlite_stat1(tbl, idx, x, stat AS (hex(zeroblob(7000000 + x))))')}`;
const AGAIN = 'SQLite would have to read the same page of it again and again';

const REFUSED: readonly (readonly [string, Made, string])[] = [
  ['computed statistics', { sql: COMPUTED }, '“sqlite_stat1” in this file are computed'],
  ['computed statistics in a WAL', { sql: COMPUTED, wal: true }, '“sqlite_stat1” in this file are computed'],
  [
    'computed statistics by another name of the table',
    { sql: `${COMPUTED.replace("'CREATE TABLE sqlite_stat1(", "'CREATE TABLE \"SQLite_Stat1\"(")} UPDATE sqlite_schema SET name = 'SQLite_Stat1', tbl_name = 'SQLite_Stat1' WHERE name = 'sqlite_stat1'` },
    '“SQLite_Stat1” in this file are computed',
  ],
  [
    'computed statistics in UTF-16, with a definition on many pages',
    { sql: `PRAGMA encoding = 'UTF-16be'; ${COMPUTED.replace('(tbl, idx', `(${list(900, (at) => `c${at}`)}, tbl, idx`)}` },
    '“sqlite_stat1” in this file are computed',
  ],
  [
    'endless statistics',
    {
      sql: `${ANALYZED} ${FILLER} ${rows(3000)} INSERT INTO sqlite_stat1 SELECT 't', 'i', '1 1 ' || i FROM n`,
      change: (bytes, pageOf) =>
        makeEndless(bytes, pageOf('sqlite_stat1'), rightmost(bytes, pageOf('sqlite_stat1')), pageOf('filler') + 1),
    },
    AGAIN,
  ],
  [
    'an endless schema',
    {
      sql: `CREATE TABLE t (a UNIQUE); ${FILLER} PRAGMA writable_schema = ON;
        ${rows(400)} INSERT INTO sqlite_schema SELECT 'index', 'sqlite_autoindex_t_1', 't', 3, NULL FROM n`,
      change: (bytes, pageOf) => {
        const spare = pageOf('filler') + 1;
        makeEndless(bytes, spare + 5, rightmost(bytes, 1), spare);
        bytes.writeUInt32BE(spare + 5, 108);
      },
    },
    AGAIN,
  ],
  ...['sqlite_sequence', 'sqlite_stat1', 'SQLite_Stat4'].map((name) => [
    `a view named ${name}`,
    { sql: `CREATE TABLE t (a); PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('view', '${name}', '${name}', 0,
        'CREATE VIEW ${name} AS WITH RECURSIVE n AS (SELECT ''t'' AS name, 1 AS seq UNION ALL SELECT name, seq + 1 FROM n) SELECT * FROM n')` },
    `“${name}” in this file is not a table`,
  ] as const),
  [
    'computed counters',
    { sql: `CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO t VALUES (1); PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_sequence(name,seq AS (hex(zeroblob(7000000))))' WHERE name = 'sqlite_sequence'` },
    '“sqlite_sequence” in this file are computed',
  ],
  [
    '60,000 UNIQUE in one table',
    { sql: `PRAGMA writable_schema = ON; ${FILLER} INSERT INTO sqlite_schema VALUES ('table', 'u', 'u', 2,
        'CREATE TABLE u (${list(300, (at) => `c${at}`)}, ${list(60_000, (at) => `UNIQUE (c${at % 300}, c${Math.floor(at / 300)})`)})')` },
    'so many tables, columns, or constraints',
  ],
  [
    '75,000 triggers',
    { sql: `PRAGMA writable_schema = ON; CREATE TABLE t (a); ${rows(75_000)} INSERT INTO sqlite_schema
        SELECT 'trigger', 'r' || i, 't', 0, 'CREATE TRIGGER r' || i || ' AFTER INSERT ON t BEGIN SELECT 1; END' FROM n` },
    'so many tables, columns, or constraints',
  ],
]; // prettier-ignore

const OPENED: readonly (readonly [string, Made])[] = [
  ['ordinary statistics', { sql: ANALYZED }],
  ['ordinary statistics in a WAL', { sql: ANALYZED, wal: true }],
  ['counters', { sql: 'CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO t VALUES (1)' }],
  ['many statistics', { sql: `${ANALYZED} ${rows(20_000)} INSERT INTO sqlite_stat1 SELECT 't', 'i', '1 1 ' || i FROM n` }],
  ['statistics of 100 kB each', { sql: `${ANALYZED} ${rows(20)} INSERT INTO sqlite_stat1 SELECT 't', 'i', '1 1' || hex(zeroblob(50000)) FROM n` }],
  ['small pages and long definitions', { sql: `PRAGMA page_size = 512; VACUUM; ${ANALYZED} CREATE TABLE wide (${list(500, (at) => `"${at}" UNIQUE`)})` }],
  ['2,000 tables', { sql: Array.from({ length: 2000 }, (_, at) => `CREATE TABLE t${at} (a)`).join(';').replace(/^/, 'BEGIN; ').concat('; COMMIT') }],
]; // prettier-ignore

type Open = (bytes: readonly [Buffer, Buffer | null], options: OpenOptions) => Connection;

function openNatively([bytes, log]: readonly [Buffer, Buffer | null], options: OpenOptions): Connection {
  writeFileSync(path, bytes);
  if (log !== null) writeFileSync(`${path}-wal`, log);
  return native.open(path, options);
}

function openInWasm([bytes, log]: readonly [Buffer, Buffer | null], options: OpenOptions): Connection {
  lab.disk.start(null, 0);
  lab.disk.put('/file.sqlite3', 0, bytes);
  if (log !== null) lab.disk.put('/file.sqlite3-wal', 0, log);
  return lab.engine.open('/file.sqlite3', options);
}

describe.each([
  ['native', openNatively],
  ['wasm', openInWasm],
] as const satisfies readonly (readonly [string, Open])[])('a file with (%s)', (_, open) => {
  beforeEach(() => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  });

  it.each(REFUSED)('%s is not opened, and at once', async (__, how, why) => {
    const bytes = make(how);
    let [message, code] = ['', ''];
    const ms = await processorMsOf(async () => {
      ({ message, code } = thrownBy(() => open(bytes, { durability: 'full', isOfOthers: true })));
    });
    expect(message).toContain(why);
    expect(['corrupt', 'invalid']).toContain(code);
    expect(ms).toBeLessThan(1000);
  });

  it.each(OPENED)('%s is opened as SQLite opens it', (__, how) => {
    const connection = open(make(how), { durability: 'full', isOfOthers: true });
    expect(connection.one('PRAGMA quick_check')).toEqual(['ok']);
    connection.close();
  });
});
