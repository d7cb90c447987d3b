// Encrypted files: which key opens them, what a wrong one leaves as it was, and what is never written as plain text.
import { createRequire } from 'node:module';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CIPHERS } from '#shared/cipher-key.ts';
import type { CipherKey } from '#shared/cipher-key.ts';
import { sampled } from '#shared/seed-count.test-suite.ts';
import type { Connection } from '../../engine.ts';
import type { DatabaseConstructor } from '../runtime/load.ts';
import { createCipherEngine } from '../native-engine.ts';
import { CIPHER_PRAGMAS as PRAGMAS, givenKey } from './given-key.test-suite.ts';

const Database = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as DatabaseConstructor;
const PLAIN = 'a text that must not be found';
const RAW = `x'${'5a'.repeat(32)}'`;

let folder: string;
let path: string;
let trials: string;
let open: Connection[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-key-test-'));
  path = join(folder, 'file.db');
  trials = mkdtempSync(join(tmpdir(), 'sidelite-key-trials-'));
  open = [];
});

afterEach(() => {
  vi.unstubAllEnvs();
  for (const connection of open) connection.close();
  expect(readdirSync(trials)).toEqual([]);
  for (const each of [folder, trials]) rmSync(each, { recursive: true });
});

async function connect(key: CipherKey, options: { readonly create?: true } = {}): Promise<Connection> {
  const connection = (await createCipherEngine(key, trials)).open(path, { durability: 'full', ...options });
  open.push(connection);
  return connection;
}

/** Larger than what a key is tried on. */
const LARGE = `CREATE TABLE t(a); INSERT INTO t VALUES ('${PLAIN}'); CREATE TABLE large AS SELECT zeroblob(100000)`;

/** As another program makes it. */
function make(pragmas: readonly string[], key: string, sql = LARGE) {
  const db = new Database(path, {});
  for (const pragma of pragmas) db.prepare(`PRAGMA ${pragma}`).all();
  db.key!(Buffer.from(key));
  db.exec(sql);
  return db;
}

const everything = (): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));

describe('a file that another program has encrypted', () => {
  it.each(['sqlcipher4', ...sampled(CIPHERS.slice(1))] as const)(
    'with %s opens by its password alone, and stays readable there',
    async (cipher) => {
      make(PRAGMAS[cipher], 'secret').close();
      const connection = await connect(givenKey('secret'));
      expect(connection.all('SELECT a FROM t')).toEqual([[PLAIN]]);
      connection.run('INSERT INTO t VALUES (2)');
      connection.close();
      expect(readFileSync(path).includes(PLAIN)).toBe(false);
      const db = make(PRAGMAS[cipher], 'secret', '');
      expect(db.prepare('SELECT count(*) FROM t').pluck(true).get()).toBe(2);
      db.close();
    },
  );

  it.each(['sqlcipher4', 'sqlcipher3'] as const)('with a raw key and %s', async (cipher) => {
    make(PRAGMAS[cipher], RAW).close();
    expect((await connect(givenKey(RAW))).all('SELECT a FROM t')).toEqual([[PLAIN]]);
  });

  it.each([
    ['sqlcipher4', { kdfIterations: 1000, pageBytes: 8192 }, ['kdf_iter = 1000', 'legacy_page_size = 8192'], 'secret'],
    ['chacha20', { kdfIterations: 1000 }, ['kdf_iter = 1000'], 'secret'],
    ['chacha20', {}, [], `raw:${'5a'.repeat(32)}`],
    ['sqlcipher4', { plainHeaderBytes: 32 }, ['plaintext_header_size = 32'], `x'${'5a'.repeat(48)}'`],
  ] as const)('with settings of its own: %s %j', async (cipher, settings, pragmas, key) => {
    make([...PRAGMAS[cipher], ...pragmas], key).close();
    const given = key.startsWith('raw:') ? RAW : key;
    expect((await connect(givenKey(given, { ...settings, cipher }))).all('SELECT a FROM t')).toEqual([[PLAIN]]);
  });

  it('is in WAL mode, and its commits are told apart', async () => {
    make(PRAGMAS.sqlcipher4, 'secret', `PRAGMA journal_mode = WAL; CREATE TABLE t(a)`).close();
    const connection = await connect(givenKey('secret'));
    const before = connection.commitMark;
    connection.run('INSERT INTO t VALUES (?)', [PLAIN]);
    expect(connection.commitMark).not.toBe(before);
    const copied = [...connection.copyCommitted()].map(({ part }) => part);
    expect(copied).toEqual(['file', 'wal']);
    expect(readFileSync(`${path}-wal`).includes(PLAIN)).toBe(false);
    connection.checkpoint();
    connection.run('PRAGMA journal_mode = DELETE');
    expect([...connection.copyCommitted()].map(({ part }) => part)).toEqual(['file']);
  });
});

