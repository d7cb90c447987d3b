// Random and damaged text, parsed by this scanner in chunks of every size, and by csv-parse, an independent program.
import { CsvError, parse, type Options } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { fieldTexts, firstField } from '../../records/field-texts.ts';
import { FIELD, type RecordProblem } from '../../records/record-batch.ts';
import type { CsvDialect } from './csv-dialect.ts';
import { CsvScanner } from './csv-scanner.ts';

const DIALECT: CsvDialect = { delimiter: ',', quote: '"', comment: '', skipLines: 0 };
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

function scanByOther(text: string, more: Options = {}): OtherAnswer {
  try {
    const records = parse(text, {
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      ...more,
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
      { seed: 20263, numRuns: seedCount(4_000, 15) },
    );
    expect(compared).toBeGreaterThan(seedCount(4_000, 15) / 2);
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
      { seed: 20264, numRuns: seedCount(3_000, 15) },
    );
    expect(refused).toBeGreaterThan(seedCount(3_000, 15) / 60);
  });

  it('with another quote, and blanks after delimiters, is taken apart as csv-parse does it', () => {
    const rewritten = (text: string): string => text.replaceAll('"', 'þ').replaceAll(',', ', ').replaceAll(' \t', 'x');
    let compared = 0;
    fc.assert(
      fc.property(wellFormed, (plain) => {
        const text = rewritten(plain);
        const bytes = encoder.encode(text);
        const dialect = { ...DIALECT, quote: 'þ', skipsBlanks: true };
        const whole = scan(bytes, bytes.length + 1, dialect);
        for (const chunkBytes of [1, 2, 3, 5, 8]) expect(scan(bytes, chunkBytes, dialect)).toEqual(whole);
        const other = scanByOther(text, { quote: 'þ', ltrim: true });
        // Tabs at the beginning of a field are blanks for csv-parse alone, and a line of blanks is an empty one.
        if ('refusal' in other || /(^|[,\r\n]) *\t|(^|[\r\n]) +([\r\n]|$)/.test(text)) return;
        compared++;
        expect(whole.problems).toEqual([]);
        expect(whole.records.map(withoutLine)).toEqual(other.records);
      }),
      { seed: 20266, numRuns: seedCount(3_000, 15) },
    );
    expect(compared).toBeGreaterThan(seedCount(3_000, 15) / 6);
  });

  it('in which a backslash makes quotes, delimiters, and line feeds part of a field comes back', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'N', ' ', '"', ',', '\\', '\n', 'þ', '|', '\x14', 'é'),
      maxLength: 8,
    });
    const dialects = [
      { delimiter: ',', quote: '"' },
      { delimiter: '\x14', quote: 'þ' },
      { delimiter: '||', quote: 'þ' },
      { delimiter: '\t', quote: '' },
    ];
    const escaped = (from: string, what: readonly string[]): string =>
      [...from].map((letter) => (what.includes(letter) ? `\\${letter}` : letter)).join('');
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.tuple(text, fc.boolean()), { minLength: 2, maxLength: 4 }), { maxLength: 5 }),
        fc.constantFrom(...dialects),
        (records, { delimiter, quote }) => {
          const isQuoted = (wanted: boolean): boolean => wanted && quote !== '';
          const lines = records.map((fields) =>
            fields
              .map(([value, wanted]) =>
                isQuoted(wanted)
                  ? quote + escaped(value, [quote, '\\']) + quote
                  : escaped(value, [...delimiter, quote, '\\', '\n']),
              )
              .join(delimiter),
          );
          const bytes = encoder.encode(lines.map((line) => `${line}\n`).join(''));
          const dialect = { ...DIALECT, delimiter, quote, escape: '\\' };
          let line = 1;
          const expected = records.map((fields, at) => {
            const record = [line, ...fields.map(([value, wanted]) => (isQuoted(wanted) ? `"${value}` : value))];
            line += lines[at]!.split('\n').length;
            return JSON.stringify(record);
          });
          for (const chunkBytes of [1, 2, 3, 4, 7, bytes.length + 1])
            expect(scan(bytes, chunkBytes, dialect)).toEqual({ records: expected, problems: [] });
        },
      ),
      { seed: 20267, numRuns: seedCount(4_000, 15) },
    );
  });

  it('of any bytes is taken apart alike in chunks of any size, with comments and long delimiters', () => {
    const unit = fc.constantFrom('a', '"', '|', '||', '\n', '\r', '#', '##', '\ufeff', 'é', ',', '\\', ' ');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.nat(2), fc.boolean(), (text, skipLines, isOdd) => {
        const odd = isOdd ? { escape: '\\', skipsBlanks: true } : {};
        const dialect = { delimiter: '||', quote: '"', comment: '##', skipLines, ...odd };
        const bytes = encoder.encode(text);
        const whole = scan(bytes, bytes.length + 1, dialect);
        for (const chunkBytes of [1, 2, 3, 4, 5, 6, 7]) expect(scan(bytes, chunkBytes, dialect)).toEqual(whole);
      }),
      { seed: 20265, numRuns: seedCount(3_000, 15) },
    );
  });
});
