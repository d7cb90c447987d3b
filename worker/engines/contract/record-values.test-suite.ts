// What each kind of field of a record becomes in a table.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { FIELD } from '../../records/record-batch.ts';
import type { RecordParameter } from '../record-values.ts';
import { recordInsertsOf, text, type Field } from './record-insert-fixture.test-suite.ts';
import { needs, type GetConnection } from './subject.test-suite.ts';

export function describeRecordValues(get: GetConnection): void {
  const { insertAll, stored } = recordInsertsOf(get);

  describe('records', needs('transactions'), () => {
    it.each<readonly [Field, RecordParameter['as'], string, string]>([
      [text('007'), 'text', 'TEXT', "'007'"],
      [text('007'), 'number', 'INTEGER', '7'],
      [text('12345678901234567'), 'number', 'INTEGER', '12345678901234567'],
      [text('9223372036854775807'), 'number', 'INTEGER', '9223372036854775807'],
      [text('9007199254740993'), 'number', 'INTEGER', '9007199254740993'],
      [text('-0'), 'number', 'INTEGER', '0'],
      [text('+5'), 'number', 'INTEGER', '5'],
      [text('1.5'), 'number', 'REAL', '1.5'],
      [text('3'), 'number', 'REAL', '3.0'],
      [text('1e3'), 'number', 'NUMERIC', '1000'],
      [text('0.1'), 'number', 'NUMERIC', '0.1'],
      [text('abc'), 'number', 'INTEGER', "'abc'"],
      [text('1_000'), 'number', 'INTEGER', "'1_000'"],
      [text('0x1F'), 'number', 'INTEGER', "'0x1F'"],
      [text('-'), 'number', 'INTEGER', "'-'"],
      [text('.'), 'number', 'REAL', "'.'"],
      [text('1e'), 'number', 'REAL', "'1e'"],
      [text(' 8 '), 'number', 'INTEGER', '8'],
      [text('12'), 'any', '', "'12'"],
      [[FIELD.quoted, '12'], 'text', 'TEXT', "'12'"],
      [[FIELD.number, '12'], 'any', '', '12'],
      [[FIELD.number, '1.50'], 'any', '', '1.5'],
      [[FIELD.number, '1.50'], 'text', 'TEXT', "'1.50'"],
      [[FIELD.number, '9223372036854775807'], 'any', '', '9223372036854775807'],
      [[FIELD.number, '-9223372036854775808'], 'any', '', '-9223372036854775808'],
      [[FIELD.true, ''], 'text', 'TEXT', "'true'"],
      [[FIELD.true, ''], 'number', 'INTEGER', '1'],
      [[FIELD.false, ''], 'any', '', '0'],
      [[FIELD.null, ''], 'text', 'TEXT', 'NULL'],
      [[FIELD.absent, ''], 'text', 'TEXT', 'NULL'],
      [[FIELD.empty, ''], 'text', 'TEXT', "''"],
      [[FIELD.quotedEmpty, ''], 'text', 'TEXT', "''"],
      [[FIELD.json, '{"a":[1]}'], 'text', 'TEXT', `'{"a":[1]}'`],
      [[FIELD.blob, '\u0000\u00ff'], 'any', '', "X'00FF'"],
      [[FIELD.blob, ''], 'any', '', "X''"],
      [text('größer 😀'), 'text', 'TEXT', "'größer 😀'"],
    ])('stores %j as %s in a column of type “%s” as %s', (field, as, type, expected) => {
      get().run(`CREATE TABLE t(a ${type})`);
      expect(insertAll('t', 1, [[field]], { as: [as] }).refused).toEqual([]);
      expect(stored('SELECT quote(a) FROM t')).toEqual([[expected]]);
    });

    it('stores an integer of more than 64 bits as SQLite reads it', () => {
      get().run('CREATE TABLE t(a)');
      insertAll('t', 1, [[[FIELD.number, '9223372036854775808']]], { as: ['any'] });
      // How many digits of a REAL are quoted depends on the version of SQLite.
      expect(stored('SELECT typeof(a), quote(a) = quote(9223372036854775808) FROM t')).toEqual([['real', 1]]);
    });

    it('keeps NUL in text', () => {
      get().run('CREATE TABLE t(a TEXT)');
      insertAll('t', 1, [[text('a\0b')]]);
      expect(stored('SELECT hex(a), typeof(a) FROM t')).toEqual([['610062', 'text']]);
    });

    it('takes tokens for NULL where they stand without quotes, and for nothing else', () => {
      get().run('CREATE TABLE t(a TEXT)');
      const records = [
        text('NA'),
        [FIELD.quoted, 'NA'],
        text('NAN'),
        [FIELD.empty, ''],
        [FIELD.quotedEmpty, ''],
      ] as const;
      insertAll(
        't',
        1,
        records.map((field) => [field]),
        { nullTokens: ['NA', ''] },
      );
      expect(stored('SELECT quote(a) FROM t').flat()).toEqual(['NULL', "'NA'", "'NAN'", 'NULL', "''"]);
    });

    it('makes an empty field in quotes NULL where that is asked for', () => {
      get().run('CREATE TABLE t(a INTEGER, b TEXT)');
      const fields = [
        [FIELD.quotedEmpty, ''],
        [FIELD.empty, ''],
        [FIELD.quoted, '""'],
      ] as const;
      insertAll(
        't',
        2,
        fields.map((field) => [field, field]),
        { as: ['number', 'text'], nullTokens: ['""'] },
      );
      expect(stored('SELECT quote(a), quote(b) FROM t')).toEqual([
        ['NULL', 'NULL'],
        ["''", "''"],
        ['\'""\'', '\'""\''],
      ]);
    });

    it('reads a comma as the decimal point where that is asked for', () => {
      get().run('CREATE TABLE t(a REAL, b TEXT)');
      insertAll(
        't',
        2,
        [
          [text('-1,25'), text('1,5')],
          [text('1,2e3'), text('')],
        ],
        {
          as: ['number', 'text'],
          decimalComma: true,
        },
      );
      expect(stored('SELECT a, b FROM t')).toEqual([
        [-1.25, '1,5'],
        [{ real: 1200 }, ''],
      ]);
    });

    it('rounds every number as it is written', () => {
      get().run('CREATE TABLE t(a REAL)');
      const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 50 });
      fc.assert(
        fc.property(numbers, (values) => {
          get().run('DELETE FROM t');
          insertAll(
            't',
            1,
            values.map((value) => [text(String(value))]),
            { as: ['number'] },
          );
          const read = stored('SELECT a FROM t').map(([value]) => (value as { real: number }).real ?? value);
          expect(read).toEqual(values.map((value) => (value === 0 ? 0 : value)));
        }),
        { seed: 125, numRuns: seedCount(200) },
      );
    });

    it('makes the same of a field whichever way the engine writes it', needs('ways to write records'), () => {
      // Values behind a plus sign are handed over one by one; others may go by the hundred.
      const kinds = [FIELD.text, FIELD.quoted, FIELD.number, FIELD.json, FIELD.null, FIELD.true, FIELD.false] as const;
      const digits = fc.stringMatching(/^[+-]?[0-9]{0,9}([.,][0-9]{0,6})?(e[+-]?[0-9]{1,3})?$/);
      const long = fc.stringMatching(/^-?[0-9]{1,20}[.,]?[0-9]{0,20}$/);
      const texts = fc.oneof(
        { arbitrary: digits, weight: 100 },
        { arbitrary: fc.integer().map(String), weight: 40 },
        { arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String), weight: 20 },
        { arbitrary: fc.string(), weight: 40 },
        { arbitrary: fc.constantFrom('a\0b', 'é'.repeat(300), 'x'.repeat(70_000)), weight: 2 },
        // One of these makes a hundred records take another code path.
        { arbitrary: long, weight: 1 },
        // Just above the midpoint between two doubles: all of its digits count.
        { arbitrary: fc.constant('9007199254740993.00000000000001'), weight: 1 },
      );
      const field = fc.oneof(
        { arbitrary: fc.tuple(fc.constantFrom(...kinds), texts), weight: 300 },
        { arbitrary: fc.tuple(fc.constant(FIELD.blob), fc.string()), weight: 1 },
      );
      const types = ['INTEGER', 'REAL', 'NUMERIC', 'TEXT', ''] as const;
      const as = ['number', 'number', 'number', 'text', 'any'] as const;
      for (const name of ['at_once', 'singly'])
        get().run(`CREATE TABLE ${name}(${types.map((type, n) => `c${n} ${type}`).join(', ')})`);
      const cells = types.map((_, n) => `typeof(c${n}), c${n}`).join(', ');
      fc.assert(
        fc.property(fc.array(fc.array(field, { maxLength: 5 }), { maxLength: 12 }), fc.boolean(), (records, comma) => {
          const fields = records as unknown as readonly (readonly Field[])[];
          for (const [table, row] of [
            ['at_once', '(?, ?, ?, ?, ?)'],
            ['singly', '(+?, +?, +?, +?, +?)'],
          ] as const) {
            get().run(`DELETE FROM ${table}`);
            expect(insertAll(table, 5, fields, { as, row, decimalComma: comma }).refused).toEqual([]);
          }
          expect(stored(`SELECT ${cells} FROM at_once`)).toEqual(stored(`SELECT ${cells} FROM singly`));
        }),
        { seed: 20263, numRuns: seedCount(1000) },
      );
    });

    it('passes values through expressions', () => {
      get().run('CREATE TABLE t(a, b)');
      const row = '((SELECT upper(trim(value)) FROM (SELECT ? AS value)), ?)';
      insertAll('t', 2, [[text(' x '), text('y')]], { row });
      expect(stored('SELECT a, b FROM t')).toEqual([['X', 'y']]);
    });
  });
}
