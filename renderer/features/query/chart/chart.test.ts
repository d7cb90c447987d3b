// Tests the suggestions for columns, the ticks, and the texts and saved files of charts.
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { ChartData } from '#shared/protocol/index.ts';
import { axesOf, barBounds, categoryTicks, numberTicks, timeTicks } from './chart-axes.ts';
import { canCountRows, fits, suggestChart, withKind, xColumns } from './chart-choice.ts';
import type { ChartChoice, ChartColumn } from './chart-choice.ts';
import { chartSvg } from './chart-picture.ts';
import { chartNotes, chartText, pointText } from './chart-labels.ts';

const ROWS = 10;
const column = (index: number, name: string, rest: Partial<ChartColumn> = {}): ChartColumn => ({
  index,
  name,
  values: ROWS,
  numbers: 0,
  dates: 0,
  dateForm: null,
  distinct: ROWS,
  isAscending: false,
  ...rest,
});
const id = column(0, 'id', { numbers: ROWS, isAscending: true });
const total = column(1, 'total', { numbers: ROWS });
const tax = column(2, 'tax', { numbers: ROWS });
const day = column(3, 'day', { dates: ROWS, dateForm: 'iso' });
const city = column(4, 'city', { distinct: 3 });
const blank = column(5, 'blank', { values: 0, distinct: 0 });

describe('the suggestion', () => {
  test.each([
    ['a time series of the measures, not of keys', [id, day, total, tax], { kind: 'time', x: 3, y: [1, 2] }],
    [
      'bars of the column with the fewest values',
      [id, city, column(6, 'name'), total],
      { kind: 'bar', x: 4, y: [1], combine: 'sum' },
    ],
    ['how often a text occurs', [city], { kind: 'bar', x: 4, y: [], combine: 'count' }],
    ['a line over what goes up', [id, total, tax], { kind: 'line', x: 0, y: [1, 2] }],
    ['points of two measures', [total, tax], { kind: 'scatter', x: 1, y: [2] }],
    ['the distribution of one measure', [total, blank], { kind: 'histogram', x: 1, y: [] }],
  ] as const)('%s', (_words, columns, expected) => {
    expect(suggestChart(columns)).toMatchObject(expected);
  });

  test('is none where all is NULL', () => {
    expect(suggestChart([blank])).toBeNull();
    expect(suggestChart([])).toBeNull();
  });

  test('keeps its series as a line over dates in another form, and its category as bars again', () => {
    const dates: ChartChoice = { kind: 'time', x: day.index, y: [total.index], combine: 'sum' };
    const line = withKind(dates, 'line', [id, total, day]);
    expect(line).toMatchObject({ x: null, y: [total.index] });
    expect(withKind(line, 'bar', [id, total, day])).toMatchObject({ x: day.index, y: [total.index] });
    expect(withKind(dates, 'scatter', [id, total, day])).toMatchObject({ x: total.index, y: [id.index] });
  });

  test('has a series that became the X axis among its series again, unless another X axis was chosen', () => {
    const columns = [id, total, day, tax];
    const dates: ChartChoice = { kind: 'time', x: day.index, y: [total.index, tax.index], combine: 'sum' };
    const scatter = withKind(dates, 'scatter', columns);
    expect(scatter).toMatchObject({ x: total.index, y: [tax.index] });
    expect(withKind(scatter, 'time', columns)).toEqual(dates);
    expect(withKind(scatter, 'bar', columns)).toMatchObject({ x: day.index, y: [total.index, tax.index] });
    expect(withKind(withKind(scatter, 'histogram', columns), 'time', columns)).toEqual(dates);
    const other = { ...scatter, x: id.index, before: undefined };
    expect(withKind(other, 'line', columns)).toMatchObject({ x: id.index, y: [tax.index] });
  });

  test('always fits its columns, and so does each other kind of the same choice', () => {
    const any = fc.record({
      numbers: fc.constantFrom(0, 5, ROWS),
      dates: fc.constantFrom(0, ROWS),
      values: fc.constantFrom(0, ROWS),
      distinct: fc.constantFrom(0, 1, ROWS),
      isAscending: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(any, { maxLength: 5 }),
        fc.constantFrom('line', 'time', 'bar', 'scatter', 'histogram'),
        (made, kind) => {
          const columns = made.map((rest, index) =>
            column(index, `c${index}`, { ...rest, dateForm: rest.dates ? 'iso' : null }),
          );
          const choice = suggestChart(columns);
          if (!choice) return;
          expect(fits(choice, columns)).toBe(true);
          const other = withKind(choice, kind, columns);
          if (xColumns(kind, columns).length > 0 || canCountRows(kind)) expect(fits(other, columns)).toBe(true);
        },
      ),
      { seed: 15, numRuns: seedCount(100) },
    );
  });
});

