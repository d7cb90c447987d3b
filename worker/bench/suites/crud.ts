// The daily work of a small app: the shapes of sqlite3-bench, with seeded ids that exist, and the nearest of some vectors.
import type { Random } from '#shared/random.ts';
import {
  distinctIds,
  exec,
  inTransaction,
  randomIds,
  read,
  reopen,
  run,
  type ParamRow,
  type Step,
  type Param,
} from '../program.ts';
import type { BenchSuite, BenchTest, Program, ScalarFunction } from '../suite.ts';

// The nearest of many vectors, found by looking at each: a distance function written in JavaScript, the same on every engine.

const DIMENSIONS = 128;
const NEAREST = 10;
const PROBES = 10;
const TAGS = 100;
const TAG = 42;

const distance: ScalarFunction = {
  name: 'vector_distance',
  arity: 2,
  call: (left, right) => euclidean(floats(left), floats(right)),
};

const shared = {
  kind: 'throughput',
  unit: 'ms',
  sizes: [5_000],
  unavailable: ({ dialect, label }) => (dialect === 'postgres' ? `${label} calls no function of JavaScript.` : null),
} as const satisfies Partial<BenchTest>;

const vectorTests: readonly BenchTest[] = [
  {
    ...shared,
    id: 'vector-insert',
    title: 'Insert vectors and their metadata',
    database: 'fresh',
    transaction: 'One transaction around all statements.',
    program: ({ size, random }) => ({
      prepare: tables,
      timed: fill(size, random),
      check: [read('SELECT count(*), sum(length(vector)) FROM vectors'), read('SELECT count(*), sum(tag) FROM meta')],
      rows: 2 * size,
    }),
  },
  nearest(
    'vector-nearest',
    `The ${NEAREST} nearest of all, ${PROBES} probes`,
    (limit) => `SELECT id FROM vectors\n ${limit}`,
  ),
  nearest(
    'vector-nearest-filtered',
    `The ${NEAREST} nearest of one tag, ${PROBES} probes`,
    (limit) => `SELECT vectors.id FROM vectors JOIN meta ON meta.id = vectors.id AND meta.tag = ${TAG}\n ${limit}`,
  ),
];

function nearest(id: string, title: string, sql: (limit: string) => string): BenchTest {
  return {
    ...shared,
    id,
    title,
    database: 'kept',
    transaction: 'Implicit: one for each query.',
    program: ({ size, random }) => ({
      functions: [distance],
      prepare: [...tables, ...fill(size, random)],
      timed: [
        read(
          sql(`ORDER BY vector_distance(vector, ?), vectors.id LIMIT ${NEAREST}`),
          Array.from({ length: PROBES }, () => [vector(random)]),
        ),
      ],
      check: [],
      rows: PROBES * NEAREST,
    }),
  };
}

const tables = [
  exec('CREATE TABLE vectors(id INTEGER PRIMARY KEY, vector BLOB NOT NULL)'),
  exec('CREATE TABLE meta(id INTEGER PRIMARY KEY, tag INTEGER NOT NULL, value TEXT NOT NULL)'),
];

function fill(size: number, random: Random): readonly Step[] {
  const ids = Array.from({ length: size }, (_, index) => index + 1);
  return inTransaction(
    run(
      'INSERT INTO vectors VALUES (?, ?)',
      ids.map((id): ParamRow => [id, vector(random)]),
    ),
    // Every tag as often as any other: the filtered query always has enough to choose from.
    run(
      'INSERT INTO meta VALUES (?, ?, ?)',
      ids.map((id): ParamRow => [id, id % TAGS, `value ${id}`]),
    ),
  );
}

function vector(random: Random): Uint8Array {
  return new Uint8Array(Float32Array.from({ length: DIMENSIONS }, () => random.next()).buffer);
}

