// The tests of browsing and their descriptions; the player runs them.
import type { EngineId } from '#shared/bench/engines.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import type { BenchMemory } from '#shared/bench/shell.ts';
import { AppError } from '#shared/protocol/index.ts';
import { described } from './app-test.ts';
import type { Described } from './app-test.ts';
import { CREATE, FILTER, insertSql, SORT, TABLE } from './browse-table.ts';

export type MemoryTest = 'memory-engine' | 'memory-window' | 'memory-others';
export type BrowseTest = 'first-rows' | 'jump' | 'scroll' | 'drag' | 'sort' | 'filter' | MemoryTest;

/** Samples of a round. */
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
  test: BrowseTest,
  size: number,
  seed: number,
  counts: BenchMemory['counts'] | null,
): readonly ShownStatement[] {
  const { facts, times, timed: work } = BROWSE_TESTS.find(({ facts: { id } }) => id === test)!;
  const isMemory = facts.unit === 'bytes';
  const timed = isMemory ? (counts === null ? 'process memory' : COUNTED[counts]) : work;
  return [
    { part: 'prepared', sql: CREATE, times: 1 },
    { part: 'prepared', sql: insertSql(1, Math.min(size, 100_000), seed), times: Math.ceil(size / 100_000) },
    { part: 'timed', sql: timed, times },
  ];
}

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
