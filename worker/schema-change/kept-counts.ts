// Preserves what SQLite stores about a table beside its rows: the AUTOINCREMENT counter and the statistics.
import type { Connection } from '../engines/engine.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { isAutoincrement } from './owned-objects.ts';

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

/** The statement that keeps the count under another name while the table is dropped; null if it does not count. */
export function sequenceToInterimSql(connection: Connection, table: string, interim: string): string | null {
  return counts(connection, table) ? renameCountSql(table, interim) : null;
}

/** Statements after {@link sequenceToInterimSql} that give the count back to a table that counts, or forget it. */
export function sequenceBackSql({
  table,
  interim,
  counts: goesOn,
}: {
  readonly table: string;
  readonly interim: string;
  readonly counts: boolean;
}): readonly string[] {
  return goesOn ? [forgetCountSql(table), renameCountSql(interim, table)] : [forgetCountSql(interim)];
}

/** SQL for display that does the same as {@link keepSequence} while the interim table still exists. */
export function sequenceSql(connection: Connection, table: string, interim: string): readonly string[] {
  if (!counts(connection, table)) return [];
  return sequenceBackSql({ table, interim, counts: true });
}

const forgetCountSql = (name: string): string => `DELETE FROM ${SEQUENCES} WHERE name = ${sqlLiteral(name)}`;
const renameCountSql = (from: string, to: string): string =>
  `UPDATE ${SEQUENCES} SET name = ${sqlLiteral(to)} WHERE name = ${sqlLiteral(from)}`;

function counts(connection: Connection, table: string): boolean {
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [
    table,
  ]);
  return row !== null && isAutoincrement(row[0] as string);
}

/** Statistics are kept by the names of tables and indexes, so they apply to the new ones; those of dropped indexes are removed. */
export function settleStatistics(connection: Connection, table: string): void {
  const all = statisticsOf(connection);
  for (const statistics of all) connection.run(forgetDroppedSql(statistics, table));
  // Reads them again: an index that was just made knows none.
  if (all.length > 0) connection.run('ANALYZE main.sqlite_schema');
}

/** Statements that keep the statistics under another name while the table is dropped, give them back, and forget those of dropped indexes. */
export function statisticsSql(connection: Connection, table: string, interim: string) {
  const all = statisticsOf(connection);
  const rename = (from: string, to: string): readonly string[] =>
    all.map((one) => `UPDATE main.${one} SET tbl = ${sqlLiteral(to)} WHERE tbl = ${sqlLiteral(from)} COLLATE NOCASE`);
  return {
    toInterim: rename(table, interim),
    back: rename(interim, table),
    settle: all.map((one) => forgetDroppedSql(one, table)),
  };
}

const statisticsOf = (connection: Connection): readonly string[] =>
  ['sqlite_stat1', 'sqlite_stat4'].filter((name) => hasTable(connection, name));

const forgetDroppedSql = (statistics: string, table: string): string =>
  `DELETE FROM main.${statistics} WHERE tbl = ${sqlLiteral(table)} COLLATE NOCASE AND idx IS NOT NULL AND idx <> tbl
   AND idx NOT IN (SELECT name FROM main.sqlite_schema WHERE type = 'index' AND tbl_name = ${sqlLiteral(table)} COLLATE NOCASE)`;

function hasTable(connection: Connection, name: string): boolean {
  return connection.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name]) !== null;
}
