// The shapes of sqlink's `wasm-run`: basics at three sizes, with load and query timed apart, statements prepared and values bound.
import { exec, inTransaction, read, run, type ParamRow } from '../program.ts';
import type { BenchSuite, BenchTest, Program, ProgramInput, ScalarFunction } from '../suite.ts';

const TABLE = 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, val INTEGER)';
const INSERT = 'INSERT INTO t (id, name, val) VALUES (?, ?, ?)';
const COUNT = read('SELECT count(*), sum(id), sum(val), sum(length(name)) FROM t');
/** The one published with this suite. */
const SMALL_COMMITS = 500;
const CALLS_IN_BATCH = 1_000;

const rows = (size: number): readonly ParamRow[] =>
  Array.from({ length: size }, (_, index) => [index, `row-${index}`, 7 * index]);

const loaded = (size: number): Program['prepare'] => [exec(TABLE), ...inTransaction(run(INSERT, rows(size)))];

function insertTest(id: string, title: string, pragmas?: BenchTest['pragmas']): BenchTest {
  return {
    id,
    title,
    kind: 'throughput',
    unit: 'ms',
    transaction: 'One transaction around all inserts; its commit is timed.',
    database: 'fresh',
    ...(pragmas && { pragmas }),
    program: ({ size }) => ({
      prepare: [exec(TABLE)],
      timed: inTransaction(run(INSERT, rows(size))),
      check: [COUNT],
      rows: size,
    }),
  };
}

function query(id: string, title: string, program: (input: ProgramInput) => Program): BenchTest {
  return {
    id,
    title,
    kind: 'throughput',
    unit: 'ms',
    transaction: 'Implicit: one for each query.',
    database: 'kept',
    program,
  };
}

function smallCommits(id: string, pageSize: number): BenchTest {
  return {
    id,
    title: `${SMALL_COMMITS} inserts, one commit each, page size ${pageSize / 1024} KiB`,
    kind: 'latency',
    unit: 'us',
    transaction: 'Each insert is its own transaction.',
    database: 'fresh',
    sizes: [1_000],
    pragmas: { page_size: pageSize, cache_size: -200_000 },
    program: () => ({
      prepare: [exec(TABLE)],
      timed: [run(INSERT, rows(SMALL_COMMITS))],
      check: [COUNT],
      rows: SMALL_COMMITS,
    }),
  };
}

const JS_LENGTH: ScalarFunction = { name: 'js_length', arity: 1, call: (text) => String(text).length };

/** Both do the same work: only the cost of the call differs. */
const calls =
  (sql: string, functions: readonly ScalarFunction[] = []) =>
  (input: ProgramInput): Program => ({
    functions,
    prepare: loaded(input.size),
    timed: [read(sql)],
    check: [],
    rows: 1,
    operations: input.size,
  });

const SERIES = {
  name: 'js_series',
  argument: 'stop',
  columns: ['value'],
  *rows(stop: unknown) {
    for (let value = 0; value < Number(stop); value++) yield [value];
  },
};

/** Rows that JavaScript makes, handed over a thousand at a time. */
function batches(size: number): readonly ParamRow[] {
  return Array.from({ length: Math.ceil(size / CALLS_IN_BATCH) }, (_, batch) => {
    const from = batch * CALLS_IN_BATCH;
    const values = Array.from({ length: Math.min(CALLS_IN_BATCH, size - from) }, (_value, index) => from + index);
    return [JSON.stringify(values)];
  });
}

const perCall = { unit: 'us', kind: 'throughput', database: 'kept', transaction: 'None: one query.' } as const;

export const wasmRun: BenchSuite = {
  id: 'wasm-run',
  tests: [
    insertTest('insert', 'Insert all rows', { journal_mode: 'delete' }),
    insertTest('insert-wal', 'Insert all rows, WAL'),
    query('read', 'Read every row by its key', ({ size }) => ({
      prepare: loaded(size),
      timed: [
        read(
          'SELECT name FROM t WHERE id = ?',
          Array.from({ length: size }, (_, index) => [index]),
        ),
      ],
      check: [],
      rows: size,
    })),
    query('agg', 'Count, sum, average, and a group of ten', ({ size }) => ({
      prepare: loaded(size),
      timed: [
        read('SELECT count(*), sum(val), avg(val) FROM t'),
        read('SELECT val % 10, count(*), sum(val) FROM t GROUP BY val % 10 ORDER BY 1'),
      ],
      check: [],
      rows: 11,
    })),
    query('join', 'Join every row to one of a small table', ({ size }) => {
      const small = Math.max(50, Math.floor(size / 100));
      return {
        prepare: [
          exec(
            'CREATE TABLE a (id INTEGER PRIMARY KEY, ref INTEGER); CREATE TABLE b (id INTEGER PRIMARY KEY, name TEXT)',
          ),
          ...inTransaction(
            run(
              'INSERT INTO a (id, ref) VALUES (?, ?)',
              Array.from({ length: size }, (_, index) => [index, index % small]),
            ),
            run(
              'INSERT INTO b (id, name) VALUES (?, ?)',
              Array.from({ length: small }, (_, index) => [index, `name-${index}`]),
            ),
          ),
        ],
        timed: [read('SELECT count(*), sum(length(b.name)) FROM a JOIN b ON a.ref = b.id')],
        check: [],
        rows: 1,
      };
    }),
    smallCommits('smalltx-4k', 4_096),
    smallCommits('smalltx-16k', 16_384),
    {
      id: 'scalar-builtin',
      title: 'Call a built-in function for each row',
      ...perCall,
      program: calls('SELECT sum(length(name)) FROM t'),
    },
    {
      id: 'scalar-js',
      title: 'Call a JavaScript function for each row',
      ...perCall,
      program: calls('SELECT sum(js_length(name)) FROM t', [JS_LENGTH]),
    },
    {
      id: 'series-rows',
      title: 'Read a JavaScript virtual table, row by row',
      ...perCall,
      program: ({ size }) => ({
        tables: [SERIES],
        prepare: [],
        timed: [read(`SELECT count(*), sum(value) FROM js_series(${size})`)],
        check: [],
        rows: 1,
        operations: size,
      }),
    },
    {
      id: 'series-batched',
      title: 'The same rows, a thousand at a time as JSON',
      ...perCall,
      transaction: 'None: one query for each batch.',
      program: ({ size }) => ({
        prepare: [],
        timed: [read('SELECT count(*), sum(value) FROM temp.json_each(?)', batches(size))],
        check: [],
        operations: size,
      }),
    },
  ],
};
