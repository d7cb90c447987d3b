// A table as the change tracker knows it while a transaction changes it.
import { noFacts } from '../../changed-table.ts';
import type { ChangedTable } from '../../changed-table.ts';
import type { RowLayout, TableLayout } from '../../table-layouts.ts';
import type { StatementFacts } from '../statements/statement-facts.ts';

export interface TrackedTable extends ChangedTable {
  readonly layout: TableLayout | null;
  /** `unknown`: the rows of the table cannot be logged. Null: its rows do not have to be logged. */
  readonly row: RowLayout | 'unknown' | null;
  readonly isShadow: boolean;
  /** Numbers of the columns that the running statement may change; null: any. */
  updated: readonly number[] | null;
  /** The statement's columns that `updated` was made from; null: none. */
  updatedFrom: StatementFacts['updatedColumns'] | null;
}

export function trackedTable(name: string, number: number, known: TableLayout | null): TrackedTable {
  const layout = known === null || known.isInternal ? null : known;
  return {
    number,
    name,
    layout,
    facts: noFacts(layout),
    row: rowLayoutOf(name, known),
    isShadow: known !== null && known.isInternal && !name.startsWith('sqlite_'),
    updated: null,
    updatedFrom: null,
  };
}

function rowLayoutOf(name: string, layout: TableLayout | null): TrackedTable['row'] {
  // sqlite_sequence is compared as a whole, and sqlite_master belongs to the schema.
  if (name === 'sqlite_sequence' || name === 'sqlite_master') return null;
  return layout?.row ?? 'unknown';
}

/** SQLite reports which columns a statement sets; the others do not have to be compared or kept. @param columns null: it is not known */
export function noteColumnsSet(table: TrackedTable, columns: StatementFacts['updatedColumns'] | null): void {
  // A script runs the same statement thousands of times.
  if (columns === table.updatedFrom) return;
  table.updatedFrom = columns;
  table.updated = columns === null ? null : columnsSet(table, columns);
}

function columnsSet(
  { name, layout }: TrackedTable,
  updatedColumns: StatementFacts['updatedColumns'],
): readonly number[] | null {
  const names = updatedColumns.get(name);
  if (names === undefined || layout === null) return null;
  const numbers = layout.columns.flatMap((column, number) => (names.has(column) ? [number] : []));
  // `SET rowid = …` where a column is the row id: treat all as set.
  return numbers.length === names.size ? numbers : null;
}
