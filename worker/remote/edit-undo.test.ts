// Undo on a real server: each is an edit that checks its rows, so no one's change is overwritten, and nothing is lost silently.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import type { MadeChange, RowChange, TableChange } from '#shared/protocol/edit.ts';
import type { HistoryState } from '#shared/protocol/history.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { serverEngine } from '../engines/remote/server-engine.test-suite.ts';
import { RestingConnection } from '../sessions/resting-connection.ts';
import { editTitle } from '../query/edit-title.ts';
import { EditUndo } from './edit-undo.ts';

const SCHEMA = `
  CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, n INTEGER DEFAULT 7, r REAL, u UNIQUE, twice AS (n * 2));
  CREATE TABLE bare(v);
  CREATE TABLE w(a, b, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
  INSERT INTO t(id, name, n, r, u) VALUES (1, 'one', 1, 9e999, 'x'), (2, CAST(x'ff41' AS TEXT), 9007199254740993, 2, 'y'), (3, 'three', NULL, -9e999, x'00ff');
  INSERT INTO bare(rowid, v) VALUES (41, 'a'), (42, x'');
  INSERT INTO w VALUES (1, 'a', 'old')`;

const server = await startTestServer();
const update = (key: readonly Value[], set: object, base: object = {}) =>
  ({ kind: 'update', key, set, base }) as unknown as RowChange;

