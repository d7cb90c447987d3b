// A file of each format, from what is detected of it to the rows in a new table, in the library and in place.
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { disks } from './history-disks.test-suite.ts';
import type { HistoryFixture } from './history-fixture.test-suite.ts';
import { column, importsOn, newTable } from './import-fixture.test-suite.ts';

/** Read as JavaScript numbers it would be another. */
const LARGE = 9007199254740993n;

/** Two records with a number, a text with a leading zero, and an empty cell. */
const FILES: readonly (readonly [string, () => Promise<Uint8Array> | Uint8Array | string])[] = [
  ['rows.csv', () => 'id;code;note\n9007199254740993;007;\n2;12;née\n'],
  ['rows.tsv', () => 'id\tcode\tnote\n9007199254740993\t007\t\n2\t12\tnée\n'],
  ['rows.json', () => '[{"id":9007199254740993,"code":"007","note":null},{"id":2,"code":"12","note":"née"}]'],
  ['rows.ndjson', () => '{"id":9007199254740993,"code":"007"}\n{"id":2,"code":"12","note":"née"}\n'],
  [
    'rows.parquet',
    () =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: [
            { name: 'id', data: [LARGE, 2n], type: 'INT64' },
            { name: 'code', data: ['007', '12'], type: 'STRING' },
            { name: 'note', data: [null, 'née'], type: 'STRING' },
          ],
        }),
      ),
  ],
  [
    'rows.xlsx',
    async () =>
      await writeXlsxFile([
        [{ value: 'id' }, { value: 'code' }, { value: 'note' }],
        // Its numbers are doubles: 2^53 is the largest whole one that is certain.
        [{ value: Number(LARGE - 1n), type: Number }, { value: '007' }, null],
        [{ value: 2, type: Number }, { value: '12' }, { value: 'née' }],
      ]).toBuffer(),
  ],
];

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  const { plan, all } = importsOn(disk, (opened) => (fixture = opened));

  test.each(FILES)('%s is recognized by what is in it, and every cell comes over', async (name, content) => {
    const bytes = await content();
    // Without its ending it says nothing about its format.
    for (const token of [name, 'rows.dat']) {
      fixture.connection.run('DROP TABLE IF EXISTS "rows"');
      fixture.files.set(token, typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
      const source = { kind: 'file', token } as const;
      const { options } = await fixture.call('import.detect', { source, options: {} });
      const format = name.slice('rows.'.length);
      expect(options).toMatchObject({ format: format === 'tsv' ? 'csv' : format });
      const { columns, records } = await fixture.call('import.analyze', { source, options });
      expect([records, columns.map(({ suggested }) => suggested)]).toEqual([2, ['INTEGER', 'TEXT', 'TEXT']]);
      const typed = columns.map(({ name: called, suggested: type }, from) => column(called, from, { type }));
      const whole = { ...plan('', newTable('rows'), typed, { options: { ...options, nullTokens: [''] } }), source };
      expect(await fixture.call('import.run', { plan: whole })).toMatchObject({ added: 2, problems: 0 });
      expect(all('SELECT id, typeof(id), code, note FROM "rows" ORDER BY id')).toEqual([
        [2, 'integer', '12', 'née'],
        [format === 'xlsx' ? LARGE - 1n : LARGE, 'integer', '007', null],
      ]);
    }
  });

  const many = Array.from({ length: 1500 }, (_, at) => at);
  const object = (at: number): string => (at === 1200 ? '{"a":1,"a":2}' : `{"a":${at}}`);

  test.each([
    ['rows.csv', `a,b\n${many.map((at) => (at === 1200 ? 'x' : '1,2')).join('\n')}\n`, 'Line 1,202: 1 record with'],
    ['rows.ndjson', many.map(object).join('\n'), 'Line 1,201: A key appears twice.'],
    ['rows.json', `[${many.map(object).join()}]`, 'Row 1,201: A key appears twice.'],
  ])('a note about %s counts lines, or rows where they are no lines', async (token, text, said) => {
    fixture.connection.run('DROP TABLE IF EXISTS "rows"');
    fixture.files.set(token, new TextEncoder().encode(text));
    const source = { kind: 'file', token } as const;
    const { options } = await fixture.call('import.detect', { source, options: {} });
    const whole = { ...plan('', newTable('rows'), [column('a', 0)], { options }), source };
    expect((await fixture.call('import.run', { plan: whole })).notes).toEqual([expect.stringContaining(said)]);
  });

  test('what ends a file says that the rows before it are kept, where there are any', async () => {
    fixture.connection.run('DROP TABLE IF EXISTS "rows"');
    fixture.files.set('rows.json', new TextEncoder().encode('[{"a":1},{"a":'));
    const source = { kind: 'file', token: 'rows.json' } as const;
    const { options } = await fixture.call('import.detect', { source, options: {} });
    const cutOff = /it ends in the middle, in line 1, character 15, so it was cut off\.$/;
    expect((await fixture.call('import.analyze', { source, options })).firstProblem?.reason).toMatch(cutOff);
    const whole = { ...plan('', newTable('rows'), [column('a', 0)], { options }), source };
    const { id } = await fixture.call('import.run', { plan: whole });
    const { problems } = await fixture.call('import.problems', { id, offset: 0, limit: 1 });
    expect(problems[0]?.reason).toMatch(/so it was cut off\. What comes before is kept\.$/);
  });
});
