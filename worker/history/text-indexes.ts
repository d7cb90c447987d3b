// Keeps virtual tables consistent with merged rows: rebuilds full-text indexes over a table, and refuses the merge if one cannot be
// rebuilt.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import type { VirtualTables } from './virtual-tables.ts';

const FTS5 = /\busing\s+fts5\s*\(/i;
const CONTENT = /\bcontent\s*=\s*(?:'([^']*)'|"([^"]*)"|([^\s,)'"]+))/gi;

export class TextIndexes {
  readonly #connection: Connection;
  readonly #stale: readonly string[];

  /**
   * @param virtual the virtual tables that the changes touched
   * @param touched the tables that the changes write to
   * @throws AppError `invalid` when a virtual table would no longer agree with them
   */
  constructor(connection: Connection, virtual: VirtualTables, touched: ReadonlySet<string>) {
    this.#connection = connection;
    const lower = new Set([...touched].map((name) => name.toLowerCase()));
    const owners = new Set(Object.values(virtual).map(({ owner }) => owner));
    const triggers = triggersOn(connection, lower);
    const stale: string[] = [];
    for (const [name, sql] of virtualTables(connection)) {
      const content = contentOf(sql);
      // Rows of the virtual table itself are written through it, which updates its other tables.
      if (lower.has(name.toLowerCase())) continue;
      if (content && lower.has(content.toLowerCase())) stale.push(name);
      else if (owners.has(name) || triggers.some((trigger) => mentions(trigger, name))) throw cannotMerge(name);
    }
    this.#stale = stale;
  }

  rebuild(): void {
    for (const name of this.#stale)
      this.#connection.run(`INSERT INTO main.${quoteName(name)} (${quoteName(name)}) VALUES ('rebuild')`);
  }
}

function virtualTables(connection: Connection): [name: string, sql: string][] {
  return connection.all(
    "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0",
  ) as unknown as [string, string][];
}

function triggersOn(connection: Connection, tables: ReadonlySet<string>): string[] {
  return (connection.all("SELECT tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger'") as [string, string][])
    .filter(([table]) => tables.has(table.toLowerCase()))
    .map(([, sql]) => sql);
}

/** The table that an FTS5 index without rows of its own indexes. */
export function contentOf(sql: string): string | null {
  const begin = FTS5.exec(sql);
  const found = begin && [...sql.slice(begin.index + begin[0].length).matchAll(CONTENT)].at(-1);
  return found ? (found[1] ?? found[2] ?? found[3] ?? '') : null;
}

function mentions(sql: string, name: string): boolean {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${plain}(?![\\p{L}\\p{N}_$])`, 'iu').test(sql);
}

function cannotMerge(name: string): AppError {
  return AppError.invalid(
    `The change also concerns “${name}”, a virtual table whose content cannot be merged row by row. Nothing was changed. Undo the newer steps down to this one instead.`,
  );
}
