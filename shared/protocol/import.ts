// Import: the records of a file (or of pasted text) into a table.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';
import type { Value } from './values.ts';

export type ImportFormatId = 'csv' | 'json' | 'ndjson' | 'xlsx' | 'parquet' | 'sqlite' | 'sql';

export type ImportSource =
  | { readonly kind: 'file'; readonly token: FileToken }
  | { readonly kind: 'text'; readonly text: string; readonly name: string };

/** How a file is read. Every option is detected and can be changed. */
export interface ImportOptions {
  readonly format: ImportFormatId;
  /** Name of the encoding as TextDecoder knows it. */
  readonly encoding: string;
  /** CSV: one character, or more. */
  readonly delimiter: string;
  /** CSV: '' for none. */
  readonly quote: string;
  readonly hasHeader: boolean;
  /** Lines to pass over before the header. */
  readonly skipLines: number;
  /** Lines that begin with it are comments; '' for none. */
  readonly comment: string;
  /** `1,5` is one and a half. */
  readonly decimalComma: boolean;
  /** Unquoted texts that mean NULL; an empty string here makes unquoted empty fields NULL. */
  readonly nullTokens: readonly string[];
  /** Spreadsheets: the sheet. Databases: the table. */
  readonly part: string | null;
}

/** Why an option was detected: a sentence, and the line it is seen in. */
export interface Evidence {
  readonly option: keyof ImportOptions;
  readonly reason: string;
  readonly line?: number;
}

/** What is known of a file from its beginning. */
export interface ImportLook {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly options: ImportOptions;
  readonly evidence: readonly Evidence[];
  readonly columns: readonly string[];
  /** Sheets or tables it could be read from; empty where there is one. */
  readonly parts: readonly string[];
}

export type ColumnType = 'INTEGER' | 'REAL' | 'NUMERIC' | 'TEXT' | 'BLOB';

/** What one column of the file holds, counted over all records. */
export interface ColumnFacts {
  readonly name: string;
  readonly absent: number;
  readonly empty: number;
  readonly quotedEmpty: number;
  readonly nulls: number;
  /** Whole numbers that are printed back the same, within 64 bits. */
  readonly integers: number;
  /** Of these: beyond ±2^53, exact here, but not in JavaScript or Excel. */
  readonly beyond53: number;
  /** Digits alone, but beyond 64 bits: REAL would lose some. */
  readonly beyond64: number;
  readonly leadingZeros: number;
  readonly plusSigns: number;
  readonly hex: number;
  /** With a point or an exponent, printed back the same by SQLite. */
  readonly reals: number;
  /** With a point or an exponent, printed back differently: the same number (1.50), one with more than 15 digits, or 2E10. */
  readonly inexactReals: number;
  readonly booleans: number;
  /** By format, such as `YYYY-MM-DD`. */
  readonly dates: Readonly<Record<string, number>>;
  readonly texts: number;
  readonly json: number;
  readonly blobs: number;
  /** Bytes of UTF-8. */
  readonly longest: number;
  /** What would be stored so that every field stays as it is written. */
  readonly suggested: ColumnType;
  /** “3,204,112 integers, 2 with leading zeros: TEXT, so 007 stays 007”. */
  readonly reason: string;
}

export interface ImportAnalysis {
  readonly records: number;
  readonly columns: readonly ColumnFacts[];
  /** Records that cannot be read. */
  readonly problems: number;
}

export type ImportTarget =
  | { readonly kind: 'new-table'; readonly table: string; readonly strict: boolean }
  | {
      readonly kind: 'table';
      readonly table: string;
      readonly mode: 'append' | 'replace' | 'upsert';
      /** Upsert: columns of a unique key of the table. */
      readonly key: readonly string[];
      /** Upsert: rows that are there are left, overwritten, or only their NULLs filled. */
      readonly existing: 'skip' | 'overwrite' | 'fill';
    };

/** One column of the table, and where its values come from. */
export interface ImportColumn {
  readonly name: string;
  /** Column of the file; null: only `expression`. */
  readonly from: number | null;
  /** Of a new table. */
  readonly type: string;
  readonly notNull: boolean;
  readonly primaryKey: boolean;
  /** Of a new table: SQL of its default; '' for none. */
  readonly defaultSql: string;
  /** SQL with `value` for the field; '' for the field itself. */
  readonly expression: string;
}

