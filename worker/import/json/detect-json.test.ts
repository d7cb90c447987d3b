// Detection of JSON and NDJSON, and of the parts that they can be read from.
import { describe, expect, test } from 'vitest';
import type { Detected } from '../import-format.ts';
import { bytesSource } from '../read-all.test-suite.ts';
import { detectJson } from './detect-json.ts';
import { partsOfFile, WHOLE_OBJECT } from './json-parts.ts';

const SAMPLE_BYTES = 1 << 16;

function detected(
  text: string | Uint8Array,
  fileName = 'data.txt',
): { readonly json: Detected; readonly ndjson: Detected } {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const sample = { fileName, bytes: bytes.subarray(0, SAMPLE_BYTES), isWhole: bytes.length <= SAMPLE_BYTES };
  return { json: detectJson(sample, 'json'), ndjson: detectJson(sample, 'ndjson') };
}

describe('what a file is', () => {
  const long = `{"a":"${'x'.repeat(40_000)}"}`;
  test.each([
    ['[{"a":1}]', 'data', 'json'],
    ['{"a":1}', 'data', 'json'],
    ['{"a":1}', 'data.jsonl', 'ndjson'],
    ['{"a":1}\n{"a":2}', 'data', 'ndjson'],
    ['\ufeff{"a":1}\r\n\r\n{"a":2}', 'data.json', 'ndjson'],
    ['[1,2]\n[3,4]', 'data', 'ndjson'],
    ['{\n "a":1\n}\n{\n "a":2\n}', 'data', 'json'],
    [`${long}\n${long}\n`, 'data', 'ndjson'],
    [`[${long},${long}]`, 'data', 'json'],
    ['{"a":1}\n{"a":broken}', 'data.json', 'json'],
    ['not json', 'data.json', 'json'],
    ['not json', 'data.ndjson', 'ndjson'],
    ['{x},y\n1,2', 'data.csv', null],
    ['a,b\n1,2', 'data.csv', null],
    ['', 'data', null],
  ])('%s as %s is %s', (text, name, format) => {
    const { json, ndjson } = detected(text, name);
    const best = Math.max(json.certainty, ndjson.certainty);
    expect(best === 0 ? null : json.certainty > ndjson.certainty ? 'json' : 'ndjson').toBe(format);
  });

  test('UTF-16, a header and the part are found, each with its reason', () => {
    const { json } = detected(Buffer.from('\ufeff[["a","b"],[1,2]]', 'utf16le'));
    expect(json.options).toMatchObject({ format: 'json', encoding: 'utf-16le', hasHeader: true, part: null });
    expect(json.evidence.map(({ option }) => option)).toEqual(['format', 'encoding', 'hasHeader']);
    expect(detected('{"meta":{"n":[{}]},"tags":["x"],"rows":[{"a":1}],"more":[[1]]}').json.options.part).toBe('rows');
    expect(detected('{"id":1,"rows":[{}]}\n\n{"id":2,\n"rows":[{}]}').json.options.part).toBeNull();
  });
});

describe('parts', () => {
  const reasonOf = (text: string): string | undefined =>
    detected(text).json.evidence.find(({ option }) => option === 'part')?.reason;

  test('what is left out with the first list is named', () => {
    const first = '“tags” is the first key with a list of rows.';
    expect(reasonOf('{"tags":[{"t":1}]}')).toBe(first);
    expect(reasonOf('{"name":"x","tags":[{"t":1}]}')).toMatch(/“name” is left out: .* to read it\.$/);
    expect(reasonOf('{"name":"x","tags":[{"t":1}],"n":5,"more":[{}]}')).toBe(
      `${first} “more”, “name” and “n” are left out: choose another part, or the whole object as one row, to read them.`,
    );
    expect(reasonOf('{"a":1,"b":2,"c":3,"tags":[{}],"d":4,"e":5,"f":6}')).toContain('“e” and 1 more are left out');
    expect(reasonOf('{"name":"x","tags":["t"]}')).toBeUndefined();
  });

  test('every list of records in an object, wherever it lies', async () => {
    const filler = `"${'x'.repeat(3 << 20)}"`;
    const text = `{"a":[{"x":[{}]}],"b\\"":${filler},"c":[1],"d":[ [1]],"e":{"f":[{}]}}`;
    expect(await partsOfFile(bytesSource(text), 'utf-8')).toEqual(['a', 'd', WHOLE_OBJECT]);
  });

  test('a list, a broken file and an empty one have none', async () => {
    for (const text of ['[{"a":[{}]}]', '{"a":[{}', '{"a" [{}]}', '', '{"a":[{}]}{"a":[{}]}'])
      expect(await partsOfFile(bytesSource(text), 'utf-8')).toEqual(text === '{"a":[{}' ? ['a', WHOLE_OBJECT] : []);
  });
});

test('what only the name says has no line that shows it', () => {
  const { json } = detected(Buffer.from('42'), 'a.json');
  expect(json.evidence[0]).toEqual({ option: 'format', reason: 'The name of the file says so.' });
});
