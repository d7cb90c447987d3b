// Held changes against a plain model: what a person typed, what others stored in the meantime, and what SQLite has after the SQL of the changes.
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Value } from '#shared/protocol/index.ts';
import { sameValue } from '../rows/own-edits.ts';
import { heldTables, pendingChanges, type HeldChange, type HeldTables } from './held-changes.ts';
import { changeSql, literal } from './held-sql.ts';

const TABLE = 'o"dd';
const COLUMNS = ['a', 'b'] as const;
type Row = Record<(typeof COLUMNS)[number], Value>;

const value = fc.constantFrom<Value>(
  null,
  0,
  1,
  'x',
  "it's",
  '',
  9007199254740993n,
  { real: 2 },
  new Uint8Array([0, 255]),
);
const id = fc.integer({ min: 1, max: 4 });
const column = fc.constantFrom(...COLUMNS);

/** `store` is what others do. */
type Action =
  | { readonly kind: 'edit' | 'store'; readonly id: number; readonly column: keyof Row; readonly value: Value }
  | { readonly kind: 'delete'; readonly id: number }
  | { readonly kind: 'leave'; readonly id: number }
  | { readonly kind: 'undo' };

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('edit' as const), id, column, value }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('store' as const), id, column, value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), id }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'undo' as const }) },
);

/** Value that the grid shows: a held one, or the stored one. */
function shownIn(tables: HeldTables, stored: ReadonlyMap<number, Row>, rowId: number, name: keyof Row): Value {
  const row = [...(tables.get(TABLE)?.rows.values() ?? [])].find(({ key }) => key[0] === rowId);
  const cell = row?.cells.get(name);
  return cell ? cell.value : stored.get(rowId)![name];
}

test('untouched cells keep what others stored, touched ones get what was typed, and a clash is a conflict', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 25 }), fc.boolean(), (actions, keepsMine) => {
      const stored = new Map([1, 2, 3, 4].map((each): [number, Row] => [each, { a: each, b: 'x' }]));
      const steps: HeldChange[][] = [];
      for (const each of actions) {
        const tables = heldTables(steps);
        if (each.kind === 'undo') steps.pop();
        else if (each.kind === 'delete') steps.push([{ table: TABLE, kind: 'delete', key: [each.id] }]);
        else if (each.kind === 'leave') steps.push([{ table: TABLE, kind: 'leave', key: [each.id], columns: null }]);
        else if (each.kind === 'store') stored.set(each.id, { ...stored.get(each.id)!, [each.column]: each.value });
        else {
          const base = { [each.column]: shownIn(tables, stored, each.id, each.column) };
          steps.push([{ table: TABLE, kind: 'update', key: [each.id], set: { [each.column]: each.value }, base }]);
        }
      }
      const expected = new Map([...stored].map(([rowId, row]) => [rowId, { ...row }]));
      for (const { key, isDeleted, cells } of heldTables(steps).get(TABLE)?.rows.values() ?? []) {
        const rowId = key[0] as number;
        if (isDeleted) expected.delete(rowId);
        for (const [name, { value: mine, base }] of cells) {
          expect(sameValue(mine, base!)).toBe(false);
          const isClash = !sameValue(stored.get(rowId)![name as keyof Row], base!);
          if (!isDeleted && (keepsMine || !isClash)) expected.get(rowId)![name as keyof Row] = mine;
          if (isClash) steps.push([decision(rowId, name, stored, keepsMine)]);
        }
      }
      const after = saved(stored, heldTables(steps));
      expect(after).toEqual([...expected].map(([rowId, { a, b }]) => [rowId, literal(a), literal(b)]));
    }),
    { seed: 17, numRuns: seedCount(300) },
  );
});

function decision(rowId: number, name: string, stored: ReadonlyMap<number, Row>, keepsMine: boolean): HeldChange {
  const base = { [name]: stored.get(rowId)![name as keyof Row] };
  return keepsMine
    ? { table: TABLE, kind: 'rebase', key: [rowId], base }
    : { table: TABLE, kind: 'leave', key: [rowId], columns: [name] };
}

/** The rows after the SQL of all changes, as literals: exact to the storage class. */
function saved(stored: ReadonlyMap<number, Row>, tables: HeldTables): unknown[] {
  const db = new Sqlite(':memory:');
  db.exec('CREATE TABLE "o""dd" (id INTEGER PRIMARY KEY, a, b)');
  for (const [rowId, { a, b }] of stored)
    db.exec(`INSERT INTO "o""dd" VALUES (${rowId}, ${literal(a)}, ${literal(b)})`);
  for (const { change } of pendingChanges(tables)) expect(db.prepare(changeSql(change, ['id'])).run().changes).toBe(1);
  const rows = db.prepare('SELECT id, quote(a), quote(b) FROM "o""dd" ORDER BY id').raw().all() as [
    number,
    string,
    string,
  ][];
  db.close();
  return rows.map(([rowId, a, b]) => [rowId, asLiteral(a), asLiteral(b)]);
}

/** `quote()` writes a blob as X'…'. */
const asLiteral = (quoted: string): string => (quoted.startsWith('X') ? quoted.toLowerCase() : quoted);

test('a step changes only its rows, and without it everything is as before', () => {
  const insert: HeldChange = { table: 't', kind: 'insert', id: 'n1', set: { a: 1 } };
  const fill: HeldChange = { table: 't', kind: 'fill', id: 'n1', set: { b: 'x' } };
  const drop: HeldChange = { table: 't', kind: 'drop', id: 'n1' };
  const sql = (...steps: HeldChange[][]): string[] =>
    pendingChanges(heldTables(steps)).map(({ change }) => changeSql(change, ['rowid']));
  expect(sql([insert])).toEqual([`INSERT INTO "t" ("a") VALUES (1)`]);
  expect(sql([insert], [fill])).toEqual([`INSERT INTO "t" ("a", "b") VALUES (1, 'x')`]);
  expect(sql([insert], [fill], [drop])).toEqual([]);
  expect(sql([fill], [drop])).toEqual([]);
  expect(sql([{ ...insert, set: {} }])).toEqual(['INSERT INTO "t" DEFAULT VALUES']);
  const changed: HeldChange = { table: 't', kind: 'update', key: [7], set: { a: 2 }, base: { a: 1 } };
  expect(sql([changed], [{ table: 't', kind: 'delete', key: [7] }])).toEqual(['DELETE FROM "t" WHERE "rowid" = 7']);
  expect(sql([changed], [{ ...changed, set: { a: 1 }, base: { a: 2 } }])).toEqual([]);
  expect(sql([{ ...changed, base: {} }], [{ ...changed, set: { a: 1 }, base: { a: 2 } }])).toHaveLength(1);
  expect(sql([{ table: 't', kind: 'rebase', key: [7], base: { a: 5 } }])).toEqual([]);
});

test.each<[Value, string]>([
  [null, 'NULL'],
  [-9223372036854775808n, '(-9223372036854775807 - 1)'],
  [9007199254740993n, '9007199254740993'],
  [{ real: 5 }, '5.0'],
  [-0, '-0.0'],
  [Infinity, '9e999'],
  ["it's", "'it''s'"],
  ['a\0b', "CAST(x'610062' AS TEXT)"],
  [{ textBytes: new Uint8Array([0x61, 0xff]) }, "CAST(x'61ff' AS TEXT)"],
  [new Uint8Array([0, 255]), "x'00ff'"],
])('%s is written as %s', (each, sql) => {
  expect(literal(each)).toBe(sql);
});
