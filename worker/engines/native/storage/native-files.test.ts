// Files of others, in place: read-only, locked, damaged, moved away, changed by other programs, enormous.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync, closeSync, copyFileSync, existsSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync,
  symlinkSync, unlinkSync, writeFileSync,
} from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection, Engine } from '../../engine.ts';
import type { TransactionChanges } from '../../transaction-changes.ts';
import type { NativeConnection } from '../connection.ts';
import { createNativeEngine } from '../native-engine.ts';
import { holdOpen } from './other-program.test-suite.ts';

const NOBODY = 65_534;

let engine: Engine;
let folder: string;
let path: string;
const open: Connection[] = [];

beforeAll(async () => {
  engine = await createNativeEngine();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-native-files-'));
  chmodSync(folder, 0o777);
  path = join(folder, 'file.sqlite3');
});

afterEach(() => {
  for (const connection of open.splice(0)) connection.close();
  chmodSync(folder, 0o777);
  rmSync(folder, { recursive: true });
});

describe('a file in place', () => {
  it('keeps the journal mode and page size it has', () => {
    make('PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; CREATE TABLE t(a)');
    const connection = connect();
    connection.run('INSERT INTO t VALUES (1)');
    expect(connection.one('PRAGMA journal_mode')).toEqual(['wal']);
    expect(connection.one('PRAGMA page_size')).toEqual([1024]);
  });

  it('is closed to what a hostile schema or script could try', () => {
    const connection = connect({ create: true });
    expect(connection.one('PRAGMA trusted_schema')).toEqual([0]);
    expect(connection.one('PRAGMA cell_size_check')).toEqual([1]);
    connection.run('CREATE TABLE t(a)');
    connection.run('INSERT INTO t VALUES (1), (2)');
    expect(codeOf(() => connection.one("SELECT load_extension('x')"))).toBe('sql');
    connection.run('PRAGMA writable_schema = ON');
    const reading = connection.prepare('SELECT a FROM t');
    reading.step();
    // With an active reader better-sqlite3 writes without defensive mode: what was prepared before was judged with it.
    connection.run('INSERT INTO t VALUES (3)');
    expect(codeOf(() => connection.run("UPDATE sqlite_schema SET sql = 'x'"))).toBe('sql');
    reading.finalize();
    expect(codeOf(() => connection.run("UPDATE sqlite_schema SET sql = 'x'"))).toBe('sql');
  });

  it('is opened once', () => {
    connect({ create: true });
    expect(codeOf(() => connect())).toBe('unavailable');
    open.pop()!.close();
    connect();
  });

  it('says what is wrong with a path', () => {
    expect(codeOf(() => connect())).toBe('not-found');
    mkdirSync(path);
    expect(codeOf(() => connect())).toBe('not-a-database');
    path = `${path} `;
    expect(codeOf(() => connect({ create: true }))).toBe('unavailable');
  });
});

describe('what has the name of a file of SQLite beside a database', () => {
  it.each(['-wal', '-shm', '-journal'])('%s is no file: SQLite is not asked', (suffix) => {
    make('PRAGMA journal_mode = WAL; CREATE TABLE t(a)');
    for (const readOnly of [false, true]) {
      execFileSync('mkfifo', [path + suffix]);
      expect(() => connect({ readOnly })).toThrow(`“file.sqlite3${suffix}” has the name`);
      rmSync(path + suffix);
      for (const target of ['precious', 'missing']) {
        writeFileSync(join(folder, 'precious'), 'precious');
        symlinkSync(target, path + suffix);
        expect(() => connect({ readOnly })).toThrow(`“file.sqlite3${suffix}” has the name`);
        rmSync(path + suffix);
      }
    }
    expect(readdirSync(folder).toSorted()).toEqual(['file.sqlite3', 'precious']);
    connect();
  });

  it.each(['-wal', '-journal'])('%s is another file: it stays', (suffix) => {
    for (const sql of ['', 'CREATE TABLE t(a)', 'PRAGMA journal_mode = WAL; CREATE TABLE u(a)']) {
      if (sql !== '') make(sql);
      writeFileSync(path + suffix, 'precious');
      expect(() => connect({ create: true })).toThrow('is another file');
      expect(readFileSync(path + suffix, 'utf8')).toBe('precious');
      expect(existsSync(path)).toBe(sql !== '');
      rmSync(path + suffix);
    }
    // Read, it cannot be lost.
    writeFileSync(path + suffix, suffix === '-wal' ? 'precious' : '');
    connect({ readOnly: true });
  });
});

