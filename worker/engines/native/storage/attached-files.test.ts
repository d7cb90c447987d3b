// Files that are attached to a file in place: read beside it, not written to, and not in the way of the programs that they belong to.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection, Engine } from '../../engine.ts';
import { CIPHER_PRAGMAS, givenKey } from '../cipher/given-key.test-suite.ts';
import { createCipherEngine, createNativeEngine } from '../native-engine.ts';
import { holdOpen, runIn } from './other-program.test-suite.ts';

const engine = await createNativeEngine();
const PRICES = `CREATE TABLE price (item INTEGER, amount REAL); CREATE INDEX by_item ON price (item);
  INSERT INTO price VALUES (1, 2.5), (2, 3.5)`;

let folder: string;
let main: string;
let prices: string;
let connection: Connection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-attached-'));
  [main, prices] = [join(folder, 'main.db'), join(folder, 'prices.db')];
  make(main, "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'ant'), (2, 'bee')");
  make(prices, PRICES);
  connection = engine.open(main, { durability: 'full' });
});

afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

const attach = (to = connection): void => to.attach!({ name: 'Other', location: prices, isWritable: false });

describe('an attached file', () => {
  it('is read beside the own tables, and copied into them', () => {
    attach();
    const joined = 'SELECT name, amount FROM item JOIN other.price ON item = id ORDER BY id';
    expect(connection.all(joined)).toEqual([
      ['ant', 2.5],
      ['bee', 3.5],
    ]);
    connection.run('CREATE TABLE bought AS SELECT * FROM Other.price');
    connection.run('CREATE TEMP VIEW both AS SELECT * FROM item, other.price');
    expect(connection.one('SELECT (SELECT count(*) FROM bought), (SELECT count(*) FROM both)')).toEqual([2, 4]);
  });

  it.each([
    'INSERT INTO other.price VALUES (3, 1)',
    'INSERT INTO price SELECT id, 1 FROM item',
    'UPDATE other.price SET amount = 0 RETURNING amount',
    'DELETE FROM price',
    'WITH x AS (SELECT 1) DELETE FROM other.price',
    'CREATE TABLE other.made (a)',
    'CREATE VIEW other.made AS SELECT 1',
    'CREATE INDEX other.made ON price (amount)',
    'DROP TABLE price',
    'ALTER TABLE other.price ADD COLUMN made',
    'VACUUM other',
    'ANALYZE',
    'ANALYZE other.price',
    'REINDEX',
    'REINDEX other.by_item',
    'PRAGMA other.user_version = 3',
    'PRAGMA other.journal_mode = WAL',
    'PRAGMA other.wal_checkpoint',
    'PRAGMA wal_checkpoint',
    'PRAGMA optimize(0x10002)',
    'BEGIN EXCLUSIVE',
    'DETACH other',
    "DETACH 'oth' || 'er'",
  ])('is not changed by %s', (sql) => {
    attach();
    const before = readFileSync(prices);
    expect(thrownBy(() => connection.run(sql))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/“Other”|“other”/i) as unknown,
    });
    const script = connection.script(`SELECT 1; ${sql}`);
    script.next();
    expect(thrownBy(() => script.next()!.step()).code).toBe('unavailable');
    script.dispose();
    expect(connection.autocommit).toBe(true);
    expect(connection.one('SELECT count(*) FROM other.price')).toEqual([2]);
    expect(readFileSync(prices)).toEqual(before);
  });

  it.each(['ANALYZE main', 'VACUUM', 'PRAGMA main.wal_checkpoint', 'PRAGMA other.journal_mode', 'EXPLAIN DELETE FROM other.price'])(
    'does not keep %s from running',
    (sql) => {
      attach();
      connection.all(sql);
    },
  ); // prettier-ignore

  it.each([
    'PRAGMA locking_mode = EXCLUSIVE',
    'PRAGMA other.locking_mode(EXCLUSIVE)',
    '/* all */ pragma "locking_mode" = exclusive',
    'EXPLAIN PRAGMA locking_mode = EXCLUSIVE',
  ])('is not locked for other programs by %s', (sql) => {
    attach();
    expect(() => connection.all(sql)).toThrow('use PRAGMA main.locking_mode instead');
    expect(connection.one('SELECT count(*) FROM other.price')).toEqual([2]);
    make(prices, 'INSERT INTO price VALUES (3, 4.5)');
    expect(connection.one('SELECT count(*) FROM other.price')).toEqual([3]);
    connection.all('PRAGMA main.locking_mode = EXCLUSIVE');
  });

  it('is not written to by the function of full-text tables that does so while rows are read', () => {
    make(
      prices,
      "CREATE VIRTUAL TABLE words USING fts4 (body); INSERT INTO words VALUES ('a'); INSERT INTO words VALUES ('b')",
    );
    attach();
    const before = readFileSync(prices);
    const call = 'SELECT optimize(words) FROM other.words LIMIT 1';
    for (const sql of [call, call.replace('optimize', '"Optimize" '), `CREATE TEMP VIEW v AS ${call}`])
      expect(thrownBy(() => connection.all(sql)).message).toContain('optimize()');
    expect(connection.all("SELECT 'optimize(1)', body FROM other.words WHERE words MATCH 'a'")).toHaveLength(1);
    expect(readFileSync(prices)).toEqual(before);
  });

  it('is read by a connection that may not write, and begins transactions as before', () => {
    connection.close();
    connection = engine.open(main, { durability: 'full', readOnly: true });
    attach();
    connection.run('BEGIN IMMEDIATE');
    expect(connection.one('SELECT count(*) FROM other.price')).toEqual([2]);
    connection.run('COMMIT');
    connection.close();
    connection = engine.open(main, { durability: 'full' });
    connection.refuseWrites!(true);
    attach();
    expect(connection.one('SELECT count(*) FROM other.price')).toEqual([2]);
    connection.detach!('Other');
    connection.refuseWrites!(false);
    connection.run('DELETE FROM item');
  });

  it('is not written to by a statement that meant an own table when it was prepared', () => {
    make(main, 'CREATE TABLE price (item, amount)');
    attach();
    const insert = connection.prepare('INSERT INTO price VALUES (9, 9)');
    insert.step();
    insert.reset();
    make(main, 'DROP TABLE price');
    expect(thrownBy(() => insert.step()).code).toBe('unavailable');
    expect(connection.one('SELECT count(*) FROM other.price')).toEqual([2]);
  });

  it.each([
    ['SELECT * FROM pragma_optimize(0x10002)', 'pragma_optimize'],
    ['SELECT * FROM "pragma_optimize" (0x10002)', 'pragma_optimize'],
    ['CREATE TEMP VIEW v AS SELECT * FROM pragma_optimize(0x10002)', 'pragma_optimize'],
  ])('is not analyzed while rows are read by %s', (sql, named) => {
    const rows = Array.from({ length: 300 }, (_, at) => `(${at}, 1)`);
    make(prices, `INSERT INTO price VALUES ${rows.join(', ')}`);
    attach();
    const before = readFileSync(prices);
    expect(thrownBy(() => connection.all(sql))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(named) as unknown,
    });
    connection.all("SELECT name FROM item WHERE name LIKE '%pragma_optimize%'");
    expect(readFileSync(prices)).toEqual(before);
  });

  it.each([
    'CREATE TEMP VIEW v AS SELECT optimize(words) FROM other.words',
    'CREATE TEMP VIEW v AS SELECT * FROM pragma_optimize(0x10002)',
    'CREATE TEMP TRIGGER v AFTER INSERT ON item BEGIN SELECT optimize(words) FROM other.words; END',
  ])('is not attached beside a temporary object that would write to it while rows are read: %s', (sql) => {
    connection.run(sql);
    expect(thrownBy(attach)).toMatchObject({ code: 'unavailable', message: expect.stringContaining('“v”') as unknown });
    connection.run(`DROP ${/VIEW|TRIGGER/.exec(sql)![0]} temp.v`);
    attach();
  });

  it.each([
    ['', 'CREATE TEMP TABLE price (item, amount)', 'DROP TABLE temp.price'],
    ['', 'SAVEPOINT s; CREATE TEMP TABLE price (item, amount)', 'ROLLBACK TO s'],
    ['', 'BEGIN; CREATE TEMP TABLE price (item, amount)', "INSERT OR ROLLBACK INTO item VALUES (1, 'once more')"],
    ["ATTACH ':memory:' AS m; CREATE TABLE m.price (item, amount)", '', 'DETACH m'],
  ])('is not written to by a statement that meant another table of this connection: %s %s', (before, made, gone) => {
    runAll(before);
    attach();
    runAll(made);
    const insert = connection.prepare('INSERT INTO price VALUES (9, 9)');
    insert.step();
    insert.reset();
    thrownBy(() => connection.run(gone));
    expect(thrownBy(() => insert.step()).code).toBe('unavailable');
    expect(connection.one('SELECT count(*) FROM other.price')).toEqual([2]);
  });

  it.each(["DETACH CASE WHEN 0 THEN 'm' ELSE lower('OTHER') END", "DETACH CASE WHEN 0 THEN 'm' ELSE (SELECT 'other') END"])(
    'is not taken away by %s',
    (sql) => {
      attach();
      expect(thrownBy(() => connection.run(sql)).code).toBe('unavailable');
      expect(connection.one('SELECT count(*) FROM other.price')).toEqual([2]);
    },
  ); // prettier-ignore

  it('is neither attached nor detached while rows are read', () => {
    const reading = connection.prepare('SELECT id FROM item');
    reading.step();
    expect(thrownBy(attach).code).toBe('unavailable');
    reading.finalize();
    attach();
    const other = connection.prepare('SELECT item FROM other.price');
    other.step();
    expect(thrownBy(() => connection.detach!('Other')).code).toBe('unavailable');
    other.finalize();
  });

  it('may be written to where that was asked for', () => {
    connection.attach!({ name: 'other', location: prices, isWritable: true });
    connection.run('BEGIN IMMEDIATE');
    connection.run('DELETE FROM other.price WHERE item = 1');
    connection.run('COMMIT');
    expect(connection.all('SELECT item FROM price')).toEqual([[2]]);
  });

  it('lets SQL attach and detach memory beside it', () => {
    attach();
    connection.run("ATTACH ':memory:' AS m");
    connection.run('CREATE TABLE m.t (a)');
    connection.run('DETACH m');
    connection.detach!('Other');
    expect(thrownBy(() => connection.one('SELECT * FROM other.price')).code).toBe('sql');
    attach();
    expect(connection.one('SELECT count(*) FROM price')).toEqual([2]);
  });

  it('is refused if it is missing, is no database, or is there already', () => {
    const codeFor = (location: string): string =>
      thrownBy(() => connection.attach!({ name: 'x', location, isWritable: false })).code;
    writeFileSync(join(folder, 'noise.db'), 'no database '.repeat(500));
    expect(codeFor(join(folder, 'none.db'))).toBe('not-found');
    expect(codeFor(join(folder, 'noise.db'))).toBe('not-a-database');
    expect(codeFor(folder)).toBe('not-a-database');
    expect(codeFor(main)).toBe('unavailable');
    attach();
    expect(codeFor(prices)).toBe('unavailable');
    expect(readdirSync(folder).sort()).toEqual(['main.db', 'noise.db', 'prices.db']);
  });

  it('has views that would block SQLite, and they are refused', () => {
    const views = Array.from(
      { length: 40 },
      (_, at) => `CREATE VIEW v${at + 1} AS SELECT one.a FROM v${at} AS one, v${at} AS two`,
    );
    make(prices, `CREATE VIEW v0 AS SELECT 1 AS a; ${views.join(';')}`);
    attach();
    expect(thrownBy(() => connection.one('SELECT 1 FROM other.v40')).message).toContain('“v40”');
    expect(connection.one('SELECT * FROM other.v0')).toEqual([1]);
  });
});

