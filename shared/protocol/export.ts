// Operations that write rows, schemas and databases out as text or as files of other programs.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';
import type { FilterTerm, ReaderId, SortTerm } from './rows.ts';

/** Both ends included; from 0 on. */
export interface RowInterval {
  readonly first: number;
  readonly last: number;
}

/** A part of the rows of a source; what is left out means all. */
export interface RowSelection {
  /** Sorted, without overlaps; positions as the grid numbers them. */
  readonly rows?: readonly RowInterval[];
  /** Names of table columns, or numbers of result columns, from left to right. */
  readonly columns?: readonly (string | number)[];
}

export type ExportSource =
  /** A table or view as a grid shows it: sorted, filtered, its columns in their order. */
  | ({
      readonly kind: 'table';
      readonly table: string;
      readonly sort?: readonly SortTerm[];
      readonly filter?: readonly FilterTerm[];
      readonly where?: string;
    } & RowSelection)
  /** A result that is kept, whole. `sql` is what is run again where a value was kept in part only; null: it cannot be run again. */
  | ({ readonly kind: 'result'; readonly reader: ReaderId; readonly sql: string | null } & RowSelection)
  /** The rows of one statement that only reads. */
  | { readonly kind: 'query'; readonly sql: string }
  | { readonly kind: 'tables'; readonly tables: readonly string[] }
  /** Every definition and no row. */
  | { readonly kind: 'schema' }
  | { readonly kind: 'database' };

export type ExportSourceKind = ExportSource['kind'];

/** `files`: each BLOB is a file in a folder beside, and its cell names it. Formats that cannot do that write hexadecimal text. */
export const BLOB_FORMS = ['hex', 'base64', 'files'] as const;
export type BlobForm = (typeof BLOB_FORMS)[number];

/** What a person can choose; each format takes some of it. */
export interface ExportOptions {
  /** The names of the columns come first. */
  readonly header: boolean;
  /** One character. */
  readonly delimiter: string;
  readonly nullText: string;
  readonly lineEnding: 'lf' | 'crlf';
  /** Begins with the byte order mark of UTF-8. */
  readonly bom: boolean;
  readonly decimal: '.' | ',';
  readonly blobs: BlobForm;
  /** Puts an apostrophe before text that a spreadsheet would take for a formula. */
  readonly formulaGuard: boolean;
  /** With the statements that create the table. */
  readonly ddl: boolean;
  /** The table that INSERT and UPDATE name; empty: the one the rows are of. */
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
  ddl: true,
  tableName: '',
};

/** What a person sees of a format. The worker has one file for each. */
export interface ExportFormatInfo {
  readonly id: string;
  readonly label: string;
  /** Of the file, without the dot. */
  readonly extension: string;
  readonly mediaType: string;
  readonly options: readonly ExportOptionId[];
  /** Whole sentences about what is not exactly the same when the file is read again; none: it holds everything. */
  readonly cannotHold: readonly string[];
  readonly sources: readonly ExportSourceKind[];
  /** Only for the clipboard: no program reads a file of it. */
  readonly copyOnly?: true;
  /** BLOBs can be files of their own. */
  readonly canNameFiles?: true;
  /** It is no text: its preview shows the rows as text with tabs. */
  readonly isBinary?: true;
}

export interface ExportReply {
  readonly rows: number;
  readonly sizeBytes: number;
  /** Whole sentences about values that are not in the file as they are in the database. */
  readonly notes: readonly string[];
}

export interface ExportText extends ExportReply {
  readonly text: string;
  /** There is more of it. */
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
   * Streams into the sink; others read on meanwhile, writes wait until the last row is read. Fails with `sql`, `not-found`, `invalid`,
   * `unavailable`, `stopped`, `io`, `full`: nothing is left of the file then.
   */
  'export.file': Op<ExportRequest & { readonly sink: FileToken }, ExportReply, Progress>;
  /**
   * Each table into a file of its own in a chosen folder, all of one moment; the files appear there when all of them are written. Fails with
   * `exists` before anything is written where `replace` is not set and files are there: `detail.names` has them, a line each, and the
   * folder can be used again. Otherwise as `export.file`.
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
  /** Writes bytes that the window has made into a file the person has chosen. Fails with `io`, `full`: nothing is left of the file then. */
  'export.bytes': Op<{ readonly sink: FileToken; readonly bytes: Uint8Array }, null>;
  /**
   * The same as text. With `maxRows` only the first rows of each table (for a preview). Fails with `too-big` past 100 MB where all rows
   * are asked for, and with `unavailable` for a format that is no text.
   */
  'export.text': Op<ExportRequest & { readonly maxRows?: number }, ExportText, Progress>;
}
