// Rows whose foreign keys lead nowhere: they are copied, as other programs restore them, and the report names them.
import { foldName } from '#shared/ddl/names.ts';
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { brokenRows } from '../import/foreign-keys.ts';

const SHOWN = 5;

/** The keys of all tables are listed once; rows are looked up for the tables that are asked about. */
export class LooseKeys {
  readonly #connection: Connection;
  readonly #place: 'file' | 'database';
  /** Names of the parents, as the key of the table names them. */
  readonly #parents = new Map<string, Set<string>>();
  readonly #tables: ReadonlySet<string>;

  /** @param place where the tables are: parents that a file lacks may be in the database that its tables go to */
  constructor(connection: Connection, place: 'file' | 'database') {
    this.#connection = connection;
    this.#place = place;
    const names = connection.all("SELECT name FROM main.sqlite_schema WHERE type = 'table'") as [string][];
    this.#tables = new Set(names.map(([name]) => foldName(name)));
    const keys = connection.all(
      `SELECT s.name, f."table" FROM main.sqlite_schema s, temp.pragma_foreign_key_list(s.name) f WHERE s.type = 'table'`,
    ) as [string, string][];
    for (const [name, parent] of keys) {
      const parents = this.#parents.get(foldName(name)) ?? new Set();
      this.#parents.set(foldName(name), parents.add(parent));
    }
  }

  /** Whole sentences. */
  of(table: string): readonly string[] {
    if (!this.#parents.has(foldName(table))) return [];
    try {
      return this.#found(table);
    } catch (error) {
      const problem = toAppError(error);
      if (problem.code === 'stopped') throw error;
      return [`The foreign keys of “${table}” cannot be checked: ${whatHappened(problem)}`];
    }
  }

  /** Whether a table that it refers to is not there. */
  lacksParent(table: string): boolean {
    return this.#missing(table).length > 0;
  }

  #missing(table: string): readonly string[] {
    return [...(this.#parents.get(foldName(table)) ?? [])].filter((parent) => !this.#tables.has(foldName(parent)));
  }

  #found(table: string): readonly string[] {
    const connection = this.#connection;
    const missing = this.#missing(table).map(
      (parent) => `“${table}” refers to the table “${parent}”, ${MISSING[this.#place]}`,
    );
    if (this.#place === 'file' && missing.length > 0) return missing;
    const count = Number(connection.one("SELECT count(*) FROM temp.pragma_foreign_key_check(?, 'main')", [table])![0]);
    if (count === 0) return missing;
    const shown = brokenRows(connection, table).slice(0, SHOWN);
    return [
      ...missing,
      `Rows of “${table}” that refer to rows that do not exist: ${count.toLocaleString('en-US')} (${shown.join(', ')}${count > SHOWN ? ', …' : ''}).`,
    ];
  }
}

const MISSING = {
  file: 'which is not in the file.',
  database: 'which does not exist: until it does, no more rows can be added.',
} as const;
