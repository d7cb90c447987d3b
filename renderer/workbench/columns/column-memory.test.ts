import { beforeEach, expect, test, vi } from 'vitest';
import { keepResultColumns, keepTableColumns, resultColumns, tableColumns } from './column-memory.ts';

const arranged = { widths: { name: 120 }, order: ['name', 'id'], hidden: ['note'], frozen: 1, colors: {} };
const plain = { widths: {}, order: [], hidden: [], frozen: 0, colors: {} };
const ofResult = { widths: {}, order: [], hidden: [1], frozen: 1, colors: {} };
let stored: string | null;

beforeEach(() => {
  stored = null;
  vi.stubGlobal('localStorage', { getItem: () => stored, setItem: (_key: string, text: string) => (stored = text) });
});

test('columns of a table and of a result are remembered, and forgotten when they are plain again', () => {
  keepTableColumns('d', 't', arranged);
  keepResultColumns('d', ['a', 'a'], ofResult);
  expect(tableColumns('d', 't')).toEqual(arranged);
  expect(tableColumns('other', 't')).toBeNull();
  expect(resultColumns('d', ['a', 'a'])).toEqual(ofResult);
  expect(resultColumns('d', ['a', 'b'])).toBeNull();
  keepTableColumns('d', 't', plain);
  expect(tableColumns('d', 't')).toBeNull();
});

test('colors are remembered without an arrangement, and a bad rule costs only itself', () => {
  const rules = [{ color: 'red', when: '> 10' } as const, { color: 'blue', from: '0', to: '1e3' } as const];
  keepTableColumns('d', 't', { ...plain, colors: { price: rules } });
  expect(tableColumns('d', 't')).toEqual({ ...plain, colors: { price: rules } });
  keepResultColumns('d', ['a', 'a'], { ...plain, colors: { 1: rules } });
  expect(resultColumns('d', ['a', 'a'])).toEqual({ ...plain, colors: { 1: rules } });
  const bad = [7, { color: 'pink', when: '1' }, { color: 'red' }, { color: 'red', when: 'x'.repeat(3000) }, ...rules];
  stored = JSON.stringify([
    ['table d t', { ...arranged, colors: { price: bad, name: 'all', id: Array(99).fill(rules[0]) } }],
  ]);
  expect(tableColumns('d', 't')).toEqual({
    ...arranged,
    colors: { price: rules, name: [], id: Array(12).fill(rules[0]) },
  });
});

test('only the last two hundred are kept', () => {
  for (let table = 0; table < 201; table++) keepTableColumns('d', `t${table}`, arranged);
  expect(tableColumns('d', 't0')).toBeNull();
  expect(tableColumns('d', 't1')).toEqual(arranged);
  expect(tableColumns('d', 't200')).toEqual(arranged);
});

test.each([
  '{',
  '{"a": 1}',
  '[["table d t", 7]]',
  '[["table d t", {"order": "x", "frozen": -1, "hidden": [1, "note"]}]]',
])('what is not an arrangement does no harm: %s', (text) => {
  stored = text;
  expect(tableColumns('d', 't')?.frozen ?? 0).toBe(0);
  keepTableColumns('d', 't', arranged);
  expect(tableColumns('d', 't')).toEqual(arranged);
});
