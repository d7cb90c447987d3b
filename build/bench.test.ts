import { expect, test } from 'vitest';
import { VECTOR } from '#shared/bench/suites.ts';
import { EXAMPLE, parseBenchOptions } from './bench.ts';

test('a suite is enough: the product and better-sqlite3, balanced', () => {
  expect(parseBenchOptions(['--suite', 'wasm-run'])).toMatchObject({
    plan: {
      suites: ['wasm-run'],
      engines: ['opfs-balanced', 'native-balanced'],
      sizes: null,
      rounds: null,
      quick: false,
    },
    json: null,
  });
});

test('every word has its place', () => {
  const line =
    '--suite wasm-run,rtt --engine opfs,memory --size=1000,100 --rounds 5 --profile full --json out.json --quick --timeout 30';
  expect(parseBenchOptions(line.split(' '))).toMatchObject({
    plan: {
      suites: ['wasm-run', 'rtt'],
      engines: ['opfs-full', 'memory'],
      sizes: [1000, 100],
      rounds: 5,
      profile: 'full',
      quick: true,
      timeoutSeconds: 30,
    },
    json: 'out.json',
  });
});

test('vector is the vectors of crud; with other suites it is all of crud', () => {
  const only = parseBenchOptions(['--suite', 'vector']).plan;
  expect(only).toMatchObject({ suites: ['crud'], tests: VECTOR.tests });
  expect(parseBenchOptions(['--suite', 'crud,vector,rtt']).plan).toMatchObject({
    suites: ['crud', 'rtt'],
    tests: null,
  });
});

test('without a query of one’s own an example is measured', () => {
  expect(parseBenchOptions(['--suite', 'own-query']).sql).toBe(EXAMPLE);
});

test.each([
  [[], /which suite/],
  [['--suite', 'nope'], /no suite “nope”.*wasm-run/],
  [['--suite', 'rtt', '--engine', 'oracle'], /no engine “oracle”/],
  [['--suite', 'rtt', '--size', '7'], /rtt: 100, 1000/],
  [['--suite', 'rtt', '--rounds', 'x'], /--rounds takes whole numbers/],
  [['--suite', 'rtt', '--profile', 'fast'], /no profile “fast”.*balanced/],
  [['--suite'], /--suite <value>' argument missing/],
  [['--suite='], /which suite/],
  [['--suite', '--quick'], /Did you forget to specify the option argument for '--suite'/],
  [['--suite', 'rtt', '--what'], /Unknown option '--what'/],
  [['rtt'], /Unexpected argument 'rtt'/],
  [['--suite', 'rtt', '--drop-caches'], /--drop-caches is for --suite startup/],
  [['--suite', 'rtt', '--suite', 'crud'], /twice/],
  [['--suite', 'own-query', '--database', 'x.db'], /--sql/],
  [['--suite', 'rtt', '--sql', 'SELECT 1'], /own-query/],
])('%j is refused in words', (args, why) => {
  expect(() => parseBenchOptions(args)).toThrow(why);
});
