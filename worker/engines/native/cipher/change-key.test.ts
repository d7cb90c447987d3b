// Setting, changing, and removing a key: what is in the file afterwards.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampled } from '#shared/seed-count.test-suite.ts';
import {
  change, contentOf, EVERYTHING, expectRefused, folder, keyFor, KINDS, make, open, path, PLAIN, quickKey, saying, useFolders,
} from './changed-file.test-suite.ts'; // prettier-ignore
import type { Kind } from './changed-file.test-suite.ts';
import { CIPHER_PRAGMAS, givenKey } from './given-key.test-suite.ts';

useFolders();

describe('all that a file holds is the same', () => {
  const pairs = KINDS.flatMap((from) => KINDS.map((to) => [from, to] as const)).filter(
    ([from, to]) => from !== to || from !== 'plain',
  );

  it.each([
    ['plain', 'sqlcipher4'] as const,
    ['sqlcipher4', 'sqlcipher4'] as const,
    ['sqlcipher4', 'plain'] as const,
    ...sampled(pairs, 15),
  ])('%s to %s', (from, to) => {
    make(from);
    const before = contentOf(from, 'old');
    change(keyFor(from, 'old'), keyFor(to, 'new'));
    expect(contentOf(to, 'new')).toEqual(before);
    expect(readdirSync(folder)).toEqual(['file.db']);
    expect(readFileSync(path).includes(PLAIN)).toBe(to === 'plain');
  });
});

describe('the pages', () => {
  const pageBytes = (kind: Kind, pragmas: readonly string[] = []): unknown => {
    const db = open(kind, 'new', pragmas);
    const bytes = db.prepare('PRAGMA page_size').pluck(true).get();
    db.close();
    return bytes;
  };

  it.each([512, 8192, 65_536])('keep their %d bytes where the cipher does not prescribe a size', (bytes) => {
    make('plain', `PRAGMA page_size = ${bytes}; ${EVERYTHING}`);
    const before = contentOf('plain', '');
    change(null, keyFor('chacha20', 'new'));
    expect([pageBytes('chacha20'), contentOf('chacha20', 'new')]).toEqual([bytes, before]);
    change(keyFor('chacha20', 'new'), keyFor('sqlcipher4', 'new'));
    expect([pageBytes('sqlcipher4'), contentOf('sqlcipher4', 'new')]).toEqual([4096, before]);
    change(keyFor('sqlcipher4', 'new'), quickKey('new', { pageBytes: 16_384 }));
    const pragmas = ['legacy_page_size = 16384'];
    expect([pageBytes('sqlcipher4', pragmas), contentOf('sqlcipher4', 'new', pragmas)]).toEqual([16_384, before]);
    change(quickKey('new', { pageBytes: 16_384 }), null);
    // The last of the three sizes stays.
    expect([pageBytes('plain'), readFileSync(path)[20]]).toEqual([16_384, 0]);
    expect(contentOf('plain', '')).toEqual(before);
  });

  it('may keep more bytes free than an older format needs, as those do that SQLCipher 4 makes', () => {
    const db = open('sqlcipher4');
    for (const pragma of [...CIPHER_PRAGMAS.sqlcipher3, 'kdf_iter = 1000']) db.exec(`PRAGMA ${pragma}`);
    db.key!(Buffer.from('old'));
    db.exec(EVERYTHING);
    expect(db.serialize()[20]).toBe(80);
    db.close();
    const before = contentOf('sqlcipher3', 'old');
    change(keyFor('sqlcipher3', 'old'), keyFor('sqlcipher3', 'new'));
    expect(contentOf('sqlcipher3', 'new')).toEqual(before);
    const changed = open('sqlcipher3', 'new');
    expect(changed.serialize()[20]).toBe(48);
    changed.close();
  });

  it.each(['UTF-16le', 'UTF-16be'])('of a database in %s', (encoding) => {
    make('plain', `PRAGMA encoding = '${encoding}'; ${EVERYTHING}`);
    const before = contentOf('plain', '');
    change(null, keyFor('sqlcipher4', 'new'));
    expect(contentOf('sqlcipher4', 'new')).toEqual(before);
    change(keyFor('sqlcipher4', 'new'), null);
    expect(contentOf('plain', '')).toEqual(before);
  });
});

