// Figures published by others, shown beside ours. None was measured here, and they are never mixed with measured ones.
import type { SuiteId } from './suites.ts';

interface PublishedSource {
  readonly id: 'S0' | 'S1' | 'S2' | 'S3' | 'S4';
  readonly title: string;
  readonly where: string;
  /** Conditions to know before comparing, as a sentence. */
  readonly conditions: string;
}

export interface PublishedFigure {
  readonly source: PublishedSource['id'];
  /** The measured engine: “wa-sqlite, OPFS pool”. */
  readonly contender: string;
  readonly suite: SuiteId;
  readonly test: string;
  /** Null if the source gives no size that matches ours. */
  readonly size: number | null;
  /** `ratio`: relative to native SQLite as measured by the source; `ms`: the source has no native column. */
  readonly kind: 'ratio' | 'ms';
  readonly value: number;
  readonly note?: string;
}

export const PUBLISHED_SOURCES: readonly PublishedSource[] = [
  {
    id: 'S0',
    title: 'sqlite-wasm-run against native SQLite',
    where: 'github.com/tegmentum/sqlink, tooling/bench.py',
    conditions:
      'Command line against command line in wasmtime, tuned and precompiled; start, parsing and loading are in the timed part; SQLite 3.53.2 against 3.43.2; median of 3 to 5.',
  },
  {
    id: 'S1',
    title: 'Rico Mariani, WASM and SQLite',
    where: 'Rico Mariani, 2021',
    conditions: 'wa-sqlite of 2021; one or two runs each. The ratio of 80 is over memory, not over native.',
  },
  {
    id: 'S2',
    title: 'sqlite3-bench',
    where: 'github.com/marcus-pousette/sqlite3-bench',
    conditions:
      'Node rows ran WAL and NORMAL, browser rows DELETE and FULL; SQLite 3.44 against 3.50; one sample each; unseeded random ids.',
  },
  {
    id: 'S3',
    title: 'speedtest1, OPFS against WebSQL',
    where: 'sqlite.org, speedtest1 in the browser',
    conditions:
      'Direct mode is prepared statements over native C; script mode is over WebSQL, which is C, too. Its statement counts are not exactly ours; one run.',
  },
  {
    id: 'S4',
    title: 'PGlite’s benchmarks',
    where: 'github.com/electric-sql/pglite, packages/benchmark',
    conditions:
      'One run in whole milliseconds; native in memory for memory, in a file (DELETE, FULL) for persisted storage; message passing and rows read are left out.',
  },
];

export function publishedSource(id: PublishedSource['id']): PublishedSource {
  return PUBLISHED_SOURCES.find((source) => source.id === id)!;
}

type Series = readonly [contender: string, ...values: (number | null)[]];

/** One figure for each test of each series. */
function series(
  base: Pick<PublishedFigure, 'source' | 'suite' | 'size' | 'kind'>,
  tests: readonly string[],
  rows: readonly Series[],
): PublishedFigure[] {
  return rows.flatMap(([contender, ...values]) =>
    tests.flatMap((test, at) => {
      const value = values[at];
      return value === null || value === undefined ? [] : [{ ...base, contender, test, value }];
    }),
  );
}

const s0 = (size: number, ...values: number[]): PublishedFigure[] =>
  series(
    { source: 'S0', suite: 'wasm-run', size, kind: 'ratio' },
    ['insert', 'read', 'agg', 'join'],
    [['SQLite in wasmtime', ...values]],
  );

const SIXTEEN = Array.from({ length: 16 }, (_, index) => String(index + 1));

