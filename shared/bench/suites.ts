// The suites by name: what each measures, on which engines, and at which sizes.

/** Where a field is missing, {@link SUITES} has its usual value. */
interface SuiteRow {
  /** Used on the command line and in results: never rename. */
  readonly id: string;
  readonly title: string;
  /** The question it answers, in one sentence. */
  readonly question: string;
  /**
   * `engine`: tests are programs that each engine's driver runs (`worker/bench/suites/`). `app`: the window measures the product
   * itself (`renderer/features/benchmark/runner/app-suites/`).
   */
  readonly where?: 'engine' | 'app';
  /** All available sizes, ascending. {@link sizeUnit} says what a size counts. */
  readonly sizes: readonly number[];
  readonly sizeUnit?: string;
  /** The sizes of a run for which no sizes were chosen. */
  readonly usualSizes?: readonly number[];
  /** The one size of `--quick`. */
  readonly quickSize?: number;
  /** Publication of the design of this suite. */
  readonly source?: string | null;
}

const SUITE_TABLE = [
  {
    id: 'wasm-run',
    title: 'Wasm vs. native basics',
    question: 'How fast are inserts, reads, aggregates, joins, small commits, and user-defined functions?',
    sizes: [1_000, 10_000, 100_000],
    quickSize: 10_000,
    source: 'github.com/tegmentum/sqlink, tooling/bench.py',
  },
  {
    id: 'million',
    title: 'A million rows',
    question: 'How much do journal modes cost in one large insert, and how fast are counts and opening afterwards?',
    sizes: [10_000, 100_000, 1_000_000],
    source: 'Rico Mariani, WASM and SQLite, 2021',
  },
  {
    id: 'crud',
    title: 'Create, read, update, delete',
    question: 'How fast are the typical operations of a small app, and a nearest-vector search?',
    sizes: [5_000, 20_000],
    source: 'github.com/marcus-pousette/sqlite3-bench',
  },
  {
    id: 'speedtest1',
    title: 'speedtest1',
    question: 'How do the engines do on SQLite’s own benchmark?',
    sizes: [5, 25, 100],
    sizeUnit: 'size',
    usualSizes: [5, 25],
    source: 'sqlite.org, test/speedtest1.c, testset main',
  },
  {
    id: 'rtt',
    title: 'Round trips',
    question: 'How long does one small statement take, in the engine and until the window has the result?',
    sizes: [100, 1_000],
    sizeUnit: 'statements',
    usualSizes: [1_000],
    source: 'github.com/electric-sql/pglite, packages/benchmark, rtt.js',
  },
  {
    id: 'sqlite16',
    title: 'The 16 tests',
    question: 'How fast are the 16 classic SQLite tests, with every result verified?',
    sizes: [25_000],
    source: 'github.com/rhashimoto/wa-sqlite, demo/benchmarks',
  },
  {
    id: 'transport',
    title: 'From engine to screen',
    question: 'How long until the rows of a query are in the window, and how much does that slow down the interface?',
    sizes: [500, 10_000, 50_000, 500_000],
    quickSize: 10_000,
  },
  {
    id: 'readers',
    title: 'Readers alongside a writer',
    question: 'How fast are reads while a writer commits, and how fast are the commits?',
    sizes: [1, 2, 4],
    sizeUnit: 'readers',
    quickSize: 2,
  },
  {
    id: 'live',
    title: 'Live queries',
    question: 'How long does it take to paint a change, and how many changes per second are possible?',
    where: 'app',
    sizes: [1, 10, 50],
    sizeUnit: 'live queries',
    usualSizes: [1, 50],
    quickSize: 10,
  },
  {
    id: 'browse',
    title: 'Browse a large table',
    question: 'How fast are first rows, jumps, frames while scrolling, sorts, and filters?',
    where: 'app',
    sizes: [100_000, 1_000_000, 10_000_000],
    usualSizes: [1_000_000, 10_000_000],
  },
  {
    id: 'sql-tab',
    title: 'Scripts in an SQL tab',
    question: 'How much longer do long scripts take in an SQL tab, until the end is painted, than in the engine alone?',
    where: 'app',
    sizes: [5, 25],
    sizeUnit: 'size',
  },
  {
    id: 'import',
    title: 'Import',
    question: 'How fast do rows of CSV and NDJSON come into a table, with types from all of them?',
    where: 'app',
    sizes: [10_000, 100_000],
    usualSizes: [100_000],
  },
  {
    id: 'export',
    title: 'Export',
    question: 'How fast is a table written as CSV, JSON, and XLSX?',
    where: 'app',
    sizes: [10_000, 100_000, 1_000_000],
    usualSizes: [100_000],
  },
  {
    id: 'startup',
    title: 'Start',
    question:
      'How long does it take to show the window and the first rows after launch, and how fast is the first query? The app is started several more times to measure this.',
    where: 'app',
    sizes: [1],
    sizeUnit: 'start',
  },
  {
    id: 'own-query',
    title: 'Your own query',
    question: 'How long does your own SQL take on your own data, on both engines?',
    sizes: [1],
    sizeUnit: 'query',
  },
] as const satisfies readonly SuiteRow[];

export type SuiteId = (typeof SUITE_TABLE)[number]['id'];

export interface SuiteDefinition extends Required<SuiteRow> {
  readonly id: SuiteId;
}

export const SUITES: readonly SuiteDefinition[] = SUITE_TABLE.map((row) => ({
  where: 'engine',
  sizeUnit: 'rows',
  usualSizes: row.sizes,
  quickSize: row.sizes[0],
  source: null,
  ...row,
}));

/** A part of a suite that has its own name on the command line. */
export const VECTOR = {
  id: 'vector',
  suite: 'crud',
  tests: ['vector-insert', 'vector-nearest', 'vector-nearest-filtered'],
} as const;

export function suiteOf(id: string): SuiteDefinition | null {
  return SUITES.find((suite) => suite.id === id) ?? null;
}
