// The tests of starting and their descriptions; the player runs them.
import { formatCount } from '../../../../ui/format.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import { described } from './app-test.ts';
import type { Described } from './app-test.ts';
import { CREATE, insertSql, TABLE } from './browse-table.ts';

/** Tests that start a new process of the app. */
export type StartTest = 'rows-cold' | 'rows' | 'window-cold' | 'window';
/** Tests in the running app. */
export type EngineTest = 'engine' | 'compile' | 'open-rows' | 'query-first' | 'query-fourth';
export type StartupTest = StartTest | EngineTest;

export const START_ROWS = 100_000;
export const QUERY = `SELECT id, code, name FROM ${TABLE} WHERE code % 7 = 3 LIMIT 200`;

const UNTIL_PAINTED = 'ends when the frame with the rows is painted, up to 16.7 ms after they arrive';

const ROWS = `when the first rows are drawn. A table of ${formatCount(START_ROWS)} rows was open when the app was last quit: a library copy for the wasm engine, a file in place for the native one, each in its own profile.`;
const WINDOW =
  'when the window is on screen and its first content is painted. The window is the same for every engine, so there is one figure, from the same starts as the first rows of the first engine.';
const EACH =
  'No transaction. Each sample is one start, measured from the request for the process, while the app that measures waits.';
const COLD = 'Cold: the process is new, and Chromium’s compiled scripts and wasm are removed from the profile first.';
const WARM =
  'Warm: the process is new, but the profile has the code that earlier starts compiled, and the system has the files in memory. The first use is the first start after the database was opened.';

const LEFT_IN_MEMORY =
  'The system may still have the files of the app and the database in memory; only root can clear that cache, with the option --drop-caches.';
const DROPPED =
  'The system’s file cache was cleared before each start, but files that the measuring app uses as well stay in memory.';

const START = 'a new process of the app; its window; the tables that were open';

export const STARTUP_TESTS: readonly Described<StartupTest>[] = [
  described('rows-cold', 'cold start to first rows', `${EACH} It ends ${ROWS} ${COLD}`, START),
  described('rows', 'warm start to first rows', `${EACH} It ends ${ROWS} ${WARM}`, START),
  described('window-cold', 'cold start to window', `${EACH} It ends ${WINDOW} ${COLD}`, START, 1, { scope: 'app' }),
  described('window', 'warm start to window', `${EACH} It ends ${WINDOW} ${WARM}`, START, 1, { scope: 'app' }),
  described(
    'engine',
    'start an engine',
    'No transaction. Until it can open a database, in a new worker or thread: its scripts, compiling the wasm or loading the native module, and its folder of files. The first use is the first one in this run; the process is already running.',
    'a new worker (wasm) or thread (native); its first answer',
  ),
  described(
    'compile',
    'load an engine’s code',
    'No transaction. The part of starting an engine before anything is opened, from the same starts: fetching, compiling and instantiating the wasm, or loading the native module. Chromium first compiles wasm quickly and recompiles busy functions while they run. A module that this process has loaded before is reused.',
    'WebAssembly.instantiate (wasm) or dlopen (native) in a new worker or thread',
  ),
  described(
    'open-rows',
    'open a database to first rows',
    `No transaction. The engine is running and the database is closed. Connection, table description, reader, rows, new grid; it ${UNTIL_PAINTED}.`,
    `database.open; schema.table ${TABLE}; rows.open; rows.watch or rows.read`,
  ),
  described(
    'query-first',
    'first query after opening',
    'No transaction. The database was just opened, so SQLite has nothing of it in memory. Measured from the request until the first 200 rows are in the window.',
    QUERY,
  ),
  described(
    'query-fourth',
    'the same query, fourth time',
    'No transaction. The same query has run three times before. Measured from the request until the first 200 rows are in the window.',
    QUERY,
  ),
];

const START_TESTS: readonly StartupTest[] = ['rows-cold', 'rows', 'window-cold', 'window'];

export const isStart = (test: StartupTest): test is StartTest => START_TESTS.includes(test);
export const isColdStart = (test: StartupTest): boolean => test === 'rows-cold' || test === 'window-cold';

/** How cold a cold start is depends on whether caches are dropped. */
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
