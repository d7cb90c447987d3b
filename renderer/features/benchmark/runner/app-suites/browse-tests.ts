// What is measured of browsing, and in which words; how it is done is the benchmark target's.
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import type { BenchMemory } from '#shared/bench/shell.ts';
import { APP_TEST } from './app-test.ts';
import { CREATE, FILTER, insertSql, SORT, TABLE } from './browse-table.ts';

export type MemoryTest = 'memory-engine' | 'memory-window' | 'memory-others';
export type BrowseTest = 'first-rows' | 'jump' | 'scroll' | 'drag' | 'sort' | 'filter' | MemoryTest;

interface Described {
  readonly facts: TestFacts & { readonly id: BrowseTest };
  /** The product's operations of one sample. */
  readonly timed: string;
  readonly times: number;
}

/** Samples of a round. */
export const JUMPS = 6;
export const SCROLLED_FRAMES = 45;
export const DRAGGED_FRAMES = 45;
/** Before memory is looked at. */
export const BROWSED_FRAMES = 15;

const UNTIL =
  'The time ends when the frame with the rows is painted, so it includes up to 16.7 ms until the screen’s next refresh.';

function described(
  id: BrowseTest,
  title: string,
  transaction: string,
  timed: string,
  times = 1,
  own: Partial<Pick<TestFacts, 'unit' | 'scope'>> = {},
): Described {
  return {
    facts: {
      ...APP_TEST,
      id,
      title,
      kind: 'latency',
      unit: 'ms',
      transaction,
      ...own,
    },
    timed,
    times,
  };
}

export const BROWSE_TESTS: readonly Described[] = [
  described(
    'first-rows',
    'open the table: first rows',
    `No transaction. From asking for the table until the grid shows a screenful of it: description of the table, reader, rows, a new grid. ${UNTIL} Not included: the tab around the grid.`,
    `schema.table ${TABLE}; rows.open; rows.watch or rows.read`,
  ),
  described(
    'jump',
    'jump to a random place',
    `No transaction. From going to a row until every row on screen is there. The table is open, and its rows are counted. ${UNTIL}`,
    'rows.read around the place',
    JUMPS,
  ),
  described(
    'scroll',
    'turn the wheel: frame with all rows',
    'No transaction. 100 pixels a frame. From one frame that shows all its rows to the next: 16.7 ms when nothing is late; a frame with rows missing counts until they are there. The time the window’s thread is busy with a frame is kept beside it.',
    'rows.read ahead',
    SCROLLED_FRAMES,
  ),
  described(
    'drag',
    'drag the scroll bar: frame',
    'No transaction. From the first row to the last. From frame to frame, rows there or not: 16.7 ms when nothing is late; “jump” is the wait for rows. The time the window’s thread is busy with a frame is kept beside it.',
    'rows.read where it passes',
    DRAGGED_FRAMES,
  ),
  described(
    'sort',
    'sort by a column without an index',
    `No transaction. From asking for the sorted table until the grid shows its first screenful. ${UNTIL}`,
    `schema.table ${TABLE}; rows.open ORDER BY ${SORT[0]!.column}; rows.watch or rows.read`,
  ),
  described(
    'filter',
    'filter by a part of a text',
    `No transaction. From asking for the filtered table until the grid shows its first rows and the number of all is known: every row was looked at. ${UNTIL}`,
    `schema.table ${TABLE}; rows.open WHERE ${FILTER[0]!.column} contains ${String(FILTER[0]!.value)}; rows.watch or rows.read`,
  ),
  memory(
    'memory-engine',
    'memory of the engine',
    `The process that has it: for the wasm engine the hidden page with its workers, wasm memory included; for better-sqlite3 the native process. Either serves the whole app, and has a page cache of at most 64 MiB for this table.`,
  ),
  memory(
    'memory-window',
    'memory of the window',
    'The process of the window that shows the table: interface, grid, and the rows it keeps around those on screen. It is the same for both engines: one figure, of the rounds of both.',
    'app',
  ),
  memory(
    'memory-others',
    'memory of all other processes',
    'Everything else of the app: main process, graphics, network, other windows. With the engine and the window it is all of it; a native engine that is not used is not started. Of the same rounds.',
    'app',
  ),
];

function memory(id: MemoryTest, title: string, which: string, scope?: TestFacts['scope']): Described {
  const transaction = `No transaction. ${which} Looked at after each round of ${JUMPS} jumps to random places and ${BROWSED_FRAMES} frames of turning the wheel, while the rows are on screen. Garbage collection is not forced.`;
  return described(id, title, transaction, '', 1, { unit: 'bytes', ...(scope && { scope }) });
}

const COUNTED: Readonly<Record<BenchMemory['counts'], string>> = {
  private: 'memory that only this process has: what would be free without it',
  resident:
    'resident memory, which includes what it shares with other processes: the system reports nothing more exact',
};

/** @param counts how memory is counted here; null where it is not told */
export function statementsOf(
  test: BrowseTest,
  size: number,
  seed: number,
  counts: BenchMemory['counts'] | null,
): readonly ShownStatement[] {
  const described = BROWSE_TESTS.find(({ facts }) => facts.id === test)!;
  const isMemory = described.facts.unit === 'bytes';
  const times = described.times;
  const timed = isMemory ? (counts === null ? 'memory of the process' : COUNTED[counts]) : described.timed;
  return [
    { part: 'prepared', sql: CREATE, times: 1 },
    { part: 'prepared', sql: insertSql(1, Math.min(size, 100_000), seed), times: Math.ceil(size / 100_000) },
    { part: 'timed', sql: timed, times },
  ];
}
