// Findings of both engines in databases with known faults, and in ones without any.
import { describe, expect, it } from 'vitest';
import type { Finding, SizesChunk } from '#shared/protocol/health.ts';
import type { Connection } from '../engines/engine.ts';
import { runScript } from '../operations/database-fixture.test-suite.ts';
import { endlessTurn, finish, testEngines } from '../schema-change/engines.test-suite.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import type { Findings } from './findings.ts';
import { checkKeys } from './key-checks.ts';
import { overview } from './overview.ts';
import { checkText, checkValues } from './row-checks.ts';
import { Scan } from '../readers/scan.ts';
import { setSetting } from './settings.ts';
import { checkStructure } from './structure.ts';
import { countSizes } from './tree-sizes.ts';

const MANY = (rows: number): string =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${rows}) INSERT INTO`;

function found(connection: Connection, check: (scan: Scan) => Generator<Pause, Findings>): readonly Finding[] {
  return finish(check(new Scan(endlessTurn(connection), () => undefined))).all;
}

/** Everything in a finding except its rows and statements. */
const facts = (findings: readonly Finding[]): unknown[] => findings.map(({ where: _w, mends: _m, ...fact }) => fact);

describe.each(testEngines)('health on the $name engine', ({ open }) => {
  const made = (sql: string): Connection => {
    const connection = open();
    runScript(connection, sql);
    return connection;
  };

  it('counts pages that add up to the file, and estimates them from a few', () => {
    const connection = made(`
      PRAGMA page_size = 4096;
      CREATE TABLE small (a);
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB);
      CREATE INDEX ta ON t (a);
      CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      CREATE TABLE gone (a);
      ${MANY(20_000)} t SELECT i, 'text ' || i * 7919 % 20011, zeroblob(CASE WHEN i % 50 = 0 THEN 20000 ELSE 30 END) FROM n;
      ${MANY(9000)} w SELECT 'key ' || i, i FROM n;
      ${MANY(5000)} gone SELECT 'x' || i FROM n;
      DROP TABLE gone;`);
    connection.checkpoint();
    const chunks: SizesChunk[] = [];
    const { trees, pages, freePages } = finish(countSizes(endlessTurn(connection), (chunk) => chunks.push(chunk)));
    expect(freePages).toBeGreaterThan(0);
    expect(trees.reduce((sum, tree) => sum + tree.pages, 0) + freePages).toBe(pages);
    expect(trees.map(({ name, kind, table }) => [name, kind, table])).toEqual([
      ['sqlite_schema', 'schema', 'sqlite_schema'],
      ['small', 'table', 'small'],
      ['t', 'table', 't'],
      ['ta', 'index', 't'],
      ['w', 'table', 'w'],
    ]);
    expect(trees.find(({ name }) => name === 't')!.detail!.overflowPages).toBeGreaterThan(1000);
    expect(chunks.at(-1)?.progress.unit).toBe('bytes');
    const first = finish(overview(endlessTurn(connection), Infinity));
    expect(first).toMatchObject({ pages, freePages, pageSize: 4096 });
    const estimated = new Map(first.trees.map((tree) => [tree.name, tree.pages!]));
    const ratios = trees.map(({ name, pages: exact }) => ({ name, ratio: estimated.get(name)! / exact }));
    // Twelve ways, each from a different part of the root.
    expect(ratios.filter(({ ratio }) => ratio < 0.7 || ratio > 1.4)).toEqual([]);
  });

  it('tells rows in the order of their keys from rows that were inserted in any order', () => {
    const connection = made(`
      CREATE TABLE t (id INTEGER PRIMARY KEY, a);
      CREATE TABLE u (id INTEGER PRIMARY KEY, a);
      ${MANY(20_000)} t SELECT i, hex(zeroblob(20)) FROM n;
      ${MANY(20_000)} u SELECT i * 7919 % 20011, hex(zeroblob(20)) FROM n;`);
    const { trees } = finish(countSizes(endlessTurn(connection), () => undefined));
    const jumps = (name: string): number => {
      const { detail } = trees.find((tree) => tree.name === name)!;
      return detail!.jumps / detail!.leafPages;
    };
    expect(jumps('t')).toBeLessThan(0.05);
    expect(jumps('u')).toBeGreaterThan(0.5);
  });

  it('finds indexes that are not needed, keys without an index, tables without a key, and missing statistics', () => {
    const connection = made(`
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE "a""b'; --" (x, y REFERENCES p, z REFERENCES p (code), w);
      CREATE INDEX one ON "a""b'; --" (x);
      CREATE INDEX two ON "a""b'; --" (x, w);
      CREATE INDEX three ON "a""b'; --" (z);
      CREATE INDEX four ON "a""b'; --" (lower(x), w);
      CREATE INDEX five ON "a""b'; --" (lower(x), w);
      CREATE INDEX part ON "a""b'; --" (x) WHERE w > 1;
      CREATE INDEX coll ON "a""b'; --" (x COLLATE NOCASE);
      CREATE INDEX by_code ON p (code);
      CREATE INDEX by_id ON p (id);
      INSERT INTO p VALUES (1, 'c');`);
    const findings = found(connection, checkStructure);
    expect(facts(findings)).toEqual([
      { kind: 'redundant-index', table: 'p', index: 'by_code', covering: 'sqlite_autoindex_p_1', isSame: true },
      { kind: 'redundant-index', table: 'p', index: 'by_id', covering: null, isSame: true },
      { kind: 'redundant-index', table: `a"b'; --`, index: 'five', covering: 'four', isSame: true },
      { kind: 'redundant-index', table: `a"b'; --`, index: 'one', covering: 'two', isSame: false },
      { kind: 'key-without-index', table: `a"b'; --`, columns: ['y'], parent: 'p' },
      { kind: 'no-primary-key', table: `a"b'; --` },
      { kind: 'no-statistics', tables: ['p'], count: 1 },
    ]);
    for (const { mends } of findings) for (const { sql } of mends) connection.run(sql);
    expect(facts(found(connection, checkStructure))).toEqual([{ kind: 'no-primary-key', table: `a"b'; --` }]);
  });

  it('finds indexes whose values say little, and row ids that end', () => {
    const connection = made(`
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, flag INTEGER, name TEXT);
      CREATE INDEX by_flag ON t (flag);
      CREATE INDEX by_name ON t (name);
      ${MANY(3000)} t SELECT i, i % 3, 'n' || i FROM n;
      CREATE TABLE plain (id INTEGER PRIMARY KEY, a);
      INSERT INTO plain VALUES (9223372036854775807, 1);
      ANALYZE;
      UPDATE sqlite_sequence SET seq = 9000000000000000000;`);
    expect(facts(found(connection, checkStructure))).toEqual([
      { kind: 'unselective-index', table: 't', index: 'by_flag', rows: 3000, rowsPerKey: 1000 },
      { kind: 'row-ids-ending', table: 't', isAutoincrement: true, share: expect.closeTo(0.976, 2) },
      { kind: 'row-ids-ending', table: 'plain', isAutoincrement: false, share: 1 },
    ]);
  });

  it('finds values of another type in every kind of table, and where they are', () => {
    const connection = made(`
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, r REAL, s TEXT, d DATE, any);
      INSERT INTO t VALUES (-9223372036854775808, 'twelve', 1, 'ok', '2026-01-01', 'x'), (2, 2.5, '', x'4142', 1, 1), (3, NULL, NULL, NULL, NULL, NULL);
      ${MANY(25_000)} t SELECT i + 10, i, i, 'x', 'd', x'00' FROM n;
      CREATE TABLE w (k TEXT PRIMARY KEY, "n' ""x" INTEGER) WITHOUT ROWID;
      INSERT INTO w VALUES ('a', 'b'), ('c', 1);
      CREATE TABLE s (a INTEGER) STRICT;
      CREATE VIEW never AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n;`);
    const findings = found(connection, checkValues);
    const other = (table: string, column: string, declaredType: string, storage: string, rows: number): unknown => ({
      kind: 'other-type',
      table,
      column,
      declaredType,
      storage,
      rows,
    });
    expect(facts(findings)).toEqual([
      other('t', 'n', 'INTEGER', 'real', 1),
      other('t', 'n', 'INTEGER', 'text', 1),
      other('t', 'r', 'REAL', 'text', 1),
      other('t', 's', 'TEXT', 'blob', 1),
      other('w', `n' "x`, 'INTEGER', 'text', 1),
    ]);
    for (const finding of findings) {
      const { table, where } = finding as { table: string; where: string };
      expect(connection.one(`SELECT count(*) FROM "${table}" WHERE ${where}`)).toEqual([1]);
    }
    const mend = findings.flatMap(({ mends }) => mends);
    expect(mend).toHaveLength(1);
    connection.run(mend[0]!.sql);
    expect(connection.one('SELECT s FROM t WHERE id = 2')).toEqual(['AB']);
  });

  it('finds keys that lead nowhere, with the rows, and mends them', () => {
    const connection = made(`
      PRAGMA foreign_keys = OFF;
      CREATE TABLE p (a TEXT COLLATE NOCASE, b INTEGER, PRIMARY KEY (a, b));
      CREATE TABLE c (id INTEGER PRIMARY KEY, a, b, FOREIGN KEY (a, b) REFERENCES p);
      CREATE TABLE self (id INTEGER PRIMARY KEY, up NOT NULL REFERENCES self);
      CREATE TABLE lost (id INTEGER PRIMARY KEY, x REFERENCES nowhere (y));
      CREATE TABLE mismatch (id INTEGER PRIMARY KEY, x REFERENCES c (a));
      INSERT INTO p VALUES ('one', 1);
      INSERT INTO c VALUES (1, 'ONE', '1'), (2, 'two', 2), (3, NULL, 2), (4, 'x', NULL), (5, 'three', 3);
      INSERT INTO self VALUES (1, 1), (2, 9);
      INSERT INTO lost VALUES (1, 1), (2, NULL);
      INSERT INTO mismatch VALUES (1, 'a');`);
    const findings = found(connection, checkKeys);
    expect(facts(findings)).toEqual([
      { kind: 'broken-key', table: 'c', columns: ['a', 'b'], parent: 'p', rows: 2 },
      { kind: 'broken-key', table: 'self', columns: ['up'], parent: 'self', rows: 1 },
      { kind: 'broken-key', table: 'lost', columns: ['x'], parent: 'nowhere', rows: 1 },
      { kind: 'key-mismatch', table: 'mismatch', message: expect.stringContaining('mismatch') },
    ]);
    const rowsOf = (at: number): unknown => {
      const { table, where } = findings[at] as { table: string; where: string };
      return connection.all(`SELECT id FROM main."${table}" WHERE ${where}`);
    };
    expect([rowsOf(0), rowsOf(1), rowsOf(2)]).toEqual([[[2], [5]], [[2]], [[1]]]);
    expect(findings.map(({ mends }) => mends.map(({ does }) => does))).toEqual([
      ['set-null', 'delete-rows'],
      ['delete-rows'],
      ['set-null', 'delete-rows'],
      [],
    ]);
    for (const { mends } of findings) if (mends[0]) connection.run(mends[0].sql);
    expect(found(connection, checkKeys).map(({ kind }) => kind)).toEqual(['key-mismatch']);
    expect(connection.one('SELECT count(*) FROM c')).toEqual([5]);
  });

  it('finds text that is not UTF-8', () => {
    const connection = made(`
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
      INSERT INTO t VALUES (1, 'plain', 'caf\u00e9 \u4e2d'), (2, CAST(x'636166e9' AS TEXT), CAST(x'e9' AS BLOB)), (3, CAST(x'ff41' AS TEXT), NULL);`);
    expect(facts(found(connection, checkText))).toEqual([{ kind: 'not-utf8', table: 't', column: 'a', rows: 2 }]);
  });

  it('finds nothing in a database without faults', () => {
    const connection = made(`
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p, born DATE, facts JSON);
      CREATE INDEX c_p ON c (p);
      INSERT INTO p VALUES (1, 'a');
      INSERT INTO c VALUES (1, 1, '2026-01-01', '{}');
      ANALYZE;`);
    for (const check of [checkStructure, checkKeys, checkValues, checkText])
      expect(found(connection, check)).toEqual([]);
  });

  it.each([checkStructure, checkKeys, checkValues, checkText])('stops within a slice: %o', (check) => {
    const connection = made(`
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT);
      CREATE TABLE c (id INTEGER PRIMARY KEY, t REFERENCES t);
      ${MANY(1000)} t SELECT i, i, i FROM n;`);
    let looks = 0;
    const turn = { ...endlessTurn(connection), deadlineMs: 0 } as Turn;
    Object.defineProperty(turn, 'stopRequested', { get: () => ++looks > 2 });
    expect(() => finish(check(new Scan(turn, () => undefined)))).toThrow(/Stopped/);
    // Nothing is left half read: a write that needs the whole file works.
    connection.run('VACUUM');
  });

  it('gives first figures of 2,000 trees and what is wrong with them, but not more than can be looked at', () => {
    const connection = open();
    connection.run('BEGIN');
    for (let table = 0; table < 1000; table++) {
      connection.run(`CREATE TABLE t${table} (a, b)`);
      connection.run(`CREATE INDEX i${table} ON t${table} (a)`);
    }
    connection.run('COMMIT');
    connection.checkpoint();
    expect(finish(overview(endlessTurn(connection), Infinity)).trees).toHaveLength(2001);
    const { all, more } = finish(checkStructure(new Scan(endlessTurn(connection), () => undefined)));
    expect([all.length, more]).toEqual([200, 800]);
  });

  it('sets what may be set, and refuses what makes no sense', () => {
    const connection = made('CREATE TABLE t (a)');
    expect(setSetting(connection, 'user_version', -5)).toBe('-5');
    expect(setSetting(connection, 'auto_vacuum', 1)).toBe('1');
    expect(setSetting(connection, 'foreign_keys', 0)).toBe('0');
    expect(() => setSetting(connection, 'user_version', 2 ** 31)).toThrow(/whole number/);
    expect(() => setSetting(connection, 'journal_mode' as never, 1)).toThrow(/cannot be changed/);
    expect(() => setSetting(connection, 'constructor' as never, 1)).toThrow(/cannot be changed/);
    expect(() => setSetting(connection, 'user_version', '1; DROP TABLE t' as never)).toThrow(/whole number/);
  });
});
