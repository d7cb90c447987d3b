// Values made to harm who looks at them, from a seed, through everything that shows, copies or keeps a value.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import { isRawText, storageClassOf } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import { hasHidden, visibleLine } from '#shared/visible-text.ts';
import { parseState, stringifyState } from '../state/state-json.ts';
import { contentOf, hexDump, WIDE_HEX } from '../features/details/content.ts';
import { blocksOf, jsonPart, PART_CHARS, plainPart } from '../features/details/text-part.ts';
import type { TextPart } from '../features/details/text-part.ts';
import { jsonChildren, jsonRoot } from '../features/details/editing/json-children.ts';
import { jsonError } from '../features/details/editing/json-text.ts';
import { lineDifference } from '../features/details/editing/line-difference.ts';
import { editableAs, FORMS, suitedForm, valueOf } from '../features/details/editing/forms.ts';
import { showValue, wholeText } from '../workbench/differences/difference-value.ts';
import { termLabel } from '../workbench/filter/filter-labels.ts';
import { mirrorOf } from '../grid/aria/aria-snapshot.ts';
import { displayCell, displayText } from '../grid/paint/cell-display.ts';
import { paintValue } from '../grid/paint/cell-painter.ts';
import { copyCells, quoted } from '../grid/input/clipboard.ts';
import type { Brush } from '../grid/paint/frame.ts';
import type { GridController } from '../grid/grid-controller.ts';
import type { GridSource } from '../grid/grid-source.ts';
import { extendTo, FIRST_CELL, selectCell } from '../grid/input/selection.ts';
import { parseBlock } from '../grid/input/text-block.ts';
import { TextFitter } from '../grid/paint/text-fit.ts';
import type { GridTheme } from '../grid/paint/theme.ts';
import { valueText } from '../grid/input/value-text.ts';
import { jsx, jsxs } from '../ui/jsx-runtime.ts';

const seeded = { seed: 20_269, numRuns: 300 };
/** Limit of processor time, far above what any of it takes; what grows with the square of the length would take hours. */
const LINEAR_MS = 30_000;

const PIECES = [
  '[', ']', '{"a":', '}', '"', '\\', '\\u', ',', '\u202e', '\u202d', '\u2066', '\u2069', '\u200f', '\u061c', '\u200b', '\u200d', '\ufeff', '\u00ad',
  '\0', '\r', '\n', '\t', '\u0085', '\u2028', '\u0310\u0321\u0489', 'א', 'ع', '漢', '👩‍👩‍👧', '😀', '\ud800', '\udc00', '1e999', '-0', '9'.repeat(50), ' ', 'x',
  '<svg onload=1>', '[U+202E]', '“', '”', '\u{e0041}', '\ufe0f', '\u1100', '🇦', '=cmd|1',
]; // prettier-ignore
const text = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.integer({ min: 1, max: 40 })), { maxLength: 12 })
  .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''));
const image = fc
  .tuple(
    fc.constantFrom('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', '\xff\xd8\xff\xc0', 'GIF89a', 'RIFF\0\0\0\0WEBPVP8X'),
    fc.uint8Array({ maxLength: 60 }),
  )
  .map(([start, rest]) => Uint8Array.from([...Array.from(start, (each) => each.charCodeAt(0)), ...rest]));
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 2, arbitrary: image },
  fc.uint8Array({ maxLength: 2000 }),
  fc.uint8Array({ maxLength: 200 }).map((textBytes) => ({ textBytes })),
  fc.constantFrom<Value>(
    null,
    '',
    0,
    -0,
    Infinity,
    -Infinity,
    { real: 1e300 },
    { real: -0 },
    2n ** 63n - 1n,
    -(2n ** 63n),
    Number.MIN_VALUE,
  ),
);

function packed(...values: readonly Value[]): PackedRowsReader {
  const writer = new PackedRowsWriter(values.length);
  for (const each of values) {
    if (each === null) writer.null();
    else if (typeof each === 'string') writer.text(each);
    else if (typeof each === 'bigint') writer.bigInteger(each);
    else if (typeof each === 'number') storageClassOf(each) === 'integer' ? writer.integer(each) : writer.real(each);
    else if (each instanceof Uint8Array) writer.blob(each);
    else if (isRawText(each)) writer.textBytes(each.textBytes);
    else writer.real(each.real);
  }
  return new PackedRowsReader(writer.finish());
}

/** Checks what must be true of any text that stands in a line with others. */
function expectHarmless(shown: string, maxChars: number): void {
  expect(shown.length).toBeLessThanOrEqual(maxChars);
  expect(visibleLine(shown)).toBe(shown);
  expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\r\n\0]/);
}

const measure = (each: string): number => each.length * 8;