describe.skipIf('why' in server)('undo of edits on a server', () => {
  const { url, controls, end } = server as TestServer;
  let engine: Engine;
  let connection: Connection;
  let undo: EditUndo;
  let told: HistoryState;
  let made = 0;
  beforeAll(async () => {
    engine = await serverEngine(url);
  });
  afterAll(() => end());
  beforeEach(() => {
    const location = `undo${++made}`;
    // Sessions open their connections this way.
    connection = new RestingConnection(() => engine.open(location, { durability: 'full' }));
    run(SCHEMA);
    connection.prepare('SELECT * FROM t').finalize();
    told = undefined as unknown as HistoryState;
    undo = new EditUndo((state) => (told = state));
    return () => connection.close();
  });
  function run(sql: string): void {
    const script = connection.script(sql);
    for (let statement = script.next(); statement !== null; statement = script.next()) while (statement.step());
  }
  const edit = (table: string, ...changes: RowChange[]) =>
    undo.apply(connection, { table, title: editTitle(table, changes), windowTitle: 'Window 1' }, changes);
  const rows = () =>
    ['t ORDER BY id', 'bare ORDER BY rowid', 'w ORDER BY a, b'].map((from) =>
      connection.all(from.startsWith('bare') ? `SELECT rowid, * FROM ${from}` : `SELECT * FROM ${from}`),
    );
  const tripsOf = (body: () => void): number => {
    const before = controls.requests;
    body();
    return controls.requests - before;
  };

  it('undoes and redoes edits of every kind and every value, each in one round trip', () => {
    const states = [rows()];
    const edits: (() => unknown)[] = [
      () =>
        edit('t', update([1], { name: 'ONE', r: 5 }, { name: 'one' }), update([2], { n: null, u: Infinity }), {
          kind: 'insert',
          set: { name: '__proto__', r: 2 },
        }),
      () => edit('t', { kind: 'delete', key: [1] }, { kind: 'delete', key: [2] }, { kind: 'delete', key: [3] }),
      () => edit('bare', { kind: 'delete', key: [41] }, { kind: 'duplicate', key: [42] }, { kind: 'insert', set: {} }),
      () => edit('w', update([1, 'a'], { b: 'c', v: 2n ** 62n }, { v: 'old' })),
    ];
    for (const make of edits) {
      expect(tripsOf(make)).toBe(1);
      states.push(rows());
    }
    expect(told).toMatchObject({ undo: { title: 'Edit 2 cells in w (as a new edit)' }, redo: null, steps: 4 });
    for (let round = 0; round < 2; round++) {
      for (let at = edits.length - 1; at >= 0; at--) {
        expect(tripsOf(() => undo.undo(connection))).toBe(1);
        expect(rows()).toEqual(states[at]);
      }
      expect(() => undo.undo(connection)).toThrow(/^There is no edit to undo\./);
      for (let at = 1; at <= edits.length; at++) {
        expect(tripsOf(() => undo.redo(connection))).toBe(1);
        expect(rows()).toEqual(states[at]);
      }
    }
    const { steps } = undo.list(null, 10);
    expect(steps.map(({ tables }) => tables[0])).toEqual([
      { table: 'w', inserted: 0, updated: 1, deleted: 0 },
      { table: 'bare', inserted: 2, updated: 0, deleted: 1 },
      { table: 't', inserted: 0, updated: 0, deleted: 3 },
      { table: 't', inserted: 1, updated: 2, deleted: 0 },
    ]);
    expect(undo.rows(steps[0]!.id, 0, 9).rows).toMatchObject([
      { kind: 'updated', key: [1, 'c'], columns: ['b', 'v'], before: ['a', 'old'], after: ['c', 2n ** 62n] },
    ]);
    expect(undo.undoTo(connection, steps[2]!.id)).toEqual({ undone: 3 });
    expect(rows()).toEqual(states[1]);
  });

  it('makes changes of several tables in one round trip, and undoes them as one step', () => {
    const before = rows();
    const changes: readonly MadeChange[] = [
      { table: 'bare', before: { key: [42], image: { v: new Uint8Array() } }, after: null },
      { table: 't', before: { key: [1], image: { n: 1, r: Infinity } }, after: { key: [1], image: { n: 5, r: 0.5 } } },
      { table: 'bare', before: null, after: { key: [50], image: { v: 2n ** 62n } } },
    ];
    const apply = () => undo.applyMade(connection, { title: 'Apply rows of Copy', windowTitle: 'Window 1' }, changes);
    run('UPDATE bare SET v = 1 WHERE rowid = 42');
    const changed = rows();
    expect(apply).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect([rows(), told]).toEqual([changed, undefined]);
    run("UPDATE bare SET v = x'' WHERE rowid = 42");
    expect(tripsOf(apply)).toBe(1);
    expect(connection.all('SELECT rowid, v FROM bare ORDER BY 1')).toEqual([
      [41, 'a'],
      [50, 2n ** 62n],
    ]);
    expect(connection.one('SELECT n, r FROM t WHERE id = 1')).toEqual([5, 0.5]);
    expect(undo.list(null, 1).steps[0]!.tables).toEqual([
      { table: 'bare', inserted: 1, updated: 0, deleted: 1 },
      { table: 't', inserted: 0, updated: 1, deleted: 0 },
    ]);
    expect(tripsOf(() => undo.undo(connection))).toBe(1);
    expect(rows()).toEqual(before);
    undo.redo(connection);
    controls.fail('lose');
    undo.undo(connection);
    expect(rows()).toEqual(before);
  });

  it('saves held changes in one round trip, which Undo reverses, and in another order where that is needed', () => {
    const before = rows();
    const edit = { title: 'Save 2 held changes in t', windowTitle: 'Window 1' };
    const held = (key: number, set: object, base: object) =>
      ({ table: 't', ...update([key], set, base) }) as TableChange;
    const save = (...changes: TableChange[]) => undo.applyAll(connection, edit, changes);
    expect(tripsOf(() => save(held(1, { n: 5 }, { n: 1 }), { kind: 'delete', table: 'bare', key: [42] }))).toBe(1);
    expect(connection.one('SELECT n FROM t WHERE id = 1')).toEqual([5]);
    expect(tripsOf(() => undo.undo(connection))).toBe(1);
    expect(rows()).toEqual(before);
    // The first one needs the value that the second one gives up.
    save(held(1, { u: 'y' }, { u: 'x' }), held(2, { u: 'z' }, { u: 'y' }));
    expect(connection.all('SELECT u FROM t WHERE id < 3 ORDER BY id')).toEqual([['y'], ['z']]);
    expect(told.undoEnd?.why).toMatch(/inside a transaction/);
  });

  it('overwrites nothing that was changed since, says so, and goes on with the edit before', () => {
    edit('t', update([1], { n: 10 }, { n: 1 }));
    edit('t', update([1], { name: 'mine' }, { name: 'one' }), update([3], { name: 'mine' }, { name: 'three' }));
    edit('t', { kind: 'insert', set: { id: 9, name: 'new' } });
    edit('t', { kind: 'delete', key: [2] });
    run("INSERT INTO t(id) VALUES (2); UPDATE t SET n = 8 WHERE id = 9; UPDATE t SET name = 'MINE' WHERE id = 3");
    const before = rows();
    for (const why of ['id', '“n” of a row of “t” was changed', '“name” of a row of “t” was changed']) {
      const message = expect.stringContaining(why) as string;
      expect(() => undo.undo(connection)).toThrow(expect.objectContaining({ code: 'conflict', message }));
      expect(rows()).toEqual(before);
    }
    undo.undo(connection);
    expect(connection.one('SELECT n, name FROM t WHERE id = 1')).toEqual([1, 'mine']);
    expect(told).toMatchObject({ undo: null, steps: 1 });
  });

  it('keeps what it cannot reach, and says what cannot be undone', () => {
    edit('t', update([1], { n: 10 }, { n: 1 }));
    controls.fail('cut');
    expect(() => undo.undo(connection)).toThrow(expect.objectContaining({ detail: { kind: 'not-saved' } }));
    expect(told.undo).not.toBeNull();
    controls.fail('lose');
    undo.undo(connection);
    expect(connection.one('SELECT n FROM t WHERE id = 1')).toEqual([1]);
    undo.redo(connection);
    expect(connection.one('SELECT n FROM t WHERE id = 1')).toEqual([10]);
    controls.fail('lose');
    edit('t', update([1], { n: 11 }, { n: 10 }));
    expect(told.undoEnd?.why).toMatch(/cannot be undone/);
    expect(() => undo.undo(connection)).toThrow(expect.objectContaining({ code: 'not-undoable' }));
    edit('bare', update([41], { v: 'x'.repeat(4_000_000) }, { v: 'a' }));
    expect(() => undo.undo(connection)).toThrow(/too long/);
    expect(connection.one('SELECT length(v) FROM bare WHERE rowid = 41')).toEqual([4_000_000]);
    // A long value can still be deleted.
    edit('bare', { kind: 'delete', key: [41] });
    expect(connection.one('SELECT count(*) FROM bare')).toEqual([1]);
  });

  it('says what the deletion of a row has changed elsewhere', () => {
    run('CREATE TABLE child(t REFERENCES t ON DELETE CASCADE); INSERT INTO child VALUES (1)');
    edit('t', { kind: 'delete', key: [3] });
    const step = undo.undo(connection);
    expect(step.why).toMatch(/^Only rows of “t” are restored: .* in “child” stays changed\.$/);
    edit('t', update([1], { n: 10 }, { n: 1 }));
    expect(undo.undo(connection).why).toBeNull();
  });

  it('forgets the oldest edits when they take too much memory', () => {
    undo = new EditUndo((state) => (told = state), { totalBytes: 20_000, stepBytes: 15_000 });
    for (let at = 0; at < 9; at++) edit('bare', update([42], { v: `${at}`.repeat(2000) }));
    expect(told.sizeBytes).toBeLessThanOrEqual(20_000);
    expect(told.steps).toBeGreaterThan(0);
    expect(told.steps).toBeLessThan(9);
  });

  it('keeps every cell as the last edit, undo, or foreign change left it', () => {
    const cell = fc.record({ id: fc.integer({ min: 1, max: 4 }), column: fc.constantFrom('n', 'name') });
    const action = fc.oneof(
      { weight: 3, arbitrary: cell.map((at) => ({ ...at, do: 'edit' as const })) },
      { weight: 1, arbitrary: cell.map((at) => ({ ...at, do: 'insert' as const })) },
      { weight: 1, arbitrary: cell.map((at) => ({ ...at, do: 'delete' as const })) },
      { weight: 2, arbitrary: cell.map((at) => ({ ...at, do: 'foreign' as const })) },
      { weight: 4, arbitrary: fc.constant({ do: 'undo' as const }) },
      { weight: 2, arbitrary: fc.constant({ do: 'redo' as const }) },
    );
    let value = 100;
    const all = () => connection.all('SELECT id, n, name FROM t ORDER BY id');
    fc.assert(
      fc.property(fc.array(action, { minLength: 5, maxLength: 25 }), (actions) => {
        run("DELETE FROM t; INSERT INTO t(id, n, name) VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c')");
        undo.clear();
        // Cells that another client was the last to write: no undo may change them.
        const theirs = new Map<string, Value>();
        for (const one of actions) {
          if (one.do === 'undo' || one.do === 'redo') {
            const before = all();
            try {
              undo[one.do](connection);
            } catch (error) {
              expect(['conflict', 'not-found']).toContain((error as { code?: string }).code);
              expect(all()).toEqual(before);
            }
          } else {
            const { id, column } = one;
            const now = connection.one(`SELECT ${column} FROM t WHERE id = ?`, [id]);
            const next = column === 'n' ? ++value : `v${++value}`;
            if (one.do === 'insert' && !now) edit('t', { kind: 'insert', set: { id, [column]: next } });
            if (one.do === 'delete' && now) edit('t', { kind: 'delete', key: [id] });
            if (one.do === 'edit' && now) edit('t', update([id], { [column]: next }, { [column]: now[0]! }));
            if (one.do === 'foreign' && now) {
              connection.run(`UPDATE t SET ${column} = ? WHERE id = ?`, [next, id]);
              theirs.set(`${id} ${column}`, next);
            } else if (one.do === 'delete') for (const other of ['n', 'name']) theirs.delete(`${id} ${other}`);
            else theirs.delete(`${id} ${column}`);
          }
          for (const [place, kept] of theirs) {
            const [id, column] = place.split(' ');
            expect(connection.one(`SELECT ${column} FROM t WHERE id = ?`, [Number(id)])).toEqual([kept]);
          }
        }
      }),
      { numRuns: seedCount(25, 12), seed: 16 },
    );
  }, 300_000);
});
