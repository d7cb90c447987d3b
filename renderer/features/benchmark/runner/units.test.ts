import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import { createRandom } from '#shared/random.ts';
import { batchFor, enginesOfUnit, isTooLong, isWarm, orderOfRounds, roundsFor, unitsOf } from './measure-unit.ts';

const facts = (id: string, change: Partial<TestFacts> = {}): TestFacts => ({
  id,
  title: id,
  kind: 'throughput',
  unit: 'ms',
  transaction: '',
  database: 'fresh',
  sequence: null,
  sizes: null,
  pragmas: {},
  measures: 'engine',
  unavailable: null,
  ...change,
});

const SUITE = suiteOf('wasm-run')!;
const PLAN = { sizes: null, quick: false, tests: null };
const shown = (units: ReturnType<typeof unitsOf>) =>
  units.map(({ size, tests }) => `${size} ${tests.map(({ id }) => id).join('+')}`);

describe('engines', () => {
  const APP = { engines: ['opfs-balanced', 'native-balanced'] } as const;
  const plan = (...engines: EngineId[]) => ({ engines, profile: 'balanced' }) as const;
  const whole = { tests: [facts('window', { scope: 'app' })] };

  test('are those that were chosen and those they are compared with', () => {
    expect(enginesOfUnit(plan('memory', 'opfs-balanced'), { tests: [facts('a')] }, APP)).toEqual([
      'memory',
      'opfs-balanced',
      'native-memory',
      'native-balanced',
    ]);
  });

  test('what is of the app as a whole is measured once, with one that the app has', () => {
    expect(enginesOfUnit(plan('opfs-balanced'), whole, APP)).toEqual(['opfs-balanced']);
    expect(enginesOfUnit(plan('memory', 'opfs-balanced'), whole, APP)).toEqual(['opfs-balanced']);
    expect(enginesOfUnit(plan('native-balanced'), whole, APP)).toEqual(['native-balanced']);
    expect(enginesOfUnit(plan('memory'), whole, APP)).toEqual(['memory']);
  });
});

describe('units', () => {
  test('every test at every size, sizes ascending', () => {
    expect(shown(unitsOf(SUITE, [facts('a'), facts('b')], PLAN))).toEqual([
      '1000 a',
      '1000 b',
      '10000 a',
      '10000 b',
      '100000 a',
      '100000 b',
    ]);
  });

  test('sizes may be chosen suite by suite', () => {
    expect(shown(unitsOf(SUITE, [facts('a')], { ...PLAN, sizes: { 'wasm-run': [1_000], rtt: [100] } }))).toEqual([
      '1000 a',
    ]);
    expect(shown(unitsOf(SUITE, [facts('a')], { ...PLAN, quick: true, sizes: { rtt: [100] } }))).toEqual(['10000 a']);
  });

  test('parts of a sequence stay together, and come along when one of them is wanted', () => {
    const tests = [facts('a', { sequence: 's' }), facts('x'), facts('b', { sequence: 's' })];
    expect(shown(unitsOf(SUITE, tests, { ...PLAN, sizes: [1000] }))).toEqual(['1000 a+b', '1000 x']);
    expect(shown(unitsOf(SUITE, tests, { ...PLAN, sizes: [1000], tests: ['b'] }))).toEqual(['1000 a+b']);
  });

  test('sides that work at once are one unit at each size, apart from what is measured alone', () => {
    const tests = [facts('a', { side: 'readers' }), facts('x'), facts('b', { side: 'writer' })];
    expect(shown(unitsOf(SUITE, tests, { ...PLAN, sizes: [1000] }))).toEqual(['1000 a+b', '1000 x']);
    expect(shown(unitsOf(SUITE, tests, { ...PLAN, sizes: [1000], tests: ['b'] }))).toEqual(['1000 b']);
  });

  test('a test of one size is in a quick run at that size, but not where other sizes were asked for', () => {
    const tests = [facts('a'), facts('small', { sizes: [1000] })];
    expect(shown(unitsOf(SUITE, tests, { ...PLAN, quick: true }))).toEqual(['1000 small', '10000 a']);
    expect(shown(unitsOf(SUITE, tests, { ...PLAN, sizes: [10_000] }))).toEqual(['10000 a']);
  });
});

describe('rounds', () => {
  test('each engine once a round, and each second round the other way round', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 9 }), fc.nat(), (count, rounds, seed) => {
        const engines = Array.from({ length: count }, (_, index) => index);
        const orders = orderOfRounds(engines, rounds, createRandom(seed));
        expect(orders).toHaveLength(rounds);
        for (const [round, order] of orders.entries()) {
          expect(order.toSorted((a, b) => a - b)).toEqual(engines);
          if (round % 2 === 1) expect(order).toEqual(orders[round - 1]!.toReversed());
        }
      }),
      { seed: 3, numRuns: seedCount(100) },
    );
  });

  test('as many as the time of one asks for', () => {
    const full = { rounds: null, quick: false };
    expect(roundsFor(full, { roundMs: 50, timedMs: 5, units: 1 })).toBe(20);
    expect(roundsFor(full, { roundMs: 2_000, timedMs: 500, units: 1 })).toBe(10);
    expect(roundsFor(full, { roundMs: 400, timedMs: 150, units: 1 })).toBe(20);
    expect(roundsFor(full, { roundMs: 100_000, timedMs: 30_000, units: 1 })).toBe(3);
    expect(roundsFor({ rounds: 4, quick: true }, { roundMs: 1e9, timedMs: 1e9, units: 9 })).toBe(4);
    expect(roundsFor({ rounds: null, quick: true }, { roundMs: 1_000, timedMs: 100, units: 9 })).toBe(4);
  });

  test('one, and no warming up, where a quick run has no time for more', () => {
    const quick = { rounds: null, quick: true };
    expect(roundsFor(quick, { roundMs: 5_000, timedMs: 5_000, units: 9 })).toBe(1);
    expect(isTooLong(quick, 5_000, 9)).toBe(true);
    expect(isTooLong(quick, 3_000, 9)).toBe(false);
    expect(isTooLong({ rounds: 3, quick: true }, 5_000, 9)).toBe(false);
    expect(isTooLong({ rounds: null, quick: false }, 5_000, 9)).toBe(false);
  });

  test('a sample has a hundred steps of the clock', () => {
    expect(batchFor(10, 0.005)).toBe(1);
    expect(batchFor(0.1, 0.005)).toBe(5);
    expect(batchFor(0.1, 0.1)).toBe(100);
    expect(batchFor(0, 0.1)).toBe(10_000);
    expect(batchFor(0.002, 0.005, 'latency')).toBe(25);
    expect(batchFor(0.2, 0.005, 'latency')).toBe(1);
  });

  test('warm is when two agree, or after three', () => {
    expect(isWarm([10], false)).toBe(false);
    expect(isWarm([10, 9.8], false)).toBe(true);
    expect(isWarm([10, 5], false)).toBe(false);
    expect(isWarm([10, 5, 2], false)).toBe(true);
    expect(isWarm([10], true)).toBe(true);
  });
});
