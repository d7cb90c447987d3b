// A changeset file as changes to merge into the tables of this database.
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import type { LoggedTable } from '../../engines/row-log/row-log.ts';
import { describeTable } from '../../schema/table-shape.ts';
import { keyText } from '../net-changes.ts';
import type { NetChange, PartialRow } from '../net-changes.ts';
import { readChangeset } from './read-changeset.ts';
import type { ChangesetChange } from './read-changeset.ts';

/** Held in memory during the search for conflicts. */
const MAX_CHANGES = 2_000_000;

/** @throws AppError `invalid` when the file is not a changeset, or not one for tables like these */
export function changesOfPatch(connection: Connection, bytes: Uint8Array): NetChange[] {
  const tables = new Map<string, LoggedTable>();
  const changes: NetChange[] = [];
  const seen = new Set<string>();
  for (const change of readChangeset(bytes)) {
    if (changes.length >= MAX_CHANGES)
      fail('too-big', `This patch has more than ${MAX_CHANGES} changes. Nothing was changed.`);
    const id = `${change.columnCount}\n${change.primaryKey.join()}\n${change.table}`;
    let table = tables.get(id);
    if (!table) tables.set(id, (table = matchingTable(connection, change)));
    const net = netChange(table, change);
    const text = keyText(table.name, net.keyBefore ?? net.keyAfter!) + (net.kind === 'insert' ? '+' : '');
    if (seen.has(text)) throw unfit(`it changes one row of “${table.name}” twice`);
    seen.add(text);
    changes.push(net);
  }
  return changes;
}

/** Rows are named by the declared primary key here: row ids mean nothing in another database. */
function matchingTable(connection: Connection, { table, columnCount, primaryKey }: ChangesetChange): LoggedTable {
  const shape = describe(connection, table);
  const columns = shape.columns.filter(({ generated }) => generated === 'no');
  if (shape.kind !== 'table') throw unfit(`“${shape.name}” is not an ordinary table here`);
  if (columns.length < columnCount)
    throw unfit(`it has ${columnCount} columns for “${shape.name}”, which has ${columns.length} here`);
  const declared = columns.flatMap(({ primaryKeyIndex }, place) => (primaryKeyIndex > 0 ? [place] : []));
  if (declared.join() !== primaryKey.join()) throw unfit(`“${shape.name}” has another primary key here`);
  return {
    name: shape.name,
    columns: columns.slice(0, columnCount).map(({ name }) => name),
    key: { kind: 'primary-key', columns: declared.map((place) => columns[place]!.name) },
    inserted: 0,
    updated: 0,
    deleted: 0,
  };
}

function netChange(table: LoggedTable, { kind, before, after, primaryKey }: ChangesetChange): NetChange {
  const keyOf = (row: PartialRow): Value[] =>
    primaryKey.map((place) => {
      const value = row[place];
      if (value === undefined || value === null) throw unfit(`a row of “${table.name}” has no primary key in it`);
      return value;
    });
  if (kind !== 'update' && (before ?? after)!.includes(undefined))
    throw unfit(`a row of “${table.name}” is not complete`);
  const keyBefore = before && keyOf(before);
  const names = { nameBefore: null, nameAfter: null }; // the keys identify the rows
  if (kind !== 'update') return { table, kind, keyBefore, keyAfter: after && keyOf(after), before, after, ...names };
  if (primaryKey.some((place) => after![place] !== undefined))
    throw unfit(`it changes a primary key of “${table.name}” in place`);
  if (after!.some((value, place) => value !== undefined && before![place] === undefined))
    throw unfit(`it does not say what a value of “${table.name}” was before`);
  return { table, kind, keyBefore, keyAfter: keyBefore, before, after, ...names };
}

function describe(connection: Connection, table: string) {
  try {
    return describeTable(connection, table);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') throw unfit(`there is no table “${table}” here`);
    throw error;
  }
}

function unfit(why: string): AppError {
  return AppError.invalid(`This patch does not fit this database: ${why}. Nothing was changed.`);
}