describe('a key that does not fit', () => {
  it('changes nothing, not even a journal that another program has left', async () => {
    const db = make(PRAGMAS.sqlcipher4, 'secret');
    db.exec(`PRAGMA cache_size = 5; BEGIN;
      INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT zeroblob(1000) FROM n`);
    const left = join(folder, 'left');
    mkdirSync(left);
    for (const suffix of ['', '-journal']) cpSync(path + suffix, join(left, `file.db${suffix}`));
    db.close();
    path = join(left, 'file.db');
    folder = left;
    const before = everything();
    expect(Object.keys(before)).toEqual(['file.db', 'file.db-journal']);
    await expect(connect(givenKey('wrong'))).rejects.toMatchObject({
      code: 'not-a-database',
      message: expect.stringMatching(/^The key does not open “file\.db”.+ Nothing was changed\.$/) as unknown,
    });
    expect(everything()).toEqual(before);
    expect((await connect(givenKey('secret'))).all('SELECT a FROM t')).toEqual([[PLAIN]]);
    folder = join(left, '..');
  });

  it('is told from a damaged first page, as long as the salt is there', async () => {
    make(PRAGMAS.sqlcipher4, 'secret', `CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(20000))`).close();
    const content = readFileSync(path);
    content[200]! ^= 1;
    writeFileSync(path, content);
    await expect(connect(givenKey('secret'))).rejects.toMatchObject({ code: 'corrupt' });
    await expect(connect(givenKey('wrong'))).rejects.toMatchObject({ code: 'not-a-database' });
  });

  it('is one for a file that is not encrypted', async () => {
    new Database(path, {}).exec('CREATE TABLE t(a)');
    await expect(connect(givenKey('secret'))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('not encrypted') as unknown,
    });
  });

  it('and neither is in the message nor in anything else of the error', async () => {
    make(PRAGMAS.sqlcipher4, 'secret').close();
    const error = await connect(givenKey('hunter2')).catch((thrown: unknown) => thrown as Error);
    expect(JSON.stringify(error) + (error as Error).message + (error as Error).stack).not.toContain('hunter2');
  });
});

it.each([
  { cipher: 'rc4', kdfIterations: 1000 },
  { cipher: 'chacha20', pageBytes: 4096 },
  { cipher: 'aes256', plainHeaderBytes: 32 },
] as const)('a setting that the cipher does not have is refused: %j', async (settings) => {
  await expect(connect(givenKey('secret', settings), { create: true })).rejects.toMatchObject({ code: 'invalid' });
  expect(readdirSync(folder)).toEqual([]);
});

describe('what is written', () => {
  it('a new file is one of SQLCipher 4, which opens by the password', async () => {
    const connection = await connect(givenKey('secret'), { create: true });
    connection.run('CREATE TABLE t(a)');
    connection.run('INSERT INTO t VALUES (?)', [PLAIN]);
    connection.close();
    const db = make(PRAGMAS.sqlcipher4, 'secret', '');
    expect(db.prepare('SELECT a FROM t').pluck(true).all()).toEqual([PLAIN]);
    db.close();
    expect(everything()['file.db']).toBeDefined();
    expect(readFileSync(path).includes(PLAIN)).toBe(false);
  });

  it('sorted rows and temporary tables stay in memory, and a script cannot change that', async () => {
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const connection = await connect(givenKey('secret'), { create: true });
    vi.stubEnv('SQLITE_TMPDIR', temporary);
    vi.stubEnv('TMPDIR', temporary);
    for (const sql of ['PRAGMA temp_store = FILE', 'PRAGMA temp_store(1)', 'EXPLAIN PRAGMA temp_store = 0'])
      expect(() => connection.run(sql)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    connection.run('PRAGMA temp_store = MEMORY');
    expect(connection.one('PRAGMA temp_store')).toEqual([2]);
    for (const sql of ["PRAGMA rekey = 'x'", "PRAGMA key = 'x'", 'PRAGMA cipher = rc4', "ATTACH 'x.db' AS x KEY 'y'"])
      expect(() => connection.run(sql)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(connection.one("SELECT sqlite3mc_config('cipher', 'rc4')")).toEqual([null]);
  });

  it('the content as a file without a key, for an export', async () => {
    const connection = await connect(givenKey('secret'), { create: true });
    connection.run('CREATE TABLE t(a)');
    connection.run('INSERT INTO t VALUES (?)', [PLAIN]);
    const plain = new Database(connection.plainContent!()!, {});
    expect(plain.prepare('SELECT a FROM t').pluck(true).all()).toEqual([PLAIN]);
    plain.close();
    expect(existsSync(`${path}-journal`)).toBe(false);
  });

  it('it is not replaced as a whole, which SQLite does without a key', async () => {
    const connection = await connect(givenKey('secret'), { create: true });
    connection.run('CREATE TABLE t(a)');
    expect(() => connection.restoreFrom(path)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});
