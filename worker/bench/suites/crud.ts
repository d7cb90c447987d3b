// The daily work of a small app: the shapes of sqlite3-bench, with seeded ids that exist, and the nearest of some vectors.
import { exec, inTransaction, read, reopen, run, type ParamRow, type Step } from '../program.ts';
import type { BenchSuite, BenchTest, Program } from '../suite.ts';
import { vectorTests } from './vector.ts';
import { distinctIds, randomIds } from './ids.ts';

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
