// One large insert under each journal, counts over what it left, and what opening costs: the shapes of Rico Mariani's pages of 2021.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import { exec, inTransaction, read, reopen, type Step } from '../program.ts';
import type { BenchSuite, BenchTest, Program } from '../suite.ts';

const JOURNALS = ['wal', 'delete', 'truncate', 'persist', 'memory', 'off'] as const;
const PART = 200;

const shared = { kind: 'throughput', unit: 'ms' } as const;
const reading = {
  ...shared,
  database: 'kept',
  transaction: 'Implicit: one for the query.',
} as const;

export const million: BenchSuite = {
  id: 'million',
  tests: [
    ...JOURNALS.map(insertUnder),
    {
      id: 'count',
      title: 'Count all rows',
      ...reading,
      program: ({ size }) => filled(size, [read('SELECT count(*) FROM dummy')], 1),
    },
    {
      id: 'count-filtered',
      title: 'Count rows divisible by 31',
      ...reading,
      program: ({ size }) => filled(size, [read('SELECT count(*) FROM dummy WHERE id % 31 = 0')], 1),
    },
    {
      id: 'part',
      title: `Read ${PART} rows of many`,
      ...reading,
      program: ({ size }) => filled(size, [read(`SELECT id FROM dummy LIMIT ${PART}`)], PART),
    },
    {
      id: 'open',
      title: 'Close, reopen and read one row',
      ...reading,
      unavailable: ({ storage, label }) =>
        storage === 'memory' ? `${label} keeps nothing that could be opened again.` : null,
      program: ({ size }) => filled(size, [reopen, read('SELECT id FROM dummy LIMIT 1')], 1),
    },
  ],
};

function insertUnder(journal: Pragmas['journal_mode']): BenchTest {
  return {
    id: `insert-${journal}`,
    title: `Insert all rows with one statement, journal ${journal.toUpperCase()}`,
    ...shared,
    database: 'fresh',
    transaction: 'One transaction around the one statement.',
    pragmas: { journal_mode: journal },
    unavailable: (engine) => withoutJournal(engine, journal),
    program: ({ size }) => ({
      prepare: [table],
      timed: inTransaction(fill(size)),
      check: [read('SELECT count(*), sum(id) FROM dummy')],
      counted: { dummy: size },
    }),
  };
}

function withoutJournal(
  { dialect, storage, label }: EngineDefinition,
  journal: Pragmas['journal_mode'],
): string | null {
  if (dialect === 'postgres')
    return journal === 'wal' ? null : `${label} always writes its own log ahead; it has no journal modes.`;
  if (storage === 'file' || journal === 'memory' || journal === 'off') return null;
  return `A database in memory has no file for the journal ${journal.toUpperCase()}.`;
}

const table = exec('CREATE TABLE dummy(id INTEGER)');

function fill(size: number): Step {
  return exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})\nINSERT INTO dummy SELECT i FROM n`,
  );
}

function filled(size: number, timed: readonly Step[], rows: number): Program {
  return { prepare: [table, ...inTransaction(fill(size))], timed, check: [], rows };
}
