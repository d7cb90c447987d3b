// Random JSON and NDJSON as records: exact, in pieces of any size, and damaged.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { mutated, type ReadFile } from '../read-all.test-suite.ts';
import { JsonScanner } from './json-scanner.ts';
import { readJson, readLines } from './read-json.test-suite.ts';

const SEED = { seed: 20_261_122 };

/** Texts of JSON with every digit and escape as written. */
const numberText = fc.oneof(
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?$/),
);
const value = fc.oneof(
  numberText.map((text) => ({ json: text, field: `number ${text}` })),
  fc.string({ unit: 'binary' }).map((text) => ({ json: JSON.stringify(text), field: `quoted ${text.toWellFormed()}` })),
  fc.string({ unit: 'binary' }).map((text) => ({ json: escapedAll(text), field: `quoted ${text.toWellFormed()}` })),
  fc.constantFrom('true', 'false', 'null').map((word) => ({ json: word, field: word })),
  fc
    .jsonValue({ maxDepth: 3 })
    .filter((nested) => typeof nested === 'object' && nested !== null)
    .map((nested) => ({ json: JSON.stringify(nested), field: `json ${JSON.stringify(nested)}` })),
);
const key = fc.constantFrom('id', 'a', 'b c', 'ä', '"q"', 'long key with many letters');
const record = fc.dictionary(key, value, { maxKeys: 6, noNullPrototype: true });
const space = fc.constantFrom('', ' ', '\t', '  ');

function escapedAll(text: string): string {
  const codes = Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  );
  return `"${codes.join('')}"`;
}

const jsonOf = (fields: Record<string, { json: string }>, gap: string): string =>
  `{${gap}${Object.entries(fields)
    .map(([name, { json }]) => `${JSON.stringify(name)}${gap}:${gap}${json}${gap}`)
    .join(`,${gap}`)}}`;

/** Both as they were read and as they should be, by the names of columns. */
function named({ columns, records }: ReadFile): readonly Record<string, string>[] {
  return records.map(({ fields }) =>
    Object.fromEntries(fields.flatMap((field, at) => (field === 'absent' ? [] : [[columns[at]!, field]]))),
  );
}
const expected = (records: readonly Record<string, { field: string }>[]): readonly Record<string, string>[] =>
  records.map((fields) => Object.fromEntries(Object.entries(fields).map(([name, { field }]) => [name, field])));

const changes = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    byte: fc.oneof(fc.nat(255), fc.constantFrom(...Array.from('{}[]",:\\\n0e.-tfn', (c) => c.charCodeAt(0)))),
    kind: fc.nat(3),
  }),
  { minLength: 1, maxLength: 4 },
);

