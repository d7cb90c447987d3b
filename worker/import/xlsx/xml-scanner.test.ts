// The scanner of XML, compared with saxes over documents that are well formed, and over those that are nearly so.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { mutated } from '../read-all.test-suite.ts';
import { EventList, saxesEvents, type XmlEvent } from './saxes-events.test-suite.ts';
import { XmlScanner } from './xml-scanner.ts';
import { CellBytes } from './cell-bytes.ts';

const encoder = new TextEncoder();

/** Null where it is refused. @param pieces sizes of what it gets at a time, in turns */
function scannerEvents(document: Uint8Array, pieces: readonly number[]): readonly XmlEvent[] | null {
  const list = new EventList();
  const scanner = new XmlScanner(
    {
      open: (tag) => list.open(tag.localName(), tag.attributes()),
      close: () => list.close(),
      text: (bytes, start, end, isPlain) => {
        const text = new CellBytes();
        text.add(bytes, start, end, isPlain);
        list.text(text.text(0, text.used));
      },
    },
    ['a', 'bc', 'row'],
  );
  try {
    for (let at = 0, n = 0; at < document.length; n++) {
      const piece = pieces[n % pieces.length]!;
      scanner.write(document.slice(at, at + piece));
      at += piece;
    }
    scanner.finish();
    return list.events;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    return null;
  }
}

const name = fc.constantFrom('a', 'bc', 'row', 'x:c', 'long-name.1', 'é');
const space = fc.constantFrom('', ' ', '\n', '\t ', '\r\n');
const some = fc.constantFrom(
  'x',
  ' ',
  '  y',
  '12.5',
  'ä😀',
  '&amp;',
  '&#65;',
  '&#x1F600;',
  '&lt;&gt;',
  '\r\n',
  '\r',
  '\t',
);
const inText = fc.array(some, { maxLength: 5 }).map((parts) => parts.join(''));
const attribute = fc
  .tuple(fc.constantFrom('r', 's', 't', 'x:id', 'xml:space'), space, space, inText, fc.constantFrom('"', "'"))
  .map(([key, before, after, value, quote]) => [key, `${before}=${after}${quote}${value}>${quote}`] as const);
const attributes = fc
  .uniqueArray(attribute, { maxLength: 3, selector: ([key]) => key })
  .map((all) => all.map(([key, rest]) => ` ${key}${rest}`).join(''));
const aside = fc.constantFrom('<!-- a > b -->', '<?pi a > b?>', '<![CDATA[<x> ]] &amp;]]>', '<![CDATA[]]>');
const { content } = fc.letrec<{ content: string; element: string }>((tie) => ({
  content: fc
    .array(fc.oneof({ withCrossShrink: true, maxDepth: 5 }, inText, aside, tie('element')), { maxLength: 5 })
    .map((parts) => parts.join('')),
  element: fc
    .tuple(name, attributes, space, fc.oneof(fc.constant(null), tie('content')))
    .map(([tag, with_, end, inside]) =>
      inside === null ? `<${tag}${with_}${end}/>` : `<${tag}${with_}${end}>${inside}</${tag}${end}>`,
    ),
}));
const document = fc
  .tuple(
    fc.constantFrom('', '\ufeff', '<?xml version="1.0" encoding="UTF-8"?>\n', '<!DOCTYPE x [<!ENTITY e ">">]>'),
    content,
    fc.constantFrom('', '\n', '<!-- end -->'),
  )
  .map(([begin, inside, end]) => encoder.encode(`${begin}<root>${inside}</root>${end}`));
const pieces = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });

describe('the XML of a workbook', () => {
  it('says the same of well-formed documents as saxes does, however they are cut into pieces', () => {
    let accepted = 0;
    fc.assert(
      fc.property(document, pieces, (bytes, sizes) => {
        const expected = saxesEvents(bytes);
        if (expected === null) return;
        accepted++;
        expect(scannerEvents(bytes, sizes)).toEqual(expected);
        expect(scannerEvents(bytes, [bytes.length])).toEqual(expected);
      }),
      { seed: 20_261_122, numRuns: seedCount(3000) },
    );
    expect(accepted).toBeGreaterThan(seedCount(3000) / 1.5);
  });

  it('refuses nothing that saxes accepts, and ends without harm on everything else', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      byte: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(...encoder.encode('<>/="\'&;![]-? a'))),
      kind: fc.integer({ min: 0, max: 3 }),
    });
    let refused = 0;
    fc.assert(
      fc.property(document, fc.array(change, { minLength: 1, maxLength: 3 }), pieces, (bytes, changes, sizes) => {
        const damaged = mutated(bytes, changes);
        const events = scannerEvents(damaged, sizes);
        expect(scannerEvents(damaged, [Math.max(1, damaged.length)])).toEqual(events);
        const expected = saxesEvents(damaged);
        if (expected === null) refused++;
        else expect(events).toEqual(expected);
      }),
      { seed: 20_261_122, numRuns: seedCount(5000) },
    );
    expect(refused).toBeGreaterThan(seedCount(5000) / 5);
  });

  it.each([
    ['', 'nothing'],
    ['text', 'no element'],
    ['<a>', 'not closed'],
    ['<a></b>', 'closed by another'],
    ['<a></a></a>', 'closed twice'],
    ['<a/><b/>', 'two roots'],
    ['<a/>text', 'text behind'],
    ['<a b/>', 'without a value'],
    ['<a b=c/>', 'without quotes'],
    ['<a b="c"d="e"/>', 'without a space'],
    ['<a b="<"/>', 'a bracket in a value'],
    ['<a>&no;</a>', 'an unknown entity'],
    ['<a>&#0;</a>', 'a character there is not'],
    ['<a>& b</a>', 'a lone ampersand'],
    ['< a/>', 'no name'],
    ['<a', 'half a tag'],
    ['<a><!-- </a>', 'half a comment'],
  ])('refuses %j: %s', (text) => {
    expect(saxesEvents(encoder.encode(text))).toBe(null);
    expect(scannerEvents(encoder.encode(text), [1])).toBe(null);
    expect(scannerEvents(encoder.encode(text), [100])).toBe(null);
  });
});
