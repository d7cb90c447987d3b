// How the user identifies a changed row: by its primary key at that time, not by the row id that may be used to find it.
import type { Value } from '#shared/protocol/values.ts';
import type { LoggedChange, LoggedTable } from '../engines/row-log/row-log.ts';

type RowChange = Exclude<LoggedChange, { operation: 'sequence' }>;
type LoggedUpdate = Extract<LoggedChange, { operation: 'update' }>;

/**
 * After the change; before it, for a deleted row. Null where the table has no primary key besides the one rows are found by. `unknown` where
 * a part of it is NULL (SQLite allows that in such tables) or not kept: past `MAX_ROWS_WITH_AFTER`, and of updates with long values in it.
 */
export function nameOf(change: RowChange): readonly Value[] | 'unknown' | null {
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
