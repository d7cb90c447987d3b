// The scripts of the suite `sql-tab`: the same in an SQL tab and on an engine alone, so that the two can be compared.
import { speedtest1Script } from './speedtest1/script.ts';

export interface SqlTabScript {
  /** Part of the names of its tests: never rename. */
  readonly id: 'speedtest1' | 'selects';
  readonly title: string;
  /** These queries read the script's results: the same in the tab and on every engine. */
  readonly check: readonly string[];
  /** The script at a size of speedtest1. */
  text(size: number): string;
  /** Number of statements that return rows. */
  results(size: number): number;
}

const SELECTS_OF_SIZE = 200;

export const SQL_TAB_SCRIPTS: readonly SqlTabScript[] = [
  {
    id: 'speedtest1',
    title: 'speedtest1 as one text',
    check: ['z1', 'z2', 't3', 't4'].map((table) => `SELECT count(*), sum(b), max(c) FROM ${table}`),
    text: speedtest1Script,
    // 700 reads by each of two keys, plus those of other tests.
    results: (size) => 1_400 * size,
  },
  {
    id: 'selects',
    title: '200 × size SELECTs of one row',
    check: [],
    text: (size) => Array.from({ length: SELECTS_OF_SIZE * size }, (_, n) => `SELECT ${n + 1} AS n;`).join('\n'),
    results: (size) => SELECTS_OF_SIZE * size,
  },
];

/** @throws Error for a test that is not in the suite */
export function sqlTabScriptOf(test: string): SqlTabScript {
  const script = SQL_TAB_SCRIPTS.find(({ id }) => test.startsWith(`${id}-`));
  if (!script) throw new Error(`There is no script for ${test}.`);
  return script;
}
