// Maps logged shadow tables to their virtual tables, and to the rows that a user would recognize.
import type { TableCounts } from '#shared/protocol/history.ts';
import type { Connection } from '../engines/engine.ts';
import { listTables } from '../engines/table-list.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { LoggedTable } from '../engines/row-log/row-log.ts';

/**
 * A shadow table of a virtual table. `content` holds its rows one to one (FTS5's own copy), to be shown with these columns instead of `c0`,
 * `c1` …
 */
interface VirtualPart {
  readonly owner: string;
  readonly content: readonly string[] | null;
}

/** Parts by the name of the logged table. */
export type VirtualTables = Readonly<Record<string, VirtualPart>>;

/** @param changes when known, saves reading the schema for tables that they name directly */
export function virtualTablesIn(
  connection: Connection,
  logged: readonly LoggedTable[],
  changes: TransactionChanges | null,
): VirtualTables {
  const doubtful = logged.filter(({ name }) => !changes?.tables?.has(name));
  if (doubtful.length === 0) return {};
  const found: Record<string, VirtualPart> = {};
  const tables = listTables(connection);
  const owners = tables.flatMap(({ name, kind }) => (kind === 'virtual' ? [name] : []));
  const shadows = new Set(tables.flatMap(({ name, kind }) => (kind === 'shadow' ? [name] : [])));
  for (const { name } of doubtful) {
    const owner = owners
      .filter((candidate) => name.toLowerCase().startsWith(`${candidate.toLowerCase()}_`))
      .sort((a, b) => b.length - a.length)[0];
    if (owner === undefined || !shadows.has(name)) continue;
    found[name] = { owner, content: name.slice(owner.length) === '_content' ? columnsOf(connection, owner) : null };
  }
  return found;
}

/** Counts as a user would: rows of the virtual table instead of its shadow tables, and none of SQLite's own tables. */
export function countsOf(logged: readonly LoggedTable[], virtual: VirtualTables): TableCounts[] {
  const counts = new Map<string, TableCounts>();
  for (const table of logged) {
    const part = virtual[table.name];
    if (isHidden(table.name, virtual) || table.inserted + table.updated + table.deleted === 0) continue;
    const name = part?.owner ?? table.name;
    counts.set(name, { table: name, inserted: table.inserted, updated: table.updated, deleted: table.deleted });
  }
  // A virtual table whose rows are unknown is still named, because something did change there.
  for (const table of logged) {
    const owner = virtual[table.name]?.owner;
    if (owner !== undefined && !counts.has(owner))
      counts.set(owner, { table: owner, inserted: 0, updated: 0, deleted: 0 });
  }
  return [...counts.values()];
}

/** Rows without meaning to the user. */
export function isHidden(table: string, virtual: VirtualTables): boolean {
  return table.startsWith('sqlite_') || (virtual[table] !== undefined && virtual[table].content === null);
}

export function addCounts(a: readonly TableCounts[], b: readonly TableCounts[]): TableCounts[] {
  const sum = new Map(a.map((counts) => [counts.table, counts]));
  for (const more of b) {
    const known = sum.get(more.table);
    sum.set(
      more.table,
      known
        ? {
            table: more.table,
            inserted: known.inserted + more.inserted,
            updated: known.updated + more.updated,
            deleted: known.deleted + more.deleted,
          }
        : more,
    );
  }
  return [...sum.values()];
}

function columnsOf(connection: Connection, table: string): string[] {
  return connection
    .all('SELECT name FROM temp.pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid', [table])
    .map(([name]) => String(name));
}
