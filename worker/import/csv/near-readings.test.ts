import { describe, expect, it } from 'vitest';
import type { ImportOptions } from '#shared/protocol/import.ts';
import { sampled } from '#shared/seed-count.test-suite.ts';
import { CORPUS } from '../corpus/cases.test-suite.ts';
import { csvFormat } from '../formats/csv.ts';

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const readingsOf = (text: string, fileName = 'a.csv', given: Partial<ImportOptions> = {}) =>
  csvFormat.detect({ fileName, bytes: latin1(text), isWhole: true }, given).readings!;

/** Name, text, and what the detected reading and the others are called. */
const NEAR: readonly (readonly [string, string, readonly string[]])[] = [
  ['years as names', 'k,2019,2021\na,1,2\nb,4,5\n', ['First line as names', 'First line as data']],
  ['one year', 'k,2019\na,5\nb,7\n', ['First line as data', 'First line as names']],
  ['numbers that count up', 'k,1,2,3\na,5,9,1\nb,7,7,3\n', ['First line as data', 'First line as names']],
  ['text like the text below it', 'Bob,Paris\nAnn,Rome\nJohn,London\n', ['First line as names', 'First line as data']],
  ['a line of names', 'order_id,city\n', ['First line as names', 'First line as data']],
  ['a line of text', 'Ann,Berlin\n', ['First line as data', 'First line as names']],
  ['two delimiters that agree', 'id;a,b;c\n1;2,x;4\n5;6,y;8\n', ['Separated by semicolons', 'Separated by commas']],
  [
    'names and places, last things first',
    'name, first;city, country\nDoe, Jane;Rome, Italy\n',
    ['Separated by commas', 'Separated by semicolons'],
  ],
  ['a comma as in text', 'name, first\nDoe, Jane\n', ['Separated by commas', 'One column']],
  ['backslashes before delimiters', 'x\\,y,1\nz\\,w,2\n', ['Backslashes as text', 'Backslashes as escapes']],
  ['apostrophes', "'id','b'\n'C','d'\n", ['Apostrophes as quotes', 'Apostrophes as text']],
  ['comments like rows', 'id,b\n# 1,2\n3,4\n', ['Lines with “#” left out', 'Lines with “#” as rows']],
  ['short lines above values', 'Ann,5\nB,6,9,8\nC,8,7,1\nD,1,4,2\n', ['First line left out', 'No lines left out']],
  [
    'a letter in UTF-8 and a byte that is not',
    'id,b\n1,caf\xc3\xa9\n2,\xe9x\n',
    ['Encoding windows-1252', 'Encoding utf-8'],
  ],
  [
    'Czech',
    'jm\xe9no,m\xecsto\nJi\xf8\xed Nov\xe1k,Plze\xf2\n\x8at\xecp\xe1n Dvo\xf8\xe1k,T\xf8eb\xed\xe8\n',
    ['Encoding windows-1250', 'Encoding windows-1252'],
  ],
];

const CLEAR: readonly (readonly [string, string])[] = [
  ['numbers below names', 'id,name\n1,x\n2,y\n'],
  ['text below usual names', 'Name,City\nAnna,Rome\nBob,Bern\n'],
  ['text in another form', 'word\nUlm\nBern\n'],
  ['years below years', 'Ann,1998\nBob,1999\nCid,2000\n'],
  ['values', 'Ann,30,Rome\nBob,31,Bern\n'],
  ['decimal commas', '1,5;2,5\n3,5;4,5\n'],
  ['commas beside tabs', 'id\tname, first\tage\n1\tDoe, Jane\t5\n2\tBee, Bo\t6\n'],
  ['commas in quotes', '"a, b";id\n"c, d";1\n'],
  ['blanks after delimiters', 'id, name\n1, Ann\n2, Bob\n'],
  ['a quote within a text', 'id|v\n1|5" pipe\n2|x\n'],
  ['backslashes before commas of the text', 'name,n\nDoe\\, Jane,1\nBee\\, Bo,2\n'],
  ['backslashes before quotes', 'name,n\n"she said \\"no\\"",1\n"yes",2\n'],
  ['apostrophes around commas', "id,b\n1,'x,y'\n2,'z,w'\n"],
  ['comments', '# made by x, y\n# on Monday\nid,b\n1,2\n'],
  ['a title', 'Report, by me\nid,name,age,sex\n1,x,5,f\n2,y,6,m\n'],
  ['Latin-1', 'nom,ville\nL\xe9a,Orl\xe9ans\nAm\xe9lie,N\xeemes\n'],
  ['Polish', 'imi\xea,miasto\n\xa3ukasz,\xa3\xf3d\xbc\nKrzy\x9c,Krak\xf3w\n'],
  ['a few western letters', 'id,b\n1,\xe9\n2,\xdf\n'],
  ['the same text in several encodings', 'id,city\n1,Malm\xf6\n2,Orl\xe9ans\n3,Z\xfcrich\n'],
  ['nothing', ''],
];

