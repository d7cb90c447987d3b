// The tests of an SQL tab and their descriptions; the player runs them.
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import { SQL_TAB_SCRIPTS, sqlTabScriptOf } from '#shared/bench/sql-tab.ts';
import { appTest } from './app-test.ts';

const SHOWN_CHARACTERS = 2_000;

const IN_TAB =
  'As in the script; each change is recorded in the history, so it can be undone. The script is in an SQL tab of this window. Measured from the key press that runs it until the frame that shows its end is painted.';
const ALONE =
  'As in the script. The same script passed to the engine in one call, without a window or a history, to compare the tab with.';

const WHOLE = { kind: 'throughput', database: 'fresh' } as const;

/** Each test in the tab comes with a test of the same text on the engine alone, which its driver runs. */
export const SQL_TAB_TESTS: readonly TestFacts[] = SQL_TAB_SCRIPTS.flatMap(({ id, title }): TestFacts[] => [
  appTest(`${id}-tab`, `${title}, in an SQL tab`, IN_TAB, WHOLE),
  appTest(`${id}-engine`, `${title}, on the engine alone`, ALONE, { ...WHOLE, measures: 'engine' }),
]);

export const isOfEngine = (test: string): boolean => test.endsWith('-engine');

export function sqlTabStatements(test: string, size: number): readonly ShownStatement[] {
  const { text, check } = sqlTabScriptOf(test);
  const sql = text(size);
  const left = sql.length - SHOWN_CHARACTERS;
  const shown = left > 0 ? `${sql.slice(0, SHOWN_CHARACTERS)}\n-- and ${left} characters more` : sql;
  return [
    { part: 'timed', sql: shown, times: 1 },
    ...check.map((query): ShownStatement => ({ part: 'checked', sql: query, times: 1 })),
  ];
}
