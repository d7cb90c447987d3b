// The table that is browsed: a function of its size and a seed, made in parts.
import type { SortTerm, FilterTerm } from '#shared/protocol/index.ts';
import { createRandom } from '#shared/random.ts';

export const TABLE = 'measured';
export const CREATE = `CREATE TABLE ${TABLE} (id INTEGER PRIMARY KEY, code INTEGER NOT NULL, name TEXT NOT NULL, amount REAL NOT NULL, note TEXT)`;
/** Takes an engine a few tenths of a second. */
const PART_ROWS = 100_000;
/** A prime, coprime to the multiplier: each code occurs once. */
const CODES = 4_294_967_311;

/** SQL of each part, with the number of rows after it. */
export function* parts(size: number, seed: number): Generator<{ readonly sql: string; readonly rows: number }> {
  for (let from = 1; from <= size; from += PART_ROWS) {
    const to = Math.min(size, from + PART_ROWS - 1);
    yield { sql: insertSql(from, to, seed), rows: to };
  }
}

export function insertSql(from: number, to: number, seed: number): string {
  return `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
INSERT INTO ${TABLE} SELECT i, (i + ${seed % 1000}) * 2654435761 % ${CODES}, 'row number ' || i,
  i * 48271 % 2147483647 / 100.0, CASE WHEN i % 10 = 0 THEN NULL ELSE 'note ' || i % 977 || ' about something' END FROM n`;
}

/** Sorts by a column that has no index and no repeated values. */
export const SORT: readonly SortTerm[] = [{ column: 'code', descending: false }];
/** Matches few rows, so that all of them are searched for at once, whatever the size. */
export const FILTER: readonly FilterTerm[] = [{ column: 'name', operator: 'contains', value: '77777' }];

/** First rows to show; the same for every engine. */
export function places(count: number, size: number, seed: number): readonly number[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => random.between(0, Math.max(0, size - 100)));
}