describe('a file that can only be read', () => {
  it('because that was requested, is read, with what others write; writing is refused and changes no byte of it', () => {
    make('CREATE TABLE t(a); INSERT INTO t VALUES (1)');
    const before = readFileSync(path);
    const connection = connect({ readOnly: true });
    expect((connection as NativeConnection).whyReadOnly).toContain('opened read-only, as requested');
    expect(codeOf(() => connection.run('UPDATE t SET a = 2'))).toBe('unavailable');
    expect(readFileSync(path)).toEqual(before);
    make('UPDATE t SET a = 3');
    expect(connection.all('SELECT a FROM t')).toEqual([[3]]);
  });

  it('is read; writing is refused with the reason', () => {
    make('CREATE TABLE t(a); INSERT INTO t VALUES (1)');
    chmodSync(path, 0o444);
    asNobody(() => {
      const connection = connect();
      expect((connection as NativeConnection).whyReadOnly).toContain('read-only');
      expect(connection.all('SELECT a FROM t')).toEqual([[1]]);
      expect(codeOf(() => connection.run('INSERT INTO t VALUES (2)'))).toBe('unavailable');
      open.pop()!.close();
    });
  });

  it('is read where its folder cannot be written to; writing is refused with the reason', () => {
    make('CREATE TABLE t(a); INSERT INTO t VALUES (1)');
    chmodSync(path, 0o666);
    chmodSync(folder, 0o555);
    asNobody(() => {
      const connection = connect();
      expect(connection.all('SELECT a FROM t')).toEqual([[1]]);
      expect(() => connection.run('INSERT INTO t VALUES (2)')).toThrow('folder');
      open.pop()!.close();
    });
  });

  it('cannot be read in WAL mode, and says why', () => {
    make('PRAGMA journal_mode = WAL; CREATE TABLE t(a)');
    chmodSync(path, 0o444);
    chmodSync(folder, 0o555);
    asNobody(() => expect(() => connect()).toThrow('It is in WAL mode'));
  });

  it('cannot be read with an unfinished transaction, and says where that is', () => {
    make('CREATE TABLE t(a)');
    const other = new Database(path);
    other.exec(
      'PRAGMA cache_size = 5; BEGIN; INSERT INTO t VALUES (randomblob(200000)); UPDATE t SET a = randomblob(200000)',
    );
    const crashed = join(folder, 'crashed.sqlite3');
    copyFileSync(path, crashed);
    copyFileSync(`${path}-journal`, `${crashed}-journal`);
    other.close();
    path = crashed;
    const left = 'left an unfinished transaction in “crashed.sqlite3-journal”';
    expect(() => connect({ readOnly: true, whyReadOnly: 'This is a reason.' })).toThrow(
      `This is a reason. Another program ${left}`,
    );
    chmodSync(path, 0o666);
    chmodSync(`${path}-journal`, 0o666);
    chmodSync(folder, 0o555);
    asNobody(() =>
      expect(() => connect()).toThrow(`The folder of this file cannot be written to. Another program ${left}`),
    );
    chmodSync(folder, 0o777);
    expect(connect().all('SELECT count(*) FROM t')).toEqual([[0]]);
  });
});

describe('a file that another program uses', () => {
  let other: ChildProcess;
  afterEach(() => void other.kill());

  it('is waited for shortly, then refused with the name of the program', async () => {
    make('CREATE TABLE t(a)');
    const connection = connect();
    other = await holdOpen(path, 'BEGIN EXCLUSIVE');
    const startedAt = performance.now();
    let error: unknown;
    try {
      connection.run('INSERT INTO t VALUES (1)');
    } catch (thrown) {
      error = thrown;
    }
    // The engine’s own default is 5 seconds.
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(error).toMatchObject({ code: 'locked' });
    if (process.platform === 'linux') expect((error as Error).message).toContain(`process ${other.pid}`);
    other.kill('SIGKILL');
    await once(other, 'exit');
    connection.run('INSERT INTO t VALUES (1)');
    expect(connection.all('SELECT a FROM t')).toEqual([[1]]);
  });

  it('cannot be opened while it is locked for reading too', async () => {
    make('CREATE TABLE t(a)');
    other = await holdOpen(path, 'BEGIN EXCLUSIVE');
    expect(codeOf(() => connect())).toBe('locked');
  });

  it('loses no lock of ours when bytes of the file are read past SQLite', async () => {
    make('CREATE TABLE t(a)');
    const connection = connect();
    connection.run('BEGIN IMMEDIATE');
    connection.readFile(0, 100);
    expect(connection.commitMark).toContain('file');
    other = await holdOpen(path, 'SELECT 1; PRAGMA busy_timeout = 0; BEGIN IMMEDIATE').catch((error: unknown) => {
      expect(String(error)).toContain('locked');
      return spawn(process.execPath, ['-e', '']);
    });
    connection.run('COMMIT');
  });
});

