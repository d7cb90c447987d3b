// The sixteen tests, one after the other on one database, with the rows of its tables counted after each.
import { exec, read, type Step } from '../../program.ts';
import type { BenchSuite, BenchTest } from '../../suite.ts';
import { SQLITE16_TESTS, type Sqlite16Test } from './steps.ts';

const TABLES_AT_THE_END = ['t2_1', 't3_1'];

export const sqlite16: BenchSuite = {
  id: 'sqlite16',
  tests: SQLITE16_TESTS.map((test): BenchTest => ({
    id: test.id,
    title: test.title,
    kind: 'throughput',
    unit: 'ms',
    transaction: test.autocommit ? 'Implicit: one for each statement.' : 'One transaction around all statements.',
    database: 'fresh',
    sequence: 'all',
    program: ({ random }) => ({
      prepare: [],
      timed: stepsOf(test, test.statements(random)),
      check: tablesAfter(test.id).map((table) => read(`SELECT count(*), sum(a), sum(b), sum(length(c)) FROM ${table}`)),
      counted: test.tables ?? {},
    }),
  })),
};

/** Queries are read row by row; everything else is one text, parsed in the time that is measured. */
function stepsOf(test: Sqlite16Test, statements: readonly string[]): readonly Step[] {
  const text = (part: readonly string[]): Step => exec(part.join(';\n'));
  if (!statements[0]!.startsWith('SELECT'))
    return [text(test.autocommit ? statements : ['BEGIN', ...statements, 'COMMIT'])];
  return [exec('BEGIN'), ...statements.map((sql) => read(sql)), exec('COMMIT')];
}

/** Tables that exist after the test `id`. */
function tablesAfter(id: string): readonly string[] {
  if (id === '16') return TABLES_AT_THE_END;
  const until = SQLITE16_TESTS.findIndex((test) => test.id === id) + 1;
  return [...new Set(SQLITE16_TESTS.slice(0, until).flatMap(({ tables }) => Object.keys(tables ?? {})))];
}
