// Rows of INSERT statements that hold nothing but literals, many at a time into a scratch database.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import { byteText } from '../import/sql/byte-text.ts';
import type { InsertedRecords } from '../import/sql/sql-items.ts';
import { ofStatement, tookEverythingBack } from './statement-faults.ts';

const SHOWN_BYTES = 1024;
/** From so many on, a statement that is prepared takes less time. */
const FEW = 8;
const decoder = new TextDecoder();
/** Some programs write to a handful of tables in turns. */
const MOST_INSERTS = 8;

/** ON CONFLICT FAIL keeps the rows before the one that fails, ON CONFLICT ROLLBACK, and triggers, may undo all, and virtual tables do what they like. */
const TAKES_OTHERS = /\b(?:FAIL|ROLLBACK|TRIGGER|VIRTUAL)\b/i;

export class PlainRows {
  readonly #connection: Connection;
  /** By their beginnings. The one that was used last comes last. */
  readonly #inserts = new Map<string, RecordInsert>();
  /** Beginnings that have come, of which the next rows are many. */
  readonly #seen = new Set<string>();
  /** A row that fails may take others with it, so each statement is run alone. */
  #areAlone = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @param makeTable makes the table that SQLite misses; false: it cannot */
  add(
    item: InsertedRecords,
    makeTable: (missing: AppError) => boolean,
    refused: (line: number, reason: string, text: string) => void,
  ): void {
    const { batch } = item;
    const refuse = (record: number, error: AppError): void =>
      refused(batch.lines[record]!, whatHappened(error), textOf(item, record));
    if (this.#areFew(item)) return this.#addFew(item, makeTable, refuse);
    const insert = this.#open(item, makeTable);
    if (insert instanceof AppError) {
      for (let record = 0; record < batch.records; record++) refuse(record, insert);
      return;
    }
    insert.load(batch);
    const step = this.#areAlone ? 1 : batch.records;
    for (let from = 0; from < batch.records; from += step) {
      try {
        insert.run(from, { until: from + step, deadlineMs: Infinity, refused: refuse });
      } catch (error) {
        if (!this.#areAlone) throw error;
        const problem = ofStatement(error);
        if (this.#connection.autocommit) throw tookEverythingBack(batch.lines[from]!, problem);
        refuse(from, problem);
      }
    }
  }

  /** Whether a row that fails may take others with it. */
  get areAlone(): boolean {
    return this.#areAlone;
  }

  /** Makes the table that SQLite misses, where that can be done. */
  prepare(item: InsertedRecords, makeTable: (missing: AppError) => boolean): void {
    this.#open(item, makeTable);
  }

  /** Writes records up to the first one that SQLite refuses, and returns why. Null: all of them are written. */
  addUntilRefused(item: InsertedRecords, makeTable: (missing: AppError) => boolean): AppError | null {
    const insert = this.#open(item, makeTable);
    if (insert instanceof AppError) return insert;
    let problem: AppError | null = null;
    const refused = (_record: number, error: AppError): never => {
      throw (problem = error);
    };
    insert.load(item.batch);
    try {
      insert.run(0, { deadlineMs: Infinity, refused });
    } catch (error) {
      if (error !== problem) throw error;
    }
    return problem;
  }

  /** Call with every other statement. */
  see(sql: string): void {
    this.#areAlone ||= TAKES_OTHERS.test(sql);
  }

  /** Call before anything else is run: it may change the tables. */
  close(): void {
    for (const insert of this.#inserts.values()) insert.close();
    this.#inserts.clear();
    this.#seen.clear();
  }

  #areFew({ into, values, batch }: InsertedRecords): boolean {
    if (this.#connection.insertTexts === undefined || this.#areAlone || batch.records >= FEW) return false;
    const key = keyOf(into, values);
    const isFirst = !this.#inserts.has(key) && !this.#seen.has(key);
    this.#seen.add(key);
    return isFirst;
  }

  /** Runs the statements as they are in the file. */
  #addFew(
    item: InsertedRecords,
    makeTable: (missing: AppError) => boolean,
    refuse: (record: number, error: AppError) => void,
  ): void {
    let insert: ((sql: string) => void) | null = null;
    for (let record = 0; record < item.batch.records; record++) {
      const sql = decoder.decode(bytesOf(item, record));
      const run = (): void => (insert ??= this.#connection.insertTexts!(item.into))(sql);
      let problem = this.#problemOf(run, item.batch.lines[record]!);
      if (problem?.detail?.['missing'] === 'table' && makeTable(problem))
        problem = this.#problemOf(run, item.batch.lines[record]!);
      if (problem !== null) refuse(record, problem);
    }
  }

  #problemOf(run: () => void, line: number): AppError | null {
    try {
      run();
      return null;
    } catch (error) {
      const problem = ofStatement(error);
      if (this.#connection.autocommit) throw tookEverythingBack(line, problem);
      return problem;
    }
  }

  #open({ into, values }: InsertedRecords, makeTable: (missing: AppError) => boolean): RecordInsert | AppError {
    const key = keyOf(into, values);
    const known = this.#inserts.get(key);
    this.#inserts.delete(key);
    const opened = known ?? this.#opened(into, values, makeTable);
    if (opened instanceof AppError) return opened;
    this.#inserts.set(key, opened);
    const [oldest] = this.#inserts.keys();
    if (this.#inserts.size > MOST_INSERTS) {
      this.#inserts.get(oldest!)!.close();
      this.#inserts.delete(oldest!);
    }
    return opened;
  }

  #opened(into: string, values: number, makeTable: (missing: AppError) => boolean): RecordInsert | AppError {
    const places = Array.from({ length: values }, (_, field) => field);
    const open = (): RecordInsert =>
      this.#connection.insertRecords(
        { into, row: `(${places.map(() => '?').join(', ')})`, onConflict: '' },
        { parameters: places.map((field) => ({ field, as: 'any' })), nullTokens: [], decimalComma: false },
      );
    try {
      return open();
    } catch (error) {
      const problem = ofStatement(error);
      return problem.detail?.['missing'] === 'table' && makeTable(problem) ? open() : problem;
    }
  }
}

const keyOf = (into: string, values: number): string => `${values} ${into}`;

const bytesOf = ({ source, starts }: InsertedRecords, record: number): Uint8Array =>
  source.subarray(starts[record]!, starts[record + 1]);

/** As in the file. Of a long statement the beginning. */
const textOf = (item: InsertedRecords, record: number): string =>
  byteText(bytesOf(item, record).subarray(0, SHOWN_BYTES)).trim().replace(/;$/, '');
