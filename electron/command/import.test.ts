import { describe, expect, it } from 'vitest';
import { givenOptions, optionsFor, targetOf } from './import.ts';
import { parse } from './parse.ts';
import type { Options } from './parse.ts';

function given(...words: string[]): Options {
  const parsed = parse(['import', 'a.csv', '--into', 'a.db', ...words]);
  if (parsed.kind !== 'command') throw new Error(JSON.stringify(parsed));
  return parsed.options;
}

describe('how a file is read', () => {
  it('what is not given is detected', () => expect(givenOptions(given())).toEqual({}));

  it('takes every option', () => {
    const words =
      '--format csv --delimiter \\t --encoding utf-16le --no-header --skip-lines 2 --decimal-comma --null n/a --part p';
    expect(givenOptions(given(...words.split(' '), '--quote', '', '--comment', '#', '--null', ''))).toEqual({
      format: 'csv',
      delimiter: '\t',
      encoding: 'utf-16le',
      hasHeader: false,
      skipLines: 2,
      decimalComma: true,
      nullTokens: ['n/a', ''],
      part: 'p',
      quote: '',
      comment: '#',
    });
  });
});

it.each([
  [{ hasHeader: false }, '--no-header'],
  [{ delimiter: ';' }, '--delimiter ";"'],
  [{ delimiter: '\t' }, "--delimiter '\\t'"],
  [{ delimiter: '' }, '--delimiter ""'],
  [{ quote: '"' }, `--quote '"'`],
  [{ escape: '\\' }, "--escape '\\'"],
  [{ skipLines: 0 }, '--skip-lines 0'],
  [{ encoding: 'windows-1250' }, '--encoding windows-1250'],
] as const)('%j is said as it is typed: %s', (options, said) => {
  expect(optionsFor(options)).toBe(said);
  const words = said.split(' ').map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  expect(givenOptions(given(...words))).toEqual(options);
});

describe('where the rows go', () => {
  const tables = ['Orders'];

  it('a table that is there is added to, another one is made', () => {
    expect(targetOf(given(), tables, 'orders')).toMatchObject({ kind: 'table', table: 'Orders', mode: 'append' });
    expect(targetOf(given('--strict'), tables, 'new')).toMatchObject({
      kind: 'new-table',
      newTable: 'new',
      strict: true,
    });
  });

  it('what was asked for and cannot be is said, with what to do', () => {
    expect(() => targetOf(given('--create'), tables, 'ORDERS')).toThrow(/already.*Nothing was changed/);
    for (const mode of ['--append', '--replace', '--upsert=a'])
      expect(() => targetOf(given(mode), tables, 'none')).toThrow(/no table “none”.*Nothing was changed/);
    expect(() => targetOf(given('--append', '--replace'), tables, 'orders')).toThrow('--append and --replace');
    expect(() => targetOf(given('--existing', 'skip'), tables, 'orders')).toThrow('--existing requires --upsert');
    expect(() => targetOf(given('--upsert', 'a', '--existing', 'x'), tables, 'orders')).toThrow(
      'overwrite, fill, skip',
    );
  });

  it('a key may have several columns', () => {
    const target = targetOf(given('--upsert', 'id, day', '--existing', 'fill'), tables, 'orders');
    expect(target).toMatchObject({ mode: 'upsert', key: ['id', 'day'], existing: 'fill' });
  });
});