export interface ImportPlan {
  readonly source: ImportSource;
  readonly options: ImportOptions;
  readonly target: ImportTarget;
  readonly columns: readonly ImportColumn[];
  /** Ends early after so many bad records with none good, or so many in all. */
  readonly maxProblems: number;
}

export interface ImportPreview {
  /** As they will be stored, in the order of the plan's columns: the first thousand records, imported for a try and taken back. */
  readonly rows: readonly (readonly Value[])[];
  /** How many were read for it: more than there are rows where some cannot be stored. */
  readonly records: number;
  readonly problems: readonly ImportProblem[];
  /** Upsert: of all records so far. */
  readonly changes: {
    readonly added: number;
    readonly changed: number;
    readonly equal: number;
    readonly skipped: number;
  } | null;
  /** As those of {@link RowsImportReply}. */
  readonly notes: readonly string[];
}

/** A record that was not imported. */
export interface ImportProblem {
  readonly line: number;
  readonly reason: string;
  /** Its fields as text; one text where it could not be taken apart. */
  readonly fields: readonly string[];
}

export interface RowsImportReply {
  /** For `import.problems` and `import.again`, as long as this window has the database open. */
  readonly id: string;
  /** As it is declared. */
  readonly table: string;
  readonly added: number;
  readonly changed: number;
  /** Upsert: rows that were as the file has them. */
  readonly equal: number;
  /** Records that were left out on purpose: their row was there already, or a trigger ignored them. */
  readonly skipped: number;
  /** Records that were not imported; those kept can be read with `import.problems`. */
  readonly problems: number;
  /** Of these: as many as are kept. */
  readonly keptProblems: number;
  /** Whole sentences about what was done to records that were not as they should be. */
  readonly notes: readonly string[];
  readonly timeMs: number;
}

export interface ImportOperations {
  'import.look': Op<{ readonly source: ImportSource; readonly options: Partial<ImportOptions> }, ImportLook>;
  'import.analyze': Op<{ readonly source: ImportSource; readonly options: ImportOptions }, ImportAnalysis, Progress>;
  /** `maxRecords`: instead of a thousand, 10,000 at most. `valuesOnly`: what the table itself says of the rows is not asked. */
  'import.preview': Op<
    {
      readonly database: DatabaseId;
      readonly plan: ImportPlan;
      readonly maxRecords?: number;
      readonly valuesOnly?: true;
    },
    ImportPreview
  >;
  /** The same for a new table of a database that is yet to be made. */
  'import.previewNew': Op<{ readonly plan: ImportPlan }, ImportPreview>;
  /**
   * One transaction, one step of the history. Stopped or failed: everything is as before. Fails with `not-undoable`, with nothing changed, when the
   * history could not take it back and `withoutUndo` is not set; `exists` when the new table's name is taken; `invalid` for a plan
   * that makes no sense; `sql` for an expression, a default or a type SQLite refuses; `constraint` with a last word of foreign keys.
   */
  'import.run': Op<
    { readonly database: DatabaseId; readonly plan: ImportPlan; readonly withoutUndo?: boolean },
    RowsImportReply,
    Progress
  >;
  'import.problems': Op<
    { readonly database: DatabaseId; readonly id: string; readonly offset: number; readonly limit: number },
    { readonly columns: readonly string[]; readonly problems: readonly ImportProblem[] }
  >;
  /** Imports records that were mended by hand: same plan, same table (now there), another step with problems of its own. */
  'import.again': Op<
    { readonly database: DatabaseId; readonly id: string; readonly records: readonly (readonly string[])[] },
    RowsImportReply
  >;
  /** Remembers where a file is for this window, past the end of the app; null: it cannot be (in a browser). */
  'import.keepFile': Op<{ readonly token: FileToken }, { readonly sourceId: string | null }>;
  /** To read it once more. Fails with `not-found` when it is not kept for this window, or its place is not known. */
  'import.reopenFile': Op<{ readonly sourceId: string }, { readonly token: FileToken }>;
  'import.forgetFile': Op<{ readonly sourceId: string }, null>;
  /** Lets the file go: its token is dead. */
  'import.end': Op<{ readonly source: ImportSource }, null>;
}
