// The keys of a table that identify its rows besides the primary one.
import { foldName } from '#shared/ddl/names.ts';
import type { UniqueKey } from '#shared/protocol/schema.ts';
import type { Connection } from '../engines/engine.ts';
import { declaredCollations } from './declared-collations.ts';

/** Keys by which an upsert can find rows: without partial ones and those on expressions (sqlite.org/lang_upsert.html). */
export function uniqueKeysOf(connection: Connection, table: string): readonly UniqueKey[] {
  return keysOf(connection, table, () => true);
}

/**
 * Keys by which a row can be looked up: those with which `column = value` means one row at most. That holds where the index has the
 * collation of the column, or the column compares byte by byte.
 */
export function lookupKeysOf(connection: Connection, table: string): readonly UniqueKey[] {
  const collations = declaredCollations(connection, table);
  return keysOf(connection, table, (column, collation) => {
    const declared = foldName(collations.get(foldName(column)) ?? 'binary');
    return declared === 'binary' || declared === foldName(collation);
  });
}

function keysOf(
  connection: Connection,
  table: string,
  suits: (column: string, collation: string) => boolean,
): readonly UniqueKey[] {
  const indexes = connection.all(
    `SELECT name, origin FROM temp.pragma_index_list(?, 'main') WHERE "unique" AND NOT partial AND origin <> 'pk' ORDER BY seq DESC`,
    [table],
  ) as [string, string][];
  return indexes.flatMap(([index, origin]) => {
    const columns = connection.all(
      "SELECT name, coll FROM temp.pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno",
      [index],
    ) as [string | null, string][];
    const isKey = columns.every(([name, collation]) => name !== null && suits(name, collation));
    return isKey ? [{ index: origin === 'c' ? index : null, columns: columns.map(([name]) => name!) }] : [];
  });
}
