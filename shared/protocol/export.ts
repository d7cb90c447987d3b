// Operations that write rows, schemas and databases as text or as files for other programs.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';
import type { Value } from './values.ts';
import type { FilterEntry, ReaderId, SortTerm } from './rows.ts';

/** Positions from 0; both ends are included. */
export interface RowInterval {
  readonly first: number;
  readonly last: number;
}

/** A row of a table as the user sees it: its position among the rows, and its key. */
export interface SeenRow {
  readonly position: number;
  readonly key: readonly Value[];
}

/** Selects part of the rows of a source; a missing property means all. */
export interface RowSelection {
  /** Sorted, without overlaps; positions as numbered in the grid. */
  readonly rows?: readonly RowInterval[];
  /**
   * Keys of the two rows at the ends, where `rows` is one range of a table: the rows between them are meant, wherever they are by now, also
   * in the other order. If one of the two is gone, or cannot be found by key and is elsewhere, the export fails with `refused`.
   */
  readonly corners?: readonly [first: readonly Value[], last: readonly Value[]];
  /**
   * Some of these rows of a table, by position. Others may have committed what the window has not heard of yet: if another row is at one of
   * these positions, the export fails with `refused`.
   */
  readonly seen?: readonly SeenRow[];
  /** Names of table columns, or indexes of result columns, from left to right. */
  readonly columns?: readonly (string | number)[];
}

export interface TablesSource {
  readonly kind: 'tables';
  readonly tables: readonly string[];
  /** With what SQLite needs to compare them, and nothing that could refer to other tables. */
  readonly withoutTriggers?: true;
  /** With the definitions of what their triggers mention, but not its rows: SQLite can then rename the tables in the triggers. */
  readonly withMentioned?: true;
  readonly withoutRows?: true;
}

export type ExportSource =
  /** A table or view as a grid shows it: sorted, filtered, with its columns in their order. */
  | ({
      readonly kind: 'table';
      readonly table: string;
      readonly sort?: readonly SortTerm[];
      readonly filter?: readonly FilterEntry[];
      readonly where?: string;
    } & RowSelection)
  /** A kept result, whole. `sql` is run again for values that were only kept in part; null if it cannot be run again. */
  | ({ readonly kind: 'result'; readonly reader: ReaderId; readonly sql: string | null } & RowSelection)
  /** The rows of one read-only statement. */
  | { readonly kind: 'query'; readonly sql: string }
  | TablesSource
  /** All definitions, no rows. */
  | { readonly kind: 'schema' }
  | { readonly kind: 'database' };

export type ExportSourceKind = ExportSource['kind'];

/**
 * `files`: each BLOB becomes a file in a folder beside the export, and its cell contains the file name. Formats that do not support that
 * write hexadecimal text.
 */
export const BLOB_FORMS = ['hex', 'base64', 'files'] as const;
export type BlobForm = (typeof BLOB_FORMS)[number];

/** Options that the user can choose; each format uses some of them. */
export interface ExportOptions {
  /** Write the column names first. */
  readonly header: boolean;
  /** One character. */
  readonly delimiter: string;
  readonly nullText: string;
  readonly lineEnding: 'lf' | 'crlf';
  /** Start with the UTF-8 byte order mark. */
  readonly bom: boolean;
  readonly decimal: '.' | ',';
  readonly blobs: BlobForm;
  /** Put an apostrophe before text that a spreadsheet would read as a formula. */
  readonly formulaGuard: boolean;
  /** In a spreadsheet, write the columns that hold nothing but dates of ISO 8601 as dates. Their rows are read twice. */
  readonly excelDates: boolean;
  /** Include the statements that create the table. */
  readonly ddl: boolean;
  /** The same bytes for the same content: tables by name, rows in the order of their keys or values, each on one line. */
  readonly stable: boolean;
  /** The table name in INSERT and UPDATE; empty for the table the rows come from. */
  readonly tableName: string;
}

export type ExportOptionId = keyof ExportOptions;

export const DEFAULT_EXPORT_OPTIONS: ExportOptions = {
  header: true,
  delimiter: ',',
  nullText: '',
  lineEnding: 'lf',
  bom: false,
  decimal: '.',
  blobs: 'hex',
  formulaGuard: false,
  excelDates: false,
  ddl: true,
  stable: false,
  tableName: '',
};

/** A format as the user sees it. The worker has one file for each format. */
export interface ExportFormatInfo {
  readonly id: string;
  readonly label: string;
  /** File extension without the dot. */
  readonly extension: string;
  readonly mediaType: string;
  readonly options: readonly ExportOptionId[];
  /** Full sentences about what does not survive a round trip through the file; empty if everything does. */
  readonly cannotHold: readonly string[];
  /** The same about BLOBs, which most tables do not have; missing if they survive. */
  readonly ofBlobs?: string;
  readonly sources: readonly ExportSourceKind[];
  /** Offered only for the clipboard: no program reads this format as a file. */
  readonly copyOnly?: true;
  /** BLOBs can be written as separate files. */
  readonly canNameFiles?: true;
  /** The format is binary: its preview shows the rows as tab-separated text. */
  readonly isBinary?: true;
}

export interface ExportReply {
  readonly rows: number;
  readonly sizeBytes: number;
  /** Full sentences about values that differ between the file and the database. */
  readonly notes: readonly string[];
  /** Rows are missing, because they could not be read; the notes name their tables. */
  readonly isPartial?: true;
}

export interface ExportText extends ExportReply {
  readonly text: string;
  /** Columns that hold nothing but dates so far, if the format could write them as such. */
  readonly dateColumns: readonly string[];
  /** The preview is incomplete. */
  readonly isCut: boolean;
}

interface ExportRequest {
  readonly database: DatabaseId;
  readonly source: ExportSource;
  readonly format: string;
  readonly options: ExportOptions;
}

export interface ExportOperations {
  'export.formats': Op<Record<string, never>, readonly ExportFormatInfo[]>;
  /**
   * Streams into the sink. Other connections can still read; writes wait until the last row is read. Fails with `sql`, `not-found`,
   * `invalid`, `refused`, `unavailable`, `stopped`, `io`, `full`; no partial file is left then.
   */
  'export.file': Op<ExportRequest & { readonly sink: FileToken }, ExportReply, Progress>;
  /**
   * Exports each table to a file of its own in a chosen folder, all from one snapshot; the files appear when all of them are written.
   * Without `replace`, fails with `exists` before anything is written if files are there already: `detail.names` lists them, one per line,
   * and the folder token stays valid. Otherwise fails as `export.file` does.
   */
  'export.folder': Op<
    {
      readonly database: DatabaseId;
      readonly tables: readonly string[];
      readonly format: string;
      readonly options: ExportOptions;
      readonly folder: FileToken;
      readonly replace: boolean;
    },
    ExportReply & { readonly files: number },
    Progress
  >;
  /** Writes bytes made by the window to a file the user has chosen. Fails with `io`, `full`; no partial file is left then. */
  'export.bytes': Op<{ readonly sink: FileToken; readonly bytes: Uint8Array }, null>;
  /**
   * The same as text. With `maxRows` only the first rows of each table (for a preview). Fails with `too-big` past 100 MB where all rows
   * are asked for, and with `unavailable` for a format that is no text.
   */
  'export.text': Op<ExportRequest & { readonly maxRows?: number }, ExportText, Progress>;
}
