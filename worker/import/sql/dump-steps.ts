// A file of SQL as steps for SQLite: it is read, split, and translated already. No step holds more than one statement, or one piece of a long one.
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import type { RecordBatch, RecordProblem } from '../../records/record-batch.ts';
import type { InsertTarget } from './column-content.ts';
import type { InsertedRecords } from './sql-items.ts';
import type { SqlAction } from './translator.ts';

export interface DumpOptions {
  /** Null: as the file shows. */
  readonly dialect: SqlDialect | null;
  readonly encoding: string | null;
  /** Columns of tables that exist where the rows go, by names in lower case. */
  readonly existing: ReadonlyMap<string, readonly InsertTarget[]>;
}

/** How the file is read. */
export interface DumpFacts {
  readonly dialect: SqlDialect;
  readonly encoding: string;
  /** What shows that it is this dialect. */
  readonly reason: string;
  /** A full sentence about the encoding; null: nothing that is not expected. */
  readonly note: string | null;
}

/** A report shows so much of a statement, and whether there is more. */
const SHOWN_CHARACTERS = 400;

/** A statement of the file, as a report shows it. */
export interface StatementPlace {
  readonly line: number;
  /** The beginning, made of bytes. */
  readonly text: string;
}

/** Why a statement is refused whose end is missing. */
export const CUT_OFF = 'The file ends in the middle of this statement: it is cut off, or a quote is never closed.';

export const shownOf = (text: string): string => text.slice(0, SHOWN_CHARACTERS + 1);

export type DumpStep =
  /** `isOpen`: the file ends in the middle of it, unless it needs no semicolon. `after`: the beginning of what follows it. */
  | (StatementPlace & {
      readonly kind: 'action';
      readonly action: SqlAction;
      readonly isOpen: boolean;
      readonly after: string;
    })
  /** Some rows of a long INSERT, as a statement: all of its pieces are kept, or none. */
  | (StatementPlace & {
      readonly kind: 'piece';
      readonly sql: string;
      readonly isFirst: boolean;
      readonly isEnd: boolean;
    })
  /** More of a statement whose first rows came as records: rows that are more than literals, and, at the end, what follows them. Made of bytes. */
  | {
      readonly kind: 'rest';
      readonly rows: string;
      readonly clause: string;
      /** SQLite does the same if these rows are a statement of their own. */
      readonly isApart: boolean;
      readonly isEnd: boolean;
      readonly isOpen: boolean;
    }
  /** Rows after COPY, and those of them that have another number of values. `length`: their bytes in the file. */
  | {
      readonly kind: 'copied';
      readonly batch: RecordBatch;
      readonly problems: readonly RecordProblem[];
      readonly length: number;
    }
  /** `isOpen`: the file ends in the middle of the rows. */
  | { readonly kind: 'copy-end'; readonly line: number; readonly isOpen: boolean }
  | InsertedRecords;

/** What is known once all of the file is read. */
export interface DumpEnd {
  /** Statements after the last one of the file. */
  readonly statements: readonly string[];
  /** Whole sentences about changes of types and names. */
  readonly notes: readonly string[];
  /** Line of a statement longer than any can be, where reading ended; 0: none. */
  readonly tooLong: number;
}

export interface DumpReader {
  readonly facts: DumpFacts;
  readonly bytesRead: number;
  /** Null at the end. What it returns is valid until the next call. @throws AppError `io`, `not-found` */
  next(): Promise<DumpStep | null>;
  /** Call once, after the last step. */
  finish(): DumpEnd;
  close(): void;
}
