// Detection of JSON and NDJSON, and of the parts that they can be read from.
import { describe, expect, test } from 'vitest';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import type { Detected, FileParts } from '../import-format.ts';
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
    ['\x1e{"a":1}\n\x1e{"a":2}\n', 'data.json', 'ndjson'],
    ['\x1e{"a":1}\n', 'data.json-seq', 'ndjson'],
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

  test('UTF-16 and a header are found, each with its reason', () => {
    const { json } = detected(Buffer.from('\ufeff[["a","b"],[1,2]]', 'utf16le'));
    expect(json.options).toMatchObject({ format: 'json', encoding: 'utf-16le', hasHeader: true, part: null });
    expect(json.evidence.map(({ option }) => option)).toEqual(['format', 'encoding', 'hasHeader']);
  });
});

describe('parts', () => {
  const partsOf = async (text: string): Promise<FileParts> => await partsOfFile(bytesSource(text), 'utf-8');
  const namesIn = async (text: string): Promise<readonly string[]> => (await partsOf(text)).names;
  const reasonOf = async (text: string): Promise<string | undefined> => (await partsOf(text)).evidence[0]?.reason;

  test('what is left out with the first list is named', async () => {
    const first = '“tags” is the first key with a list of rows.';
    expect(await reasonOf('{"tags":[{"t":1}]}')).toBe(first);
    expect(await reasonOf('{"name":"x","tags":[{"t":1}]}')).toMatch(/“name” is left out: .* to read it\.$/);
    expect(await reasonOf('{"name":"x","tags":[{"t":1}],"n":5,"more":[{}]}')).toBe(
      `${first} “more”, “name” and “n” are left out: choose another part, or the whole object as one row, to read them.`,
    );
    expect(await reasonOf('{"a":1,"b":2,"c":3,"tags":[{}],"d":4,"e":5,"f":6}')).toContain(
      '“e” and 1 more are left out',
    );
    expect(await reasonOf('{"name":"x","tags":["t"]}')).toBeUndefined();
    // Beyond the beginning that tells the format.
    expect(await reasonOf(`{"big":"${'x'.repeat(2 << 20)}","tags":[{}]}`)).toContain('“big” is left out');
  });

  test.each<readonly [text: string, names: readonly string[], left: string]>([
    [
      '{"data":{"items":[{"a":1}]}}',
      ['data.items', WHOLE_OBJECT],
      '^“data.items” is the first key with a list of rows.$',
    ],
    [
      '{"response":{"status":{"code":200,"text":"ok"},"result":{"n":2,"rows":[[1,"Anna"],[2,"Bert"],[3,"Carl"],[4,"Dora"]]}},"t":5}',
      ['response.result.rows', WHOLE_OBJECT],
      '“response.status”, “response.result.n” and “t” are left out',
    ],
    [
      '{"meta":{"tags":[{"t":1}],"n":1},"items":[{"a":1}]}',
      ['items', 'meta.tags', WHOLE_OBJECT],
      '“meta.tags” and “meta.n” are',
    ],
    [
      '{"log":{"version":"1.2","pages":[{"id":"p"}],"entries":[{"page":"p","ms":1},{"page":"p","ms":2}]}}',
      ['log.entries', 'log.pages', WHOLE_OBJECT],
      '“log.entries” is the longest list of rows nearest to the top. “log.pages” and “log.version” are left out',
    ],
    [
      '{"id":1,"name":"Ann",\n  "address":{\n    "city":"Bern","phones":[\n      {\n        "n":1\n      },\n      {\n        "n":2}]}}',
      [WHOLE_OBJECT, 'address.phones'],
      'The whole object is read as one row, because “address.phones” is more likely to be its values than rows',
    ],
    [
      '{"meta":{"errors":[{"code":1}]},"results":[]}',
      [WHOLE_OBJECT, 'meta.errors'],
      'The whole object is read as one row',
    ],
    ['{"a.b":{"":{"\\"c":[{}]}}}', ['"a.b".""."\\"c"', WHOLE_OBJECT], 'first key'],
    ['{"a":{"b":[{}]},"a.b":[{}],"a":{"b":[{}]}}', ['"a.b"', 'a.b', WHOLE_OBJECT], '“a.b” and “a” are left out'],
    [
      '{"ann":{"tags":[{}]},"bob":{"tags":[{}]}}',
      [WHOLE_OBJECT, 'ann.tags', 'bob.tags'],
      'The whole object is read as one row',
    ],
    [
      '{"users":{"rows":[{"n":1},{"n":2}]},"orders":{"list":[{"n":1},{"n":2}]}}',
      ['users.rows', 'orders.list', WHOLE_OBJECT],
      '“orders.list” is left out',
    ],
    [
      '{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"a":1}}',
      [WHOLE_OBJECT, 'geometry.coordinates'],
      '“geometry.coordinates” is more likely to be its values than rows',
    ],
    [
      '{"type":"FeatureCollection","crs":{"x":{"y":1}},"features":[{"type":"Feature"}]}',
      ['features', WHOLE_OBJECT],
      '“type” and “crs” are left out',
    ],
  ])('of %s', async (text, names, left) => {
    const found = await partsOf(text);
    expect(found.names).toEqual(names);
    expect(found.evidence[0]?.reason).toMatch(new RegExp(left.replaceAll('.', String.raw`\.`)));
  });

  test('every list of records in an object, wherever it lies', async () => {
    const filler = `"${'x'.repeat(3 << 20)}"`;
    const text = `{"a":[{"x":[{}]}],"b\\"":${filler},"c":[1],"d":[ [1]],"e":{"z":${filler},"f":[{}]}}`;
    expect(await namesIn(text)).toEqual(['a', 'd', 'e.f', WHOLE_OBJECT]);
  });

  test('objects that are data are not searched beyond any depth or number of keys', async () => {
    const deep = (depth: number): string => `${'{"a":'.repeat(depth)}[{}]${'}'.repeat(depth)}`;
    expect(await namesIn(deep(10))).toHaveLength(2);
    expect(await namesIn(deep(30))).toEqual([]);
    expect(await namesIn(deep(1_000_000))).toEqual([]);
    const wide = (count: number): string =>
      `{${Array.from({ length: count }, (_, at) => `"k${at}":{"l":[{}]}`).join()},"rows":[{}]}`;
    const ms = async (count: number): Promise<number> => {
      const text = wide(count);
      return await processorMsOf(async () => expect((await namesIn(text))[0]).toBe('rows'));
    };
    await ms(20_000);
    const [few, many] = [await ms(100_000), await ms(400_000)];
    expect(many).toBeLessThan(8 * few + 200);
  });

  test('a list, a broken file and an empty one have none', async () => {
    for (const text of ['[{"a":[{}]}]', '{"a" [{}]}', '', '{"a":[{}]}{"a":[{}]}', '{"a":{"b":[{}]}}{"a":{"b":[{}]}}'])
      expect(await namesIn(text)).toEqual([]);
    expect(await namesIn('{"a":[{}')).toEqual(['a', WHOLE_OBJECT]);
    expect(await namesIn('{"x":{"a":[{}')).toEqual(['x.a', WHOLE_OBJECT]);
  });
});

test('what only the name says has no line that shows it', () => {
  const { json } = detected(Buffer.from('42'), 'a.json');
  expect(json.evidence[0]).toEqual({ option: 'format', reason: 'The name of the file says so.' });
});
