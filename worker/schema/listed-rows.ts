// How many rows the tables of a list have. The list must not wait, but says the same on every machine, because the largest table is opened
// by itself: what it costs is limited by numbers of tables and rows, not by time.
import type { Connection } from '../engines/engine.ts';
import { analyzedRowsOf, countableRows, estimateRows, soughtRows } from './row-estimate.ts';
import type { RowEstimate } from './row-estimate.ts';

/** So many tables are counted, as far as {@link estimateRows} may. */
const COUNTED_TABLES = 100;
/** The next ones take two seeks each, and those past this are listed without an estimate. */
const ESTIMATED_TABLES = 1000;

export class ListedRows {
  readonly #connection: Connection;
  readonly #tables: readonly string[];
  #taken = 0;
  #mayCount: number;
  #analyzed: ReadonlyMap<string, number | null> | null = null;

  /** @param tables in the order of the list */
  constructor(connection: Connection, tables: readonly string[]) {
    this.#connection = connection;
    this.#tables = tables;
    this.#mayCount = countableRows(connection);
  }

  /** Estimates the rows of the next table. One that is damaged must not take the list down with it. */
  next(table: string, withoutRowid: boolean): RowEstimate | null {
    const at = this.#taken++;
    if (at >= ESTIMATED_TABLES) return null;
    try {
      const rowidName = withoutRowid ? null : freeRowidAlias(this.#connection, table);
      return at < COUNTED_TABLES ? this.#counted(table, rowidName) : this.#sought(table, rowidName);
    } catch {
      return null;
    }
  }

  #counted(table: string, rowidName: string | null): RowEstimate | null {
    const known = estimateRows(this.#connection, table, rowidName, this.#mayCount);
    if (known?.estimated === false) this.#mayCount -= known.count;
    return known;
  }

  #sought(table: string, rowidName: string | null): RowEstimate | null {
    const names = this.#tables.slice(COUNTED_TABLES, ESTIMATED_TABLES);
    this.#analyzed ??= new Map(analyzedRowsOf(this.#connection, names).map((rows, at) => [names[at]!, rows]));
    return soughtRows(this.#connection, table, rowidName, this.#analyzed.get(table) ?? null);
  }
}

function freeRowidAlias(connection: Connection, name: string): string | null {
  const taken = connection
    .all("SELECT lower(name) FROM pragma_table_info(?) WHERE lower(name) IN ('rowid', '_rowid_', 'oid')", [name])
    .flat();
  return ['rowid', '_rowid_', 'oid'].find((alias) => !taken.includes(alias)) ?? null;
}
