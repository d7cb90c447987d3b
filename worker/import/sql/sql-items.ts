// Items of a file of SQL, in order.
import type { RecordBatch } from '../../records/record-batch.ts';

/** Text in these is made of bytes: one character (0 to 255) for each, so that nothing is decoded before it is known what it is. */
export type SqlItem =
  /**
   * `isOpen`: the file ends in the middle of it, and `isQuoted`: where a quote is open. `after`: the beginning of what follows it. `head`:
   * it is the rest of a statement whose first rows came as records; `text` is this head, ` VALUES `, and what follows those rows.
   */
  | {
      readonly kind: 'statement';
      readonly text: string;
      readonly line: number;
      readonly isOpen: boolean;
      readonly isQuoted: boolean;
      readonly after: string;
      readonly head?: string;
    }
  /** Command for the program that reads the file, such as `.mode` or `\connect`. */
  | { readonly kind: 'command'; readonly text: string; readonly line: number }
  /** Rows after `COPY … FROM stdin`: whole lines. `isEnd`: the last of them, ended by `\.`, or by the end of the file (`isOpen`). */
  | {
      readonly kind: 'rows';
      readonly text: string;
      readonly line: number;
      readonly isEnd: boolean;
      readonly isOpen: boolean;
    };

/** Some of the rows of one statement. */
export interface StatementPart {
  /** What comes before VALUES, made of bytes. */
  readonly head: string;
  /** Where the statement begins. */
  readonly line: number;
  readonly isFirst: boolean;
  /** The statement ends after these rows, with a semicolon. If not, more rows follow, or the rest as a statement. */
  readonly isEnd: boolean;
}

/**
 * Statements of SQLite's dialect that differ in their literals alone, as records of them. `source`: their bytes in the file, in which each
 * begins at one of `starts`. Valid until the next item.
 */
export interface InsertedRecords {
  readonly kind: 'records';
  readonly source: Uint8Array;
  readonly line: number;
  readonly endLine: number;
  /** `INSERT INTO t (a, b)`, decoded. */
  readonly into: string;
  /** How many each record has. */
  readonly values: number;
  readonly starts: readonly number[];
  readonly batch: RecordBatch;
  /** Not statements, but rows of one. */
  readonly part: StatementPart | null;
}
