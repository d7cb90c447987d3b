import { expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { displayCell } from '../../grid/paint/cell-display.ts';
import { chosenFormat } from './column-format.ts';
import type { Affinity } from './typed-value.ts';

const chosen = (format: string, zone = 'utc') => chosenFormat({ format, zone })!;

function displayed(format: string, write: (writer: PackedRowsWriter) => void) {
  const writer = new PackedRowsWriter(1);
  write(writer);
  return displayCell(new PackedRowsReader(writer.finish()), 0, 0, { name: 'a', typeLabel: '', format: chosen(format) });
}

const long = new Uint8Array(100_000).fill(0xab);

test.each([
  [
    'a number',
    displayed('unix-s', (writer) => writer.integer(0)),
    { text: '1970-01-01 00:00:00 UTC', style: 'number' },
  ],
  [
    'a number that does not fit',
    displayed('unix-s', (writer) => writer.real(Infinity)),
    { text: 'Inf', style: 'number' },
  ],
  ['a text', displayed('unix-s', (writer) => writer.text('0')), { text: '0', style: 'text' }],
  ['NULL', displayed('unix-s', (writer) => writer.null()), { text: 'NULL', style: 'null' }],
  [
    'bytes',
    displayed('hex', (writer) => writer.blob(Uint8Array.of(0, 255))),
    { text: '00ff', style: 'text', cut: false },
  ],
  ['a long blob', displayed('base64', (writer) => writer.blob(long)), { text: 'q6ur'.repeat(100), cut: true }],
  ['a long blob without its end', displayed('json', (writer) => writer.blob(long)), { style: 'blob' }],
  [
    'hidden characters',
    displayed('json', (writer) => writer.text('[ "\u202e" ]')),
    { text: '["[U+202E]"]', hasSymbols: true },
  ],
])('%s', (_name, display, expected) => expect(display).toMatchObject(expected));

test('what is shown for a value stands for that very value, also where it leaves digits out', () => {
  const money = chosen('money');
  expect(money.textOf(12.345)).toBe('12.35');
  expect(money.parse(' 12.35 ', 12.345)).toEqual({ value: 12.345 });
  expect(money.parse('12.36', 12.345)).toEqual({ value: 12.36 });
});

test('NULL is edited in a format that alone says what a text becomes', () => {
  expect(chosen('unix-s').isEdited(null)).toBe(true);
  expect(chosen('uuid').isEdited(null)).toBe(false);
  expect(chosen('unix-s').isEdited('text')).toBe(false);
  expect(chosen('json').isEdited('[]')).toBe(false);
});

test('without a format that is known here, values are shown as stored', () => {
  expect(chosenFormat(undefined)).toBeNull();
  expect(chosenFormat({ format: 'none', zone: 'utc' })).toBeNull();
  expect(chosenFormat({ format: 'unix-s', zone: 'Nowhere/At_All' })).toBeNull();
});

test('NULL in a column of texts is edited as stored where the format would store a number, which becomes a text', () => {
  expect(chosenFormat({ format: 'ipv4', zone: 'utc' }, 'text')!.isEdited(null)).toBe(false);
  expect(chosenFormat({ format: 'ipv4', zone: 'utc' }, 'integer')!.isEdited(null)).toBe(true);
  expect(chosenFormat({ format: 'hex', zone: 'utc' }, 'text')!.isEdited(null)).toBe(true);
});

test.each(['0'.repeat(32), '1'.repeat(32), `1e${'0'.repeat(30)}`])(
  'the digits %s are not stored where the type of the column makes them a number',
  (digits) => {
    const stored = '6BA7B8109DAD11D180B400C04FD430C8';
    const inColumn = (affinity: Affinity) =>
      chosenFormat({ format: 'uuid', zone: 'utc' }, affinity)!.parse(digits, stored);
    expect(inColumn('numeric')).toMatchObject({ problem: expect.stringContaining('into a number') as string });
    expect(inColumn('text')).toEqual({ value: digits.toUpperCase() });
  },
);
