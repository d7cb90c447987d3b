// Random and damaged text, parsed by this scanner in chunks of every size, and by csv-parse, an independent program.
import { CsvError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { fieldTexts, firstField } from '../../records/field-texts.ts';
import { FIELD, type RecordProblem } from '../../records/record-batch.ts';
import { CsvScanner } from './csv-scanner.ts';

const DIALECT = { delimiter: ',', quote: '"', comment: '', skipLines: 0 };
const encoder = new TextEncoder();

interface Scanned {
  readonly records: readonly string[];
  readonly problems: readonly RecordProblem[];
}

/** Each record as its line and its fields; those in quotes begin with one. */
function scan(bytes: Uint8Array, chunkBytes: number, dialect = DIALECT): Scanned {
  const scanner = new CsvScanner(dialect);
  const records: string[] = [];
  for (let offset = 0; !scanner.isEnd; offset += chunkBytes) {
    scanner.makeRoom(chunkBytes);
    const chunk = bytes.subarray(offset, offset + chunkBytes);
    scanner.bytes.set(chunk, scanner.filled);
    scanner.filled += chunk.length;
    scanner.isEnd = offset + chunkBytes > bytes.length;
    scanner.scan();
    const batch = scanner.batch();
    for (let at = 0; at < batch.records; at++) {
      const first = firstField(batch, at);
      const fields = fieldTexts(batch, at).map((text, n) => {
        const kind = batch.kinds[first + n];
        expect(kind === FIELD.empty || kind === FIELD.quotedEmpty).toBe(text === '');
        return kind === FIELD.quoted || kind === FIELD.quotedEmpty ? `"${text}` : text;
      });
      records.push(JSON.stringify([batch.lines[at], ...fields]));
    }
  }
  return { records, problems: scanner.problems };
}

type OtherAnswer = { readonly records: readonly string[] } | { readonly refusal: string };

function scanByOther(text: string): OtherAnswer {
  try {
    const records = parse(text, {
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      cast: (field, { quoting }) => (quoting ? `"${field}` : field),
    }) as unknown as readonly (readonly string[])[];
    return { records: records.map((fields) => JSON.stringify(fields)) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { refusal: error.code };
  }
}

const withoutLine = (record: string): string => JSON.stringify((JSON.parse(record) as unknown[]).slice(1));

const field = fc.oneof(
  fc.constantFrom('', '""', 'x', 'é', '😀', ' ', '"a"', '"1,2"', '"a""b"', '"\n"', '"\r\n"', '""""', '"😀\r"'),
  fc.string({ unit: fc.constantFrom('a', 'b', 'ü', ' ', ';', '\t'), maxLength: 6 }),
  fc
    .string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', 'ß'), maxLength: 8 })
    .map((text) => `"${text.replaceAll('"', '""')}"`),
);
const wellFormed = fc
  .array(fc.tuple(fc.array(field, { minLength: 1, maxLength: 5 }), fc.constantFrom('\n', '\r\n', '\r')), {
    maxLength: 8,
  })
  .chain((records) =>
    fc.boolean().map((isEnded) => {
      const text = records.map(([fields, end]) => fields.join(',') + end).join('');
      return isEnded ? text : text.replace(/[\r\n]+$/, '');
    }),
  );
const mutated = fc
  .tuple(
    wellFormed,
    fc.array(fc.tuple(fc.nat(200), fc.constantFrom('', '"', ',', '\n', '\r', 'x', '""')), { maxLength: 3 }),
  )
  .map(([text, edits]) =>
    edits.reduce(
      (from, [at, by]) => from.slice(0, at % (from.length + 1)) + by + from.slice((at % (from.length + 1)) + 1),
      text,
    ),
  );

describe('random text', () => {
  it('is taken apart as csv-parse does it, and alike in chunks of any size', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.oneof(wellFormed, mutated), (text) => {
        const bytes = encoder.encode(text);
        const whole = scan(bytes, bytes.length + 1);
        for (const chunkBytes of [1, 2, 3, 4, 5, 6, 7]) expect(scan(bytes, chunkBytes)).toEqual(whole);
        const other = scanByOther(text);
        if ('refusal' in other) return;
        compared++;
        expect(whole.problems).toEqual([]);
        expect(whole.records.map(withoutLine)).toEqual(other.records);
      }),
      { seed: 20263, numRuns: seedCount(4_000) },
    );
    expect(compared).toBeGreaterThan(seedCount(4_000) / 2);
  });

  it('that csv-parse refuses has a problem, too', () => {
    let refused = 0;
    fc.assert(
      fc.property(mutated, (text) => {
        const other = scanByOther(text);
        // A quote within text is text here.
        if (!('refusal' in other) || other.refusal === 'INVALID_OPENING_QUOTE') return;
        refused++;
        expect(scan(encoder.encode(text), 1_000).problems.length).toBeGreaterThan(0);
      }),
      { seed: 20264, numRuns: seedCount(3_000) },
    );
    expect(refused).toBeGreaterThan(seedCount(3_000) / 60);
  });

  it('of any bytes is taken apart alike in chunks of any size, with comments and long delimiters', () => {
    const unit = fc.constantFrom('a', '"', '|', '||', '\n', '\r', '#', '##', '\ufeff', 'é', ',');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.nat(2), (text, skipLines) => {
        const dialect = { delimiter: '||', quote: '"', comment: '##', skipLines };
        const bytes = encoder.encode(text);
        const whole = scan(bytes, bytes.length + 1, dialect);
        for (const chunkBytes of [1, 2, 3, 4, 5, 6, 7]) expect(scan(bytes, chunkBytes, dialect)).toEqual(whole);
      }),
      { seed: 20265, numRuns: seedCount(3_000) },
    );
  });
});
