// Records of a file into a table: what each kind of field becomes, and what happens to those that are refused.
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchWriter } from '../../records/batch-writer.ts';
import { FIELD } from '../../records/record-batch.ts';
import type { FieldKind, RecordBatch } from '../../records/record-batch.ts';
import type { TransactionChanges } from '../transaction-changes.ts';
import type { RecordInsert } from '../record-insert.ts';
import type { RecordParameter } from '../record-values.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';

type Field = readonly [kind: FieldKind, text: string];

interface Options {
  readonly as?: readonly RecordParameter['as'][];
  readonly nullTokens?: readonly string[];
  readonly decimalComma?: boolean;
  readonly onConflict?: string;
  readonly row?: string;
  readonly fills?: string;
}

interface Refused {
  readonly record: number;
  readonly code: string;
  readonly what: string | undefined;
}

function batchOf(records: readonly (readonly Field[])[]): RecordBatch {
  const writer = new BatchWriter();
  for (const [index, fields] of records.entries()) {
    writer.begin(index + 1);
    for (const [kind, text] of fields) {
      if (kind === FIELD.blob)
        writer.field(
          kind,
          Uint8Array.from(text, (character) => character.charCodeAt(0)),
        );
      else writer.text(kind, text);
    }
    writer.end();
  }
  return writer.take();
}

const text = (value: string): Field => [FIELD.text, value];

