// Net changes as SQL that users can read and any SQLite can run.
import type { HistoryStep } from '#shared/protocol/history.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { LoggedTable } from '../../engines/row-log/row-log.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';
import { sqlLiteral } from '../../sql/literal.ts';
import { shownAs } from '../differences.ts';
import type { NetChange, PartialRow } from '../net-changes.ts';
import type { VirtualTables } from '../virtual-tables.ts';

/** The head of the file. */
export type SqlPatchTitle = Pick<HistoryStep, 'title' | 'atMs' | 'windowTitle'>;

export function writeSql(step: SqlPatchTitle, changes: readonly NetChange[], virtual: VirtualTables): Uint8Array {
  const lines = [
    `-- ${oneLine(step.title)}`,
    `-- ${new Date(step.atMs).toISOString()}, ${oneLine(step.windowTitle)}`,
    '-- What it did to rows, triggers and foreign keys included: run it where triggers do not do that again.',
    'BEGIN;',
    ...changes.map((change) => `${statement(change, virtual)};`),
    'COMMIT;',
  ];
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

function statement(change: NetChange, virtual: VirtualTables): string {
  const { table, columns, shown } = shownAs(change.table, virtual);
  const name = quoteName(table);
  const key = keyColumns(change.table, virtual);
  if (change.kind === 'delete') return `DELETE FROM ${name} WHERE ${condition(key, change.keyBefore!)}`;
  const known = columns
    .map((column, index) => ({ column, value: valueAt(change, shown[index]!) }))
    .filter((entry): entry is { column: string; value: Value } => entry.value !== undefined);
  const isHidden =
    change.table.key.kind === 'rowid' && (change.table.key.columnIndex === null || virtual[change.table.name]);
  if (change.kind === 'insert') {
    if (isHidden) known.unshift({ column: key[0]!, value: change.keyAfter![0]! });
    const values = known.map(({ value }) => sqlLiteral(value)).join(', ');
    return `INSERT INTO ${name} (${quoteNames(known.map(({ column }) => column))}) VALUES (${values})`;
  }
  if (change.table.key.kind === 'rowid' && change.keyBefore![0] !== change.keyAfter![0])
    known.unshift({ column: key[0]!, value: change.keyAfter![0]! });
  const set = known.map(({ column, value }) => `${quoteName(column)} = ${sqlLiteral(value)}`).join(', ');
  return `UPDATE ${name} SET ${set} WHERE ${condition(key, change.keyBefore!)}`;
}

function valueAt({ after }: NetChange, place: number): PartialRow[number] {
  return after![place];
}

function keyColumns({ name, key }: LoggedTable, virtual: VirtualTables): readonly string[] {
  if (virtual[name]) return ['rowid'];
  return key.kind === 'rowid' ? [key.name] : key.columns;
}

function condition(columns: readonly string[], key: readonly Value[]): string {
  return columns.map((column, index) => `${quoteName(column)} = ${sqlLiteral(key[index]!)}`).join(' AND ');
}

/** A comment ends with its line. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u2028\u2029]+/g, ' ');
}
