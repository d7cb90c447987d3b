// A file whose key tests change: what is in it, how another program makes and reads it, and that a refusal changes nothing.
import { createRequire } from 'node:module';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { CIPHERS } from '#shared/cipher-key.ts';
import type { Cipher, CipherKey } from '#shared/cipher-key.ts';
import type { Database, DatabaseConstructor } from '../runtime/load.ts';
import { changeKey } from './change-key.ts';
import { CIPHER_PRAGMAS, givenKey } from './given-key.test-suite.ts';
import { isSqlCipher } from './sqlcipher.ts';

export const Ciphered = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as DatabaseConstructor;
export const PLAIN = 'a text that must not be found';
export type Kind = Cipher | 'plain';
export const KINDS: readonly Kind[] = ['plain', ...CIPHERS];

/** One of each thing that a copy could lose or change. */
export const EVERYTHING = `
  PRAGMA auto_vacuum = INCREMENTAL; PRAGMA user_version = 42; PRAGMA application_id = 77;
  CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE DEFAULT 'x', b REAL, c BLOB, UNIQUE (a, b));
  INSERT INTO t VALUES (1, '${PLAIN}', 1.0, x'00ff'), (5, NULL, 1e300, zeroblob(20000)), (-3, 'Ä' || char(0) || 'x', -0.5, NULL);
  CREATE INDEX t_c ON t (c DESC) WHERE c IS NOT NULL; CREATE INDEX t_e ON t (lower(a), id);
  CREATE TABLE spread (q, r REAL, "select" TEXT NOT NULL, g AS (q + 1), s AS (q * 2) STORED);
  INSERT INTO spread (rowid, q, r, "select") VALUES (7, 1, 5, 'a'), (9, '1', 2.5, 'b'), (-1, x'01', NULL, 'c');
  CREATE TABLE generated (a UNIQUE, g AS (a + 1), s AS (a * 2) STORED UNIQUE); INSERT INTO generated (rowid, a) VALUES (4, 1), (2, 2);
  CREATE TABLE keyed (a INT, g AS (a + 1), s AS (a * 2) STORED UNIQUE, PRIMARY KEY (a)) WITHOUT ROWID; INSERT INTO keyed VALUES (4), (2);
  CREATE TABLE named (rowid TEXT, v); INSERT INTO named (_rowid_, rowid, v) VALUES (3, 'r', 1), (8, 's', 2);
  CREATE TABLE none (k TEXT, l INT, v, PRIMARY KEY (l DESC, k)) WITHOUT ROWID; INSERT INTO none VALUES ('a', 1, 2), ('b', 1, 3);
  CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO auto VALUES (10, 'x'); DELETE FROM auto;
  CREATE TABLE strict (id INTEGER PRIMARY KEY, a ANY, CHECK (a <> 3)) STRICT; INSERT INTO strict VALUES (1, '1'), (2, 1);
  CREATE VIRTUAL TABLE words USING fts5 (body); INSERT INTO words VALUES ('one two'), ('three');
  CREATE VIRTUAL TABLE boxes USING rtree (id, x0, x1); INSERT INTO boxes VALUES (1, 0, 1);
  CREATE TABLE later (a); INSERT INTO later VALUES (1); ALTER TABLE later ADD COLUMN b DEFAULT 'added'; CREATE TABLE empty (a);
  CREATE VIEW v AS SELECT * FROM t JOIN missing; CREATE TRIGGER tr AFTER INSERT ON t BEGIN DELETE FROM spread; END;
  CREATE TABLE child (p REFERENCES t (id)); PRAGMA foreign_keys = OFF; INSERT INTO child VALUES (99);
  ANALYZE;`;

export let folder: string;
/** For copies of first pages. */
export let trials: string;
export let path: string;

/** Call in each file of tests: new folders for each test. */
export function useFolders(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'change-key-'));
    trials = mkdtempSync(join(tmpdir(), 'change-key-trials-'));
    path = join(folder, 'file.db');
  });

  afterEach(() => {
    expect(readdirSync(trials)).toEqual([]);
    for (const each of [folder, trials]) rmSync(each, { recursive: true });
  });
}

/** As another program opens it. */
export function open(kind: Kind, secret = 'old', pragmas: readonly string[] = [], at = path, timeout = 5000) {
  const db = new Ciphered(at, { timeout });
  if (kind !== 'plain') {
    for (const pragma of [...CIPHER_PRAGMAS[kind], ...(isSqlCipher(kind) ? ['kdf_iter = 1000'] : []), ...pragmas])
      db.prepare(`PRAGMA ${pragma}`).all();
    db.key!(Buffer.from(secret));
  }
  return db;
}

export function make(kind: Kind, sql: string = EVERYTHING): void {
  const db = open(kind);
  db.exec(sql);
  db.close();
}

export const keyFor = (kind: Kind, secret: string): CipherKey | null =>
  kind === 'plain' ? null : givenKey(secret, { cipher: kind, kdfIterations: isSqlCipher(kind) ? 1000 : null });

/** A password takes some 80 ms with the usual number of rounds. */
export const quickKey = (secret: string, settings: Partial<CipherKey> = {}): CipherKey =>
  givenKey(secret, { kdfIterations: 1000, ...settings });

export function change(from: CipherKey | null, to: CipherKey | null, at = path): void {
  for (const _ of changeKey(Ciphered, { path: at, from, to, folder: trials })) {
    // Nobody stops it.
  }
}

/** All that can be read, by another way than the one that is tested. */
export function contentOf(kind: Kind, secret: string, pragmas: readonly string[] = [], at = path): unknown {
  const db = open(kind, secret, pragmas, at);
  try {
    const all = (sql: string): unknown => db.prepare(sql).raw(true).safeIntegers(true).all();
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck(true).all() as string[];
    return {
      schema: all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid'),
      settings: ['encoding', 'auto_vacuum', 'user_version', 'application_id', 'schema_version', 'journal_mode'].map(
        (name) => all(`PRAGMA ${name}`),
      ),
      rows: tables.map((name) => [name, rowsOf(db, name)]),
      check: all('PRAGMA integrity_check'),
    };
  } finally {
    db.close();
  }
}

function rowsOf(db: Database, table: string): unknown {
  const all = (columns: string): unknown =>
    db.prepare(`SELECT ${columns} FROM "${table}" NOT INDEXED`).raw(true).safeIntegers(true).all();
  try {
    return all('_rowid_, *');
  } catch {
    // It has none.
    return all('*');
  }
}

export const everything = (): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));

/** Neither the file nor anything beside it changes. */
export function expectRefused(from: CipherKey | null, to: CipherKey | null, error: object): void {
  const before = everything();
  expect(() => change(from, to)).toThrow(expect.objectContaining(error));
  expect(everything()).toEqual(before);
}

export const saying = (pattern: RegExp): unknown => expect.stringMatching(pattern);
