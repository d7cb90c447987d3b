// Published figures stand beside existing tests, at sizes they have.
import { expect, test } from 'vitest';
import { PUBLISHED, PUBLISHED_GEOMEANS, PUBLISHED_SOURCES, publishedOf } from '#shared/bench/published.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import { SUITE_FILES } from './all.ts';

test('every published figure is of a test of ours, at a size it has', async () => {
  for (const id of new Set(PUBLISHED.map(({ suite }) => suite))) {
    const { tests } = await SUITE_FILES[id]!();
    const sums = new Set(tests.flatMap(({ sequence }) => (sequence ? [`total-${sequence}`] : [])));
    for (const { suite, test: name, size } of PUBLISHED) {
      if (suite !== id) continue;
      const own = tests.find((each) => each.id === name);
      expect(own !== undefined || sums.has(name), `${suite} ${name}`).toBe(true);
      if (size !== null) expect(own?.sizes ?? suiteOf(id)!.sizes, `${suite} ${name}`).toContain(size);
    }
  }
});

test('every figure names a source that says where it is from and how it was made', () => {
  const sources = PUBLISHED_SOURCES.map(({ id }) => id);
  expect(sources).toEqual(['S0', 'S1', 'S2', 'S3', 'S4']);
  for (const { source, value } of [...PUBLISHED, ...PUBLISHED_GEOMEANS]) {
    expect(sources).toContain(source);
    expect(value).toBeGreaterThan(0);
  }
  for (const { where, conditions } of PUBLISHED_SOURCES) expect(`${where} ${conditions}`).toMatch(/\S+ .*\.$/);
});

test('figures of a test come with the best first', () => {
  expect(publishedOf('sqlite16', '1', 25_000).map(({ value }) => value)).toEqual([0.1, 3.8, 8, 17.5, 65.4, 85.7]);
  expect(publishedOf('wasm-run', 'insert', 100_000)).toMatchObject([{ value: 2.9, source: 'S0' }]);
  expect(publishedOf('rtt', 'insert-number', 100)[0]).toMatchObject({ kind: 'ms', value: 0.058 });
  expect(publishedOf('wasm-run', 'insert', 5)).toEqual([]);
});

test('the published geometric means are those of the published ratios', () => {
  for (const { contender, value } of PUBLISHED_GEOMEANS) {
    const own = PUBLISHED.filter((figure) => figure.suite === 'sqlite16' && figure.contender === contender);
    const mean = Math.exp(own.reduce((sum, figure) => sum + Math.log(figure.value), 0) / own.length);
    expect({ contender, isNear: Math.abs(mean / value - 1) < 0.03 }).toEqual({ contender, isNear: true });
  }
});
