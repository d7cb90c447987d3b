// Knows how tables lay out their rows, ready for the hooks: those see columns by number and must not ask.
import type { Connection } from '../engine.ts';

export interface TableLayout {
  readonly columns: readonly string[];
  /** Places of generated columns: they follow others, and virtual ones are not stored. */
  readonly generated: readonly number[];
  /** Places of the key columns in the order of the key; null for a table with row ids. */
  readonly primaryKey: readonly number[] | null;
}

export class TableLayouts {
  readonly #connection: Connection;
  /** Null for what has no layout of its own: views and virtual tables. */
  readonly #known = new Map<string, TableLayout | null>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  forget(): void {
    this.#known.clear();
  }

  /** To be called before a statement that writes to `tables` takes its first step. */
  learn(tables: readonly string[]): void {
    for (const table of tables) if (!this.#known.has(table)) this.#known.set(table, this.#read(table));
  }

  of(table: string): TableLayout | null {
    return this.#known.get(table) ?? null;
  }

  #read(table: string): TableLayout | null {
    try {
      const kind = this.#connection.one("SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'", [table]);
      if (kind?.[0] !== 'table') return null;
      const rows = this.#connection.all("SELECT name, pk, hidden FROM pragma_table_xinfo(?, 'main') ORDER BY cid", [
        table,
      ]) as readonly (readonly [string, number, number])[];
      const places = rows.map((_, place) => place);
      const keyPlaces = places.filter((place) => rows[place]![1] > 0).sort((a, b) => rows[a]![1] - rows[b]![1]);
      return {
        columns: rows.map(([name]) => name),
        generated: places.filter((place) => rows[place]![2] > 1),
        primaryKey: kind[1] === 1 ? keyPlaces : null,
      };
    } catch {
      // Stopped or damaged: without a layout everything about the table counts as changed.
      return null;
    }
  }
}
