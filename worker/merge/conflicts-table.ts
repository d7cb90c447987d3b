// The conflicts of a merge: each with its three rows, and as a table of the merged database.
import { sameName } from '#shared/ddl/names.ts';
import { CONFLICTS } from '#shared/protocol/merge.ts';
import type { Value } from '#shared/protocol/values.ts';
import { jsonOf } from '../diff/json-writer.ts';
import type { Connection } from '../engines/engine.ts';
import type { MergeFile, PlannedRow } from '../library/merge/merge-file.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { sameValue } from '../sql/same-value.ts';
import { isWholeId, type MergedTable, type MergedTables } from './merged-tables.ts';
import { BOTH_REPLACED } from './plan.ts';
import type { SideChanges } from './side-changes.ts';
import { conflictingPlaces, type Row, type ThreeRows } from './three-way.ts';

export interface Conflict {
  readonly table: MergedTable;
  readonly key: readonly Value[];
  readonly rows: ThreeRows;
  /** Places of the values that both sides changed. */
  readonly places: ReadonlySet<number>;
  /** Why the row of the other side could not be taken, although only that side changed it. */
  readonly message: string | null;
}

const ROWS_AT_A_TIME = 256;

export function* conflictsOf(file: MergeFile, tables: MergedTables, changes: SideChanges): Generator<Conflict> {
  for (let start = 0; ; start += ROWS_AT_A_TIME) {
    const asked = file.asked(start, ROWS_AT_A_TIME);
    for (const row of asked) yield conflictOf(row, tables.of(row.table), changes);
    if (asked.length < ROWS_AT_A_TIME) return;
  }
}

function conflictOf(row: PlannedRow, table: MergedTable, changes: SideChanges): Conflict {
  const { message } = row;
  if (!isWholeId(row.table)) {
    const rows = changes.rowsOf(row.table, row.key);
    return { table, key: row.key, rows, places: conflictingPlaces(rows), message };
  }
  const base = row.base ?? null;
  const isReplaced = row.kind === 'deleted' && message === null;
  const rows = { base, ours: isReplaced ? null : base, theirs: row.kind === 'deleted' ? null : row.key };
  return { table, key: [], rows, places: conflictingPlaces(rows), message: isReplaced ? BOTH_REPLACED : message };
}

export function kindOf({ rows: { base, ours, theirs }, message }: Conflict): string {
  if (message !== null) return 'refused';
  if (base === null) return 'both added';
  if (theirs === null) return 'changed by ours, removed by theirs';
  return ours === null ? 'removed by ours, changed by theirs' : 'both changed';
}

const COLUMNS = [
  'id INTEGER PRIMARY KEY', '"table" TEXT NOT NULL', 'kind TEXT NOT NULL', 'key TEXT', 'base TEXT', 'ours TEXT',
  'theirs TEXT', 'message TEXT', 'take_theirs TEXT',
]; // prettier-ignore

/** Rows are JSON objects, so that `ours ->> 'name'` reads a value. Returns how many conflicts there are. */
export function* writeConflicts(copy: Connection, conflicts: Iterable<Conflict>): Generator<number, number> {
  let count = 0;
  copy.run('BEGIN IMMEDIATE');
  try {
    copy.run(`DROP TABLE IF EXISTS main.${CONFLICTS}`);
    for (const conflict of conflicts) {
      if (count++ === 0) copy.run(`CREATE TABLE main.${CONFLICTS} (${COLUMNS.join(', ')})`);
      const { table, rows, key, message } = conflict;
      const json = (row: Row): string | null => row && jsonRow(table.columns, row);
      copy.run(`INSERT INTO main.${CONFLICTS} VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)`, [
        table.name,
        kindOf(conflict),
        key.length > 0 ? jsonRow(table.columns.slice(0, key.length), key) : null,
        json(rows.base),
        json(rows.ours),
        json(rows.theirs),
        message,
        takeTheirs(conflict),
      ]);
      yield 1;
    }
    copy.run('COMMIT');
    return count;
  } finally {
    if (!copy.autocommit) copy.run('ROLLBACK');
  }
}

export const jsonRow = (columns: readonly string[], row: readonly Value[]): string =>
  `{${columns.map((name, at) => `${JSON.stringify(name)}:${jsonOf(row[at]!)}`).join(',')}}`;

/** The statement that gives the row what the other side changed in it. */
function takeTheirs({ table, key, rows }: Conflict): string | null {
  const name = quoteName(table.name);
  const where = table.columns
    .slice(0, key.length)
    .map((column, at) => `${quoteName(column)} = ${sqlLiteral(key[at]!)}`)
    .join(' AND ');
  const { base, ours, theirs } = rows;
  if (theirs === null) return ours === null || where === '' ? null : `DELETE FROM ${name} WHERE ${where};`;
  if (ours === null)
    return `INSERT INTO ${name} (${quoteNames(table.columns)}) VALUES (${theirs.map(sqlLiteral).join(', ')});`;
  // What only this side changed stays.
  const all = [...table.columns.keys()].filter((at) => base === null || !sameValue(theirs[at]!, base[at]!));
  const changed = all.filter((at) => !key.some((_, place) => sameName(table.columns[place]!, table.columns[at]!)));
  const set = changed.map((at) => `${quoteName(table.columns[at]!)} = ${sqlLiteral(theirs[at]!)}`);
  return set.length === 0 ? null : `UPDATE ${name} SET ${set.join(', ')} WHERE ${where};`;
}
