// The tests of the suites of the window as data: what each measures, and what it runs. The players run them.
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { Sink } from '#shared/bench/sink.ts';
import type { AppSuiteRun, RoundKind } from '../target.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { SortTerm, FilterTerm } from '#shared/protocol/index.ts';
import { createRandom } from '#shared/random.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import type { BenchMemory } from '#shared/bench/shell.ts';
import { SQL_TAB_SCRIPTS, sqlTabScriptOf } from '#shared/bench/speedtest1.ts';
import { formatCount } from '../../../../ui/format.ts';

/**
 * A test of the window. By default, it measures how long its content takes to appear, on a database that it leaves unchanged; `own` overrides
 * that.
 */
export const appTest = <Id extends string>(
  id: Id,
  title: string,
  transaction: string,
  own: Partial<TestFacts> = {},
): TestFacts & { readonly id: Id } => ({
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
  ...own,
  id,
});

/** A test, and what it times. */
interface Described<Id extends string> {
  readonly facts: TestFacts & { readonly id: Id };
  /** The product's operations in one sample. */
  readonly timed: string;
  readonly times: number;
}

const described = <Id extends string>(
  id: Id,
  title: string,
  transaction: string,
  timed: string,
  times = 1,
  own: Partial<TestFacts> = {},
): Described<Id> => ({ facts: appTest(id, title, transaction, own), timed, times });

/** What a test times, as the statement that a cell shows. */
function timedOf(tests: readonly Described<string>[], id: string): ShownStatement {
  const { timed, times } = tests.find(({ facts }) => facts.id === id)!;
  return { part: 'timed', sql: timed, times };
}

export interface Seen {
  readonly samples: readonly number[];
  readonly timedMs: number;
  /** Busy time of each frame, if it was measured. */
  readonly busyMs?: readonly number[];
}

/** Runs one test on one engine, at one size. */
export interface Player {
  /** False: it continues while this window is hidden. */
  readonly needsScreen?: false;
  /** @param round counts from 1, the same on every engine: random choices depend on it only */
  play(round: number, kind: RoundKind): Promise<Seen>;
  /** Puts every row that the test shows into the sink. */
  compare(round: number, sink: Sink): Promise<void>;
  rest?(): void;
  close?(): Promise<void>;
}

/** A round of which one time is measured. */
export const seen = (ms: number): Seen => ({ samples: [ms], timedMs: ms });

export const sum = (samples: readonly number[]): number => samples.reduce((total, ms) => total + ms, 0);

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

