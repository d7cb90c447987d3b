// What a file of JSON or NDJSON may hold beside plain records, and what is said about it.
import { describe, expect, test } from 'vitest';
import { bytesSource, readAll, type ReadFile } from '../read-all.test-suite.ts';
import { JsonReader } from './json-reader.ts';
import { readJson, readLines } from './read-json.test-suite.ts';

const fieldsOf = ({ records }: ReadFile): readonly (readonly string[])[] => records.map(({ fields }) => fields);

describe('what a file may hold', () => {
  test('columns grow, missing keys are absent, and names that SQLite takes for one are told apart', async () => {
    const { columns, records, notices } = await readLines('{"a":1}\n{"A":2,"":3," ":7}\n{}\n{"a":4,"b":5}');
    expect(notices).toEqual([
      {
        line: 2,
        text: 'Columns that cannot have the names of their keys are called “A_2”, “column3”, “column4”, here and in all rows like it.',
      },
    ]);
    expect(columns).toEqual(['a', 'A_2', 'column3', 'column4', 'b']);
    expect(records.map(({ fields }) => fields)).toEqual([
      ['number 1'],
      ['absent', 'number 2', 'number 3', 'number 7'],
      [],
      ['number 4', 'absent', 'absent', 'absent', 'number 5'],
    ]);
  });

  test('a list of lists has its first row as header when that is strings only', async () => {
    const withHeader = await readJson('[["id","id"],[1,"x"],[2]]');
    expect([withHeader.columns, fieldsOf(withHeader)]).toEqual([
      ['id', 'id_2'],
      [['number 1', 'quoted x'], ['number 2']],
    ]);
    expect(withHeader.notices).toEqual([
      {
        line: 1,
        text: 'The first list holds nothing but strings: these are taken for the names of the columns, and not for a row.',
      },
      {
        line: 1,
        text: 'Columns that cannot have the names of their keys are called “id_2”, here and in all rows like it.',
      },
    ]);
    const without = await readJson('[[1,"x"],[2,"y",true]]');
    expect(without.notices).toEqual([]);
    expect(without.columns).toEqual(['column1', 'column2', 'column3']);
    expect(fieldsOf(without)).toEqual([
      ['number 1', 'quoted x'],
      ['number 2', 'quoted y', 'true'],
    ]);
  });

  test('a single object, several of them, and a list of single values', async () => {
    expect(fieldsOf(await readJson('{"a":{"b":[1, 2]}}'))).toEqual([['json {"b":[1, 2]}']]);
    expect(fieldsOf(await readJson('{\n"a":1\n}\n{\n"a":2\n}'))).toEqual([['number 1'], ['number 2']]);
    expect(fieldsOf(await readJson('42'))).toEqual([['number 42']]);
    expect(fieldsOf(await readJson('[1,"x",null]'))).toEqual([['number 1'], ['quoted x'], ['null']]);
  });

  test('the last of two equal keys wins, and that is said once', async () => {
    const { records, notices } = await readLines('{"a":"\\n","a":1,"b":2}\n{"a":1,"a":[2]}');
    expect(records.map(({ fields }) => fields)).toEqual([['number 1', 'number 2'], ['json [2]']]);
    expect(notices).toEqual([
      { line: 1, text: 'A key appears twice. The last value is kept, here and in all similar rows.' },
    ]);
  });

  test('a comma after the last row leaves nothing out, and is said', async () => {
    const { records, notices, problems } = await readJson('[{"a":1},\n{"a":2},\n]');
    expect([records.length, problems]).toEqual([2, []]);
    expect(notices).toEqual([
      { line: 2, text: 'A comma comes after the last row, where JSON has none. Nothing is left out.' },
    ]);
    expect((await readJson('[]')).notices).toEqual([]);
  });

  test('the object that a part is in has to be whole', async () => {
    const reasonsOf = async (rest: string): Promise<readonly string[]> => {
      const texts = await Promise.all(
        [1, 7, undefined].map(
          async (chunk) => await readJson(`{"n":1,"rows":[{"a":1},\n{"a":2}]${rest}`, 'rows', chunk),
        ),
      );
      for (const { records } of texts) expect(records).toHaveLength(2);
      return [...new Set(texts.flatMap(({ problems }) => problems.map(({ reason }) => reason)))];
    };
    expect(await reasonsOf(',"x":[[{"y":"]}"}]],"z":null}  \n')).toEqual([]);
    expect(await reasonsOf('')).toEqual([
      'The file cannot be read beyond line 2: the object that the part is in does not end.',
    ]);
    expect(await reasonsOf(',"x":{')).toEqual([
      'The file cannot be read beyond line 2: the object that the part is in does not end.',
    ]);
    expect((await reasonsOf('} oops')).at(-1)).toBe(
      'The file cannot be read beyond line 2, character 11: “oops” comes after the end of the list.',
    );
  });

  test('a part is found in objects of any depth, whatever lies before it and after it', async () => {
    const text =
      '{"x":{"rows":1},"a":{"n":{"rows":[{"no":1}]},"b.c":{"rows":[["k"],\n["v"]],"z":[{"}":"]"}]}},"rows":[{"no":2}]}\n';
    for (const chunk of [1, 7, undefined]) {
      const { columns, records, problems } = await readJson(text, 'a."b.c".rows', chunk);
      expect([columns, records.map(({ fields }) => fields), problems]).toEqual([['k'], [['quoted v']], []]);
      const cut = await readJson(text.slice(0, -3), 'a."b.c".rows', chunk);
      expect(cut.problems.map(({ reason }) => reason)).toEqual([
        'The file cannot be read beyond line 2: the object that the part is in does not end.',
      ]);
    }
    await expect(readJson(text, 'a.rows')).rejects.toMatchObject({ code: 'invalid' });
    await expect(readJson(text, 'x.rows.y')).rejects.toMatchObject({ code: 'invalid' });
  });

  test('half a surrogate pair becomes a replacement character, and text that is no UTF-8 a blob', async () => {
    const { records, notices } = await readLines(
      new Uint8Array([...Buffer.from('{"a":"x\\ud800y","b":"'), 0xff, 0x41, ...Buffer.from('"}\n')]),
    );
    expect(records[0]?.fields).toEqual(['quoted x\ufffdy', 'blob ff41']);
    expect(notices).toHaveLength(2);
  });

  test('a bad line tells its number, reason and text, and the reading goes on', async () => {
    const { records, problems } = await readLines(
      '{"a":1}\n{"a":NaN}\n{"a":\n{"a":2} {"a":3}\n[1]\n{"a":01}\n\n{"a":4}',
    );
    expect(records.map(({ line }) => line)).toEqual([1, 8]);
    expect(problems).toEqual([
      {
        line: 2,
        text: '{"a":NaN}',
        reason: 'The line was left out: “NaN” is where a value is expected, in line 2, character 6.',
      },
      { line: 3, text: '{"a":', reason: 'The line ends in the middle of a value.' },
      { line: 4, text: '{"a":2} {"a":3}', reason: 'After the row comes “{” in the same line.' },
      {
        line: 5,
        text: '[1]',
        reason: 'The line was left out: it is an array, while the first row is an object, in line 5, character 1.',
      },
      {
        line: 6,
        text: '{"a":01}',
        reason: 'The line was left out: a number begins with a zero, in line 6, character 6.',
      },
    ]);
  });

  test('in a list the reading goes on where a bad record certainly ends, and ends where that is not certain', async () => {
    const known = await readJson('[{"a":1},\n{"a":undefined,"x":"}"},\n{"a":2}]');
    expect(known.columns).toEqual(['a']);
    expect(fieldsOf(known)).toEqual([['number 1'], ['number 2']]);
    expect(known.problems).toEqual([
      {
        line: 2,
        text: '{"a":undefined,"x":"}"}',
        reason: 'The row was left out: “undefined” is where a value is expected, in line 2, character 6 of the file.',
      },
    ]);
    const unknown = await readJson('[{"a":1},{"a":"2},\n{"a":3}]');
    expect(fieldsOf(unknown)).toEqual([['number 1']]);
    expect(unknown.problems.at(-1)?.reason).toBe(
      'The file cannot be read beyond line 1: it is not certain where the next row begins.',
    );
    const cut = await readJson('[{"a":1},\n{"a":\n5');
    expect(cut.problems.map(({ reason }) => reason)).toEqual([
      'The file cannot be read beyond line 2, character 1: it ends in the middle, in line 3, character 2, so it was cut off.',
    ]);
    const trailing = await readJson('[{"a":1}]\nDONE');
    expect(trailing.problems[0]?.reason).toBe(
      'The file cannot be read beyond line 2, character 1: “DONE” comes after the end of the list.',
    );
  });

  test('nesting of a million levels is a problem of that record', async () => {
    const deep = `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`;
    const { records, problems } = await readLines(`{"a":1}\n${deep}\n{"a":2}`);
    expect(records).toHaveLength(2);
    expect(problems[0]?.reason).toContain('nested deeper than 1000 levels');
    expect(problems[0]!.text.length).toBeLessThanOrEqual(10_001);
  });

  test('a record beyond 64 MB is left out, and the next one read', async () => {
    const huge = Buffer.concat([
      Buffer.from('{"a":1}\n{"a":"'),
      Buffer.alloc(65 << 20, 'x'),
      Buffer.from('"}\n{"a":2}'),
    ]);
    const lines = await readLines(huge);
    expect(lines.records.map(({ line }) => line)).toEqual([1, 3]);
    expect(lines.problems.map(({ line, reason }) => [line, reason])).toEqual([[2, 'The line is longer than 64 MB.']]);
    const list = Buffer.concat([
      Buffer.from('[{"a":1},{"a":"'),
      Buffer.alloc(65 << 20, 'x'),
      Buffer.from('"},{"a":2}]'),
    ]);
    const read = await readJson(list);
    expect(read.records.map(({ line }) => line)).toEqual([1, 3]);
    expect(read.problems.map(({ line, reason }) => [line, reason])).toEqual([[2, 'The row is larger than 64 MB.']]);
  });

  test('lines are counted on after a row that is too large', async () => {
    const sizes = { limits: { recordBytes: 64 }, chunkBytes: 16 };
    const list = bytesSource(`[{"a":1},\n\n{"a":"${'x'.repeat(200)}"},\n{"a":undefined}]`);
    const { problems } = await readAll(new JsonReader(list, 'utf-8', null, true, sizes));
    expect(problems.map(({ reason }) => reason.replace(/^.*(?=larger|line)/, ''))).toEqual([
      expect.stringMatching(/^larger than/),
      'line 4, character 6 of the file.',
    ]);
  });

  test('a key beyond 2,000 columns makes its record a problem', async () => {
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`k${at}`, at])));
    const { columns, records, problems } = await readLines(`{"a":1}\n${wide}\n{"a":2}`);
    expect(columns).toEqual(['a']);
    expect(records).toHaveLength(2);
    expect(problems[0]?.reason).toContain('2000 columns');
  });

  test('UTF-16 and byte order marks', async () => {
    const text = '\ufeff[{"ä":"€"}]';
    const utf16 = await readAll(
      new JsonReader(bytesSource(Buffer.from(text, 'utf16le')), 'utf-16le', null, true, { chunkBytes: 5 }),
    );
    expect([utf16.columns, fieldsOf(utf16)]).toEqual([['ä'], [['quoted €']]]);
    const joined = await readLines('\ufeff{"a":1}\n\ufeff{"a":2}\n');
    expect([joined.problems, fieldsOf(joined)]).toEqual([[], [['number 1'], ['number 2']]]);
  });

  test('a part that is not there is told', async () => {
    await expect(readJson('{"a":[{"b":1}]}', 'b')).rejects.toMatchObject({ code: 'invalid' });
    await expect(readJson('{"a":[{"b":1}]', 'b')).rejects.toMatchObject({ code: 'invalid' });
  });
});

test('bytes that are no character of an encoding are said once', async () => {
  const half = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf16le'));
  const rows = '[{"a":"é"},{"a":"x\ud800"},{"a":["\ud800"]}]';
  const read = await readAll(new JsonReader(bytesSource(half(rows)), 'utf-16le', null, true));
  expect(read.notices.map(({ line }) => line)).toEqual([2]);
});
