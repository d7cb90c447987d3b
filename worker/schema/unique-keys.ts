// The keys of a table that tell its rows apart beside the primary one: what an upsert can find rows by.
import type { UniqueKey } from '#shared/protocol/schema.ts';
import type { Connection } from '../engines/engine.ts';

/** Without those that hold for some of the rows only, or are about expressions (sqlite.org/lang_upsert.html). */
export function uniqueKeysOf(connection: Connection, table: string): readonly UniqueKey[] {
  const indexes = connection.all(
    `SELECT name, origin FROM pragma_index_list(?, 'main') WHERE "unique" AND NOT partial AND origin <> 'pk' ORDER BY seq DESC`,
    [table],
  ) as [string, string][];
  return indexes.flatMap(([index, origin]) => {
    const columns = connection
      .all("SELECT name FROM pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno", [index])
      .map(([name]) => name);
    const names = columns.filter((name) => typeof name === 'string');
    return names.length === columns.length ? [{ index: origin === 'c' ? index : null, columns: names }] : [];
  });
}