export const PUBLISHED: readonly PublishedFigure[] = [
  ...s0(1_000, 6.2, 5.6, 5, 5.7),
  ...s0(10_000, 3.9, 4.9, 3.6, 4.1),
  ...s0(100_000, 2.9, 4.6, 2.7, 3),
  ...series(
    { source: 'S0', suite: 'wasm-run', size: null, kind: 'ratio' },
    ['smalltx-4k', 'smalltx-16k'],
    [['SQLite in wasmtime', 9.6, 15]],
  ),
  ...series(
    { source: 'S1', suite: 'million', size: 1_000_000, kind: 'ratio' },
    ['insert-delete', 'insert-off'],
    [
      ['wa-sqlite, memory', 3, 3],
      ['wa-sqlite, IndexedDB', 80, null],
    ],
  ),
  ...series(
    { source: 'S2', suite: 'crud', size: 5_000, kind: 'ratio' },
    ['insert', 'select-all', 'lookup', 'update', 'delete'],
    [
      ['sqlite-wasm, memory', 10, 17.1, 7.6, 7.6, 1.4],
      ['sqlite-wasm, OPFS', 8.6, 13.5, 69.7, 28, 38.3],
      ['libSQL wasm, OPFS (the same binary)', 9.9, 20.4, 180, 81, 335],
      ['node-sqlite3, file', 4.4, 1.9, 3.1, 4.5, 5.7],
      ['libSQL native, file', 2.5, 4.6, 2.7, 3.1, 4.9],
      ['Turso native, memory', 3, 8.3, 25, 4, 0.8],
      ['PGlite in Node, memory', 54, 7.6, 53, 58, 17],
      ['PGlite, OPFS', 1004, 10, 531, 867, 1034],
    ],
  ),
  ...speedtest1('total-prepared', 25, ['SQLite in WASMFS', 3.2], ['SQLite in the opfs VFS', 3]),
  ...speedtest1('total-prepared', 100, ['SQLite in WASMFS', 2.03], ['SQLite in the opfs VFS', 2.09]),
  ...speedtest1('total-script', 25, ['SQLite wasm, memory', 1.03]),
  ...speedtest1('total-script', 100, ['SQLite wasm, memory', 1.3]),
  ...series({ source: 'S4', suite: 'sqlite16', size: 25_000, kind: 'ratio' }, SIXTEEN, [
    ['wa-sqlite, memory', 17.5, 3.5, 2.9, 1.4, 1.7, 1.7, 4.2, 1.8, 2.8, 3.2, 2.1, 2, 2.2, 2.1, 3.9, 3],
    ['wa-sqlite, OPFS handle pool', 85.7, 7.2, 3.6, 1.3, 1.1, 5.5, 4.4, 2.5, 2.9, 3.2, 3.8, 4.1, 3.1, 4, 5.8, 25.7],
    ['wa-sqlite, IDBBatchAtomic', 3.8, 7.9, 5.7, 2.4, 1.3, 3, 7.1, 2.8, 4.6, 6, 12.9, 49.9, 7.7, 9.9, 8.3, 32.7],
    ['wa-sqlite, OPFS', 65.4, 7.4, 4.3, 3.7, 1.3, 17.4, 6.1, 3.7, 4.9, 5.6, 6.3, 9.7, 14.8, 8.3, 18.9, 203],
    ['PGlite, memory', 8, 13.3, 10.1, 2.9, 1.8, 2.6, 16.2, 5.9, 11.6, 22.8, 5.6, 1.4, 1.2, 5.6, 17.6, 4],
    ['PGlite, OPFS pool', 0.1, 15.6, 10.1, 2.8, 1.1, 3.2, 17.8, 5.4, 13, 22.8, 6.9, 1.2, 1.9, 7, 16.1, 4],
  ]),
  ...series(
    { source: 'S4', suite: 'rtt', size: null, kind: 'ms' },
    ['insert-number'],
    [
      ['PGlite, memory', 0.058],
      ['PGlite, OPFS pool', 3.9],
      ['PGlite, OPFS pool, relaxed', 0.08],
      ['PGlite, IndexedDB', 21],
      ['wa-sqlite, memory', 0.083],
      ['wa-sqlite, IDBBatchAtomic', 1.6],
      ['wa-sqlite, OPFS pool', 19.8],
    ],
  ),
];

function speedtest1(test: string, size: number, ...rows: readonly Series[]): PublishedFigure[] {
  return series({ source: 'S3', suite: 'speedtest1', size, kind: 'ratio' }, [test], rows);
}

/** Published geometric means over a whole suite. */
export const PUBLISHED_GEOMEANS: readonly Omit<PublishedFigure, 'test' | 'size'>[] = (
  [
    ['wa-sqlite, memory', 2.75],
    ['wa-sqlite, OPFS handle pool', 4.67],
    ['wa-sqlite, IDBBatchAtomic', 6.54],
    ['wa-sqlite, OPFS', 9.28],
    ['PGlite, memory', 5.73],
    ['PGlite, OPFS pool', 4.48],
  ] as const
).map(([contender, value]) => ({ source: 'S4', suite: 'sqlite16', contender, kind: 'ratio', value }));

/** The published figures for a test, best first. */
export function publishedOf(suite: string, test: string, size: number): readonly PublishedFigure[] {
  return PUBLISHED.filter(
    (figure) => figure.suite === suite && figure.test === test && (figure.size === null || figure.size === size),
  ).sort((a, b) => a.value - b.value);
}
