import { expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { visibleLine } from '#shared/visible-text.ts';
import { displayCell, displayText } from './cell-display.ts';

const cell = (write: (writer: PackedRowsWriter) => void) => {
  const writer = new PackedRowsWriter(1);
  write(writer);
  return displayCell(new PackedRowsReader(writer.finish()), 0, 0);
};

test.each([
  ['NULL', cell((writer) => writer.null()), { text: 'NULL', style: 'null' }],
  ['empty text', cell((writer) => writer.text('')), { text: '', style: 'text' }],
  ['the text NULL', cell((writer) => writer.text('NULL')), { text: 'NULL', style: 'text' }],
  ['an integer', cell((writer) => writer.integer(-7)), { text: '-7', style: 'number' }],
  [
    'a 64-bit integer',
    cell((writer) => writer.bigInteger(9223372036854775807n)),
    { text: '9223372036854775807', style: 'number' },
  ],
  ['an integral REAL', cell((writer) => writer.real(2)), { text: '2.0', style: 'number' }],
  [
    'a blob',
    cell((writer) => writer.blob(new Uint8Array(12_345))),
    { text: 'blob · 12.3 KB', style: 'blob', cut: false },
  ],
  ['a preview', cell((writer) => writer.text('x'.repeat(5000))), { style: 'text', cut: true }],
])('%s', (_name, display, expected) => expect(display).toMatchObject(expected));

test('control characters become symbols, each in its place', () => {
  expect(displayText('a\r\nb\nc\td\0e\u007f\u2028', false)).toEqual({
    text: 'a⏎b⏎c⇥d␀e␡⏎',
    style: 'text',
    hasSymbols: true,
    isTall: false,
    cut: false,
  });
  expect(displayText('plain ü', false).hasSymbols).toBe(false);
});

test.each(['👩\u200d👩', '❤\ufe0f', '1\ufe0f\u20e3', 'क\u200dष'])(
  'wherever codes for hidden characters cut %s, no half of the spelling stays',
  (spelled) => {
    for (let before = 0; before < 12; before++) {
      const { text } = displayText(`\u200b${'y'.repeat(before)}${spelled.repeat(100)}`.repeat(2), false);
      expect(visibleLine(text)).toBe(text);
    }
  },
);

test('long text is cut before anything else looks at it', () => {
  const display = displayText('y'.repeat(100_000), false);
  expect(display.text.length).toBeLessThan(1000);
  expect(display.cut).toBe(true);
});