describe('readings that are near', () => {
  it.each(NEAR)('%s', (_name, text, titles) => {
    const readings = readingsOf(text);
    expect(readings.map(({ title }) => title)).toEqual(titles);
    expect(readings.every(({ reason }) => reason !== '')).toBe(true);
    const [own, other] = readings;
    const { options } = csvFormat.detect({ fileName: 'a.csv', bytes: latin1(text), isWhole: true });
    expect(options).toMatchObject(own!.options);
    expect(Object.keys(other!.options)).toEqual(Object.keys(own!.options));
    expect(other!.options).not.toEqual(own!.options);
  });

  it.each(CLEAR)('none: %s', (_name, text) => {
    expect(readingsOf(text)).toEqual([]);
  });

  it('are none of a whole corpus, except for years as names', () => {
    const near = sampled(CORPUS.filter(({ csv }) => csv !== undefined)).flatMap(({ name, fileName, bytes }) => {
      const sample = { fileName, bytes: bytes.subarray(0, 1 << 16), isWhole: bytes.length <= 1 << 16 };
      return csvFormat.detect(sample).readings!.length > 0 ? [name.replace(/,.*/, '')] : [];
    });
    expect(new Set(near)).toEqual(new Set(['years as names']));
  });
});

describe('a reading', () => {
  it('shows the names and rows that choosing it gives', () => {
    const [names, data] = readingsOf('k,2019,2021\na,1,2\nb,4,5\nc,6,7\nd,8,9\n');
    expect(names).toMatchObject({ columns: ['k', '2019', '2021'], options: { hasHeader: true } });
    expect(names!.rows.map(([first]) => first)).toEqual(['a', 'b', 'c']);
    expect(data).toMatchObject({ columns: ['column1', 'column2', 'column3'], options: { hasHeader: false } });
    expect(data!.rows.map(([first]) => first)).toEqual(['k', 'a', 'b']);
  });

  it('in another encoding shows rows that differ', () => {
    const readings = readingsOf(
      'jm\xe9no,m\xecsto\nAnn,Bern\nBob,Rome\nCid,Ulm\nJi\xf8\xed,Plze\xf2\n\x8at\xecp\xe1n Dvo\xf8\xe1k,T\xf8eb\xed\xe8\n',
    );
    expect(readings.map(({ rows: shown }) => shown.map(([name]) => name))).toEqual([
      ['Jiří', 'Štěpán Dvořák'],
      ['Jiøí', 'Štìpán Dvoøák'],
    ]);
  });

  it('is short, however long and wide the file is', () => {
    const line = (text: string): string => `${Array.from({ length: 50 }, (_, at) => `${text}${at}`).join()}\n`;
    const readings = readingsOf(`k,2019${',z'.repeat(48)}\n${line('x'.repeat(200)).repeat(9)}`);
    expect(readings).toHaveLength(2);
    for (const { columns, columnCount, rows } of readings) {
      expect(columnCount).toBe(50);
      expect([columns, ...rows].map(({ length }) => length)).toEqual([6, 6, 6, 6]);
      expect(rows.at(-1)![0]).toBe(`${'x'.repeat(60)}…`);
    }
  });

  it('is none beside what somebody has chosen', () => {
    const text = 'k,2019,2021\na,1,2\nb,4,5\n';
    expect(readingsOf(text, 'a.csv', { hasHeader: false })).toEqual([]);
    expect(readingsOf(text, 'a.csv', { delimiter: ',' })).toHaveLength(2);
  });
});
