// Import: writes the records of a file (or of pasted text) into a table.
import type { ImportFormatId } from '../import-formats.ts';
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';
import type { Value } from './values.ts';

export type ImportSource =
  | { readonly kind: 'file'; readonly token: FileToken }
  | { readonly kind: 'text'; readonly text: string; readonly name: string };

/** How a file is read. Every option is detected and can be overridden. */
export interface ImportOptions {
  readonly format: ImportFormatId;
  /** Encoding label as TextDecoder knows it. */
  readonly encoding: string;
  /** CSV: one or more characters. */
  readonly delimiter: string;
  /** CSV: one character; '' for none. */
  readonly quote: string;
  /** CSV: an ASCII character that makes a delimiter, a quote, a line ending, or itself part of a field; '' for none. */
  readonly escape: string;
  /** CSV: blanks after a delimiter are not part of the field, which may be in quotes. */
  readonly skipsBlanks: boolean;
  readonly hasHeader: boolean;
  /** Number of lines to skip before the header. */
  readonly skipLines: number;
  /** Lines starting with it are comments; '' for none. */
  readonly comment: string;
  /** `1,5` is one and a half. */
  readonly decimalComma: boolean;
  /** Unquoted texts that are read as NULL; an empty string here makes unquoted empty fields NULL, and `""` quoted ones. */
  readonly nullTokens: readonly string[];
  /** Spreadsheets: the sheet. Databases: the table. */
  readonly part: string | null;
}

/** Why an option was detected: a sentence, and the line that shows it. */
export interface Evidence {
  readonly option: keyof ImportOptions;
  readonly reason: string;
  readonly line?: number;
  /** Nobody expects it: the command line says it, too. */
  readonly isUnexpected?: true;
}

/** A way to read a file, where another is nearly as likely. */
export interface FileReading {
  /** What sets it apart: “First line as data”. */
  readonly title: string;
  /** What speaks for it. */
  readonly reason: string;
  /** The options that choose it; the others follow from these. */
  readonly options: Partial<ImportOptions>;
  /** Names of the first columns. */
  readonly columns: readonly string[];
  readonly columnCount: number;
  /** Some rows that show the difference, as text, which may be shortened. */
  readonly rows: readonly (readonly string[])[];
}

/** Facts that the beginning of a file reveals about it. */
export interface DetectedSource {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly options: ImportOptions;
  readonly evidence: readonly Evidence[];
  readonly columns: readonly string[];
  /** Sheets or tables to choose from; empty if there is only one. */
  readonly parts: readonly string[];
  /** The detected way to read the file and those that are nearly as likely; empty if none is. */
  readonly readings: readonly FileReading[];
}

export type ColumnType = 'INTEGER' | 'REAL' | 'NUMERIC' | 'TEXT' | 'BLOB';

/** Another way to read a column, which changes how its values are written. */
export type Reading =
  | {
      readonly kind: 'numbers';
      /** Separator of thousands; null: there is only a decimal one. */
      readonly thousands: string | null;
      readonly point: ',' | '.';
      /** Whether all numbers of the column become integers. */
      readonly isWhole: boolean;
    }
  /** Dates, to be stored as ISO 8601. */
  | {
      readonly kind: 'dates';
      readonly first: 'day' | 'month' | 'year';
      readonly separator: '/' | '-' | '.';
      /** Two: the years from 1970 to 2069. */
      readonly yearDigits: 2 | 4;
      /** Whether a time of day may follow: 14:05, or 2:05 PM. */
      readonly clock: 'none' | 24 | 12;
    };

/** Facts about one column of the file, counted over all records. */
export interface ColumnFacts {
  readonly name: string;
  readonly absent: number;
  readonly empty: number;
  readonly quotedEmpty: number;
  readonly nulls: number;
  /** Integers within 64 bits that SQLite prints back unchanged. */
  readonly integers: number;
  /** Number of `integers` beyond ±2^53: exact here, but not in JavaScript or Excel. */
  readonly beyond53: number;
  /** Digits only, but beyond 64 bits: REAL would lose some. */
  readonly beyond64: number;
  readonly leadingZeros: number;
  readonly plusSigns: number;
  readonly hex: number;
  /** Numbers with a point or an exponent that SQLite prints back unchanged. */
  readonly reals: number;
  /** Numbers with a point or an exponent that SQLite prints back differently: the same number (1.50), one with more than 15 digits, or 2E10. */
  readonly inexactReals: number;
  readonly booleans: number;
  /** Counts by format, such as `YYYY-MM-DD`. */
  readonly dates: Readonly<Record<string, number>>;
  /** Numbers with a thousands separator, counted by separator: kept as text unless the user chooses a reading. */
  readonly thousands: Readonly<Record<string, number>>;
  readonly texts: number;
  readonly json: number;
  readonly blobs: number;
  /** Length of the longest field in bytes of UTF-8. */
  readonly longest: number;
  /** The type that stores every field exactly as it is written. */
  readonly suggested: ColumnType;
  /** “3,204,112 integers, 2 with leading zeros”. */
  readonly content: string;
  /** “3,204,112 integers, 2 with leading zeros: TEXT, so 007 stays 007”. */
  readonly reason: string;
  /** What the column could be read as instead of as it is written; several if only the user can know. */
  readonly readings: readonly Reading[];
}

export interface ImportAnalysis {
  readonly records: number;
  readonly columns: readonly ColumnFacts[];
  /** Records that could not be read. */
  readonly problems: number;
  readonly firstProblem: { readonly line: number; readonly reason: string } | null;
}

