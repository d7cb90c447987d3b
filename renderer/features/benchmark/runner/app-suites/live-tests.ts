// The tests of live queries and their descriptions; the player runs them.
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import { appTest } from './app-test.ts';
import { CREATE, insertSql, TABLE } from './browse-table.ts';

export type LiveTest = 'change-to-paint' | 'change-to-rows' | 'commits' | 'change-to-other-window';

export const LIVE_ROWS = 100_000;
export const OTHER = `CREATE TABLE other (id INTEGER PRIMARY KEY, a INTEGER);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO other SELECT i, i FROM n`;
/** Rows that change, all of them on screen. */
export const CHANGED_ROWS = 10;
/** Changes in one round. */
export const CHANGES = 5;
export const COMMITS = 200;
/** Rows of each live query that are on screen. */
export const WATCHED_ROWS = 30;

const SHOWN = `SELECT id, name FROM ${TABLE} WHERE id BETWEEN 1 AND 100`;
/** The query that changes, and some that should not have to rerun: a row by key, another range, other columns, another table. */
const KINDS: readonly ((index: number) => string)[] = [
  () => SHOWN,
  (index) => `SELECT * FROM ${TABLE} WHERE id = ${50_000 + index}`,
  (index) => `SELECT id, name FROM ${TABLE} WHERE id BETWEEN ${20_000 + index} AND ${20_099 + index}`,
  (index) => `SELECT id FROM ${TABLE} WHERE id > ${index} LIMIT 100`,
  (index) => `SELECT * FROM other WHERE id > ${index}`,
];

/** Query shown in the grids, in this window and the second one. */
export const IN_GRID = SHOWN;

/** The first is the one in the grid. */
export function liveQueries(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => KINDS[index % KINDS.length]!(index));
}

export const changeSql = (text: string, id: number): string => `UPDATE ${TABLE} SET name = '${text}' WHERE id = ${id}`;

interface Described {
  readonly facts: TestFacts & { readonly id: LiveTest };
  readonly times: number;
}

const COMMIT = 'Each change is its own transaction and is recorded in the history, so it can be undone.';
const AROUND = 'The live queries are open in the same window; one in five shows the changed rows.';

export const LIVE_TESTS: readonly Described[] = [
  {
    facts: appTest(
      'change-to-paint',
      'change to painted cell',
      `${COMMIT} Measured from the request until the frame with the new cell is painted in a live query’s grid, including up to 16.7 ms until the next screen refresh. ${AROUND}`,
    ),
    times: CHANGES,
  },
  {
    facts: appTest(
      'change-to-rows',
      'change to received row',
      `${COMMIT} Measured from the request until the grid has the new row: as above, without waiting for the screen. ${AROUND}`,
    ),
    times: CHANGES,
  },
  {
    facts: appTest(
      'commits',
      'single-row commits',
      `${COMMIT} ${COMMITS} changes are requested at once. The time until the last one is acknowledged, per change: 1,000 µs is 1,000 commits per second. ${AROUND}`,
      { kind: 'throughput', unit: 'us' },
    ),
    times: COMMITS,
  },
  {
    facts: appTest(
      'change-to-other-window',
      'change to painted cell in another window',
      `${COMMIT} Measured from the request in this window until a second window has painted the new cell in its grid of the same live query, including up to 16.7 ms until the next screen refresh. The clocks of the two windows are compared first. ${AROUND}`,
    ),
    times: CHANGES,
  },
];

export function liveStatements(test: LiveTest, size: number, seed: number): readonly ShownStatement[] {
  const { times } = LIVE_TESTS.find(({ facts }) => facts.id === test)!;
  return [
    { part: 'prepared', sql: CREATE, times: 1 },
    { part: 'prepared', sql: insertSql(1, LIVE_ROWS, seed), times: 1 },
    { part: 'prepared', sql: OTHER, times: 1 },
    ...liveQueries(size).map((sql): ShownStatement => ({ part: 'prepared', sql, times: 1 })),
    { part: 'timed', sql: changeSql('change 1', 1), times },
  ];
}