function floats(value: Param): Float32Array {
  const bytes = value as Uint8Array;
  // A view needs an address that four divides, and engines lend their memory as it lies.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

function euclidean(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) {
    const difference = left[at]! - right[at]!;
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}

const CREATED_AT = 1_700_000_000;
const LOOKUPS = 1_000;

const throughput = { kind: 'throughput', unit: 'ms' } as const;
const writing = { ...throughput, database: 'fresh', transaction: 'One transaction around all statements.' } as const;
const reading = {
  ...throughput,
  database: 'kept',
  transaction: 'Implicit: one for each query.',
} as const;

const schema = [
  exec(
    'CREATE TABLE bench(id INTEGER PRIMARY KEY, name TEXT NOT NULL, value REAL NOT NULL, created_at INTEGER NOT NULL)',
  ),
  exec('CREATE INDEX bench_value ON bench(value)'),
];
const check = [read('SELECT count(*), sum(id), sum(value), sum(length(name)) FROM bench')];
const insert = 'INSERT INTO bench(id, name, value, created_at) VALUES (?, ?, ?, ?)';

export const crud: BenchSuite = {
  id: 'crud',
  tests: [
    opening('open', 'Close and open', [reopen]),
    opening('startup', 'Close, open, first query', [reopen, read('SELECT 1')]),
    {
      ...writing,
      id: 'schema',
      title: 'Create a table and an index',
      transaction: 'Implicit: one for each statement.',
      sizes: [5_000],
      program: () => ({ prepare: [], timed: schema, check }),
    },
    inserting('insert', 'Insert, prepared anew for each row as published', 'each'),
    inserting('insert-prepared', 'Insert, prepared once', 'once'),
    {
      ...reading,
      id: 'select-all',
      title: 'Read all rows',
      program: ({ size }) => filled(size, [read('SELECT id, name, value, created_at FROM bench')], size),
    },
    {
      ...reading,
      id: 'lookup',
      title: 'Look up rows by key, preparing each time, as published',
      program: ({ size, random }) => {
        const ids = randomIds(random, Math.min(LOOKUPS, size), size);
        return filled(
          size,
          [read('SELECT id, name, value, created_at FROM bench WHERE id = ?', ids, 'each')],
          ids.length,
        );
      },
    },
    {
      ...writing,
      id: 'update',
      title: 'Update a tenth of the rows by key',
      program: ({ size, random }) => {
        const rows = distinctIds(random, size / 10, size).map(([id]): ParamRow => [1_000 + Number(id), id!]);
        const timed = inTransaction(run('UPDATE bench SET value = ? WHERE id = ?', rows, 'each'));
        return { ...filled(size, timed, rows.length), check };
      },
    },
    {
      ...writing,
      id: 'delete',
      title: 'Delete a tenth of the rows by key',
      program: ({ size, random }) => {
        const ids = distinctIds(random, size / 10, size);
        const timed = inTransaction(run('DELETE FROM bench WHERE id = ?', ids, 'each'));
        return { ...filled(size, timed, ids.length), check };
      },
    },
    ...vectorTests,
  ],
};

function opening(id: string, title: string, timed: readonly Step[]): BenchTest {
  return {
    ...reading,
    id,
    title,
    transaction: 'None.',
    unavailable: ({ storage, label }) =>
      storage === 'memory' ? `${label} stores nothing that could be reopened.` : null,
    program: ({ size }) => filled(size, timed),
  };
}

function inserting(id: string, title: string, prepare: 'once' | 'each'): BenchTest {
  return {
    ...writing,
    id,
    title,
    program: ({ size }) => ({
      prepare: schema,
      timed: inTransaction(run(insert, rowsOf(size), prepare)),
      check,
      rows: size,
    }),
  };
}

function filled(size: number, timed: readonly Step[], rows?: number): Program {
  const program = { prepare: [...schema, ...inTransaction(run(insert, rowsOf(size)))], timed, check: [] };
  return rows === undefined ? program : { ...program, rows };
}

function rowsOf(size: number): readonly ParamRow[] {
  return Array.from({ length: size }, (_, index): ParamRow => [
    index + 1,
    `name_${index}`,
    index % 100,
    CREATED_AT + index,
  ]);
}