describe('a file that changes under us', () => {
  it('may get other columns: statements see them, changes are told as before', () => {
    make('CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 1, 1)');
    const connection = connect();
    const published: TransactionChanges[] = [];
    connection.onCommit((changes) => published.push(changes));
    connection.run('UPDATE t SET b = 2');
    expect(connection.all('SELECT * FROM t')).toEqual([[1, 1, 2]]);
    beside('ALTER TABLE t DROP COLUMN b');
    expect(codeOf(() => connection.all('SELECT * FROM t'))).toBe('conflict');
    expect(connection.all('SELECT * FROM t')).toEqual([[1, 1]]);
    connection.run('UPDATE t SET a = 2');
    expect([...published.at(-1)!.tables!.get('t')!.columns!]).toEqual(['a']);
  });

  it('may be deleted: reading goes on, writing is refused', () => {
    make('CREATE TABLE t(a); INSERT INTO t VALUES (1)');
    const connection = connect();
    connection.all('SELECT * FROM t');
    unlinkSync(path);
    expect(connection.all('SELECT a FROM t')).toEqual([[1]]);
    expect(() => connection.run('INSERT INTO t VALUES (2)')).toThrow('moved or replaced');
  });
});

describe('rows that REPLACE removes', () => {
  const published: TransactionChanges[] = [];
  const replace = (sql: string): TransactionChanges => {
    make(sql);
    const connection = connect();
    published.length = 0;
    connection.onCommit((changes) => published.push(changes));
    connection.run("REPLACE INTO t VALUES (2, 'one')");
    expect(connection.one('SELECT count(*) FROM t')).toEqual([1]);
    expect(connection.one('PRAGMA recursive_triggers')).toEqual([0]);
    return published[0]!;
  };
  const TABLE = "CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE); INSERT INTO t VALUES (1, 'one')";

  it('are named, and the person’s own setting is what a pragma answers', () => {
    const { keys, deleted } = replace(TABLE).tables!.get('t')!;
    expect([deleted, keys]).toEqual([true, { kind: 'rowid', rowids: BigInt64Array.of(1n, 2n) }]);
  });

  it('are not named where the table has triggers, which fire as they always did', () => {
    const deleting =
      'CREATE TABLE log(a); CREATE TRIGGER gone AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.id); END';
    const { keys, deleted } = replace(`${TABLE}; ${deleting}`).tables!.get('t')!;
    expect([deleted, keys]).toEqual([true, null]);
    expect(open[0]!.all('SELECT * FROM log')).toEqual([]);
  });
});

describe('a file that is damaged', () => {
  it.each([
    [
      'is no database',
      'not-a-database',
      (): void => writeFileSync(path, 'This is a text file, and no short one. '.repeat(100)),
    ],
    ['is of a newer format', 'too-new', (): void => patch(18, Uint8Array.of(9, 9))],
  ])('%s', (_name, code, damage) => {
    make('CREATE TABLE t(a)');
    damage();
    expect(codeOf(() => connect())).toBe(code);
  });

  it('has a page of nonsense', () => {
    make('PRAGMA page_size = 1024; CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(5000))');
    patch(1024, new Uint8Array(1024).fill(0xff));
    const connection = connect();
    expect(codeOf(() => connection.all('SELECT * FROM t'))).toBe('corrupt');
  });
});

describe('a file of 50 GB', () => {
  it('opens at once', () => {
    make('CREATE TABLE t(a); INSERT INTO t VALUES (1)');
    const descriptor = openSync(path, 'r+');
    ftruncateSync(descriptor, 50 * 2 ** 30);
    closeSync(descriptor);
    const startedAt = performance.now();
    const connection = connect();
    expect(connection.all('SELECT a FROM t')).toEqual([[1]]);
    connection.run('INSERT INTO t VALUES (2)');
    expect(connection.commitMark).not.toBe('');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(connection.fileSizeBytes).toBeGreaterThan(0);
  });
});

function connect(options: { create?: boolean; readOnly?: boolean; whyReadOnly?: string } = {}): Connection {
  const connection = engine.open(path, { durability: 'full', ...options });
  open.push(connection);
  return connection;
}

function make(sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

/** Acts as another program would, bypassing the engine. */
function beside(sql: string): void {
  make(sql);
}

function patch(offset: number, bytes: Uint8Array): void {
  const content = readFileSync(path);
  content.set(bytes, offset);
  writeFileSync(path, content);
  expect(statSync(path).size).toBe(content.length);
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'nothing was refused';
}

/** Root may write to everything. */
function asNobody(action: () => void): void {
  if (process.geteuid!() !== 0) return action();
  process.seteuid!(NOBODY);
  try {
    action();
  } finally {
    process.seteuid!(0);
  }
}
