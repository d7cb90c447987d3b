// Knows which virtual table a shadow table belongs to: hooks only report the tables FTS5 and R-Tree keep their data in.
import type { Connection } from '../engine.ts';

export class ShadowTables {
  readonly #connection: Connection;
  /** Null until it is needed, and again after a change of the schema. */
  #ownerOf: ReadonlyMap<string, string> | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  forget(): void {
    this.#ownerOf = null;
  }

  /** The same tables with owners in place of shadow tables; null when the schema cannot be read. */
  owners(tables: readonly string[]): readonly string[] | null {
    if (tables.length === 0) return tables;
    try {
      this.#ownerOf ??= this.#read();
    } catch {
      return null;
    }
    const ownerOf = this.#ownerOf;
    return ownerOf.size === 0 ? tables : [...new Set(tables.map((table) => ownerOf.get(table) ?? table))];
  }

  #read(): ReadonlyMap<string, string> {
    const virtual = this.#names("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0");
    const owners = new Map<string, string>();
    if (virtual.length === 0) return owners;
    // A shadow table is called after its owner: of several that fit, the longest name is the owner's.
    virtual.sort((a, b) => b.length - a.length);
    for (const shadow of this.#names("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")) {
      const owner = virtual.find((name) => shadow.toLowerCase().startsWith(`${name.toLowerCase()}_`));
      if (owner !== undefined) owners.set(shadow, owner);
    }
    return owners;
  }

  #names(sql: string): string[] {
    return this.#connection.all(sql).map(([name]) => name as string);
  }
}
