// The baseline for SQL tabs in the suite `sql-tab`: the same texts on each engine alone, rows stepped through, but not read.
import { SQL_TAB_SCRIPTS } from '#shared/bench/speedtest1.ts';
import { exec, read } from '../program.ts';
import type { BenchSuite, BenchTest } from '../suite.ts';

export const sqlTab: BenchSuite = {
  id: 'sql-tab',
  tests: SQL_TAB_SCRIPTS.map(({ id, title, check, text }): BenchTest => ({
    id: `${id}-engine`,
    title: `${title}, on the engine alone`,
    kind: 'throughput',
    unit: 'ms',
    transaction: 'As the text says.',
    database: 'fresh',
    unavailable: ({ dialect, label }) =>
      dialect === 'postgres' ? `${label} does not know REPLACE and PRAGMA, of which speedtest1 is made.` : null,
    program: ({ size }) => ({ prepare: [], timed: [exec(text(size))], check: check.map((sql) => read(sql)) }),
  })),
};
