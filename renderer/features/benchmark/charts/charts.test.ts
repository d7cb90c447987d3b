import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { boxPlot, drift, driftText, scalingChart, tickText, timeline } from './charts.ts';
import { fitText, linearScale, logScale, seriesStyle, timeScale } from './scene.ts';

test('axes have a few round ticks and hold every value', () => {
  const times = fc.array(fc.double({ min: 1e-4, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(times, (values) => {
      const { ticks, at } = timeScale(values, { from: 100, to: 500 });
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(9);
      for (const value of values) {
        expect(at(value)).toBeGreaterThanOrEqual(100 - 1e-6);
        expect(at(value)).toBeLessThanOrEqual(500 + 1e-6);
      }
    }),
    { seed: 5, numRuns: seedCount(100) },
  );
  expect(linearScale(0, 9, { from: 0, to: 1 }).ticks).toEqual([0, 2, 4, 6, 8, 10]);
  expect(timeScale([9, 10, 11], { from: 0, to: 1 }, true).ticks[0]).toBeGreaterThan(8);
  expect([100, 10, 2.5, 0.05, 1234].map((tick) => tickText(tick, 'ms'))).toEqual([
    '100 ms',
    '10 ms',
    '2.5 ms',
    '50 µs',
    '1.23 s',
  ]);
  expect(logScale(1, 1000, { from: 0, to: 3 }).ticks).toEqual([1, 10, 100, 1000]);
});

test('a box plot says each engine, and marks what lies far off', () => {
  const samples = [...Array.from({ length: 20 }, (_, index) => 10 + index / 10), 14.5, 60];
  const { label, marks, stops, height } = boxPlot({
    title: 'insert',
    unit: 'ms',
    rows: [
      { label: 'ours', samples, perRound: 1, isReference: false },
      { label: 'theirs', samples: [20, 21, 22], perRound: 1, isReference: true },
      { label: 'none', samples: [], perRound: 1, isReference: false },
    ],
    width: 500,
  });
  expect(stops).toHaveLength(2);
  expect(label).toContain('theirs: median 21.0 ms');
  const hollow = marks.filter(({ tag, fill }) => tag === 'circle' && fill === 'bg');
  expect(hollow.map(({ stroke }) => stroke)).toEqual(['warn', 'error']);
  expect(height).toBe(6 + 2 * 34 + 26);
});

test('thousands of samples do not become thousands of shapes', () => {
  const samples = Array.from({ length: 50_000 }, (_, index) => 5 + (index % 7));
  const plot = boxPlot({
    title: 't',
    unit: 'us',
    rows: [{ label: 'e', samples, perRound: 1_000, isReference: false }],
    width: 500,
  });
  expect(plot.marks.length).toBeLessThan(300);
  expect(
    timeline({ title: 't', unit: 'us', samples, perRound: 1_000, width: 500, height: 120 }).marks.length,
  ).toBeLessThan(1_700);
});

test('drift compares the last third with the first', () => {
  expect(drift([1, 2])).toBeNull();
  expect(drift([10, 10, 10, 11, 11, 11, 12, 12, 12])).toBeCloseTo(1.2);
  expect(driftText(Array.from({ length: 30 }, () => 5))).toMatch(/steady/);
  expect(driftText(Array.from({ length: 30 }, (_, index) => 5 + index))).toMatch(/it drifted/);
});

test('linear growth is a line of slope 1', () => {
  const points = [1_000, 10_000, 100_000].map((size) => ({ size, time: size / 500 }));
  const { label, marks, stops } = scalingChart({
    title: 'insert',
    unit: 'ms',
    series: [{ label: 'ours', index: 0, points }],
    width: 700,
    height: 200,
  });
  expect(label).toContain('ours n^1.00');
  expect(stops.map(({ text }) => text)).toEqual([
    'ours, 1,000: 2.00 ms',
    'ours, 10,000: 20.0 ms',
    'ours, 100,000: 200 ms',
  ]);
  const polyline = marks.find(({ tag }) => tag === 'polyline')!;
  const [first, second, third] = String(polyline.at['points'])
    .split(' ')
    .map((point) => point.split(',').map(Number) as [number, number]);
  expect((second![1] - first![1]) / (second![0] - first![0])).toBeCloseTo(
    (third![1] - second![1]) / (third![0] - second![0]),
  );
});

test('each engine has a look of its own, and long names are cut', () => {
  const looks = Array.from({ length: 32 }, (_, index) => JSON.stringify(seriesStyle(index)));
  expect(new Set(looks).size).toBe(32);
  expect(fitText('abcdefghijklmnop', 40)).toMatch(/^a\w+…$/);
});
