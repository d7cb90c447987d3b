// Edits of rows in databases of Cloudflare D1, on its real engine: all of them or none, and their Undo.
import { describe, expect, it, vi } from 'vitest';
import { startD1 } from '../../../../build/d1/d1-server.ts';
import type { D1Server } from '../../../../build/d1/d1-server.ts';
import type { MadeChange, RowChange, RowImage, TableChange } from '#shared/protocol/edit.ts';
import type { Value } from '#shared/protocol/values.ts';
import { applyAll } from '../../../query/apply-all.ts';
import { applyChanges, applyMade } from '../../../query/apply-edits.ts';
import { inverseOf } from '../../../query/made-changes.ts';
import type { GuardedWrite } from '../../guarded-write.ts';
import type { RemoteConnection } from '../remote-connection.ts';
import { databasesOf } from './d1-fixture.test-suite.ts';

const server = await startD1();

describe.skipIf('why' in server)('a database of D1', () => {
  let connection: RemoteConnection;
  const { rows, fill } = databasesOf(server as D1Server, (opened) => (connection = opened));

  const write = (id: number, before: Value, after: Value): GuardedWrite => ({
    row: { kind: 'update', rowid: id, columns: ['v'] },
    before: { sql: 'SELECT v FROM t WHERE id = ?', params: [id] },
    write: { sql: 'UPDATE t SET v = ?1 WHERE id = ?2 AND v IS ?3 RETURNING id, v', params: [after, id, before] },
    now: { sql: 'SELECT id, v FROM t WHERE id = ?', params: [id] },
    after: { sql: 'SELECT 1 FROM t WHERE id = ?1 AND v IS ?2', params: [id, after] },
  });

  it('makes several edits at once if all rows still are as they were, and otherwise none', () => {
    fill();
    const seen: unknown[] = [];
    connection.onCommit((changes) => seen.push(changes.tables?.get('t')));
    expect(connection.writeTogether([write(1, 10, 11), write(2, 2n ** 60n + 1n, Infinity)])).toEqual({
      kind: 'done',
      rows: [
        [1, 11],
        [2, Infinity],
      ],
      before: [[10], [2n ** 60n + 1n]],
    });
    expect(seen).toMatchObject([{ updated: true, keys: { rowids: BigInt64Array.of(1n, 2n) } }]);
    const outcome = connection.writeTogether([write(1, 11, 12), write(3, 31, 32), write(2, 0, 1)]);
    expect(outcome).toEqual({ kind: 'missed', at: 1, now: [3, 30] });
    expect(connection.writeTogether([write(9, 1, 2)])).toEqual({ kind: 'missed', at: 0, now: null });
    expect(() => connection.writeTogether([write(1, 11, 12), write(3, 30, 13)])).toThrow(/CHECK|check/);
    expect(rows()).toEqual([11, Infinity, 30]);
    expect(seen).toHaveLength(1);
  });

  it('undoes an edit by another one, with the values that were there', () => {
    fill();
    let made: readonly MadeChange[] | null = null;
    const edit: RowChange = { kind: 'update', key: [2], set: { v: 'new' }, base: { v: 2n ** 60n + 1n } };
    applyChanges(connection, 't', [edit, { kind: 'delete', key: [3] }], (now) => (made = now));
    expect(rows()).toEqual([10, 'new']);
    applyMade(connection, inverseOf(made!), () => undefined);
    expect(rows()).toEqual([10, 2n ** 60n + 1n, 30]);
  });

  it('saves held changes of several tables at once, in an order that they have, or says which one fails', () => {
    fill();
    connection.run('CREATE TABLE u(id INTEGER PRIMARY KEY, a UNIQUE)');
    connection.run('INSERT INTO u VALUES (1, 1)');
    const update = (table: string, id: number, set: RowImage, base: RowImage): TableChange => ({
      ...{ kind: 'update', table, key: [id], set, base },
    });
    const good = [update('t', 1, { v: 11 }, { v: 10 }), update('u', 1, { a: 2 }, { a: 1 })];
    const missed = update('t', 3, { v: 1 }, { v: 31 });
    expect(() => applyAll(connection, [...good, missed])).toThrow(
      expect.objectContaining({ code: 'conflict', detail: expect.objectContaining({ change: 2 }) as object }),
    );
    const insert: TableChange = { kind: 'insert', table: 'u', set: { a: 2 } };
    expect(() => applyAll(connection, [...good, insert])).toThrow(expect.objectContaining({ code: 'constraint' }));
    expect([rows(), connection.all('SELECT a FROM u')]).toEqual([[10, 2n ** 60n + 1n, 30], [[1]]]);
    expect(applyAll(connection, [...good, { kind: 'delete', table: 't', key: [3] }])).toMatchObject({ rowsChanged: 3 });
    expect([rows(), connection.all('SELECT a FROM u')]).toEqual([[11, 2n ** 60n + 1n], [[2]]]);
  });

  it('edits rows of wide tables', () => {
    const names = Array.from({ length: 60 }, (_, at) => `c${at}`);
    connection.run(`CREATE TABLE w(id INTEGER PRIMARY KEY, ${names.join(', ')})`);
    const insert: RowChange = { kind: 'insert', set: { c0: 5 } };
    const keep = vi.fn();
    expect(applyChanges(connection, 'w', [insert], keep).keys).toEqual([[1]]);
    expect(keep).toHaveBeenCalledWith(null);
    expect(connection.one('SELECT id, c0 FROM w')).toEqual([1, 5]);
    // Too wide to be read in the same request.
    applyChanges(connection, 'w', [{ kind: 'delete', key: [1] }], () => undefined);
    expect(connection.one('SELECT count(*) FROM w')).toEqual([0]);
  });
});