describe('records of JSON', () => {
  test('any objects come back with every digit, in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 8 }),
        space,
        fc.integer({ min: 3, max: 40 }),
        async (records, gap, chunk) => {
          const lines = records.map((fields) => jsonOf(fields, gap));
          const asLines = await readLines(lines.join('\r\n'), chunk);
          expect(named(asLines)).toEqual(expected(records));
          expect(asLines.problems).toEqual([]);
          const asList = await readJson(`[${gap}${lines.join(',\n')}${gap}]\n`, null, chunk);
          expect(named(asList)).toEqual(expected(records));
          expect(asList.problems).toEqual([]);
          const inPart = await readJson(`{"x":{"y":[1,"]"]},"rows":[${lines.join(',')}],"z":0}`, 'rows', chunk);
          expect(named(inPart)).toEqual(expected(records));
        },
      ),
      { ...SEED, numRuns: seedCount(400) },
    );
  });

  test('what is JSON and what is not is what JSON.parse says', () => {
    fc.assert(
      fc.property(fc.jsonValue(), changes, (json, edits) => {
        const bytes = mutated(new TextEncoder().encode(JSON.stringify(json)), edits);
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        const scanner = new JsonScanner();
        const all = new TextEncoder().encode(`${text} `);
        scanner.look(all, all.length);
        const end = scanner.value(scanner.space(0));
        const isJson = end >= 0 && scanner.space(end) === all.length;
        expect(isJson).toBe(parses(text));
      }),
      { ...SEED, numRuns: seedCount(4000) },
    );
  });

  test('of damaged lines each is a record or a problem, and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 6 }),
        changes,
        fc.integer({ min: 3, max: 60 }),
        async (records, edits, chunk) => {
          const bytes = mutated(
            new TextEncoder().encode(records.map((fields) => jsonOf(fields, '')).join('\n')),
            edits,
          );
          const { records: read, problems } = await readLines(bytes, chunk);
          const lines = linesOf(bytes);
          const seen = [...read.map(({ line }) => line), ...problems.map(({ line }) => line)].sort((a, b) => a - b);
          const isHeader = (line: number): boolean => lines.get(line)!.startsWith('[');
          expect(seen).toEqual([...lines.keys()].filter((line) => seen.includes(line) || !isHeader(line)));
        },
      ),
      { ...SEED, numRuns: seedCount(400) },
    );
  });

  test('a damaged list never hangs, never throws, and keeps what is before the damage', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 2, maxLength: 6 }),
        changes,
        fc.integer({ min: 3, max: 60 }),
        async (records, edits, chunk) => {
          const whole = new TextEncoder().encode(`[${records.map((fields) => jsonOf(fields, '')).join(',')}]`);
          await readJson(mutated(whole, edits), null, chunk);
          const cut = Math.floor(edits[0]!.at * (whole.length - 1));
          const { records: read, problems } = await readJson(whole.subarray(0, cut), null, chunk);
          const all = named(await readJson(whole));
          expect(named({ columns: (await readJson(whole)).columns, records: read, problems, notices: [] })).toEqual(
            all.slice(0, read.length),
          );
          if (cut > 0) expect(problems.at(-1)?.reason).toContain('it was cut off');
        },
      ),
      { ...SEED, numRuns: seedCount(300) },
    );
  });

  test('a field is text exactly where its bytes are UTF-8, in strings and nested values, and not because of its neighbors', async () => {
    const bytesOfField = fc.uint8Array({ maxLength: 6 }).map((bytes) => bytes.map((byte) => byte | 0x80));
    const either = fc.oneof(
      bytesOfField,
      fc.string({ unit: 'binary' }).map((text) => encoder.encode(plain(text))),
    );
    const quoted = either.map((bytes) => ({ bytes: joined('"', bytes, '"'), kind: 'quoted' }));
    const nested = fc.tuple(either, either).map(([name, inner]) => ({
      bytes: joined('{"', name, '":["x",{"y":"', inner, '"},"z"]}'),
      kind: 'json',
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(quoted, nested), { minLength: 1, maxLength: 5 }), async (fields) => {
        const list = fields.map(({ bytes }, at) => joined(at === 0 ? '[' : ',', bytes));
        const { records } = await readLines(joined('[0]\n', ...list, ']\n'), 16);
        expect(records[1]!.fields.slice(0, fields.length).map((field) => field.split(' ')[0])).toEqual(
          fields.map(({ bytes, kind }) => (isUtf8(bytes) ? kind : 'blob')),
        );
      }),
      { ...SEED, numRuns: seedCount(400) },
    );
  });

  test('a damaged object with parts throws nothing but an error for people', async () => {
    await fc.assert(
      fc.asyncProperty(record, changes, async (fields, edits) => {
        const bytes = mutated(new TextEncoder().encode(`{"a":[1,{}],"rows":[${jsonOf(fields, '')}]}`), edits);
        await readJson(bytes, 'rows', 7).catch((error: unknown) => expect(error).toBeInstanceOf(AppError));
      }),
      { ...SEED, numRuns: seedCount(400) },
    );
  });
});

const encoder = new TextEncoder();

/** Without what a string of JSON has to escape. */
const plain = (text: string): string => text.replace(/["\\\p{Cc}]/gu, 'x');

const joined = (...parts: readonly (string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part)));

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Those with anything in them, by number. */
function linesOf(bytes: Uint8Array): ReadonlyMap<number, string> {
  const text = Buffer.from(bytes).toString('latin1');
  return new Map(
    text
      .split('\n')
      .map((line, at): [number, string] => [at + 1, line.replace(/^\u00ef\u00bb\u00bf/, '').replace(/^\x1e/, '')])
      .filter(([, line]) => /[^ \t\r]/.test(line)),
  );
}