test('a choice of another run is forgotten when its columns have nothing to draw', () => {
  const choice: ChartChoice = { kind: 'time', x: 3, y: [1], combine: 'sum' };
  expect(fits(choice, [id, total, day])).toBe(true);
  expect(fits(choice, [id, total, column(3, 'day')])).toBe(false);
  expect(fits(choice, [id, day])).toBe(false);
});

describe('ticks', () => {
  const words = (ticks: readonly { readonly label: string }[]): string[] => ticks.map(({ label }) => label);

  test('are round, within the bounds, and their labels differ', () => {
    const bound = fc.double({ min: -1e12, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(bound, bound, fc.integer({ min: 2, max: 12 }), (one, other, count) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        if (to - from < Math.max(1e-3, Math.abs(to) * 1e-6, Math.abs(from) * 1e-6)) return;
        const ticks = numberTicks(from, to, count);
        const slack = (to - from) / 1e6;
        for (const { at } of ticks) expect(at >= from - slack && at <= to + slack).toBe(true);
        expect(ticks.length).toBeLessThanOrEqual(count + 1);
        expect(new Set(words(ticks)).size).toBe(ticks.length);
      }),
      { seed: 15, numRuns: seedCount(100) },
    );
    expect(words(numberTicks(0, 1, 5))).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']);
    expect(words(numberTicks(0, 2_500_000, 5))).toEqual(['0', '500,000', '1.0M', '1.5M', '2.0M', '2.5M']);
    expect(words(numberTicks(1_000_000, 1_000_004, 4))).toEqual([
      '1,000,000',
      '1,000,001',
      '1,000,002',
      '1,000,003',
      '1,000,004',
    ]);
  });

  test('of time are at whole years, months, days, and hours, and say as much as that', () => {
    const at = (text: string): number => Date.parse(`${text}Z`);
    const of = (from: string, to: string, count = 5): string[] => words(timeTicks(at(from), at(to), count));
    expect(of('2019-06-01T00:00', '2024-02-01T00:00')).toEqual(['2020', '2021', '2022', '2023', '2024']);
    expect(of('2024-01-15T00:00', '2024-05-20T00:00')).toEqual(['2024-02', '2024-03', '2024-04', '2024-05']);
    expect(of('2024-02-27T00:00', '2024-03-02T00:00', 4)).toEqual([
      '2024-02-27',
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
      '2024-03-02',
    ]);
    expect(of('2024-02-28T20:00', '2024-02-29T04:00', 4)).toEqual(['20:00', '22:00', '02-29', '02:00', '04:00']);
    expect(of('2024-02-28T20:00:00', '2024-02-28T20:00:20', 4)).toEqual([
      '20:00:00',
      '20:00:05',
      '20:00:10',
      '20:00:15',
      '20:00:20',
    ]);
    expect(of('-000400-01-01T00:00', '2024-01-01T00:00')).toEqual(['0000', '0500', '1000', '1500', '2000']);
  });
});

const none = { rows: 3, left: 0, isCut: false, isReduced: false, labels: null, whole: { from: 1, to: 3 } };
const line: ChartChoice = { kind: 'line', x: 0, y: [1], combine: 'sum' };
const data: ChartData = { ...none, x: Float64Array.of(1, 2, 3), y: [Float64Array.of(5, NaN, -2)] };
const nameOf = (index: number): string => ['n', 'a <b>'][index] ?? '';

test('a chart in words: all of it, one place, and what is missing', () => {
  expect(chartText(line, data, nameOf)).toBe(
    'Line: a <b> by n. 3 points from 1 to 3. a <b>: lowest -2 at 3, highest 5 at 1.',
  );
  expect(pointText(line, data, 1, nameOf)).toBe('2: no value');
  const time = { ...data, x: Float64Array.of(0, 3_600_000, 86_400_000) };
  expect(pointText({ ...line, kind: 'time' }, time, 0, nameOf)).toBe('1970-01-01: a <b> 5');
  expect(pointText({ ...line, kind: 'time' }, time, 1, nameOf)).toBe('1970-01-01 01:00: no value');
  const bins: ChartData = { ...none, x: Float64Array.of(0, 5, 10), y: [Float64Array.of(2, 1)] };
  const histogram: ChartChoice = { kind: 'histogram', x: 0, y: [], combine: 'count' };
  expect(chartText(histogram, bins, nameOf)).toBe(
    'Histogram of n. 2 bins from 0 to under 5 to 5 to 10. Rows: lowest 1 at 5 to 10, highest 2 at 0 to under 5.',
  );
  expect(chartNotes(line, { ...data, left: 1 })).toEqual(['1 of 3 rows without a number']);
  expect(chartNotes(line, data)).toEqual([]);
});

