// The rows of a log for display: before and after, a page at a time.
import { PREVIEW_BYTES } from '#shared/packed-rows/format.ts';
import type { DifferenceValue, PreviewValue, RowDifference, RowDifferencePage } from '#shared/protocol/history.ts';
import { isRawText, type Value } from '#shared/protocol/values.ts';
import type { LoggedChange, LoggedTable, RowLog } from '../engines/row-log/row-log.ts';
import { isHidden, type VirtualTables } from './virtual-tables.ts';

export type RowChangeLogged = Exclude<LoggedChange, { operation: 'sequence' }>;

/** Table by table, in the order of `countsOf`; within a table, in the order of the changes. */
export class DifferencePages {
  readonly total: number;
  readonly #log: RowLog;
  readonly #virtual: VirtualTables;
  readonly #tables: readonly LoggedTable[];

  constructor(log: RowLog, virtual: VirtualTables) {
    this.#log = log;
    this.#virtual = virtual;
    this.#tables = log.tables.filter(({ name }) => !isHidden(name, virtual));
    this.total = this.#tables.reduce((sum, table) => sum + rowsIn(table), 0);
  }

  page(start: number, count: number): RowDifferencePage {
    const rows: RowDifference[] = [];
    let firstOfTable = 0;
    for (const table of this.#tables) {
      const after = firstOfTable + rowsIn(table);
      if (after > start && rows.length < count) {
        for (const change of this.#log.rowsOf(table, Math.max(0, start - firstOfTable))) {
          rows.push(differenceOf(change as RowChangeLogged, this.#virtual));
          if (rows.length === count) break;
        }
      }
      firstOfTable = after;
    }
    return { rows, total: this.total };
  }
}

const rowsIn = ({ inserted, updated, deleted }: LoggedTable): number => inserted + updated + deleted;

export function differenceOf(change: RowChangeLogged, virtual: VirtualTables): RowDifference {
  const { table, columns, shown } = shownAs(change.table, virtual);
  const pick = (row: readonly DifferenceValue[]): DifferenceValue[] => shown.map((place) => preview(row[place]));
  const missing = (): DifferenceValue[] => columns.map(() => undefined);
  const known = nameOf(change);
  const name = known === null || known === 'unknown' ? known : known.map((value) => preview(value));
  switch (change.operation) {
    case 'insert': {
      const after = change.after ? pick(change.after) : missing();
      return { table, kind: 'inserted', key: change.key, name, columns, before: null, after };
    }
    case 'delete':
      return { table, kind: 'deleted', key: change.key, name, columns, before: pick(change.before), after: null };
    case 'update': {
      const before = spread(change.table, change.columnIndexes, change.before);
      const after = change.after ? spread(change.table, change.columnIndexes, change.after) : null;
      const row = { table, kind: 'updated', key: change.keyAfter, name, columns } as const;
      return { ...row, before: pick(before), after: after ? pick(after) : missing() };
    }
  }
}

/** Values by column index; other indexes are `undefined`. */
export function spread(table: LoggedTable, places: readonly number[], values: readonly Value[]): (Value | undefined)[] {
  const row: (Value | undefined)[] = table.columns.map(() => undefined);
  for (const [index, place] of places.entries()) row[place] = values[index]!;
  return row;
}

/** FTS5 stores its rows as `id, c0, c1, …`; users know them by the columns of the virtual table. */
export function shownAs(
  logged: LoggedTable,
  virtual: VirtualTables,
): { readonly table: string; readonly columns: readonly string[]; readonly shown: readonly number[] } {
  const part = virtual[logged.name];
  if (!part?.content) return { table: logged.name, columns: logged.columns, shown: [...logged.columns.keys()] };
  const columns: string[] = [];
  const shown: number[] = [];
  for (const [place, column] of logged.columns.entries()) {
    const name = /^c\d+$/.test(column) ? part.content[Number(column.slice(1))] : undefined;
    if (name === undefined) continue;
    columns.push(name);
    shown.push(place);
  }
  return { table: part.owner, columns, shown };
}

const decoder = new TextDecoder();

export function preview<T extends DifferenceValue>(value: T): T | PreviewValue;
export function preview(value: DifferenceValue): DifferenceValue {
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? previewText(value) : value;
  if ('preview' in value) return value;
  if (value instanceof Uint8Array && value.length > PREVIEW_BYTES)
    return { preview: value.slice(0, PREVIEW_BYTES), sizeBytes: value.length };
  if (!(value instanceof Uint8Array) && isRawText(value) && value.textBytes.length > PREVIEW_BYTES)
    return {
      preview: decoder.decode(value.textBytes.subarray(0, PREVIEW_BYTES)),
      sizeBytes: value.textBytes.length,
    };
  return value;
}

function previewText(text: string): DifferenceValue {
  if (text.length <= PREVIEW_BYTES / 4) return text;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= PREVIEW_BYTES) return text;
  let end = PREVIEW_BYTES;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return { preview: decoder.decode(bytes.subarray(0, end)), sizeBytes: bytes.length };
}

// How the user identifies a changed row: by its primary key at that time, not by the row id that may be used to find it.

type RowChange = Exclude<LoggedChange, { operation: 'sequence' }>;
type LoggedUpdate = Extract<LoggedChange, { operation: 'update' }>;

/**
 * After the change; before it, for a deleted row. Null where the table has no primary key besides the one rows are found by. `unknown` where
 * a part of it is NULL (SQLite allows that in such tables) or not kept: past `MAX_ROWS_WITH_AFTER`, and of updates with long values in it.
 */
function nameOf(change: RowChange): readonly Value[] | 'unknown' | null {
  if (change.table.declaredKey === undefined) return null;
  const name = change.operation === 'update' ? change.name : namedBy(change.table, rowOf(change));
  return name === null || name.includes(null) ? 'unknown' : name;
}

const rowOf = (change: Exclude<RowChange, LoggedUpdate>): readonly Value[] | null =>
  change.operation === 'insert' ? change.after : change.before;

/** `LoggedUpdate.name` for the row before the change. */
export function nameBefore({ table, columnIndexes: places, before, name }: LoggedUpdate): readonly Value[] | null {
  if (name === null || table.declaredKey === undefined) return null;
  return table.declaredKey.map((place, index) => {
    const changed = places.indexOf(place);
    return changed < 0 ? name[index]! : before[changed]!;
  });
}

/** Names a row by values in column order; NULL for an unknown part. */
export function namedBy(table: LoggedTable, row: readonly (Value | undefined)[] | null): readonly Value[] | null {
  return table.declaredKey?.map((place) => row?.[place] ?? null) ?? null;
}
