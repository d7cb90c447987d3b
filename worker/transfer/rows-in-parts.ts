// The rows of one long INSERT statement, which come in parts: all of them are written, or none, as by SQLite itself.
import type { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { READING_LIMITS } from '../import/reading-limits.ts';
import { byteText } from '../import/sql/byte-text.ts';
import type { InsertedRecords, StatementPart } from '../import/sql/sql-items.ts';
import type { PlainRows } from './plain-rows.ts';

const SAVEPOINT = 'sidelite_rows';
const SHOWN_BYTES = 1024;

interface OpenStatement {
  readonly head: string;
  readonly line: number;
  /** As in the file. */
  readonly beginning: string;
  readonly lastRowid: number | bigint;
  /** None of it is written before all of it is read: a row that fails may keep those before it, or undo more than them. */
  readonly isAlone: boolean;
}

export class RowsInParts {
  readonly #connection: Connection;
  readonly #plain: PlainRows;
  readonly #mostBytes: number;
  #open: OpenStatement | null = null;
  #problem: AppError | null = null;
  /** Its rows as in the file: what follows them may say what becomes of each, or read what they are compared with. */
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;

  constructor(connection: Connection, plain: PlainRows, mostBytes = READING_LIMITS.statementBytes) {
    this.#connection = connection;
    this.#plain = plain;
    this.#mostBytes = mostBytes;
  }

  /** The statement of which parts are still to come. */
  get open(): OpenStatement | null {
    return this.#open;
  }

  /** Why SQLite has refused one of the rows. */
  get problem(): AppError | null {
    return this.#problem;
  }

  /** Call within a transaction. @param makeTable makes the table that SQLite misses; false: it cannot */
  add(item: InsertedRecords, part: StatementPart, makeTable: (missing: AppError) => boolean): void {
    const { isAlone } = (this.#open ??= this.#begin(item, part, makeTable));
    this.keepText(item.source.slice(item.starts[0]));
    if (!isAlone && this.#problem === null) this.#problem = this.#plain.addUntilRefused(item, makeTable);
  }

  /** Makes it as if nothing of it had been written, and returns the whole statement. Null: it is too long. */
  takeBack(): string | null {
    this.#forgetRows();
    if (this.#keptBytes > this.#mostBytes) return null;
    const text = [this.#open!.head, ' VALUES ', ...this.#kept.map(byteText)].join('');
    return text.endsWith(';') ? text.slice(0, -1) : text;
  }

  /** Makes it as if nothing of it had been written, and its text were not needed any more. */
  drop(): void {
    this.#forgetRows();
    this.forget();
  }

  keep(): void {
    this.#connection.run(`RELEASE ${SAVEPOINT}`);
    this.forget();
  }

  /** Takes back what is written of it, as a statement that fails. */
  undo(): void {
    if (this.#open!.isAlone) return;
    this.#plain.close();
    this.#connection.run(`ROLLBACK TO ${SAVEPOINT}`);
    this.#connection.run(`RELEASE ${SAVEPOINT}`);
  }

  forget(): void {
    this.#open = null;
    this.#problem = null;
    this.#kept.length = 0;
    this.#keptBytes = 0;
  }

  #forgetRows(): void {
    const { isAlone, lastRowid } = this.#open!;
    this.undo();
    if (!isAlone) for (const sql of setLastRowid(lastRowid)) this.#connection.run(sql);
  }

  #begin(
    item: InsertedRecords,
    { head, line }: StatementPart,
    makeTable: (missing: AppError) => boolean,
  ): OpenStatement {
    const isAlone = this.#plain.areAlone;
    if (!isAlone) {
      // A table that is made here stays.
      this.#plain.prepare(item, makeTable);
      this.#connection.run(`SAVEPOINT ${SAVEPOINT}`);
    }
    const beginning = byteText(item.source.subarray(0, SHOWN_BYTES));
    return { head, line, beginning, lastRowid: this.#connection.lastInsertRowid, isAlone };
  }

  /** Keeps what it is made of, as it is in the file. */
  keepText(bytes: Uint8Array): void {
    this.#keptBytes += bytes.length;
    if (this.#keptBytes > this.#mostBytes) this.#kept.length = 0;
    else this.#kept.push(bytes);
  }
}

// The value of last_insert_rowid(), for which a file may ask: what is written beside its statements must not change it.

/** Statements that set it. Nothing else does. */
export const setLastRowid = (rowid: number | bigint): readonly string[] => [
  'CREATE TEMP TABLE sidelite_last_row (id INTEGER PRIMARY KEY)',
  `INSERT INTO temp.sidelite_last_row VALUES (${rowid})`,
  'DROP TABLE temp.sidelite_last_row',
];
