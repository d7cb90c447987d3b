// The rows of one long INSERT statement, which come in parts: all of them are written, or none, as by SQLite itself.
import type { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { READING_LIMITS } from '../import/reading-limits.ts';
import { byteText } from '../import/sql/byte-text.ts';
import type { InsertedRecords, StatementPart } from '../import/sql/sql-items.ts';
import type { PlainRows } from './plain-rows.ts';

const SAVEPOINT = 'sidelite_rows';
const SHOWN_BYTES = 1024;
/** A row in conflict is not refused: nothing would say that ON CONFLICT, after the last row, decides about that row, too. */
const SETTLES_CONFLICTS = /^\s*(?:REPLACE|INSERT\s+OR)\b/i;

interface OpenStatement {
  readonly head: string;
  readonly line: number;
  /** As in the file. */
  readonly beginning: string;
  /** None of it is written before all of it is read: a row that fails may keep those before it, or undo more than them. */
  readonly isAlone: boolean;
}

export class RowsInParts {
  readonly #connection: Connection;
  readonly #plain: PlainRows;
  readonly #mostBytes: number;
  #open: OpenStatement | null = null;
  #problem: AppError | null = null;
  /** What the file has from the first row on that is not written: what follows the rows may change what becomes of that row. */
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
    const open = (this.#open ??= this.#begin(item, part, makeTable));
    let from = item.starts[0]!;
    if (!open.isAlone && this.#problem === null) {
      const refused = this.#plain.addUntilRefused(item, makeTable);
      if (refused === null) return;
      this.#problem = refused.error;
      from = item.starts[refused.record]!;
    }
    this.#keep(item.source.slice(from));
  }

  /** A statement of the rows that are not written, which end with `rest`. Null: it is too long. */
  unwritten(rest: string): string | null {
    if (this.#keptBytes > this.#mostBytes) return null;
    const text = [this.#open!.head, ' VALUES ', ...this.#kept.map(byteText), rest].join('');
    return text.endsWith(';') ? text.slice(0, -1) : text;
  }

  keep(): void {
    this.#connection.run(`RELEASE ${SAVEPOINT}`);
    this.forget();
  }

  undo(): void {
    this.#connection.run(`ROLLBACK TO ${SAVEPOINT}`);
    this.keep();
  }

  forget(): void {
    this.#open = null;
    this.#problem = null;
    this.#kept.length = 0;
    this.#keptBytes = 0;
  }

  #begin(
    item: InsertedRecords,
    { head, line }: StatementPart,
    makeTable: (missing: AppError) => boolean,
  ): OpenStatement {
    const isAlone = this.#plain.areAlone || this.#plain.settleConflicts || SETTLES_CONFLICTS.test(head);
    if (!isAlone) {
      // A table that is made here stays.
      this.#plain.prepare(item, makeTable);
      this.#connection.run(`SAVEPOINT ${SAVEPOINT}`);
    }
    return { head, line, beginning: byteText(item.source.subarray(0, SHOWN_BYTES)), isAlone };
  }

  #keep(bytes: Uint8Array): void {
    this.#keptBytes += bytes.length;
    if (this.#keptBytes > this.#mostBytes) this.#kept.length = 0;
    else this.#kept.push(bytes);
  }
}