test('years have no separators, and no fractions between them', () => {
  const years: ChartData = {
    ...none,
    x: Float64Array.of(2021, 2022, 2023),
    y: [Float64Array.of(1200, 2, 3)],
    whole: { from: 2021, to: 2023 },
  };
  const labels = (data: ChartData): string[] => axesOf(line, data, null, 900, 300).x.ticks.map(({ label }) => label);
  expect(labels(years)).toEqual(['2021', '2022', '2023']);
  expect(pointText(line, years, 0, nameOf)).toMatch(/^2021: .* 1,200$/);
  expect(labels({ ...years, x: Float64Array.of(0, 2500, 5000), whole: { from: 0, to: 5000 } })).toContain('5,000');
});

test('one value has room around it, bars stand on zero and beside each other', () => {
  const one: ChartData = { ...none, x: Float64Array.of(7), y: [Float64Array.of(5)], whole: { from: 7, to: 7 } };
  expect(axesOf(line, one, null, 500, 300)).toMatchObject({ x: { from: 6.5, to: 7.5 }, y: { from: 4.75, to: 5.25 } });
  const bars: ChartData = {
    ...none,
    x: Float64Array.of(0, 1),
    y: [Float64Array.of(3, -1), Float64Array.of(1, 1)],
    labels: ['a', null],
  };
  const axes = axesOf({ ...line, kind: 'bar' }, bars, null, 500, 300);
  expect(axes.x.ticks.map(({ label }) => label)).toEqual(['a', 'NULL']);
  expect([axes.y.from < -1, axes.y.to > 3]).toEqual([true, true]);
  expect(barBounds('bar', bars.x, 1, 0, 2).to).toBeCloseTo(barBounds('bar', bars.x, 1, 1, 2).from);
});

test('the picture of a chart is XML without anything that refers or runs, and has a gap where a value is missing', () => {
  const read = (svg: string): string[] => {
    const elements: string[] = [];
    const parser = new SaxesParser({ xmlns: false });
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name, attributes }) => {
      elements.push(name);
      for (const [key, value] of Object.entries(attributes))
        expect(`${key}=${String(value)}`).not.toMatch(/^(on|style|href)|NaN|url\(/i);
    });
    parser.write(svg).close();
    return elements;
  };
  const svg = chartSvg({ choice: line, data, span: null, nameOf }, () => '#123456');
  expect(read(svg)).toContain('path');
  expect(/ d="(M[^ML]+ [^ML]+){2}"/.test(svg)).toBe(true);
  const bars: ChartData = { ...none, x: Float64Array.of(0, 1), y: [Float64Array.of(3, -1)], labels: ['<&"', null] };
  expect(
    read(chartSvg({ choice: { ...line, kind: 'bar' }, data: bars, span: null, nameOf }, () => '#123456')).filter(
      (name) => name === 'rect',
    ),
  ).toHaveLength(4);
});

test('ticks of the smallest numbers have labels, zero too', () => {
  expect(numberTicks(0, 1e-120, 5)[0]).toEqual({ at: 0, label: '0' });
  expect(numberTicks(0, 1e-120, 5).at(-1)!.label).toMatch(/e-12[01]$/);
});

test('names of categories are shown where they do not touch, however long the longest is', () => {
  const names = Array.from({ length: 25 }, (_unused, at) => (at === 13 ? 'Electronica and Dance' : `Cat ${at}`));
  const ticks = categoryTicks(names, 835);
  expect(ticks.length).toBeGreaterThanOrEqual(11);
  expect(ticks.map(({ at }) => at).slice(0, 4)).toEqual([0, 2, 4, 6]);
  const each = 835 / 25;
  const ends = ticks.map(({ at, label }) => [
    (at + 0.5) * each - label.length * 3.3,
    (at + 0.5) * each + label.length * 3.3,
  ]);
  for (const [index, [from]] of ends.entries()) if (index > 0) expect(from! - ends[index - 1]![1]!).toBeGreaterThan(0);
  expect(categoryTicks(names.slice(0, 3), 835).map(({ label }) => label)).toEqual(['Cat 0', 'Cat 1', 'Cat 2']);
});
