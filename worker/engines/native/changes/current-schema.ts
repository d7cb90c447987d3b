// The current schema of `main`, whichever connection changed it, and our own triggers that name its columns.
import type { Connection } from '../../engine.ts';
import type { TableLayouts } from '../../table-layouts.ts';
import type { Internals } from '../runtime/internals.ts';
import type { RowTriggers } from './row-triggers.ts';
import { SchemaMap } from './schema-map.ts';

export class CurrentSchema {
  readonly #connection: Connection;
  readonly #internals: Internals;
  readonly #layouts: TableLayouts;
  readonly #triggers: RowTriggers;
  #map: SchemaMap | null = null;
  /** The version that {@link #map} was made from. */
  #version = -1;
  #isTouched = false;

  constructor(connection: Connection, internals: Internals, layouts: TableLayouts, triggers: RowTriggers) {
    this.#connection = connection;
    this.#internals = internals;
    this.#layouts = layouts;
    this.#triggers = triggers;
  }

  get version(): number {
    return this.#version;
  }

  get map(): SchemaMap {
    this.#map ??= new SchemaMap(this.#connection, (name) => this.#triggers.isOurs(name));
    return this.#map;
  }

  /** The name of a table or view as spelled in `main`; null: there is none. Definitions follow each other, so no map is made for it. */
  nameOf(name: string): string | null {
    if (this.#map !== null) return this.#map.resolve({ schema: 'main', name });
    const sql =
      "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE AND substr(name, 1, 7) <> 'sqlite_'";
    return (this.#connection.one(sql, [name])?.[0] as string | undefined) ?? null;
  }

  /** Notes that the schema may have changed. */
  touch(): void {
    this.#isTouched = true;
  }

  /** True once after {@link touch}. */
  takeTouched(): boolean {
    const touched = this.#isTouched;
    this.#isTouched = false;
    if (touched) this.forget();
    return touched;
  }

  /** Checks whether another program has changed the schema: true when one has. */
  refresh(): boolean {
    const version = this.#internals.schemaVersion;
    if (version === this.#version) return false;
    if (this.#version >= 0) {
      this.forget();
      // Our triggers may name columns that no longer exist.
      this.#triggers.drop();
    }
    this.#version = version;
    return true;
  }

  /** Makes the next use read the schema again. */
  forget(): void {
    this.#map = null;
    this.#layouts.forget();
    this.#triggers.forget();
    this.#version = this.#internals.schemaVersion;
  }
}