test('the canvas paints nothing hidden, and nothing beyond the cell', () => {
  fc.assert(
    fc.property(value, fc.integer({ min: 40, max: 900 }), (each, width) => {
      const rows = packed(each);
      const painted: string[] = [];
      let end = 0;
      const context = {
        fillText: (part: string, x: number) => {
          painted.push(part);
          end = Math.max(end, x + measure(part));
        },
        save: () => undefined, restore: () => undefined, beginPath: () => undefined, rect: () => undefined, clip: () => undefined, fillRect: () => undefined,
      }; // prettier-ignore
      const fitter = new TextFitter(measure);
      const brush = { context, theme: {} as GridTheme, fitters: { cell: fitter, header: fitter, label: fitter } };
      paintValue(brush as unknown as Brush, displayCell(rows, 0, 0), 0, 0, width, true);
      expectHarmless(painted.join(''), 401);
      expect(end).toBeLessThanOrEqual(Math.max(width, 20));
    }),
    seeded,
  );
});

test('the ARIA mirror says nothing hidden, of cells and of headers', () => {
  fc.assert(
    fc.property(value, text, (each, name) => {
      const rows = packed(each);
      const grid = {
        visible: { rows: { first: 0, last: 0 }, displayColumns: { first: 0, last: 0 } },
        bounds: { rows: 1, displayColumns: 1 },
        gutter: 40,
        selection: FIRST_CELL,
        layout: { columns: [0] },
        source: { columns: [{ name, typeLabel: name, defaultText: name }], hiddenColumns: 0 },
        decorations: { sort: [], draft: null, differenceAt: () => null, tintOf: () => null },
        draftPosition: -1,
        row: () => ({ rows, index: 0 }),
        boxOf: () => ({ x: 40, y: 26, width: 100 }),
        viewportSize: { width: 500, height: 300 },
      };
      const snapshot = mirrorOf(grid as unknown as GridController);
      expectHarmless(snapshot.rows[0]!.cells[0]!.text, 401);
      expectHarmless(snapshot.headers[0]!.label, 3300);
    }),
    seeded,
  );
});

test('the details show a bounded part of any value, in which nothing is hidden', () => {
  fc.assert(
    fc.property(value, fc.boolean(), (each, isCut) => {
      const content = contentOf(each);
      if (content.kind === 'image') expect(content.width * content.height).toBeLessThanOrEqual(64_000_000);
      if (content.kind === 'bytes' || content.kind === 'pdf')
        expect(hexDump(content.bytes, 16_384, WIDE_HEX)).toMatch(/^[\x20-\x7e\n]*$/);
      if (content.kind !== 'text') return;
      for (const part of [plainPart(content.text, 0), read(content.text, isCut)]) {
        if (!part) continue;
        expect(part.text.length).toBeLessThanOrEqual(2 * PART_CHARS + 1);
        expect(blocksOf(part.text).join('')).toBe(part.text);
        for (const line of part.text.split(/[\n\t]/)) expect(visibleLine(line)).toBe(line);
      }
    }),
    seeded,
  );
});

test('what an editor shows of a value is the same value when it is saved, in every form', () => {
  fc.assert(
    fc.property(value, (each) => {
      expect(editableAs(suitedForm(each, null), each, null)).not.toBeNull();
      for (const [form] of FORMS) {
        const shown = editableAs(form, each, null);
        // Halves of surrogate pairs never come out of a database as text.
        if (!shown || each === null || (typeof each === 'string' && !each.isWellFormed())) continue;
        const saved = valueOf(form, shown.text, shown.options, each);
        const isNumber =
          typeof each === 'number' || typeof each === 'bigint' || (typeof each === 'object' && 'real' in each);
        // Text that is no JSON is not saved as such; a number is its text, and a moment, again.
        if ('problem' in saved) expect(form === 'json' || form === 'number').toBe(true);
        else if (!isNumber && form !== 'date' && form !== 'number')
          expect(bytesOfText(saved.value)).toEqual(bytesOfText(each));
      }
    }),
    seeded,
  );
});

test('two values are compared line by line, whatever is in them', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pairs = lineDifference(before, after);
      expect(pairs.flatMap((pair) => pair.before ?? []).join('\n')).toBe(before);
      expect(pairs.flatMap((pair) => pair.after ?? []).join('\n')).toBe(after);
    }),
    seeded,
  );
});

test('the tree of JSON shows any text that is JSON', () => {
  fc.assert(
    fc.property(text, (each) => {
      const json = JSON.stringify({ [each]: [each, { a: each }] });
      expect(jsonError(json)).toBeNull();
      expect(jsonChildren(json, jsonRoot(json))).toMatchObject({ count: 1 });
      jsonError(each);
    }),
    seeded,
  );
});

