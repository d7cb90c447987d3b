// What is measured of starting, and in which words; how it is done is the player's.
import { formatCount } from '../../../../ui/format.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import { APP_TEST } from './app-test.ts';
import { CREATE, insertSql, TABLE } from './browse-table.ts';

/** Of a new process of the app. */
export type StartTest = 'rows-cold' | 'rows' | 'window-cold' | 'window';
/** In the app that runs. */
export type EngineTest = 'engine' | 'compile' | 'open-rows' | 'query-first' | 'query-fourth';
export type StartupTest = StartTest | EngineTest;

export const START_ROWS = 100_000;
export const QUERY = `SELECT id, code, name FROM ${TABLE} WHERE code % 7 = 3 LIMIT 200`;

const UNTIL_PAINTED = 'ends when the frame with the rows is painted, up to 16.7 ms after they came';

interface Described {
  readonly facts: TestFacts & { readonly id: StartupTest };
  readonly timed: string;
}

function described(
  id: StartupTest,
  title: string,
  transaction: string,
  timed: string,
  scope?: TestFacts['scope'],
): Described {
  return {
    facts: {
      ...APP_TEST,
      id,
      title,
      kind: 'latency',
      unit: 'ms',
      transaction,
      ...(scope && { scope }),
    },
    timed,
  };
}

const ROWS = `until the first rows are drawn of a table of ${formatCount(START_ROWS)} rows that was open when the app was last quit: of a copy in the library for the wasm engine, of a file in place for the native one, each in a profile of its own.`;
const WINDOW =
  'until the window is on the screen and its first content painted. Whatever the engine, it is the same window: one figure for all of them. It is of the same starts as the first rows.';
const EACH =
  'No transaction. Each sample is one start: from asking the system for the process, beside the app that measures, which waits.';
const COLD =
  'Cold: the process is new, and what Chromium had kept compiled of scripts and wasm is removed from the profile before.';
const WARM =
  'Warm: the process is new, but the profile has what earlier starts have compiled, and the system has the files in memory. The first use is the first start after the database was opened.';

const LEFT_IN_MEMORY =
  'Not cold: the system may have the files of the app and the database in memory; only root can empty that, see --drop-caches of the command.';
const DROPPED =
  'The system’s cache of files was emptied before each of them, but what the app that measures uses of the same program stays in memory.';

const START = 'a new process of the app; its window; the tables that were open';

export const STARTUP_TESTS: readonly Described[] = [
  described('rows-cold', 'cold start until the first rows', `${EACH} It lasts ${ROWS} ${COLD}`, START),
  described('rows', 'warm start until the first rows', `${EACH} It lasts ${ROWS} ${WARM}`, START),
  described('window-cold', 'cold start until the window is there', `${EACH} It lasts ${WINDOW} ${COLD}`, START, 'app'),
  described('window', 'warm start until the window is there', `${EACH} It lasts ${WINDOW} ${WARM}`, START, 'app'),
  described(
    'engine',
    'start an engine until it can open a database',
    'No transaction. A worker or thread of its own: its scripts, the compilation of the wasm or the loading of the native module, and its folder of files. The first use is the first one in this run; the process around it runs already.',
    'a new worker (wasm) or thread (native); its first answer',
  ),
  described(
    'compile',
    'make the code of an engine ready',
    'No transaction. The part of starting an engine before anything is opened: the wasm fetched, compiled and instantiated, or the native module loaded. Chromium compiles wasm for speed of start, and the busy functions again while they run; a module that this process has loaded before is only looked up.',
    'WebAssembly.instantiate (wasm) or dlopen (native) in a new worker or thread',
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

const START_TESTS: readonly StartupTest[] = ['rows-cold', 'rows', 'window-cold', 'window'];

export const isStart = (test: StartupTest): test is StartTest => START_TESTS.includes(test);
export const isColdStart = (test: StartupTest): boolean => test === 'rows-cold' || test === 'window-cold';

/** How cold a cold start is depends on who measures. */
export function startupTests(dropsCaches: boolean): readonly TestFacts[] {
  return STARTUP_TESTS.map(({ facts }) =>
    isColdStart(facts.id)
      ? { ...facts, transaction: `${facts.transaction} ${dropsCaches ? DROPPED : LEFT_IN_MEMORY}` }
      : facts,
  );
}

export function startupStatements(test: StartupTest, seed: number): readonly ShownStatement[] {
  const { timed } = STARTUP_TESTS.find(({ facts }) => facts.id === test)!;
  if (test === 'engine' || test === 'compile') return [{ part: 'timed', sql: timed, times: 1 }];
  return [
    { part: 'prepared', sql: CREATE, times: 1 },
    { part: 'prepared', sql: insertSql(1, START_ROWS, seed), times: 1 },
    { part: 'timed', sql: timed, times: 1 },
  ];
}
