// speedtest1: SQLite's own measure of itself, its testset `main`, with prepared statements and as a script; and the same as one text, the
// baseline of the suite `sql-tab`: on each engine alone, rows stepped through, but not read.
import { exec, read, run, type Step } from '../program.ts';
import type { BenchSuite, BenchTest } from '../suite.ts';
import {
  speedtest1Blocks,
  literalStatements,
  SQL_TAB_SCRIPTS,
  type Speedtest1Block,
} from '#shared/bench/speedtest1.ts';

/** Any size has the same tests; only their titles name numbers. */
const NUMBERS = speedtest1Blocks(5).map(({ number, title }) => ({ number, title: title.replace(/\d{1,9}-r/, 'n-r') }));

/** Tables that hold all rows after these tests. */
const FULL: Readonly<Record<number, readonly string[]>> = {
  100: ['z1'],
  110: ['z2'],
  120: ['t3'],
  180: ['t4'],
  190: ['z2'],
  290: ['t3'],
  300: ['z2'],
};

/** Tables whose content these tests change, row by row. */
const CHECKED: Readonly<Record<number, readonly string[]>> = {
  230: ['z2'],
  240: ['z2'],
  250: ['z2'],
  270: ['z2'],
  280: ['t3'],
};

const MODES = [
  ['prepared', 'Prepared once, bound for each row', preparedSteps],
  ['script', 'As one text', scriptSteps],
] as const;

const unavailable: BenchTest['unavailable'] = ({ dialect, label }) =>
  dialect === 'postgres' ? `${label} does not know REPLACE and PRAGMA, of which speedtest1 is made.` : null;

export const speedtest1: BenchSuite = {
  id: 'speedtest1',
  tests: MODES.flatMap(([mode, title, stepsOf]) =>
    NUMBERS.map((block): BenchTest => ({
      id: `${block.number}-${mode}`,
      title: `${block.title}. ${title}`,
      kind: 'throughput',
      unit: 'ms',
      transaction: isInTransaction(block.number)
        ? 'One transaction around all statements.'
        : 'No explicit transaction: each statement is its own.',
      database: 'fresh',
      sequence: mode,
      unavailable,
      program: ({ size }) => ({
        prepare: [],
        timed: stepsOf(blockOf(size, block.number)),
        check: (CHECKED[block.number] ?? []).map((table) => read(`SELECT count(*), sum(b), max(c) FROM ${table}`)),
        counted: Object.fromEntries((FULL[block.number] ?? []).map((table) => [table, 500 * size])),
      }),
    })),
  ),
};

export const sqlTab: BenchSuite = {
  id: 'sql-tab',
  tests: SQL_TAB_SCRIPTS.map(({ id, title, check, text }): BenchTest => ({
    id: `${id}-engine`,
    title: `${title}, on the engine alone`,
    kind: 'throughput',
    unit: 'ms',
    transaction: 'As the text says.',
    database: 'fresh',
    unavailable,
    program: ({ size }) => ({ prepare: [], timed: [exec(text(size))], check: check.map((sql) => read(sql)) }),
  })),
};

function blockOf(size: number, number: number): Speedtest1Block {
  return speedtest1Blocks(size).find((block) => block.number === number)!;
}

function isInTransaction(number: number): boolean {
  return blockOf(5, number).steps[0]!.sql === 'BEGIN';
}

const READS = /^(SELECT|PRAGMA)\b/;

function preparedSteps({ steps }: Speedtest1Block): readonly Step[] {
  return steps.map(({ sql, rows }) => {
    if (!rows) return READS.test(sql) ? read(sql) : exec(sql);
    return READS.test(sql) ? read(sql, [...rows()]) : run(sql, [...rows()]);
  });
}

/** Statements with their values written out, in one text; rows are stepped through, but not read. */
function scriptSteps({ steps }: Speedtest1Block): readonly Step[] {
  return [exec(steps.flatMap(literalStatements).join(';\n'))];
}