test('tooltips, chips and changed values are one line of words', () => {
  fc.assert(
    fc.property(value, (each) => {
      expectHarmless(showValue(each).text, 500);
      expectHarmless(termLabel({ column: 'a', operator: '=', value: each }).value, 500);
      const tip = jsx('span', { title: wholeText(each), children: wholeText(each) }) as {
        props: Record<string, string>;
      };
      for (const shown of [tip.props['title'], tip.props['children']])
        expect(shown).not.toMatch(/[\u202a-\u202e\u2066\u2067\u200b\u200e\u200f\u061c\r\0]/);
    }),
    seeded,
  );
});

test('what is copied is what is stored, in a cell, in a block, with headers; and a block can be pasted again', async () => {
  await fc.assert(
    fc.asyncProperty(value, value, text, async (one, other, name) => {
      const rows = packed(one, other).rows;
      const extent = { rows: 1, exact: true };
      const whole = [one, other];
      const source = {
        columns: [{ name, typeLabel: '' }, { name: 'other', typeLabel: '' }],
        hiddenColumns: 0,
        extent,
        read: (start: number) => Promise.resolve({ rows, start, exactPosition: true, extent }),
        readWhole: ({ column }: { column: number }) => Promise.resolve(whole[column]!),
      } as unknown as GridSource; // prettier-ignore
      const bounds = { rows: 1, displayColumns: 2 };
      const both = extendTo(selectCell({ row: 0, displayIndex: 0 }), { row: 0, displayIndex: 1 });
      const request = { source, bounds, columns: [0, 1] };
      const reader = packed(one, other);
      const stored = whole.map((each, column) =>
        valueText(reader.isPreview(0, column) ? each : reader.value(0, column)),
      );
      expect(await copyCells({ ...request, selection: FIRST_CELL, withHeaders: false })).toMatchObject({
        text: stored[0],
      });
      const block = await copyCells({ ...request, selection: both, withHeaders: true });
      expect(block).toMatchObject({
        kind: 'copied',
        text: `${quoted(name)}\tother\n${quoted(stored[0]!)}\t${quoted(stored[1]!)}`,
      });
      expect(parseBlock(block.kind === 'copied' ? block.text : '').slice(0, 2)).toEqual([[name, 'other'], stored]);
    }),
    seeded,
  );
});

test('a filter by any value comes back after a restart', () => {
  fc.assert(
    fc.property(value, (each) => {
      expect(parseState(stringifyState({ filter: [{ column: 'a', operator: '=', value: each }] }))).toEqual({
        filter: [{ column: 'a', operator: '=', value: each }],
      });
    }),
    seeded,
  );
});

test('elements of a list are looked at one by one, exact ones not at all', () => {
  const child = jsx('b', { children: 'x' });
  const line = jsxs('p', { children: ['a\u202e', child, 1] }) as { props: { children: unknown[] } };
  expect(line.props.children).toEqual(['a[U+202E]', child, 1]);
  const exact = jsx('pre', { 'data-exact': true, children: 'a\u202e' }) as { props: { children: string } };
  expect(exact.props.children).toBe('a\u202e');
  const plain = { children: ['a', 'b'] };
  expect((jsx('p', plain) as { props: unknown }).props).toEqual(plain);
});

describe('time grows with the length alone', () => {
  const million = 1_000_000;
  test.each([
    ['nested brackets', '['.repeat(million) + ']'.repeat(million)],
    ['nested objects', '{"a":'.repeat(million / 2) + '1' + '}'.repeat(million / 2)],
    ['one string', `["${'\\\\'.repeat(million)}"]`],
    ['one number', `[${'9'.repeat(2 * million)}]`],
    ['overrides', '\u202e'.repeat(million)],
    ['marks', `Z${'\u0310'.repeat(million)}`],
    ['a line', 'x'.repeat(4 * million)],
    ['lines', '\n'.repeat(4 * million)],
    ['Arabic', 'ع'.repeat(million)],
    ['joiners', '👩\u200d'.repeat(million / 2)],
    ['quotes', '"'.repeat(2 * million)],
  ])('%s', async (_name, long) => {
    const spentMs = await processorMsOf(() => {
      displayText(long, false);
      read(long, true);
      blocksOf(plainPart(long, 0).text);
      showValue(long);
      termLabel({ column: 'a', operator: '=', value: long });
      expect(parseBlock(quoted(valueText(long))).length).toBeGreaterThan(0);
      hasHidden(long);
      jsx('span', { title: long, children: long });
    });
    expect(spentMs).toBeLessThan(LINEAR_MS);
  });
});

/** A text is the same whether it comes as a string or, as if it were not valid UTF-8, as bytes. */
function bytesOfText(each: Value): unknown {
  if (typeof each === 'string') return { textBytes: new TextEncoder().encode(each) };
  return each;
}

/** All slices at once. */
function read(each: string, isCut: boolean): TextPart | null {
  const reading = jsonPart(each, 0, isCut);
  for (;;) {
    const { done, value: part } = reading.next();
    if (done) return part;
  }
}