describe('a transaction beside an attached file', () => {
  it.each(['NONE', 'FULL'])('locks its own file at once, and not the attached one (auto_vacuum %s)', async (vacuum) => {
    make(main, `PRAGMA auto_vacuum = ${vacuum}; VACUUM`);
    attach();
    const before = readFileSync(main);
    connection.run('BEGIN IMMEDIATE');
    const other = await holdOpen(prices, 'INSERT INTO price VALUES (3, 4)');
    try {
      expect(thrownBy(() => make(main, 'BEGIN IMMEDIATE')).code).toBe('SQLITE_BUSY');
      connection.run('COMMIT');
      expect(readFileSync(main)).toEqual(before);
      // The other program reads its file, and keeps its write lock.
      await runIn(other, 'BEGIN IMMEDIATE; SELECT * FROM price');
      expect(connection.lockedBy!('write')).toBeNull();
      connection.run("INSERT INTO item VALUES (3, 'cat')");
      expect(connection.one('SELECT count(*) FROM other.price')).toEqual([3]);
    } finally {
      other.kill();
    }
  });

  it('fails at once while another program writes to its own file, and is over then', async () => {
    attach();
    const other = await holdOpen(main, 'BEGIN IMMEDIATE');
    try {
      expect(thrownBy(() => connection.run('BEGIN IMMEDIATE')).code).toBe('locked');
      expect(connection.autocommit).toBe(true);
    } finally {
      other.kill();
    }
  });
});

