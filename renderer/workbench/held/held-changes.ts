// Changes that wait to be saved: what each action of a person did, and the sum of all of them, row by row. Pure.
import type { ChangeState, RowChange, TableChange } from '#shared/protocol/edit.ts';
import type { Value } from '#shared/protocol/values.ts';
import { keyName, sameValue } from '../rows/own-edits.ts';

type Values = Readonly<Record<string, Value>>;
type Key = readonly Value[];

/** Effect of one action on one row. Rows that are not stored yet have an `id` instead of a key. */
export type HeldChange = { readonly table: string } & (
  | { readonly kind: 'update'; readonly key: Key; readonly set: Values; readonly base: Values }
  | { readonly kind: 'delete'; readonly key: Key }
  | { readonly kind: 'insert'; readonly id: string; readonly set: Values }
  /** Other values for a new row. */
  | { readonly kind: 'fill'; readonly id: string; readonly set: Values }
  /** The new row is no longer wanted. */
  | { readonly kind: 'drop'; readonly id: string }
  /** The stored row, or the stored values of these columns, stay as they are; null: the whole row. */
  | { readonly kind: 'leave'; readonly key: Key; readonly columns: readonly string[] | null }
  /** The held values replace these stored ones, which differ from the values that the person saw first. */
  | { readonly kind: 'rebase'; readonly key: Key; readonly base: Values }
);

interface HeldCell {
  readonly value: Value;
  /** Value stored when the change was made; undefined if it was too long to be known. */
  readonly base: Value | undefined;
}

export interface HeldRow {
  readonly key: Key;
  readonly isDeleted: boolean;
  readonly cells: ReadonlyMap<string, HeldCell>;
}

export interface HeldTable {
  /** Changed rows by `keyName`, in the order in which they were first changed. */
  readonly rows: ReadonlyMap<string, HeldRow>;
  /** Rows to be added, by id. */
  readonly added: ReadonlyMap<string, Values>;
}

export type HeldTables = ReadonlyMap<string, HeldTable>;

interface OpenTable extends HeldTable {
  readonly rows: Map<string, HeldRow>;
  readonly added: Map<string, Values>;
}

/** The sum of all actions. A value that was changed back to the stored one is no change. */
export function heldTables(steps: readonly (readonly HeldChange[])[]): HeldTables {
  const tables = new Map<string, OpenTable>();
  for (const change of steps.flat()) {
    const table = tables.get(change.table) ?? { rows: new Map(), added: new Map() };
    tables.set(change.table, table);
    note(table, change);
  }
  for (const [name, { rows, added }] of tables) if (rows.size + added.size === 0) tables.delete(name);
  return tables;
}

function note({ rows, added }: OpenTable, change: HeldChange): void {
  switch (change.kind) {
    case 'insert':
      return void added.set(change.id, change.set);
    case 'fill':
      if (added.has(change.id)) added.set(change.id, { ...added.get(change.id), ...change.set });
      return;
    case 'drop':
      return void added.delete(change.id);
    default: {
      const name = keyName(change.key);
      const row = rows.get(name) ?? { key: change.key, isDeleted: false, cells: new Map<string, HeldCell>() };
      const changed = rowAfter(row, change);
      if (changed.isDeleted || changed.cells.size > 0) rows.set(name, changed);
      else rows.delete(name);
    }
  }
}

function rowAfter(row: HeldRow, change: Extract<HeldChange, { readonly key: Key }>): HeldRow {
  const cells = new Map(row.cells);
  switch (change.kind) {
    case 'delete':
      return { ...row, isDeleted: true };
    case 'leave':
      if (change.columns === null) return { ...row, isDeleted: false, cells: new Map() };
      for (const column of change.columns) cells.delete(column);
      return { ...row, cells };
    case 'rebase':
      for (const [column, base] of Object.entries(change.base)) put(cells, column, { ...cells.get(column)!, base });
      return { ...row, cells };
    case 'update':
      for (const [column, value] of Object.entries(change.set)) {
        // A person who changes a held value has seen the held value, not the stored one.
        const before = cells.get(column);
        put(cells, column, { value, base: before ? before.base : change.base[column] });
      }
      return { ...row, cells };
  }
}

function put(cells: Map<string, HeldCell>, column: string, cell: HeldCell): void {
  if (cell.value === undefined) return; // a rebase of a change that is gone
  if (cell.base !== undefined && sameValue(cell.value, cell.base)) cells.delete(column);
  else cells.set(column, cell);
}

export interface PendingChange {
  /** Stays the same while its row is the same. */
  readonly name: string;
  readonly change: TableChange;
  /** Id of a new row; otherwise null. */
  readonly id: string | null;
}

/** Changes to make when saving, in the order in which the rows were first changed. */
export function pendingChanges(tables: HeldTables): readonly PendingChange[] {
  return [...tables].flatMap(([table, { rows, added }]) => [
    ...[...rows].map(([name, row]): PendingChange => ({
      name: `${table}\0row ${name}`,
      change: { table, ...changeOf(row) },
      id: null,
    })),
    ...[...added].map(([id, set]): PendingChange => ({
      name: `${table}\0new ${id}`,
      change: { table, kind: 'insert', set },
      id,
    })),
  ]);
}

function changeOf({ key, isDeleted, cells }: HeldRow): RowChange {
  if (isDeleted) return { kind: 'delete', key };
  const set = Object.fromEntries([...cells].map(([column, { value }]) => [column, value]));
  const known = [...cells].flatMap(([column, { base }]) => (base === undefined ? [] : [[column, base] as const]));
  return { kind: 'update', key, set, base: Object.fromEntries(known) };
}

/** Changes that an edit of the table makes, as they are held. `newId` names rows that are added. */
export function asHeld(table: string, changes: readonly RowChange[], newId: () => string): readonly HeldChange[] {
  return changes.map((change): HeldChange => {
    switch (change.kind) {
      case 'insert':
        return { table, kind: 'insert', id: newId(), set: change.set };
      case 'duplicate':
        throw new Error('A copy of a row is held as a new row with its values.');
      default:
        return { table, ...change };
    }
  });
}

/** False if a change has been applied already, or can no longer be applied. */
export const isApplicable = (state: ChangeState | undefined): boolean =>
  state === undefined || state.kind === 'ready' || state.kind === 'conflict';
