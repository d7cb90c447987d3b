// Records of a file into a table: which are written, and what happens to those that are refused.
import { AppError } from '#shared/protocol/errors.ts';
import { describe, expect, it } from 'vitest';
import { FIELD } from '../../records/record-batch.ts';
import { batchOf, recordInsertsOf, text } from './record-insert-fixture.test-suite.ts';
import { needs, type GetConnection } from './subject.test-suite.ts';

export function describeRecordInserts(get: GetConnection): void {
  const { open, insertAll, stored } = recordInsertsOf(get);

  describe('records', needs('transactions'), () => {
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
  });

  it('records are not written outside of a transaction', () => {
    get().run('CREATE TABLE t(a TEXT)');
    const insert = open('t', 1);
    insert.load(batchOf([[text('x')]]));
    expect(() => insert.run(0, { deadlineMs: 0, refused: () => undefined })).toThrow('inside a transaction');
    insert.close();
  });
}
