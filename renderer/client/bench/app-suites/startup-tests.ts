// What is measured of starting, and in which words; how it is done is the player's.
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import { CREATE, insertSql, TABLE } from './browse-table.ts';

export type StartupTest = 'window' | 'engine' | 'open-rows' | 'query-first' | 'query-fourth';

export const START_ROWS = 100_000;
export const QUERY = `SELECT id, code, name FROM ${TABLE} WHERE code % 7 = 3 LIMIT 200`;

const UNTIL_PAINTED = 'ends when the frame with the rows is painted, up to 16.7 ms after they came';

interface Described {
  readonly facts: TestFacts & { readonly id: StartupTest };
  readonly timed: string;
}

function described(id: StartupTest, title: string, transaction: string, timed: string, scope?: 'app'): Described {
  return {
    facts: {
      id,
      title,
      kind: 'latency',
      unit: 'ms',
      transaction,
      database: 'kept',
      sequence: null,
      sizes: null,
      pragmas: {},
      measures: 'delivery',
      unavailable: null,
      ...(scope && { scope }),
    },
    timed,
  };
}

export const STARTUP_TESTS: readonly Described[] = [
  described(
    'window',
    'start of the app until the window paints',
    'No transaction. From the moment the system made the process of the app until the first content of its first window was painted. One sample: it happens once in a run, with the profile of the run, which is new. Whether the disk had the app in memory cannot be told from inside. Whatever the engine, it is the same window: one number for all of them.',
    'process start; first contentful paint',
    'app',
  ),
  described(
    'engine',
    'start an engine until it can open a database',
    'No transaction. A worker or thread of its own: its scripts, the compilation of the wasm or the loading of the native module, and its folder of files. The first use is the first one in this run; the process around it runs already.',
    'a new worker (wasm) or thread (native); its first answer',
  ),
  described(
    'open-rows',
    'open a database until its first rows are painted',
    `No transaction. The engine runs, the database is closed. Connection, description of the table, reader, rows, a new grid; it ${UNTIL_PAINTED}.`,
    `database.open; schema.table ${TABLE}; rows.open; rows.watch or rows.read`,
  ),
  described(
    'query-first',
    'first query after opening',
    'No transaction. The database was just opened: nothing of it is in memory of SQLite. From asking until the first 200 rows are in the window.',
    QUERY,
  ),
  described(
    'query-fourth',
    'the same query for the fourth time',
    'No transaction. After the same query three times. From asking until the first 200 rows are in the window.',
    QUERY,
  ),
];

export function startupStatements(test: StartupTest, seed: number): readonly ShownStatement[] {
  const { timed } = STARTUP_TESTS.find(({ facts }) => facts.id === test)!;
  if (test === 'window' || test === 'engine') return [{ part: 'timed', sql: timed, times: 1 }];
  return [
    { part: 'prepared', sql: CREATE, times: 1 },
    { part: 'prepared', sql: insertSql(1, START_ROWS, seed), times: 1 },
    { part: 'timed', sql: timed, times: 1 },
  ];
}
