// Held changes of several tables, applied on both engines.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { TableChange } from '#shared/protocol/edit.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { testEngines } from '../schema-change/engines.test-suite.ts';
import { applyAll, checkChanges } from '../query/apply-all.ts';
import { runScript } from './database-fixture.test-suite.ts';

describe.each(testEngines)('with $name', ({ open }) => {
  let connection: Connection;
  beforeEach(() => {
    connection = open();
    runScript(
      connection,
      `CREATE TABLE t (id INTEGER PRIMARY KEY, a, u INTEGER UNIQUE CHECK (u < 1000));
       INSERT INTO t (id, a, u) SELECT value, 'row ' || value, value FROM json_each('[1,2,3,4,5,6,7,8,9]');
       CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
       INSERT INTO w VALUES ('x', 1);
       CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t (id));
       CREATE VIEW v AS SELECT a FROM t;
       CREATE TRIGGER stop BEFORE UPDATE ON t WHEN new.a = 'stop' BEGIN SELECT RAISE(ROLLBACK, 'stopped by a trigger'); END`,
    );
    connection.run('PRAGMA foreign_keys = ON');
  });
  afterEach(() => connection.close());

  const update = (id: number, set: Record<string, Value>, base: Record<string, Value> = {}): TableChange => ({
    table: 't',
    kind: 'update',
    key: [id],
    set,
    base,
  });
  const all = (sql: string): readonly (readonly Value[])[] => connection.all(sql);
  const failure = (changes: readonly TableChange[]) => {
    try {
      applyAll(connection, changes);
    } catch (thrown) {
      return toAppError(thrown);
    }
    throw new Error('It did not fail.');
  };

  test('all values of a unique column move up by some, in whatever order the changes come', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (ids, by) => {
          const before = all('SELECT u FROM t ORDER BY id').map(([u]) => Number(u));
          if (Math.max(...before) + by > 900) return;
          applyAll(
            connection,
            ids.map((id) => update(id, { u: before[id - 1]! + by }, { u: before[id - 1]! })),
          );
          expect(all('SELECT u FROM t ORDER BY id').map(([u]) => Number(u))).toEqual(before.map((u) => u + by));
        },
      ),
      { seed: 23, numRuns: seedCount(20) },
    );
  });

  test('a row that refers to another is added before it, and an edit, a deletion, and a new row are one transaction', () => {
    const { rowsChanged } = applyAll(connection, [
      { table: 'child', kind: 'insert', set: { t: 50 } },
      { table: 't', kind: 'insert', set: { id: 50, a: 'parent', u: 50 } },
      { table: 'w', kind: 'delete', key: ['x'] },
      update(1, { a: 'one' }, { a: 'row 1' }),
    ]);
    expect(rowsChanged).toBe(4);
    expect(all('SELECT t FROM child')).toEqual([[50]]);
    expect(all('SELECT a FROM t WHERE id IN (1, 50) ORDER BY id')).toEqual([['one'], ['parent']]);
    expect(all('SELECT * FROM w')).toEqual([]);
  });

  test('the change that cannot be made is named, and nothing is changed', () => {
    const good = update(1, { a: 'one' });
    expect(failure([good, update(2, { u: 5000 })])).toMatchObject({ code: 'constraint', detail: { change: 1 } });
    expect(failure([good, update(2, { u: 3 })])).toMatchObject({ code: 'constraint', detail: { change: 1 } });
    expect(failure([good, update(99, { a: 1 })])).toMatchObject({ code: 'not-found', detail: { change: 1 } });
    expect(failure([update(1, { a: 'mine' }, { a: 'other' })])).toMatchObject({
      code: 'conflict',
      detail: { change: 0 },
    });
    expect(failure([good, { table: 'gone', kind: 'insert', set: {} }])).toMatchObject({ code: 'not-found' });
    expect(failure([good, { table: 'v', kind: 'insert', set: {} }])).toMatchObject({ code: 'invalid' });
    expect(failure([good, update(2, { a: 'stop' })])).toMatchObject({ detail: { change: 1 } });
    expect(connection.autocommit).toBe(true);
    expect(all('SELECT a FROM t WHERE id = 1')).toEqual([['row 1']]);
  });

  test('in an open transaction it is all or nothing, too, and what was done before stays', () => {
    connection.run('BEGIN');
    connection.run("UPDATE t SET a = 'before' WHERE id = 9");
    expect(failure([update(1, { a: 'one' }), update(2, { u: 3 })]).code).toBe('constraint');
    applyAll(connection, [update(3, { a: 'three' })]);
    connection.run('COMMIT');
    expect(all('SELECT a FROM t WHERE id IN (1, 3, 9) ORDER BY id')).toEqual([['row 1'], ['three'], ['before']]);
  });

  test('what has become of the rows is known without changing any', () => {
    const changes: readonly TableChange[] = [
      update(1, { a: 'mine' }, { a: 'row 1' }),
      update(2, { a: 'mine', u: 77 }, { a: 'seen', u: 2 }),
      update(3, { a: 'row 3' }, { a: 'seen' }),
      update(99, { a: 1 }),
      update(4, { nothing: 1 }),
      { table: 't', kind: 'delete', key: [5] },
      { table: 't', kind: 'delete', key: [99] },
      { table: 't', kind: 'insert', set: { a: 1 } },
      { table: 'gone', kind: 'insert', set: {} },
      { table: 'w', kind: 'update', key: ['x'], set: { v: 2 }, base: { v: 1 } },
    ];
    const states = checkChanges(connection, changes);
    expect(states.map(({ kind }) => kind)).toEqual(['ready', 'conflict', 'done', 'gone', 'gone', 'ready', 'done', 'ready', 'gone', 'ready']); // prettier-ignore
    expect(states[1]).toEqual({ kind: 'conflict', current: { a: 'row 2' } });
    expect(all('SELECT count(*) FROM t')).toEqual([[9]]);
  });
});
