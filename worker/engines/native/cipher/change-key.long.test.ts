// Keys changed here, judged by others: SQLCipher, SQLite3 Multiple Ciphers in apsw, and a plain SQLite read the file before and afterwards.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CIPHER_PROGRAMS } from '../../../../build/cipher-packages.test-suite.ts';
import { ensurePypiPackages } from '../../../../build/pypi-packages.ts';
import type { CipherKey } from '#shared/cipher-key.ts';
import type { DatabaseConstructor } from '../runtime/load.ts';
import { changeKey } from './change-key.ts';
import { givenKey } from './given-key.test-suite.ts';

const packages = await ensurePypiPackages(CIPHER_PROGRAMS);
const Ciphered = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as DatabaseConstructor;

/** Opens a database by PRAGMAs, runs statements, and prints the rows of queries. */
const PYTHON = `
import json, sys
program, path, pragmas, script, queries = sys.argv[1:]
if program == 'apsw':
    import apsw
    db = apsw.Connection(path)
else:
    if program == 'sqlcipher': from sqlcipher3 import dbapi2 as module
    else: import sqlite3 as module
    db = module.connect(path, isolation_level=None)
for sql in json.loads(pragmas): db.execute('PRAGMA ' + sql).fetchall()
for sql in json.loads(script): db.execute(sql).fetchall()
print(json.dumps([db.execute(sql).fetchall() for sql in json.loads(queries)]))
db.close()
`;

interface File {
  readonly program: 'plain' | 'sqlcipher' | 'apsw';
  readonly pragmas: readonly string[];
  readonly key: CipherKey | null;
}

const RAW = `x'${'5a'.repeat(32)}'`;
const FILES: Readonly<Record<string, File>> = {
  'no key': { program: 'plain', pragmas: [], key: null },
  'SQLCipher 4': { program: 'sqlcipher', pragmas: ["key = 'secret'"], key: givenKey('secret') },
  'SQLCipher 3': {
    program: 'sqlcipher',
    pragmas: ["key = 'secret'", 'cipher_compatibility = 3'],
    key: givenKey('secret', { cipher: 'sqlcipher3' }),
  },
  'SQLCipher 4 with larger pages': {
    program: 'sqlcipher',
    pragmas: ["key = 'secret'", 'cipher_page_size = 8192'],
    key: givenKey('secret', { cipher: 'sqlcipher4', pageBytes: 8192 }),
  },
  'a raw key': { program: 'sqlcipher', pragmas: [`key = "${RAW}"`], key: givenKey(RAW) },
  ChaCha20: {
    program: 'apsw',
    pragmas: ["cipher = 'chacha20'", "key = 'secret'"],
    key: givenKey('secret', { cipher: 'chacha20' }),
  },
  'AES-256': {
    program: 'apsw',
    pragmas: ["cipher = 'aes256cbc'", "key = 'secret'"],
    key: givenKey('secret', { cipher: 'aes256' }),
  },
  Ascon: {
    program: 'apsw',
    pragmas: ["cipher = 'ascon128'", "key = 'secret'"],
    key: givenKey('secret', { cipher: 'ascon' }),
  },
};

const MAKE = [
  'PRAGMA user_version = 7', 'PRAGMA application_id = 9',
  'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b REAL)',
  "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i * 3, 'text ' || i, i / 7.0 FROM n",
  'CREATE TABLE u (a)', 'INSERT INTO u (rowid, a) VALUES (3, 1), (9, 2)', 'CREATE INDEX t_b ON t (b DESC, a)',
  "CREATE VIRTUAL TABLE words USING fts5 (body)", "INSERT INTO words VALUES ('one two'), ('three')", 'ANALYZE',
]; // prettier-ignore
const QUERIES = [
  'SELECT * FROM t', 'SELECT rowid, * FROM u', "SELECT rowid FROM words WHERE words MATCH 'two'", 'PRAGMA user_version', 'PRAGMA application_id',
  'SELECT type, name, sql FROM sqlite_schema', 'SELECT * FROM sqlite_stat1', 'SELECT a FROM t WHERE b > 400 ORDER BY b DESC', 'PRAGMA integrity_check',
]; // prettier-ignore

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'judged-'));
  path = join(folder, 'file.db');
  mkdirSync(join(folder, 'trials'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function ask({ program, pragmas }: File, script: readonly string[], queries: readonly string[]): unknown[] {
  const args = [program, path, ...[pragmas, script, queries].map((each) => JSON.stringify(each))];
  const output = execFileSync('python3', ['-c', PYTHON, ...args], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: 'folder' in packages ? packages.folder : '' },
    maxBuffer: 1 << 28,
  });
  return JSON.parse(output.toString()) as unknown[];
}

const names = Object.keys(FILES);
const pairs = names.flatMap((from) => names.map((to) => [from, to] as const));

test.skipIf('why' in packages).each(pairs.filter(([from, to]) => from !== to || from !== 'no key'))(
  '%s to %s',
  (fromName, toName) => {
    const [from, to] = [FILES[fromName]!, FILES[toName]!];
    ask(from, MAKE, []);
    const before = ask(from, [], QUERIES);
    expect(before.at(-1)).toEqual([['ok']]);
    for (const _ of changeKey(Ciphered, { path, from: from.key, to: to.key, folder: join(folder, 'trials') }));
    expect(ask(to, [], QUERIES)).toEqual(before);
    if (to.program === 'sqlcipher') expect(ask(to, [], ['PRAGMA cipher_integrity_check'])).toEqual([[]]);
    // It can be written to, too.
    ask(to, ["INSERT INTO t VALUES (1, 'more', 0)"], []);
    expect(ask(to, [], ['PRAGMA integrity_check'])).toEqual([[['ok']]]);
    expect(readdirSync(folder)).toEqual(['file.db', 'trials']);
  },
);
