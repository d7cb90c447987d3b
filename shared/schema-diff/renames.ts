// Guesses what may have been renamed from one schema to the other; guesses count only when a person accepts them.
import { foldName, sameName } from '../ddl/names.ts';
import { parseTable } from '../ddl/parse-table.ts';
import type { ColumnModel, TableModel } from '../ddl/table-model.ts';
import type { ComparedObject } from '../protocol/schema-comparison.ts';
import type { ColumnRename, TableRename } from './accepted-renames.ts';
import type { ObjectDifference } from './compare-schemas.ts';
import { sameSql } from './same-sql.ts';

/** Tables with this share of equal columns may be the same table. */
const ENOUGH = 0.6;

/** Each table is suggested at most once, the best match first. */
export function likelyTableRenames(objects: readonly ObjectDifference[]): readonly TableRename[] {
  const tables = objects.filter(({ kind }) => kind === 'table');
  const removed = tables.flatMap(({ status, from }) => (status === 'removed' ? model(from) : []));
  const added = tables.flatMap(({ status, to }) => (status === 'added' ? model(to) : []));
  const matches = removed
    .flatMap((from) => added.map((to) => ({ from: from.name.name, to: to.name.name, share: shareOfColumns(from, to) })))
    .filter(({ share }) => share >= ENOUGH)
    .sort((one, other) => other.share - one.share);
  const taken = new Set<string>();
  return matches.flatMap(({ from, to }) => {
    const ends = [`from ${foldName(from)}`, `to ${foldName(to)}`];
    if (ends.some((end) => taken.has(end))) return [];
    for (const end of ends) taken.add(end);
    return [{ from, to }];
  });
}

/** A dropped column and an added one with the same definition; or the only ones of their kind, with the same type. */
export function likelyColumnRenames({ name: table, table: diff }: ObjectDifference): readonly ColumnRename[] {
  if (!diff) return [];
  const dropped = diff.changes.flatMap((change) => (change.kind === 'drop-column' ? [change.column] : []));
  const added = diff.changes.flatMap((change) => (change.kind === 'add-column' ? [change.column] : []));
  const left = [...added];
  return dropped.flatMap((column) => {
    const isOnly = dropped.length === 1 && added.length === 1;
    const at = left.findIndex(
      (other) => sameDefinition(diff.from, column, diff.to, other) || (isOnly && sameType(column, other)),
    );
    const [other] = at < 0 ? [] : left.splice(at, 1);
    return other ? [{ table, from: column.name.name, to: other.name.name }] : [];
  });
}

function model(object: ComparedObject | null): TableModel[] {
  const table = object && parseTable(object.sql);
  return table?.understood ? [table] : [];
}

function shareOfColumns(from: TableModel, to: TableModel): number {
  const same = to.columns.filter((column) =>
    from.columns.some((other) => sameName(other.name.name, column.name.name) && sameType(other, column)),
  );
  return same.length / Math.max(from.columns.length, to.columns.length);
}

const sameType = (one: ColumnModel, other: ColumnModel): boolean =>
  foldName(one.type?.sql ?? '') === foldName(other.type?.sql ?? '');

/** Compares everything after the name. */
function sameDefinition(from: TableModel, one: ColumnModel, to: TableModel, other: ColumnModel): boolean {
  const behind = ({ text }: TableModel, { name, span }: ColumnModel): string => text.slice(name.span.to, span.to);
  return sameSql(behind(from, one), behind(to, other));
}
