import { expect, test, vi } from 'vitest';
import type { DetectedSource, ImportOptions } from '#shared/protocol/index.ts';
import { at, gridWith, itemSource } from '../paste-fixture.test-suite.ts';

vi.mock('../../../connection/database-client.ts', () => ({
  client: { on: () => () => undefined, onReconnected: () => undefined },
}));
vi.mock('../../../connection/shell.ts', () => ({ shell: {} }));

const { isLikelyRow, planPaste } = await import('./paste-plan.ts');

const detected = (columns: readonly string[], options: Partial<ImportOptions>): DetectedSource =>
  ({ columns, options: { format: 'csv', hasHeader: false, ...options } }) as unknown as DetectedSource;
const CELLS = { pasteAs: 'cells', trims: false, transposes: false } as const;
const ROWS = { ...CELLS, pasteAs: 'rows' } as const;
const target = (from = at(1, 'name')) => ({ source: itemSource, grid: gridWith(from), text: 'any' });

test('a first row is taken for names only if the table has one of them', () => {
  expect(isLikelyRow(detected(['wolf', 'large'], { hasHeader: true }), itemSource)).toBe(true);
  expect(isLikelyRow(detected(['NAME', 'size'], { hasHeader: true }), itemSource)).toBe(false);
  // A generated column is none to paste into; JSON has its names apart from its rows.
  expect(isLikelyRow(detected(['total'], { hasHeader: true }), itemSource)).toBe(true);
  expect(isLikelyRow(detected(['wolf'], { format: 'json', hasHeader: true }), itemSource)).toBe(false);
  expect(isLikelyRow(detected(['wolf'], { hasHeader: false }), itemSource)).toBe(false);
});

test('over cells, fields go into the columns from the current cell on, whatever they are called', () => {
  const { columns, mapping, plan } = planPaste(target(), detected(['stock', 'name'], { hasHeader: true }), CELLS);
  expect(columns).toEqual([1, 2]);
  expect(mapping).toBe('Cells go into the columns in order, starting with “name”.');
  expect(plan.columns.map(({ name, from }) => [name, from])).toEqual([
    ['name', 0],
    ['price', 1],
  ]);
  // All or nothing.
  expect(plan.maxProblems).toBe(1);
});

test('new rows take the fields by their names, and say which have no column', () => {
  const json = detected(['stock', 'name', 'color'], { format: 'json', hasHeader: true });
  const { columns, mapping, plan } = planPaste(target(), json, ROWS);
  expect(columns).toEqual([3, 1]);
  expect(plan.columns.map(({ name, from }) => [name, from])).toEqual([
    ['stock', 0],
    ['name', 1],
  ]);
  expect(mapping).toBe('Cells go into the columns with the same names. One of them has no column and is left out.');
  expect(planPaste(target(), detected(['name', 'x', 'y'], { format: 'json' }), ROWS).mapping).toContain(
    '2 of them have no column and are left out.',
  );
  expect(planPaste(target(), detected(['name'], { format: 'json' }), ROWS).mapping).toBe(
    'Cells go into the columns with the same names.',
  );
});

test('new rows without names go into the columns in order', () => {
  expect(planPaste(target(), detected(['c1', 'c2'], { hasHeader: false }), ROWS).columns).toEqual([1, 2]);
});

test('spaces are trimmed only where that is chosen', () => {
  const plan = (trims: boolean) => planPaste(target(), detected(['c1'], {}), { ...CELLS, trims }).plan;
  expect(plan(false).columns[0]!.expression).toBe('');
  expect(plan(true).columns[0]!.expression).toContain('trim(value)');
});

test('fields that do not fit are refused', () => {
  expect(() => planPaste(target(at(0, 'stock')), detected(['c1', 'c2'], {}), CELLS)).toThrow('Nothing was pasted.');
  expect(() => planPaste(target(at(0, 'total')), detected(['c1', 'c2'], {}), CELLS)).toThrow('this is the last one');
});
