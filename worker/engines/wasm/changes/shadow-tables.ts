// Maps shadow tables to their virtual tables: hooks only report the tables in which FTS5 and R-Tree keep their data.
import type { Connection } from '../../engine.ts';
import { shadowNames } from '../../table-list.ts';
import type { TableChanges, TransactionChanges } from '../../transaction-changes.ts';

/** Changes of shadow tables say nothing about the rows of their owner. */
const ANYTHING: TableChanges = {
  inserted: true,
  updated: true,
  deleted: true,
  moved: true,
  columns: null,
  keys: null,
};

export class ShadowTables {
  readonly #connection: Connection;
  /** Null until the owners are needed, and again after a schema change. */
  #ownerOf: ReadonlyMap<string, string> | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  forget(): void {
    this.#ownerOf = null;
  }

  /** The changed tables with owners in place of shadow tables; null when the schema cannot be read. */
  owners(tables: TransactionChanges['tables']): TransactionChanges['tables'] {
    if (tables === null || tables.size === 0) return tables;
    try {
      this.#ownerOf ??= this.#read();
    } catch {
      return null;
    }
    const ownerOf = this.#ownerOf;
    if (ownerOf.size === 0) return tables;
    const owners = new Map<string, TableChanges>();
    for (const [table, changes] of tables) {
      const owner = ownerOf.get(table);
      owners.set(owner ?? table, owner === undefined ? changes : ANYTHING);
    }
    return owners;
  }

  #read(): ReadonlyMap<string, string> {
    const virtual = this.#names("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0");
    const owners = new Map<string, string>();
    if (virtual.length === 0) return owners;
    // A shadow table is named after its owner; if several names match, the longest is the owner.
    virtual.sort((a, b) => b.length - a.length);
    for (const shadow of shadowNames(this.#connection)) {
      const owner = virtual.find((name) => shadow.toLowerCase().startsWith(`${name.toLowerCase()}_`));
      if (owner !== undefined) owners.set(shadow, owner);
    }
    return owners;
  }

  #names(sql: string): string[] {
    return this.#connection.all(sql).map(([name]) => name as string);
  }
}
