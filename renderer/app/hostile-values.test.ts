// Values made to harm who looks at them, through everything that shows or keeps a value, and the time that takes; hostile-cells.test.ts has the
// grid.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import type { Value } from '#shared/protocol/values.ts';
import { hasHidden, visibleLine } from '#shared/visible-text.ts';
import { parseState, stringifyState } from '../state/state-json.ts';
import { contentOf, hexDump, WIDE_HEX } from '../features/details/content.ts';
import { blocksOf, jsonPart, PART_CHARS, plainPart } from '../features/details/text-part.ts';
import type { TextPart } from '../features/details/text-part.ts';
import { jsonChildren, jsonRoot } from '../features/details/editing/json-children.ts';
import { jsonError } from '../features/details/editing/json-text.ts';
import { alignLists } from '#shared/schema-diff/aligned-lines.ts';
import { editableAs, FORMS, suitedForm, valueOf } from '../features/details/editing/forms.ts';
import { showValue, wholeText } from '../workbench/differences/difference-value.ts';
import { termLabel } from '../workbench/filter/filter-labels.ts';
import { quoted } from '../grid/input/clipboard.ts';
import { parseBlock } from '../grid/input/text-block.ts';
import { displayText } from '../grid/paint/cell-display.ts';
import { valueText } from '../grid/input/value-text.ts';
import { jsx, jsxs } from '../ui/jsx-runtime.ts';
import { expectHarmless, seeded, text, value } from './hostile-values.test-suite.ts';

/** Limit of processor time, far above what any of it takes; what grows with the square of the length would take hours. */
const LINEAR_MS = 30_000;

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
      const pairs = alignLists(before.split('\n'), after.split('\n'));
      expect(pairs.flatMap((pair) => pair.left ?? []).join('\n')).toBe(before);
      expect(pairs.flatMap((pair) => pair.right ?? []).join('\n')).toBe(after);
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
