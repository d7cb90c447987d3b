import { expect, test } from 'vitest';
import { ENGINES } from '#shared/bench/engines.ts';
import { SUITES } from '#shared/bench/suites.ts';
import { FIRST_CHOICE } from '../choice.ts';
import { madeCell } from '#shared/bench/made-result.test-suite.ts';
import { ENGINE_GROUPS, estimateSeconds, planOf, refusedEngines, whyNotYet } from './plan.ts';

const SETUP = FIRST_CHOICE.setup;
const HERE = { isDesktop: true, appSuites: [], databaseName: null, refused: {} };

test('every engine is in one group and has a sentence', () => {
  const grouped = ENGINE_GROUPS.flatMap(({ engines }) => engines);
  expect(grouped.map(({ id }) => id).toSorted()).toEqual(ENGINES.map(({ id }) => id).toSorted());
  for (const { description } of grouped) expect(description).toMatch(/^[\w’].*\.$/);
});

test('only what is possible gets into the plan', () => {
  const all = { ...SETUP, suites: SUITES.map(({ id }) => id), engines: ENGINES.map(({ id }) => id) };
  const plan = planOf(all, { ...HERE, refused: { 'sql-js': 'It is not part of this installation.' } });
  expect(plan.suites).not.toContain('own-query');
  expect(plan.suites).not.toContain('live');
  expect(plan.engines).not.toContain('sql-js');
  expect(plan.engines).toContain('native-full');
  expect(planOf(all, { ...HERE, isDesktop: false }).engines).not.toContain('native-full');
  expect(planOf(all, { ...HERE, databaseName: 'shop' }).suites).toContain('own-query');
});

test('sizes go into the plan by suite, and only where they were chosen', () => {
  expect(planOf(SETUP, HERE).sizes).toBeNull();
  const setup = { ...SETUP, suites: ['rtt', 'crud'] as const, sizes: { rtt: [100], million: [10_000] } };
  expect(planOf(setup, HERE).sizes).toEqual({ rtt: [100] });
});

test('what is missing is said', () => {
  const why = (change: Partial<typeof SETUP>, availability = HERE): string | null => {
    const setup = { ...SETUP, ...change };
    return whyNotYet(setup, planOf(setup, availability));
  };
  expect(why({})).toBeNull();
  expect(why({ suites: [] })).toBe('Choose at least one suite.');
  expect(why({ engines: [] })).toBe('Choose at least one engine.');
  expect(why({ sizes: { 'wasm-run': [] } })).toBe('Choose a size for “Wasm vs. native basics”.');
  expect(why({ suites: ['own-query'] }, { ...HERE, databaseName: 'shop' } as never)).toMatch(/Enter the query/);
});

test('the time is what it took before, a minute for a quick suite, and otherwise not known', () => {
  const before = { seconds: 40, cells: 20, tests: { rtt: 10 }, quick: true };
  expect(estimateSeconds(SETUP, 2, ['rtt'], [before])).toBe(40);
  expect(estimateSeconds(SETUP, 4, ['rtt'], [before])).toBe(80);
  expect(estimateSeconds(SETUP, 2, ['crud'], [before])).toBe(60);
  expect(estimateSeconds({ ...SETUP, quick: false }, 2, ['rtt'], [before])).toBeNull();
});

test('an engine that is not there at all is remembered, one that cannot do a test is not', () => {
  const gone = {
    status: 'skipped',
    why: 'Turso is not part of this installation.',
    engine: 'turso',
    engineIsMissing: true,
  } as const;
  const cells = [
    madeCell({ ...gone, test: 'a' }),
    madeCell({ ...gone, test: 'b' }),
    madeCell({ status: 'skipped', why: 'It has no WAL.', engine: 'kvvfs' }),
  ];
  expect(refusedEngines({ cells })).toEqual({ turso: gone.why });
});
