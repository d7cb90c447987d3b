// Random databases with random changes on both sides: what does not overlap is all in the result, and what does is never lost silently.
import { describe, expect, test } from 'vitest';
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { mergeScripts } from './merge-fixture.test-suite.ts';
import type { MergedDatabase } from './merge-fixture.test-suite.ts';
import { databaseOf, native } from '../export/export-fixture.test-suite.ts';

const SCHEMA = `CREATE TABLE plain (k INTEGER PRIMARY KEY, a, b, c);
  CREATE TABLE named (k TEXT PRIMARY KEY, a, b, c);
  CREATE TABLE pairs (k, l, a, b, c, PRIMARY KEY (k, l)) WITHOUT ROWID;
  CREATE TABLE bare (k, a, b, c);`;
const KEYED = ['plain', 'named', 'pairs'] as const;
const TABLES = [...KEYED, 'bare'] as const;
type Table = (typeof TABLES)[number];
const VALUES = ['1', '1.0', "'1'", 'NULL', "x'01'", "'é'", '9007199254740993', '-0.5', "'a'"];

const whereOf = (table: Table, key: number): string =>
  ({ plain: `k = ${key}`, named: `k = 'key${key}'`, pairs: `k = ${key % 3} AND l = ${key}`, bare: `k = ${key}` })[table]; // prettier-ignore
const keyOf = (table: Table, key: number): string =>
  ({ plain: `${key}`, named: `'key${key}'`, pairs: `${key % 3}, ${key}`, bare: `${key}` })[table];

function insert(random: Random, table: Table, key: number): string {
  const values = [1, 2, 3].map(() => random.pick(VALUES));
  return `INSERT INTO ${table} VALUES (${keyOf(table, key)}, ${values.join(', ')});\n`;
}

function edit(random: Random, table: Table, key: number): string {
  if (random.chance(0.3)) return `DELETE FROM ${table} WHERE ${whereOf(table, key)};\n`;
  const set = ['a', 'b', 'c'].filter(() => random.chance(0.5)).map((name) => `${name} = ${random.pick(VALUES)}`);
  return set.length === 0 ? '' : `UPDATE ${table} SET ${set.join(', ')} WHERE ${whereOf(table, key)};\n`;
}

interface Scripts {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

const KEYS = 12;

/** @param overlaps whether both sides may change the same row */
function scripts(random: Random, overlaps: boolean): Scripts {
  let [base, ours, theirs] = [SCHEMA, '', ''];
  for (const table of TABLES)
    for (let key = 1; key <= KEYS * 2; key++) {
      const isThere = key <= KEYS;
      if (isThere) base += insert(random, table, key);
      const change = (): string => (isThere ? edit(random, table, key) : insert(random, table, key));
      const sides = overlaps ? random.between(0, 3) : random.between(0, 2);
      if (sides === 1 || sides === 3) ours += change();
      if (sides === 2 || sides === 3) theirs += change();
    }
  // Row ids of rows without a key mean nothing.
  return { base, ours, theirs: random.chance(0.5) ? `${theirs} VACUUM;` : theirs };
}

/** All rows as literals, sorted. */
const literals = (table: Table): string =>
  `SELECT quote(k) || ',' || ${table === 'pairs' ? "quote(l) || ',' ||" : ''} quote(a) || ',' || quote(b) || ',' || quote(c) FROM ${table} ORDER BY 1`;

const contentOf = (sql: string, table: Table): readonly string[] =>
  databaseOf(native, sql)
    .all(literals(table))
    .map(([row]) => String(row));

const resultOf = (merged: MergedDatabase, table: Table): readonly string[] =>
  merged.rows(literals(table)).map(([row]) => String(row));

describe.each(seeds(30))('seed %i', (seed) => {
  test('changes of different rows are all in the result', () => {
    const { base, ours, theirs } = scripts(createRandom(seed), false);
    const merged = mergeScripts([base, base + ours, base + theirs]);
    expect(merged.conflicts).toBe(0);
    for (const table of TABLES) expect(resultOf(merged, table)).toEqual(contentOf(base + ours + theirs, table));
  });

  test('of changes of the same rows, each value is that of the side that changed it, or reported', () => {
    const { base, ours, theirs } = scripts(createRandom(seed), true);
    const merged = mergeScripts([base, base + ours, base + theirs]);
    let conflicts = 0;
    for (const table of KEYED) {
      const [was, here, there] = [base, base + ours, base + theirs].map((sql) => byKey(contentOf(sql, table), table));
      const expected = new Map<string, readonly string[]>();
      for (const key of new Set([...was!.keys(), ...here!.keys(), ...there!.keys()])) {
        const row = expectedRow(was!.get(key), here!.get(key), there!.get(key));
        if (row === 'conflict') conflicts++;
        const kept = row === 'conflict' ? here!.get(key) : row;
        if (kept) expected.set(key, kept);
      }
      expect(byKey(resultOf(merged, table), table)).toEqual(expected);
    }
    const listed = merged.conflicts === 0 ? 0 : merged.rows(`SELECT count(*) FROM sidelite_conflicts WHERE "table" <> 'bare'`)[0]![0]; // prettier-ignore
    expect(listed).toBe(conflicts);
    // A new row without a key is never lost.
    const result = resultOf(merged, 'bare');
    const old = contentOf(base, 'bare');
    for (const side of [ours, theirs])
      for (const row of contentOf(base + side, 'bare')) expect(old.includes(row) || result.includes(row)).toBe(true);
  });
});

function byKey(rows: readonly string[], table: Table): ReadonlyMap<string, readonly string[]> {
  const keys = table === 'pairs' ? 2 : 1;
  return new Map(rows.map((row) => [row.split(',').slice(0, keys).join(','), row.split(',')]));
}

function expectedRow(
  was: readonly string[] | undefined,
  here: readonly string[] | undefined,
  there: readonly string[] | undefined,
): readonly string[] | undefined | 'conflict' {
  const text = (row?: readonly string[]): string => row?.join(',') ?? '';
  if (text(there) === text(was) || text(here) === text(there)) return here;
  if (text(here) === text(was)) return there;
  if (!was || !here || !there) return 'conflict';
  const isBoth = was.some((value, at) => here[at] !== value && there[at] !== value && here[at] !== there[at]);
  return isBoth ? 'conflict' : was.map((value, at) => (here[at] === value ? there[at]! : here[at]!));
}
