// Preserves what SQLite stores about a table beside its rows: the AUTOINCREMENT counter and the statistics.
import type { Connection } from '../engines/engine.ts';
import { isAutoincrement } from './hanging-objects.ts';

const SEQUENCES = 'main.sqlite_sequence';

/**
 * Call before a table is dropped. Returns what restores its count, if it still counts, under the name it has then; null if it does not
 * count now.
 */
export function keepSequence(connection: Connection, table: string): ((name: string) => void) | null {
  if (!counts(connection, table)) return null;
  const rows = connection.all(`SELECT rowid, seq FROM ${SEQUENCES} WHERE name = ? ORDER BY rowid`, [table]);
  return (name) => {
    if (!counts(connection, name)) return;
    // Filling it has begun a count, even with no rows.
    connection.run(`DELETE FROM ${SEQUENCES} WHERE name = ?`, [name]);
    for (const [rowid, seq] of rows)
      connection.run(`INSERT INTO ${SEQUENCES} (rowid, name, seq) VALUES (?, ?, ?)`, [rowid!, name, seq!]);
  };
}

/** SQL for display that does the same while the table that has stepped aside still exists. */
export function sequenceSql(connection: Connection, table: string, aside: string): readonly string[] {
  if (!counts(connection, table)) return [];
  const [name, old] = [table, aside].map((each) => `'${each.replaceAll("'", "''")}'`);
  return [
    `DELETE FROM ${SEQUENCES} WHERE name = ${name}`,
    `UPDATE ${SEQUENCES} SET name = ${name} WHERE name = ${old}`,
  ];
}

function counts(connection: Connection, table: string): boolean {
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [
    table,
  ]);
  return row !== null && isAutoincrement(row[0] as string);
}

/** Statistics are kept by the names of tables and indexes, so they apply to the new ones; those of dropped indexes are removed. */
export function settleStatistics(connection: Connection, table: string): void {
  let any = false;
  for (const statistics of ['sqlite_stat1', 'sqlite_stat4']) {
    if (!hasTable(connection, statistics)) continue;
    any = true;
    connection.run(
      `DELETE FROM main.${statistics} WHERE tbl = ?1 COLLATE NOCASE AND idx IS NOT NULL AND idx <> tbl
       AND idx NOT IN (SELECT name FROM main.sqlite_schema WHERE type = 'index' AND tbl_name = ?1 COLLATE NOCASE)`,
      [table],
    );
  }
  // Reads them again: an index that was just made knows none.
  if (any) connection.run('ANALYZE main.sqlite_schema');
}

function hasTable(connection: Connection, name: string): boolean {
  return connection.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name]) !== null;
}
