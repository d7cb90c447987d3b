import { beforeEach, expect, test, vi } from 'vitest';
import { keepResultColumns, keepTableColumns, resultColumns, tableColumns } from './column-memory.ts';

const arranged = { widths: { name: 120 }, order: ['name', 'id'], hidden: ['note'], frozen: 1 };
const plain = { widths: {}, order: [], hidden: [], frozen: 0 };
let stored: string | null;

beforeEach(() => {
  stored = null;
  vi.stubGlobal('localStorage', { getItem: () => stored, setItem: (_key: string, text: string) => (stored = text) });
});

test('columns of a table and of a result are remembered, and forgotten when they are plain again', () => {
  keepTableColumns('d', 't', arranged);
  keepResultColumns('d', ['a', 'a'], { ...plain, hidden: [1], frozen: 1 });
  expect(tableColumns('d', 't')).toEqual(arranged);
  expect(tableColumns('other', 't')).toBeNull();
  expect(resultColumns('d', ['a', 'a'])).toEqual({ ...plain, hidden: [1], frozen: 1 });
  expect(resultColumns('d', ['a', 'b'])).toBeNull();
  keepTableColumns('d', 't', plain);
  expect(tableColumns('d', 't')).toBeNull();
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
