import { expect, test } from 'vitest';
import { actionFor, moved, nextCell } from './keyboard.ts';
import type { KeyPress } from './keyboard.ts';
import { FIRST_CELL, cursorOf, extendTo, headOf, selectCell } from './selection.ts';

const bounds = { rows: 1000, displayColumns: 5, pageRows: 20 };
const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  command: false,
  shift: false,
  alt: false,
  ...modifiers,
});
const at = (row: number, displayIndex: number) => selectCell({ row, displayIndex });
const after = (selection: ReturnType<typeof at>, key: string, modifiers: Partial<KeyPress> = {}) =>
  moved(selection, actionFor(press(key, modifiers))!, bounds)!;

test.each<[string, Partial<KeyPress>, [number, number]]>([
  ['ArrowDown', {}, [501, 2]],
  ['ArrowUp', {}, [499, 2]],
  ['ArrowLeft', {}, [500, 1]],
  ['ArrowRight', {}, [500, 3]],
  ['ArrowDown', { command: true }, [999, 2]],
  ['ArrowUp', { command: true }, [0, 2]],
  ['ArrowLeft', { command: true }, [500, 0]],
  ['ArrowRight', { command: true }, [500, 4]],
  ['PageDown', {}, [520, 2]],
  ['PageUp', {}, [480, 2]],
  ['Home', {}, [500, 0]],
  ['End', {}, [500, 4]],
  ['Home', { command: true }, [0, 0]],
  ['End', { command: true }, [999, 4]],
  ['Tab', {}, [500, 3]],
  ['Tab', { shift: true }, [500, 1]],
  ['Enter', { shift: true }, [499, 2]],
])('%s %j moves from 500, 2 to %j', (key, modifiers, [row, displayIndex]) => {
  expect(cursorOf(after(at(500, 2), key, modifiers))).toEqual({ row, displayIndex: displayIndex });
});

test('moves stop at the edges', () => {
  expect(cursorOf(after(at(0, 0), 'PageUp'))).toEqual({ row: 0, displayIndex: 0 });
  expect(cursorOf(after(at(999, 4), 'ArrowRight'))).toEqual({ row: 999, displayIndex: 4 });
});

test('Shift moves the free corner and leaves the current cell', () => {
  const selection = after(after(at(10, 1), 'ArrowDown', { shift: true }), 'End', { shift: true });
  expect(cursorOf(selection)).toEqual({ row: 10, displayIndex: 1 });
  expect(headOf(selection)).toEqual({ row: 11, displayIndex: 4 });
});

test('Tab goes on in the next row and stops at both ends', () => {
  expect(nextCell({ row: 3, displayIndex: 4 }, 1, bounds)).toEqual({ row: 4, displayIndex: 0 });
  expect(nextCell({ row: 3, displayIndex: 0 }, -1, bounds)).toEqual({ row: 2, displayIndex: 4 });
  expect(nextCell({ row: 999, displayIndex: 4 }, 1, bounds)).toEqual({ row: 999, displayIndex: 4 });
  expect(nextCell({ row: 0, displayIndex: 0 }, -1, bounds)).toEqual({ row: 0, displayIndex: 0 });
});

test('selecting whole rows, columns, everything, and back', () => {
  expect(after(FIRST_CELL, ' ', { shift: true }).ranges[0].span).toBe('rows');
  expect(after(FIRST_CELL, ' ', { command: true }).ranges[0].span).toBe('columns');
  const all = after(at(7, 3), 'a', { command: true });
  expect(all.ranges[0].span).toBe('all');
  expect(after(extendTo(all, { row: 9, displayIndex: 4 }), 'Escape')).toEqual(at(7, 3));
});

test.each<[string, Partial<KeyPress>, string | null]>([
  ['x', {}, 'x'],
  ['X', { shift: true }, 'X'],
  [' ', {}, ' '],
  ['😀', {}, '😀'],
  ['Enter', {}, null],
  ['F2', {}, null],
])('%s %j begins editing with %j', (key, modifiers, text) => {
  expect(actionFor(press(key, modifiers))).toEqual({ kind: 'edit', text });
});

test.each<[string, Partial<KeyPress>]>([
  ['c', { command: true }],
  ['A', { command: true, shift: true }],
  ['Tab', { command: true }],
  ['Enter', { command: true }],
  ['Backspace', { alt: true }],
  ['Insert', {}],
  ['Delete', {}],
  ['F5', {}],
  ['Dead', {}],
  ['Process', {}],
])('%s %j is left to others', (key, modifiers) => expect(actionFor(press(key, modifiers))).toBeNull());
