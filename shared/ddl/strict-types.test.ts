// Types in STRICT tables: SQLite is asked about each of them, before and after they are converted.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { createRandom } from '../random.ts';
import { setOption } from './edit-table.ts';
import { parseTable } from './parse-table.ts';
import { randomTable } from './random-table.test-suite.ts';
import { strictProblems, withStrictTypes } from './strict-types.ts';
import type { TableModel } from './table-model.ts';

function read(sql: string): TableModel {
  const model = parseTable(sql);
  if (!model.understood) throw new Error(`${model.reason} in ${sql}`);
  return model;
}

/** SQLite's message about the types; null if there is none. */
function rejected(sql: string): string | null {
  const db = new Database(':memory:');
  try {
    db.exec(sql);
    return null;
  } catch (error) {
    return /^(?:unknown|missing) datatype for .*/s.exec((error as Error).message)?.[0] ?? null;
  } finally {
    db.close();
  }
}

/** Whether its rows are stored under its INTEGER PRIMARY KEY. */
function isRowid(sql: string): boolean {
  const db = new Database(':memory:');
  try {
    db.exec(sql);
    return db.prepare(`SELECT count(*) FROM pragma_index_list('t') WHERE origin = 'pk'`).pluck().get() === 0;
  } finally {
    db.close();
  }
}

test('each type that a STRICT table does not take is converted to the one with its affinity; the others stay as they are', () => {
  const model = read(`CREATE TABLE t (
    id integer PRIMARY KEY, -- as it is
    name NVARCHAR(160) NOT NULL, made DATETIME, size BIGINT, ratio "DOUBLE PRECISION", photo LONGBLOB, what, kept Any, small INT
  ) STRICT`);
  expect(strictProblems(model).map(({ name, type, fitting }) => [name, type, fitting])).toEqual([
    ['name', 'NVARCHAR(160)', 'TEXT'],
    ['made', 'DATETIME', 'ANY'],
    ['size', 'BIGINT', 'INTEGER'],
    ['ratio', '"DOUBLE PRECISION"', 'REAL'],
    ['photo', 'LONGBLOB', 'BLOB'],
    ['what', '', 'ANY'],
  ]);
  expect(withStrictTypes(model)).toBe(`CREATE TABLE t (
    id integer PRIMARY KEY, -- as it is
    name TEXT NOT NULL, made ANY, size INTEGER, ratio REAL, photo BLOB, what ANY, kept Any, small INT
  ) STRICT`);
  expect(strictProblems(read(setOption(model, 'strict', false)))).toEqual([]);
});

test('a key that is not the row id does not become it', () => {
  for (const key of ['id BIGINT PRIMARY KEY', 'id BIGINT, PRIMARY KEY (ID)']) {
    const sql = withStrictTypes(read(`CREATE TABLE t (${key}) STRICT`));
    expect(isRowid(sql), `of ${sql}`).toBe(false);
  }
  expect(withStrictTypes(read('CREATE TABLE t (a BIGINT, b BIGINT, PRIMARY KEY (a, b)) STRICT'))).toBe(
    'CREATE TABLE t (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) STRICT',
  );
});

test('of random tables SQLite rejects the types of exactly those with a problem, and of none after it', () => {
  let count = 0;
  for (let seed = 0; seed < seedCount(1000); seed += 1) {
    const model = read(setOption(read(randomTable(createRandom(seed)).sql), 'strict', true));
    // SQLite takes a comment before GENERATED ALWAYS for a part of the type.
    if (/(?:\*\/|--.*\n)\s*GENERATED/i.test(model.text)) continue;
    const [first] = strictProblems(model);
    const said = rejected(model.text);
    if (first === undefined) expect(said, `in ${model.text}`).toBe(null);
    else if (said !== null) {
      expect(said.toLowerCase(), `in ${model.text}`).toContain(`.${first.name}`.toLowerCase());
      count += 1;
    }
    const after = read(withStrictTypes(model));
    expect(strictProblems(after), `in ${after.text}`).toEqual([]);
    expect(rejected(after.text), `in ${after.text}`).toBe(null);
  }
  expect(count).toBeGreaterThan(seedCount(1000) / 2);
});