export type ImportTarget =
  | { readonly kind: 'new-table'; readonly table: string; readonly strict: boolean }
  | {
      readonly kind: 'table';
      readonly table: string;
      readonly mode: 'append' | 'replace' | 'upsert';
      /** Upsert: columns of a unique key of the table. */
      readonly key: readonly string[];
      /** Upsert: existing rows are skipped, overwritten, or only their NULLs are filled. */
      readonly existing: 'skip' | 'overwrite' | 'fill';
    };

/** One column of the table, and the source of its values. */
export interface ImportColumn {
  readonly name: string;
  /** Index of the column in the file; null if only `expression` is used. */
  readonly from: number | null;
  /** An existing table does not have it yet: the import adds it. */
  readonly isNew?: true;
  /** Used only for a new table or column. */
  readonly type: string;
  /**
   * A new table or column gets the type that the whole file suggests, which is not known yet: the import counts what the file holds, a
   * preview goes by its own rows, and `type` is not used.
   */
  readonly isTypeOpen?: true;
  readonly notNull: boolean;
  readonly primaryKey: boolean;
  /** SQL of the default, only for a new table or column; '' for none. */
  readonly defaultSql: string;
  /** SQL with `value` for the field; '' for the field itself. */
  readonly expression: string;
}

export interface ImportPlan {
  readonly source: ImportSource;
  readonly options: ImportOptions;
  readonly target: ImportTarget;
  readonly columns: readonly ImportColumn[];
  /** The import ends early after this many bad records with no good one, or this many in all. */
  readonly maxProblems: number;
}

export interface ImportPreview {
  /** Values as they will be stored, in the order of the plan's columns: the first thousand records, imported as a trial and rolled back. */
  readonly rows: readonly (readonly Value[])[];
  /** Number of records read for it: more than there are rows if some cannot be stored. */
  readonly records: number;
  readonly problems: readonly ImportProblem[];
  /** Upsert: counts over all records so far. */
  readonly changes: {
    readonly added: number;
    readonly changed: number;
    readonly equal: number;
    readonly skipped: number;
  } | null;
  /** See {@link RowsImportReply}. */
  readonly notes: readonly string[];
}

/** A record that was not imported. */
export interface ImportProblem {
  readonly line: number;
  readonly reason: string;
  /** The fields as text. */
  readonly fields: readonly string[];
  /** The record could not be split: the only field is its text. */
  readonly isUnread?: true;
}

export interface RowsImportReply {
  /** Identifies the import for `import.problems` and `import.again`, while this window has the database open. */
  readonly id: string;
  /** Name as declared. */
  readonly table: string;
  readonly added: number;
  /** Replace: rows of the table that were deleted, without those that triggers and foreign keys deleted with them. */
  readonly removed: number;
  readonly changed: number;
  /** Upsert: existing rows that already matched the file. */
  readonly equal: number;
  /** Records that were skipped on purpose: their row existed already, or a trigger ignored them. */
  readonly skipped: number;
  /** Records that could not be imported; `import.problems` reads those that were kept. */
  readonly problems: number;
  /** How many of these were kept. */
  readonly keptProblems: number;
  /** Full sentences about how irregular records were handled. */
  readonly notes: readonly string[];
  /** What the whole file holds, if the type of a column was open. */
  readonly analysis?: ImportAnalysis;
  readonly timeMs: number;
}

export interface ImportOperations {
  'import.detect': Op<{ readonly source: ImportSource; readonly options: Partial<ImportOptions> }, DetectedSource>;
  'import.analyze': Op<{ readonly source: ImportSource; readonly options: ImportOptions }, ImportAnalysis, Progress>;
  /** `maxRecords`: overrides the default of a thousand, 10,000 at most. `valuesOnly`: the rows are not tried on the table itself. */
  'import.preview': Op<
    {
      readonly database: DatabaseId;
      readonly plan: ImportPlan;
      readonly maxRecords?: number;
      readonly valuesOnly?: true;
    },
    ImportPreview
  >;
  /** The same for a new table in a database that does not exist yet. */
  'import.previewNew': Op<{ readonly plan: ImportPlan }, ImportPreview>;
  /**
   * One transaction, one step of the history. If it is stopped or fails, nothing changes. Fails with `not-undoable`, with nothing changed,
   * if the history could not undo it and `withoutUndo` is not set; `exists` if the new table's name is taken; `invalid` for an inconsistent
   * plan; `sql` for an expression, default or type that SQLite refuses; `constraint` for a foreign key violation found at the end.
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
  /** Imports records that the user has corrected (null: one that could not be read and still cannot): same plan, same table (which now exists), another step with problems of its own. */
  'import.again': Op<
    { readonly database: DatabaseId; readonly id: string; readonly records: readonly (readonly string[] | null)[] },
    RowsImportReply
  >;
  /** Remembers where a file is for this window, across restarts of the app; null if that is impossible (in a browser). */
  'import.keepFile': Op<{ readonly token: FileToken }, { readonly locationId: string | null }>;
  /** Returns a token to read the file again. Fails with `not-found` if it is not kept for this window, or its location is unknown. */
  'import.reopenFile': Op<{ readonly locationId: string }, { readonly token: FileToken }>;
  'import.forgetFile': Op<{ readonly locationId: string }, null>;
  /** Releases the file: its token becomes invalid. */
  'import.end': Op<{ readonly source: ImportSource }, null>;
}