export async function fillTable(
  sql: (text: string) => Promise<unknown>,
  { seed, tell }: Pick<AppSuiteRun, 'seed' | 'tell'>,
  rows: number,
): Promise<void> {
  tell('creating its rows');
  await sql(CREATE);
  for (const part of parts(rows, seed)) await sql(part.sql);
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

export type MemoryTest = 'memory-engine' | 'memory-window' | 'memory-others';
export type BrowseTest = 'first-rows' | 'jump' | 'scroll' | 'drag' | 'sort' | 'filter' | MemoryTest;

export const JUMPS = 6;
export const SCROLLED_FRAMES = 45;
export const DRAGGED_FRAMES = 45;
/** Frames to browse before memory is measured. */
export const BROWSED_FRAMES = 15;

const UNTIL =
  'The time ends when the frame with the rows is painted, so it includes up to 16.7 ms until the next screen refresh.';

export const BROWSE_TESTS: readonly Described<BrowseTest>[] = [
  described(
    'first-rows',
    'open a table: first rows',
    `No transaction. Measured from the request until the grid shows one screen of rows: table description, reader, rows, new grid. ${UNTIL} The tab around the grid is not included.`,
    `schema.table ${TABLE}; rows.open; rows.watch or rows.read`,
  ),
  described(
    'jump',
    'jump to a random row',
    `No transaction. Measured from the jump until every visible row is loaded. The table is open and its rows are counted. ${UNTIL}`,
    'rows.read around the row',
    JUMPS,
  ),
  described(
    'scroll',
    'scroll with the wheel: frame with all rows',
    'No transaction. 100 pixels per frame. The time from one frame with all its rows to the next: 16.7 ms when nothing is late. A frame with missing rows counts until they are loaded. How long the window’s thread is busy with each frame is recorded separately.',
    'rows.read ahead',
    SCROLLED_FRAMES,
  ),
  described(
    'drag',
    'drag the scroll bar: frame',
    'No transaction. From the first row to the last. The time from frame to frame, with or without rows: 16.7 ms when nothing is late. “jump” measures the wait for rows. How long the window’s thread is busy with each frame is recorded separately.',
    'rows.read along the way',
    DRAGGED_FRAMES,
  ),
  described(
    'sort',
    'sort by a column without an index',
    `No transaction. Measured from the request until the grid shows the first screen of sorted rows. ${UNTIL}`,
    `schema.table ${TABLE}; rows.open ORDER BY ${SORT[0]!.column}; rows.watch or rows.read`,
  ),
  described(
    'filter',
    'filter by part of a text',
    `No transaction. Measured from the request until the grid shows the first matching rows and their total number is known, so every row has been read. ${UNTIL}`,
    `schema.table ${TABLE}; rows.open WHERE ${FILTER[0]!.column} contains ${String(FILTER[0]!.value)}; rows.watch or rows.read`,
  ),
  memory(
    'memory-engine',
    'memory: engine',
    `The process that runs the engine: for wasm, the hidden page with its workers and their wasm memory; for better-sqlite3, the native process. Each serves the whole app and has a page cache of at most 64 MiB for this table.`,
  ),
  memory(
    'memory-window',
    'memory: window',
    'The process of the window that shows the table: user interface, grid, and the rows cached around the visible ones. It is the same for both engines, so there is one figure from the rounds of both.',
    'app',
  ),
  memory(
    'memory-others',
    'memory: all other processes',
    'The rest of the app: main process, graphics, network, other windows. Engine, window and this add up to the whole app; a native engine that is not used is not started. Measured in the same rounds.',
    'app',
  ),
];

function memory(id: MemoryTest, title: string, which: string, scope?: TestFacts['scope']): Described<BrowseTest> {
  const transaction = `No transaction. ${which} Measured after each round of ${JUMPS} jumps to random rows and ${BROWSED_FRAMES} frames of scrolling, while the rows are on screen. Garbage collection is not forced.`;
  return described(id, title, transaction, '', 1, { unit: 'bytes', ...(scope && { scope }) });
}

const COUNTED: Readonly<Record<BenchMemory['counts'], string>> = {
  private: 'private memory: what would be free without this process',
  resident: 'resident memory, including what is shared with other processes: the system reports nothing more exact',
};

/** @param counts how memory is counted here; null if it is not reported */
export function statementsOf(
  test: string,
  size: number,
  seed: number,
  counts: BenchMemory['counts'] | null,
): readonly ShownStatement[] {
  const timed = timedOf(BROWSE_TESTS, test);
  const counted = counts === null ? 'process memory' : COUNTED[counts];
  return [
    { part: 'prepared', sql: CREATE, times: 1 },
    { part: 'prepared', sql: insertSql(1, Math.min(size, 100_000), seed), times: Math.ceil(size / 100_000) },
    isMemoryTest(test) ? { ...timed, sql: counted } : timed,
  ];
}

export const isMemoryTest = (test: string): test is MemoryTest => test.startsWith('memory-');

/** Which bytes of the app's processes a memory test measures. @throws AppError `unavailable` if the runtime does not report memory */
export function bytesOf(test: MemoryTest, engine: EngineId, memory: BenchMemory | null): number {
  if (memory === null) throw AppError.unavailable('The memory of the app’s processes is not available here.');
  if (test === 'memory-window') return memory.window;
  if (test === 'memory-others') return memory.others;
  if (engine.startsWith('opfs')) return memory.wasm;
  if (memory.native === null)
    throw AppError.unavailable('The native engine does not run, although its table is on screen.');
  return memory.native;
}

type LiveTest = 'change-to-paint' | 'change-to-rows' | 'commits' | 'change-to-other-window';

export const LIVE_ROWS = 100_000;
export const OTHER = `CREATE TABLE other (id INTEGER PRIMARY KEY, a INTEGER);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO other SELECT i, i FROM n`;
/** Rows that change, all of them on screen. */
export const CHANGED_ROWS = 10;
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

const CHANGE = changeSql('change 1', 1);
const COMMIT = 'Each change is its own transaction and is recorded in the history, so it can be undone.';
const AROUND = 'The live queries are open in the same window; one in five shows the changed rows.';

export const LIVE_TESTS: readonly Described<LiveTest>[] = [
  described(
    'change-to-paint',
    'change to painted cell',
    `${COMMIT} Measured from the request until the frame with the new cell is painted in a live query’s grid, including up to 16.7 ms until the next screen refresh. ${AROUND}`,
    CHANGE,
    CHANGES,
  ),
  described(
    'change-to-rows',
    'change to received row',
    `${COMMIT} Measured from the request until the grid has the new row: as above, without waiting for the screen. ${AROUND}`,
    CHANGE,
    CHANGES,
  ),
  described(
    'commits',
    'single-row commits',
    `${COMMIT} ${COMMITS} changes are requested at once. The time until the last one is acknowledged, per change: 1,000 µs is 1,000 commits per second. ${AROUND}`,
    CHANGE,
    COMMITS,
    { kind: 'throughput', unit: 'us' },
  ),
  described(
    'change-to-other-window',
    'change to painted cell in another window',
    `${COMMIT} Measured from the request in this window until a second window has painted the new cell in its grid of the same live query, including up to 16.7 ms until the next screen refresh. The clocks of the two windows are compared first. ${AROUND}`,
    CHANGE,
    CHANGES,
  ),
];

export function liveStatements(test: string, size: number, seed: number): readonly ShownStatement[] {
  const prepared = [CREATE, insertSql(1, LIVE_ROWS, seed), OTHER, ...liveQueries(size)];
  return [...prepared.map((sql): ShownStatement => ({ part: 'prepared', sql, times: 1 })), timedOf(LIVE_TESTS, test)];
}

const SHOWN_CHARACTERS = 2_000;

const IN_TAB =
  'As in the script; each change is recorded in the history, so it can be undone. The script is in an SQL tab of this window. Measured from the key press that runs it until the frame that shows its end is painted.';
const ALONE =
  'As in the script. The same script passed to the engine in one call, without a window or a history, to compare the tab with.';

const WHOLE = { kind: 'throughput', database: 'fresh' } as const;

/** Each test in the tab comes with a test of the same text on the engine alone, which its driver runs. */
export const SQL_TAB_TESTS: readonly TestFacts[] = SQL_TAB_SCRIPTS.flatMap(({ id, title }): TestFacts[] => [
  appTest(`${id}-tab`, `${title}, in an SQL tab`, IN_TAB, WHOLE),
  appTest(`${id}-engine`, `${title}, on the engine alone`, ALONE, { ...WHOLE, measures: 'engine' }),
]);

export const isOfEngine = (test: string): boolean => test.endsWith('-engine');

export function sqlTabStatements(test: string, size: number): readonly ShownStatement[] {
  const { text, check } = sqlTabScriptOf(test);
  const sql = text(size);
  const left = sql.length - SHOWN_CHARACTERS;
  const shown = left > 0 ? `${sql.slice(0, SHOWN_CHARACTERS)}\n-- and ${left} characters more` : sql;
  return [
    { part: 'timed', sql: shown, times: 1 },
    ...check.map((query): ShownStatement => ({ part: 'checked', sql: query, times: 1 })),
  ];
}

/** Tests that start a new process of the app. */
export type StartTest = 'rows-cold' | 'rows' | 'window-cold' | 'window';
/** Tests in the running app. */
export type EngineTest = 'engine' | 'compile' | 'open-rows' | 'query-first' | 'query-fourth';
type StartupTest = StartTest | EngineTest;

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

const STARTUP_TESTS: readonly Described<StartupTest>[] = [
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

const START_TESTS: readonly string[] = ['rows-cold', 'rows', 'window-cold', 'window'];

export const isStart = (test: string): test is StartTest => START_TESTS.includes(test);
export const isColdStart = (test: StartupTest): boolean => test === 'rows-cold' || test === 'window-cold';

/** How cold a cold start is depends on whether caches are dropped. */
export function startupTests(dropsCaches: boolean): readonly TestFacts[] {
  return STARTUP_TESTS.map(({ facts }) =>
    isColdStart(facts.id)
      ? { ...facts, transaction: `${facts.transaction} ${dropsCaches ? DROPPED : LEFT_IN_MEMORY}` }
      : facts,
  );
}

export function startupStatements(test: string, seed: number): readonly ShownStatement[] {
  const timed = timedOf(STARTUP_TESTS, test);
  if (test === 'engine' || test === 'compile') return [timed];
  return [
    { part: 'prepared', sql: CREATE, times: 1 },
    { part: 'prepared', sql: insertSql(1, START_ROWS, seed), times: 1 },
    timed,
  ];
}
