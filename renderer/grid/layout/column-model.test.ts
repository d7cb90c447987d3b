// Tests when the places of columns are decided, and that they stay.
import { beforeEach, expect, test } from 'vitest';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { TextFitter } from '../paint/text-fit.ts';
import { rowsOfPage } from '../rows/row-cache.ts';
import { ColumnModel } from './column-model.ts';
import type { Sample } from './column-widths.ts';
import { PLAIN_VIEW } from './geometry.ts';

const fitter = new TextFitter((text) => text.length * 10);
const fitters = { cell: fitter, header: fitter, label: fitter };
let model: ColumnModel;

const headers = (...names: readonly string[]) => ({
  columns: names.map((name) => ({ name, typeLabel: '' })),
  hiddenColumns: 0,
});

/** Rows of texts as long as that, in every column. */
function sampleOf(lengths: readonly number[], columns = 2, rowCount = lengths.length): Sample {
  const writer = new PackedRowsWriter(columns);
  for (const length of lengths) for (let column = 0; column < columns; column++) writer.text('x'.repeat(length));
  return { rows: rowsOfPage(writer.finish()), rowCount, room: 2000 };
}

const widths = (): readonly number[] =>
  [...model.layout.edges].slice(1).map((edge, place) => edge - model.layout.edges[place]!);

beforeEach(() => {
  model = new ColumnModel(headers('a', 'b'), PLAIN_VIEW, fitters);
});

test('widths are final once the first rows were measured, whatever comes later', () => {
  expect(model.isMeasured).toBe(false);
  expect(model.natural).toBeNull();
  model.measure(sampleOf(Array.from({ length: 10 }, () => 20)), fitters);
  expect(model.isMeasured).toBe(true);
  const first = widths();
  expect(first).toEqual([222, 222]);
  model.measure(sampleOf([50, 60]), fitters);
  model.setHeaders(headers('a', 'b'), 900_000, fitters);
  model.measure(sampleOf([70], 2, 900_000), fitters);
  expect(widths()).toEqual(first);
});

test('without rows the header decides', () => {
  model.measure({ rows: [], rowCount: 0, room: 500 }, fitters);
  expect(model.isMeasured).toBe(true);
  expect(widths()).toEqual([64, 64]);
});

test('another order of the same rows leaves the widths, however few decided them', () => {
  model.measure(sampleOf([20, 5, 5]), fitters);
  model.setHeaders(headers('a', 'b'), 0, fitters, 3);
  expect(model.isMeasured).toBe(true);
  expect(widths()).toEqual([222, 222]);
});

test.each([0, 500])('an order of %i rows, of which other or none decided the widths, decides them again', (ordered) => {
  model.measure(ordered === 0 ? { rows: [], rowCount: 0, room: 500 } : sampleOf([20, 5, 5]), fitters);
  model.setHeaders(headers('a', 'b'), ordered, fitters, ordered);
  expect(model.isMeasured).toBe(false);
});

test('rows that follow none, or a few, decide the widths again: columns only become wider', () => {
  model.measure({ rows: [], rowCount: 0, room: 500 }, fitters);
  model.setHeaders(headers('a', 'b'), 3, fitters);
  expect(model.isMeasured).toBe(false);
  expect(widths()).toEqual([64, 64]);
  model.measure(sampleOf([20, 5, 5]), fitters);
  expect(widths()).toEqual([222, 222]);
  model.setHeaders(headers('a', 'b'), 9, fitters);
  model.measure(sampleOf([10]), fitters);
  expect(widths()).toEqual([222, 222]);
  model.setHeaders(headers('a', 'b'), 9, fitters);
  model.measure(sampleOf([30]), fitters);
  expect(widths()).toEqual([322, 322]);
});

test('columns keep their widths beside one that is added, which is measured', () => {
  model.measure(sampleOf([20]), fitters);
  model.setHeaders(headers('new', 'b', 'a'), 1, fitters);
  expect(model.isMeasured).toBe(false);
  model.measure(sampleOf([30], 3), fitters);
  expect(widths()).toEqual([322, 222, 222]);
});

test('other texts are measured again, because the user has chosen their format', () => {
  model.measureAgain(sampleOf([20]), fitters);
  expect(model.isMeasured).toBe(false);
  model.measure(sampleOf([20]), fitters);
  model.measureAgain(sampleOf([30]), fitters);
  expect(widths()).toEqual([322, 322]);
  // The rows that have come into view are still being read.
  model.measureAgain({ rows: [], rowCount: 9, room: 2000 }, fitters);
  expect(model.isMeasured).toBe(false);
  expect(widths()).toEqual([322, 322]);
  model.measure(sampleOf([20]), fitters);
  expect(widths()).toEqual([222, 222]);
});

test('row numbers get the room they need with the first rows, and keep it while they can be read', () => {
  model.measure(sampleOf([20], 2, 3), fitters);
  const few = model.gutter;
  model.setHeaders(headers('a', 'b'), 5_000_000, fitters);
  expect(model.gutter).toBe(few);
  model.setHeaders(headers('a', 'b'), 5_000_000_000, fitters);
  const many = model.gutter;
  expect(many).toBeGreaterThan(few);
  model.setHeaders(headers('a', 'b'), 12, fitters);
  expect(model.gutter).toBe(many);
  const other = new ColumnModel(headers('a'), PLAIN_VIEW, fitters);
  other.measure(sampleOf([20], 1, 5_000_000), fitters);
  expect(other.gutter).toBeGreaterThan(few);
});

const shownAs = (text: string) => ({ label: 'Format', show: () => ({ text, isCut: false }), textOf: () => text });

test('a format that is switched moves nothing; columns are fitted to it when asked', () => {
  model.measure(sampleOf(Array.from({ length: 10 }, () => 20)), fitters);
  model.formats = [shownAs('x'.repeat(40)), null];
  expect(widths()).toEqual([222, 222]);
  expect(model.shown.map(({ format }) => format?.label)).toEqual(['Format', undefined]);
  model.view = model.fitted(0, sampleOf([20]).rows, fitters);
  expect(widths()).toEqual([422, 222]);
});

test('a grid that begins with a format is laid out for it', () => {
  model = new ColumnModel(headers('a', 'b'), PLAIN_VIEW, fitters, [shownAs('x'.repeat(30))]);
  model.measure(sampleOf(Array.from({ length: 10 }, () => 20)), fitters);
  expect(widths()).toEqual([322, 222]);
});
