// What is logged of records that are inserted, so that they can be taken back.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Value } from '#shared/protocol/values.ts';
import type { TransactionChanges } from '../transaction-changes.ts';
import { batchOf, recordInsertsOf, text } from './record-insert-fixture.test-suite.ts';
import { needs, type GetConnection } from './subject.test-suite.ts';

export function describeRecordLogs(get: GetConnection): void {
  const { open, insertAll } = recordInsertsOf(get);

  describe('records', needs('transactions'), () => {
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
}