describe('a key', () => {
  it('may be a raw one before and after, with settings of its own', () => {
    make('plain');
    const before = contentOf('plain', '');
    const raw = `x'${'5a'.repeat(32)}'`;
    const salted = `x'${'5a'.repeat(32)}${'01'.repeat(16)}'`;
    change(null, givenKey(raw));
    expect(contentOf('sqlcipher4', raw)).toEqual(before);
    change(givenKey(raw), givenKey(salted, { plainHeaderBytes: 32 }));
    expect(readFileSync(path).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect(contentOf('sqlcipher4', salted, ['plaintext_header_size = 32'])).toEqual(before);
    change(givenKey(salted, { plainHeaderBytes: 32 }), givenKey('new', { cipher: 'chacha20', kdfIterations: 1000 }));
    expect(contentOf('chacha20', 'new', ['kdf_iter = 1000'])).toEqual(before);
    change(givenKey('new', { cipher: 'chacha20', kdfIterations: 1000 }), keyFor('chacha20', 'other'));
    expect(contentOf('chacha20', 'other')).toEqual(before);
    change(keyFor('chacha20', 'other'), quickKey('new'));
    change(quickKey('new'), givenKey('new'));
    expect(contentOf('sqlcipher4', 'new', ['kdf_iter = 256000'])).toEqual(before);
  });

  it('need not name the cipher that the file has, and gets a new salt', () => {
    make('sqlcipher4');
    const salt = readFileSync(path).subarray(0, 16);
    change(quickKey('old'), quickKey('new'));
    expect(readFileSync(path).subarray(0, 16).equals(salt)).toBe(false);
  });
});

describe('what another program has left beside the file', () => {
  /** Copied while it was open, as if the program had been killed. */
  function leave(kind: Kind, sql: string, suffix: string): void {
    const db = open(kind);
    db.exec(sql);
    const left = join(folder, 'left');
    mkdirSync(left);
    for (const each of ['', suffix]) copyFileSync(path + each, join(left, `file.db${each}`));
    db.close();
    for (const name of readdirSync(folder)) if (name !== 'left') rmSync(join(folder, name));
    for (const name of readdirSync(left)) renameSync(join(left, name), join(folder, name));
    rmSync(left, { recursive: true });
  }

  it.each([['plain', 'sqlcipher4'] as const, ['sqlcipher4', 'sqlcipher4'] as const, ['chacha20', 'plain'] as const])(
    'a log: %s to %s has what was committed, and stays in WAL mode',
    (from, to) => {
      leave(from, `PRAGMA journal_mode = WAL; ${EVERYTHING}`, '-wal');
      expect(readdirSync(folder)).toEqual(['file.db', 'file.db-wal']);
      change(keyFor(from, 'old'), keyFor(to, 'new'));
      expect(readdirSync(folder)).toEqual(['file.db']);
      const db = open(to, 'new');
      expect(db.prepare('PRAGMA journal_mode').pluck(true).get()).toBe('wal');
      expect(db.prepare('SELECT a FROM t WHERE id = 1').pluck(true).get()).toBe(PLAIN);
      db.close();
    },
  );

  it.each([['plain', 'sqlcipher4'] as const, ['sqlcipher4', 'sqlcipher4'] as const])(
    'a journal: %s to %s has what was there before the transaction',
    (from, to) => {
      make(from);
      const before = contentOf(from, 'old');
      const spill =
        'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT zeroblob(1000) FROM n';
      leave(from, `PRAGMA cache_size = 5; BEGIN; DROP TABLE named; INSERT INTO empty ${spill}`, '-journal');
      change(keyFor(from, 'old'), keyFor(to, 'new'));
      expect(contentOf(to, 'new')).toEqual(before);
      expect(readdirSync(folder)).toEqual(['file.db']);
    },
  );

  it('a journal that is kept, with pages that were not encrypted', () => {
    const db = open('plain');
    db.exec(`PRAGMA journal_mode = PERSIST; ${EVERYTHING}; DELETE FROM t`);
    db.close();
    expect(readFileSync(`${path}-journal`).includes(PLAIN)).toBe(true);
    change(null, keyFor('sqlcipher4', 'new'));
    expect(readdirSync(folder)).toEqual(['file.db']);
  });
});

describe('what this SQLite does not have', () => {
  /** The second table, which has no key of its own and an index, is copied another way. */
  function withUnknown(kind: Kind, more = ''): void {
    make(
      kind,
      `CREATE TABLE t (id INTEGER PRIMARY KEY, a, g AS (hex(a)), s AS (hex(a)) STORED, CHECK (hex(a) <> 'z'));
       INSERT INTO t VALUES (1, '1'), (5, '2'); CREATE INDEX i ON t (hex(a)) WHERE hex(a) <> 'y';
       CREATE TABLE u (a, b DEFAULT (hex(1))); INSERT INTO u (rowid, a) VALUES (7, 1); CREATE INDEX u_a ON u (hex(a)); ${more}`,
    );
    rewrite(kind, "sql = replace(sql, 'hex', 'unknown_here')");
  }

  /** As the program wrote it that has what is missing here. */
  function rewrite(kind: Kind, set: string): void {
    const db = open(kind);
    db.unsafeMode(true);
    db.exec(`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET ${set}`);
    db.close();
  }

  const schema = (kind: Kind, secret: string): unknown => {
    const db = open(kind, secret);
    const rows = db.prepare('SELECT name, sql FROM sqlite_schema').raw(true).all();
    db.close();
    return rows;
  };

  it.each([['plain', 'sqlcipher4'] as const, ['sqlcipher4', 'plain'] as const, ['sqlcipher4', 'sqlcipher4'] as const])(
    'functions of constraints, columns, and indexes: %s to %s',
    (from, to) => {
      withUnknown(from);
      const before = schema(from, 'old');
      expect(JSON.stringify(before)).toContain('unknown_here');
      change(keyFor(from, 'old'), keyFor(to, 'new'));
      expect(schema(to, 'new')).toEqual(before);
      const db = open(to, 'new');
      db.function('unknown_here', { deterministic: true }, ((value: unknown) =>
        Buffer.from(String(value)).toString('hex').toUpperCase()) as never);
      expect(db.prepare('SELECT * FROM t').raw(true).all()).toEqual([
        [1, '1', '31', '31'],
        [5, '2', '32', '32'],
      ]);
      expect(db.prepare('SELECT rowid, * FROM u').raw(true).all()).toEqual([[7, 1, '31']]);
      expect(db.prepare('PRAGMA integrity_check').pluck(true).all()).toEqual(['ok']);
      db.close();
    },
  );

  it('functions of which SQLite would have to compute values again', () => {
    withUnknown('plain', 'CREATE TABLE w (a UNIQUE, s AS (hex(a)) STORED); INSERT INTO w VALUES (1)');
    expectRefused(null, quickKey('new'), {
      code: 'unavailable',
      message: saying(/^The table “w” cannot be made anew here.+“unknown_here”.+Nothing was changed/),
    });
  });

  it('collations: the key can be changed, the cipher cannot', () => {
    make(
      'sqlcipher4',
      "CREATE TABLE t (a COLLATE NOCASE UNIQUE, b); INSERT INTO t VALUES ('b', 1), ('A', 2); CREATE TABLE u (a); INSERT INTO u VALUES (1)",
    );
    rewrite('sqlcipher4', "sql = replace(sql, 'NOCASE', 'UNKNOWN')");
    const before = schema('sqlcipher4', 'old');
    expectRefused(quickKey('old'), null, {
      code: 'unavailable',
      message: saying(/^The table “t” cannot be made anew here.+“UNKNOWN”.+Nothing was changed/),
    });
    change(quickKey('old'), quickKey('new'));
    expect(schema('sqlcipher4', 'new')).toEqual(before);
    const db = open('sqlcipher4', 'new');
    db.unsafeMode(true);
    db.exec("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'UNKNOWN', 'NOCASE')");
    db.close();
    expect(contentOf('sqlcipher4', 'new')).toMatchObject({
      check: [['ok']],
      rows: [
        [
          't',
          [
            [1n, 'b', 1n],
            [2n, 'A', 2n],
          ],
        ],
        ['u', [[1n, 1n]]],
      ],
    });
  });

  it('modules of virtual tables', () => {
    make('plain', "CREATE VIRTUAL TABLE w USING fts5 (a); INSERT INTO w VALUES ('x')");
    rewrite('plain', "sql = replace(sql, 'fts5', 'unknown')");
    const before = schema('plain', '');
    change(null, keyFor('aes256', 'new'));
    expect(schema('aes256', 'new')).toEqual(before);
  });

  it('values that break the constraints of their table are kept', () => {
    make(
      'plain',
      'CREATE TABLE t (a NOT NULL CHECK (a <> 2)); INSERT INTO t (rowid, a) VALUES (1, 1), (5, 3); CREATE TABLE u (a NOT NULL CHECK (a <> 2)); INSERT INTO u VALUES (1)',
    );
    const db = open('plain');
    db.unsafeMode(true);
    db.exec(
      "PRAGMA ignore_check_constraints = ON; UPDATE t SET a = 2 WHERE a = 3; UPDATE u SET a = 2; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '')",
    );
    db.close();
    const loose = open('plain');
    loose.unsafeMode(true);
    loose.exec(
      "INSERT INTO t VALUES (NULL); INSERT INTO u VALUES (NULL); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'a  CHECK', 'a NOT NULL CHECK')",
    );
    loose.close();
    const before = contentOf('plain', '');
    expect(before).toMatchObject({
      check: [
        'CHECK constraint failed in u',
        'NULL value in u.a',
        'CHECK constraint failed in t',
        'NULL value in t.a',
      ].map((found) => [found]),
    });
    change(null, keyFor('sqlcipher4', 'new'));
    expect(contentOf('sqlcipher4', 'new')).toEqual(before);
  });

  it('a statement behind the definition of a table is not run', () => {
    make('plain', 'CREATE TABLE t (a); CREATE TABLE u (a)');
    rewrite('plain', "sql = sql || '; DROP TABLE u' WHERE name = 't'");
    expectRefused(null, keyFor('sqlcipher4', 'new'), {});
  });
});
