// Keeps the schema table of a scratch database short while it is filled: SQLite reads all of that table after each CREATE (OP_ParseSchema), so
// that 5,000 tables would be read 5,000 times. SQLite works with its own copy of the schema in memory, which stays whole.
import type { Connection } from '../engines/engine.ts';
import { beginning } from '../engines/heavy-guard.ts';
import { setLastRowid } from './rows-in-parts.ts';

/** Definitions between two times that rows are parked. */
const PARK_EVERY = 100;

/** Neither what may be looked up in the schema table meanwhile (heavy-guard.ts), nor the last row: its number is where the next ones go on. */
const PARKED = `(type = 'index' OR type = 'table' AND rootpage > 0) AND rowid < (SELECT max(rowid) FROM main.sqlite_schema)`;
const COLUMNS = 'rowid, type, name, tbl_name, rootpage, sql';
const PLACE = 'temp.sidelite_parked_schema';

/** Statements for which SQLite's copy of the schema is enough, and which leave it whole. */
const NEED_NO_ROWS: ReadonlySet<string | undefined> = new Set(['CREATE', 'INSERT', 'REPLACE']);
/** To prepare what uses one, SQLite prepares all that it reads from, which heavy-guard.ts weighs by the rows. */
const READERS: ReadonlySet<string | undefined> = new Set(['VIEW', 'TRIGGER']);
const NAMES_ROWS = /sqlite_(?:temp_)?(?:schema|master)|dbstat|sidelite_parked_schema/i;

/** Rows of the schema table that are not in it at the moment. They belong to the open transaction, as everything else does. */
export class ParkedSchema {
  readonly #connection: Connection;
  #definitions = 0;
  #isParked = false;
  #hasReaders = false;
  #isOff: boolean;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#isOff = connection.moveSchemaRows === undefined;
  }

  /** Whether the rows have to be back before this statement runs. Call with each statement, in order. */
  isInWayOf(sql: string): boolean {
    if (this.#isOff) return false;
    const [verb, object] = beginning(sql);
    if (!this.#isParked && verb !== 'CREATE') return false;
    // What is defined so may read the rows at any time, or change them.
    if (NAMES_ROWS.test(sql)) this.#isOff = true;
    this.#hasReaders ||= verb === 'CREATE' && READERS.has(object);
    if (!this.#isParked) return false;
    const usesReaders = verb !== 'CREATE' || (object === 'TABLE' && /\bAS\b/i.test(sql));
    return this.#isOff || !NEED_NO_ROWS.has(verb) || (this.#hasReaders && usesReaders);
  }

  /** Call with each statement that is going to run. Returns whether {@link park} is due once it has. */
  note(sql: string): boolean {
    if (this.#isOff || beginning(sql)[0] !== 'CREATE') return false;
    return ++this.#definitions >= PARK_EVERY;
  }

  park(): void {
    if (this.#isOff || this.#connection.autocommit) return;
    this.#definitions = 0;
    this.#isParked = true;
    this.#connection.moveSchemaRows!([
      // Without row ids, so that last_insert_rowid() stays what it is.
      `CREATE TEMP TABLE IF NOT EXISTS sidelite_parked_schema (id PRIMARY KEY, type, name, tbl_name, rootpage, sql) WITHOUT ROWID`,
      `INSERT INTO ${PLACE} SELECT ${COLUMNS} FROM main.sqlite_schema WHERE ${PARKED}`,
      `DELETE FROM main.sqlite_schema WHERE ${PARKED}`,
    ]);
  }

  /** Puts the rows back. */
  restore(): void {
    this.#definitions = 0;
    if (!this.#isParked) return;
    this.#isParked = false;
    const { lastInsertRowid } = this.#connection;
    this.#connection.moveSchemaRows!([
      `INSERT INTO main.sqlite_schema (${COLUMNS}) SELECT * FROM ${PLACE}`,
      `DROP TABLE ${PLACE}`,
      ...setLastRowid(lastInsertRowid),
    ]);
  }

  /** A statement has failed: SQLite may have read its copy of the schema again, from what was left. */
  restoreAfterError(): void {
    if (!this.#isParked) return;
    this.#isOff = true;
    this.restore();
    this.#connection.run('PRAGMA writable_schema = RESET');
  }
}