export function describeRecordInserts(get: GetConnection): void {
  const open = (table: string, width: number, options: Options = {}): RecordInsert =>
    get().insertRecords(
      {
        into: `INSERT INTO ${table}`,
        row: options.row ?? `(${Array.from({ length: width }, () => '?').join(', ')})`,
        onConflict: options.onConflict ?? '',
        ...(options.fills !== undefined && { fills: options.fills }),
      },
      {
        parameters: Array.from({ length: width }, (_, field) => ({ field, as: options.as?.[field] ?? 'text' })),
        nullTokens: options.nullTokens ?? [],
        decimalComma: options.decimalComma ?? false,
      },
    );

  const insertAll = (
    table: string,
    width: number,
    records: readonly (readonly Field[])[],
    options: Options = {},
  ): { readonly refused: readonly Refused[]; readonly changes: number } => {
    const refused: Refused[] = [];
    get().run('BEGIN');
    const insert = open(table, width, options);
    insert.load(batchOf(records));
    for (let at = 0; at < records.length;)
      at = insert.run(at, {
        deadlineMs: 0,
        refused: (record, { code, what }) => refused.push({ record, code, what }),
      });
    const { changes } = insert;
    insert.close();
    get().run('COMMIT');
    return { refused, changes };
  };

  const stored = (sql: string): readonly (readonly Value[])[] => get().all(sql);

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
        { numRuns: 200 },
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
        { seed: 20263, numRuns: 1000 },
      );
    });

    it('passes values through expressions', () => {
      get().run('CREATE TABLE t(a, b)');
      const row = '((SELECT upper(trim(value)) FROM (SELECT ? AS value)), ?)';
      insertAll('t', 2, [[text(' x '), text('y')]], { row });
      expect(stored('SELECT a, b FROM t')).toEqual([['X', 'y']]);
    });

    it('names each record that is refused and writes all others', () => {
      get().run("CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT NOT NULL, CHECK (a <> 'bad'))");
      const records = Array.from({ length: 95 }, (_, index) => [
        text(index === 40 ? 'x' : String(index % 50 === 7 ? 7 : index)),
        index === 93 ? ([FIELD.null, ''] as const) : text(index === 12 ? 'bad' : 'good'),
      ]);
      const { refused, changes } = insertAll('t', 2, records, { as: ['number', 'text'] });
      expect(refused.map(({ record }) => record)).toEqual([12, 40, 57, 93]);
      expect(refused.find(({ record }) => record === 57)?.what).toBe('Another row of “t” already has this “id”.');
      expect(changes).toBe(91);
      expect(stored('SELECT count(*) FROM t')).toEqual([[91]]);
    });

    it('goes from batch to batch, over many sizes of them', () => {
      get().run('CREATE TABLE t(a INTEGER, b TEXT)');
      get().run('BEGIN');
      const insert = open('t', 2, { as: ['number', 'text'] });
      let expected = 0;
      for (const size of [1, 9, 10, 11, 0, 500, 3]) {
        const long = 'x'.repeat(size * 97);
        insert.load(batchOf(Array.from({ length: size }, () => [text(String(expected++)), text(long)])));
        for (let at = 0; at < size;)
          at = insert.run(at, {
            deadlineMs: 0,
            refused: (_, error) => {
              throw error;
            },
          });
      }
      insert.close();
      get().run('COMMIT');
      expect(stored('SELECT count(*), sum(a), count(DISTINCT a) FROM t')).toEqual([
        [expected, (expected * (expected - 1)) / 2, expected],
      ]);
    });

    it('ends before the record it is to end before', () => {
      get().run('CREATE TABLE t(a TEXT)');
      get().run('BEGIN');
      const insert = open('t', 1);
      insert.load(batchOf(Array.from({ length: 30 }, (_, index) => [text(String(index))])));
      expect(insert.run(3, { until: 17, deadlineMs: Infinity, refused: () => undefined })).toBe(17);
      insert.close();
      get().run('COMMIT');
      expect(stored('SELECT min(a + 0), max(a + 0), count(*) FROM t')).toEqual([[3, 16, 14]]);
    });

    it('stops for a trigger that rolls the transaction back', () => {
      get().run('CREATE TABLE t(a TEXT)');
      get().run("CREATE TRIGGER g BEFORE INSERT ON t WHEN new.a = 'stop' BEGIN SELECT RAISE(ROLLBACK, 'enough'); END");
      get().run('BEGIN');
      const insert = open('t', 1);
      insert.load(batchOf(Array.from({ length: 25 }, (_, index) => [text(index === 15 ? 'stop' : 'go')])));
      const refused: number[] = [];
      const run = (): number => insert.run(0, { deadlineMs: Infinity, refused: (record) => refused.push(record) });
      expect(run).toThrow(AppError);
      insert.close();
      expect(refused).toEqual([]);
      expect(get().autocommit).toBe(true);
      expect(stored('SELECT count(*) FROM t')).toEqual([[0]]);
    });

    it('counts what ON CONFLICT wrote', () => {
      get().run('CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)');
      get().run("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
      const onConflict = 'ON CONFLICT (id) DO UPDATE SET a = excluded.a WHERE a IS NOT excluded.a';
      const records = [
        [text('1'), text('one')],
        [text('2'), text('zwei')],
        [text('3'), text('three')],
      ];
      expect(insertAll('t', 2, records, { as: ['number', 'text'], onConflict })).toEqual({ refused: [], changes: 2 });
      expect(stored('SELECT a FROM t ORDER BY id').flat()).toEqual(['one', 'zwei', 'three']);
    });

    it.each([
      ['a few rows', 30],
      ['more rows than are told one by one', 12_345],
    ])('logs %s so that they can be taken back, and tells what changed', needs('changes'), (_, count) => {
      get().run('CREATE TABLE t(a TEXT, b INTEGER)');
      get().run("INSERT INTO t VALUES ('before', 0)");
      let log: unknown = null;
      let inserted = false;
      get().onCommit((changes) => {
        log = changes.log;
        inserted = changes.tables?.get('t')?.inserted === true;
      });
      get().record({
        budgetBytes: 64e6,
        guard: { beforeSchemaChange: () => undefined, overBudget: () => 'stop', covers: () => false },
      });
      insertAll(
        't',
        2,
        Array.from({ length: count }, (__, index) => [text(`row ${index}`), text(String(index))]),
        {
          as: ['text', 'number'],
        },
      );
      const logged = log as { readonly rowCount: number; readonly tables: readonly { readonly inserted: number }[] };
      expect(inserted).toBe(true);
      expect(logged.rowCount).toBe(count);
      expect(logged.tables[0]!.inserted).toBe(count);
      get().onCommit(null);
      get().record(null);
    });

    it(
      'logs a table that it fills as any other, whether its rows are kept, counted, or neither',
      needs('changes'),
      () => {
        const told: TransactionChanges[] = [];
        let isCovering = false;
        get().onCommit((changes) => told.push(changes));
        get().record({
          budgetBytes: 64e6,
          guard: { beforeSchemaChange: () => undefined, overBudget: () => 'stop', covers: () => isCovering },
        });
        const records = Array.from({ length: 50 }, (_, index) => [text(index % 10 === 7 ? '7' : String(index))]);
        const fill = (name: string, fills: string | undefined, setUp: readonly string[], end: string): string => {
          get().run('DELETE FROM beside');
          if (setUp.length === 0) get().run(`CREATE TABLE ${name}(id INTEGER PRIMARY KEY)`);
          told.length = 0;
          get().run('BEGIN');
          for (const sql of setUp) get().run(sql.replace('$', name));
          const insert = open(name, 1, { as: ['number'], ...(fills !== undefined && { fills }) });
          const refused: number[] = [];
          for (let round = 0; round < 2; round++) {
            insert.load(batchOf(records));
            for (let at = 0; at < records.length;)
              at = insert.run(at, { deadlineMs: 0, refused: (record) => refused.push(record) });
          }
          insert.close();
          get().run('INSERT INTO beside VALUES (1)');
          get().run(end);
          const { changes } = insert;
          const rows = told.map(({ log, ...other }) => ({
            ...other,
            log: log && (log === 'dropped' ? log : log.rowCount),
          }));
          return inspect([changes, refused, rows], { depth: null, maxArrayLength: null }).replaceAll(name, 'it');
        };
        get().run('CREATE TABLE beside(x)');
        let number = 0;
        for (const covering of [false, true])
          for (const setUp of [[], ['CREATE TABLE $(id INTEGER PRIMARY KEY)']])
            for (const end of ['COMMIT', 'ROLLBACK']) {
              isCovering = covering;
              const [plain, filled] = [`t${number++}`, `t${number++}`];
              const expected = fill(plain, undefined, setUp, end);
              expect(fill(filled, filled, setUp, end)).toEqual(expected);
              expect(expected).toMatch(end === 'COMMIT' ? /46.*it/s : /46/);
            }
        get().onCommit(null);
        get().record(null);
      },
    );

    it('logs all values again after many records, also when those were rolled back', needs('changes'), () => {
      get().run('CREATE TABLE t(a TEXT)');
      const logs: unknown[] = [];
      get().onCommit(({ log }) => logs.push(log));
      get().record({
        budgetBytes: 64e6,
        guard: { beforeSchemaChange: () => undefined, overBudget: () => 'stop', covers: () => false },
      });
      const many = Array.from({ length: 10_050 }, (_, index) => [text(String(index))]);
      insertAll('t', 1, many);
      get().run('BEGIN');
      get().run("INSERT INTO t VALUES ('now all are told')");
      get().run('ROLLBACK');
      insertAll('t', 1, [[text('last')]]);
      const last = logs.at(-1) as { forwards(): Iterable<{ readonly after: readonly Value[] | null }> };
      expect([...last.forwards()].map(({ after }) => after)).toEqual([['last']]);
      get().onCommit(null);
      get().record(null);
    });

    it('forgets what a record did that was refused at its end', needs('changes'), () => {
      get().run('CREATE TABLE parent(id INTEGER PRIMARY KEY)');
      get().run('CREATE TABLE child(id INTEGER PRIMARY KEY, parent REFERENCES parent)');
      get().run('INSERT INTO parent VALUES (1)');
      get().run('PRAGMA foreign_keys = ON');
      let rows = -1;
      get().onCommit(({ log }) => (rows = (log as { rowCount: number }).rowCount));
      get().record({
        budgetBytes: 64e6,
        guard: { beforeSchemaChange: () => undefined, overBudget: () => 'stop', covers: () => false },
      });
      const records = Array.from({ length: 24 }, (_, index) => [
        text(String(index)),
        text(index % 5 === 2 ? '9' : '1'),
      ]);
      const { refused } = insertAll('child', 2, records, { as: ['number', 'any'], row: '(?, CAST(? AS INTEGER))' });
      expect(refused.map(({ record }) => record)).toEqual([2, 7, 12, 17, 22]);
      expect(rows).toBe(19);
      get().onCommit(null);
      get().record(null);
    });
  });

  it('records are not written outside of a transaction', () => {
    get().run('CREATE TABLE t(a TEXT)');
    const insert = open('t', 1);
    insert.load(batchOf([[text('x')]]));
    expect(() => insert.run(0, { deadlineMs: 0, refused: () => undefined })).toThrow('inside a transaction');
    insert.close();
  });
}
