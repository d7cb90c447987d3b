// One large insert under each journal, counts over what it left, and what opening costs: the shapes of Rico Mariani's pages of 2021.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import { exec, inTransaction, read, reopen, type Step } from '../program.ts';
import type { BenchSuite, BenchTest } from '../suite.ts';

const JOURNALS = ['wal', 'delete', 'truncate', 'persist', 'memory', 'off'] as const;
const PART = 200;

const shared = { kind: 'throughput', unit: 'ms' } as const;

export const million: BenchSuite = {
  id: 'million',
  tests: [
    ...JOURNALS.map(insertUnder),
    counting('count', 'Count all rows', 1, [read('SELECT count(*) FROM dummy')]),
    counting('count-filtered', 'Count rows divisible by 31', 1, [read('SELECT count(*) FROM dummy WHERE id % 31 = 0')]),
    counting('part', `Read ${PART} rows of many`, PART, [read(`SELECT id FROM dummy LIMIT ${PART}`)]),
    {
      ...counting('open', 'Close, reopen and read one row', 1, [reopen, read('SELECT id FROM dummy LIMIT 1')]),
      unavailable: ({ storage, label }) =>
        storage === 'memory' ? `${label} keeps nothing that could be opened again.` : null,
    },
  ],
};

function counting(id: string, title: string, rows: number, timed: readonly Step[]): BenchTest {
  return {
    id,
    title,
    ...shared,
    database: 'kept',
    transaction: 'Implicit: one for the query.',
    program: ({ size }) => ({ prepare: [table, ...inTransaction(fill(size))], timed, check: [], rows }),
  };
}

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