it.skipIf(process.platform === 'win32')('keeps its locks when another connection to the file is closed', async () => {
  attach();
  const reading = connection.prepare('SELECT item FROM other.price');
  reading.step();
  const own = engine.open(prices, { durability: 'full' });
  own.one('SELECT 1 FROM price');
  own.close();
  const other = await holdOpen(join(folder, 'empty.db'), `ATTACH '${prices}' AS p; BEGIN IMMEDIATE`);
  try {
    const answered = Promise.race([once(other.stderr!, 'data'), once(other.stdout!, 'data')]);
    // A reader keeps a writer from committing in this journal mode.
    other.stdin!.write('DELETE FROM p.price; COMMIT\n');
    expect(String((await answered)[0])).toContain('SQLITE_BUSY');
  } finally {
    other.kill();
  }
});

describe('beside an encrypted database', () => {
  const open = async (location: string): Promise<{ readonly encrypted: Engine; readonly connection: Connection }> => {
    const encrypted = await createCipherEngine(givenKey('secret'), mkdtempSync(join(folder, 'key-')));
    return { encrypted, connection: encrypted.open(location, { durability: 'full', create: true }) };
  };

  it('is a plain file, or one with the same password', async () => {
    make(join(folder, 'same.db'), PRICES, 'secret');
    make(join(folder, 'another.db'), PRICES, 'another');
    const { connection: own } = await open(join(folder, 'own.db'));
    try {
      own.run('CREATE TABLE item (id)');
      attach(own);
      own.attach!({ name: 'same', location: join(folder, 'same.db'), isWritable: false });
      expect(own.one('SELECT count(*) FROM other.price JOIN same.price USING (item)')).toEqual([2]);
      const refused = thrownBy(() =>
        own.attach!({ name: 'x', location: join(folder, 'another.db'), isWritable: false }),
      );
      expect(refused.code).toBe('not-a-database');
      const folderRefused = thrownBy(() => own.attach!({ name: 'x', location: folder, isWritable: false }));
      expect(folderRefused).toMatchObject({
        code: 'not-a-database',
        message: expect.stringContaining('folder') as unknown,
      });
      own.run('INSERT INTO item VALUES (1)');
    } finally {
      own.close();
    }
    const again = await open(join(folder, 'own.db'));
    expect(again.connection.one('SELECT count(*) FROM item')).toEqual([1]);
    again.connection.close();
  });
});

function make(location: string, sql: string, password?: string): void {
  const library = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as typeof Database;
  const db = password === undefined ? new Database(location, { timeout: 0 }) : new library(location);
  try {
    if (password !== undefined) {
      for (const pragma of CIPHER_PRAGMAS.sqlcipher4) db.pragma(pragma);
      (db as unknown as { key(bytes: Buffer): void }).key(Buffer.from(password));
    }
    db.exec(sql);
  } finally {
    db.close();
  }
}

function runAll(sql: string): void {
  for (const statement of sql.split('; ').filter(Boolean)) connection.run(statement);
}

function thrownBy(action: () => unknown): AppError {
  try {
    action();
  } catch (error) {
    return error as AppError;
  }
  return AppError.internal('nothing was refused');
}
