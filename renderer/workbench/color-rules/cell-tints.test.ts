import { expect, test, vi } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { CellTint } from '../../grid/cell-tints.ts';
import { cellTints, ruleProblem } from './cell-tints.ts';
import type { ColorRule } from './color-rule.ts';

const PRICE = { name: 'price', declaredType: 'REAL' };
const NAME = { name: 'name', declaredType: 'TEXT' };
const ROWS: readonly (readonly [price: number | string | null, name: string | null])[] = [
  [-5, 'axe'],
  [0, 'oak'],
  [2.5, null],
  [10, 'Nail'],
  [99, ''],
  ['n/a', 'saw'],
  [null, 'pine'],
];

/** One hidden column comes first, as a row id does. */
function page(): PackedRowsReader {
  const writer = new PackedRowsWriter(3);
  for (const [at, [price, name]] of ROWS.entries()) {
    writer.integer(at);
    if (price === null) writer.null();
    else if (typeof price === 'string') writer.text(price);
    else writer.real(price);
    if (name === null) writer.null();
    else writer.text(name);
  }
  return new PackedRowsReader(writer.finish());
}

function tintsOf(column: 'price' | 'name', rules: readonly ColorRule[]): readonly (CellTint | null)[] {
  const tints = cellTints({ [column]: rules }, [PRICE, NAME], 1);
  const rows = page();
  return ROWS.map((_, index) => tints?.({ rows, index }, column === 'price' ? 0 : 1) ?? null);
}
const colors = (column: 'price' | 'name', rules: readonly ColorRule[]): string =>
  tintsOf(column, rules)
    .map((tint) => tint?.color[0] ?? '.')
    .join('');

test('cells have the color of the first rule that is true for them', () => {
  const red = (when: string): ColorRule => ({ color: 'red', when });
  expect(colors('price', [red('> 2')])).toBe('..rrrr.'); // text is greater than any number
  expect(colors('price', [red('0..10')])).toBe('.rrr...');
  expect(colors('price', [red('null'), { color: 'blue', when: '<10' }])).toBe('bbb...r');
  expect(colors('price', [red('in (0, 99)')])).toBe('.r..r..');
  expect(colors('price', [{ color: 'green', when: '>0 && <10 || null' }])).toBe('..g...g');
  expect(colors('name', [red('A*'), { color: 'blue', when: 'contains A' }])).toBe('rb.b.b.');
  expect(colors('name', [red('regex ^.{3}$')])).toBe('rr...r.');
  expect(colors('name', [red('length < 1')])).toBe('....r..');
});

test('a scale fills numbers as far as they are between its ends, in either direction', () => {
  const shares = (from: string, to: string): readonly number[] =>
    tintsOf('price', [{ color: 'blue', from, to }]).map((tint) => tint?.share ?? 0);
  expect(shares('0', '10')).toEqual([0, 0, 0.25, 1, 1, 0, 0]);
  expect(shares('10', '0')).toEqual([1, 1, 0.75, 0, 0, 0, 0]);
  expect(shares('10', '10')).toEqual([0, 0, 0, 1, 1, 0, 0]);
  expect(shares('-1e400', '10')).toEqual([0, 0, 0, 0, 0, 0, 0]);
  // Values that the scale leaves out can have a color of another rule.
  expect(
    colors('price', [
      { color: 'blue', from: '0', to: '10' },
      { color: 'red', when: '<0' },
    ]),
  ).toBe('r.bbb..');
});

test('a rule that cannot be read costs only itself', () => {
  const bad: readonly ColorRule[] = [
    { color: 'red', when: 'regex (' },
    { color: 'red', when: '>' },
    { color: 'red', when: '  ' },
    { color: 'red', from: '0', to: '' },
  ];
  expect(bad.map((rule) => ruleProblem(rule, NAME) !== null)).toEqual([true, true, false, true]);
  expect(cellTints({ name: bad, toString: [] }, [PRICE, NAME, { name: 'toString', declaredType: '' }], 1)).toBeNull();
  expect(colors('name', [...bad, { color: 'green', when: 'saw' }])).toBe('.....g.');
});

test('a cell is looked at once, however often it is painted', () => {
  const tints = cellTints({ name: [{ color: 'red', when: 'regex a' }] }, [PRICE, NAME], 1)!;
  const rows = page();
  const read = vi.spyOn(rows, 'text');
  for (let frame = 0; frame < 5; frame++) for (let index = 0; index < ROWS.length; index++) tints({ rows, index }, 1);
  expect(read).toHaveBeenCalledTimes(ROWS.filter(([, name]) => name !== null).length);
});
