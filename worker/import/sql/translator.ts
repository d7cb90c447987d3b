// Actions for one statement of a file of SQL.
import type { RecordParameter } from '../../engines/record-values.ts';
import type { MadeTable } from './rewriting.ts';
import type { ColumnContent, InsertTarget } from './column-content.ts';

export type SqlAction =
  /** Statements for SQLite. `left`: rows of an INSERT that are left out. */
  | { readonly do: 'run'; readonly sql: readonly string[]; readonly left?: readonly LeftRow[] }
  /** A table, whose checks may not mean anything to SQLite: each of those is left out. `after`: statements that follow it. */
  | {
      readonly do: 'create-table';
      readonly table: MadeTable;
      readonly checks: readonly string[];
      readonly after: readonly string[];
    }
  /** It would import nothing; `group` says which such statements these are, as a plural. */
  | { readonly do: 'leave'; readonly group: string }
  | { readonly do: 'refuse'; readonly reason: string }
  /** A row of the schema table for a virtual table: its tables follow with their content. */
  | { readonly do: 'virtual-table'; readonly name: string; readonly sql: string }
  /** Its rows follow. */
  | {
      readonly do: 'copy';
      readonly table: string;
      readonly columns: readonly CopyColumn[];
      readonly format: CopyFormat;
    };

export interface LeftRow {
  /** Lines of the statement before it. */
  readonly lines: number;
  /** The beginning, made of bytes. */
  readonly text: string;
  /** A whole sentence. */
  readonly reason: string;
}

/** How rows after COPY are written. */
export interface CopyFormat {
  /** One character. */
  readonly delimiter: string;
  readonly nullText: string;
  /** The first line has names. */
  readonly hasHeader: boolean;
  /** Signs of the format CSV, one character each; null: the text format. */
  readonly csv: { readonly quote: string; readonly escape: string } | null;
}

export interface CopyColumn {
  readonly name: string;
  readonly as: RecordParameter['as'];
  readonly holds: ColumnContent;
  /** SQLite computes its values. */
  readonly isGenerated: boolean;
}

/** How the text of a file is read. */
export interface DumpText {
  /** The beginning, decoded. */
  readonly beginning: string;
  readonly encoding: string;
  /** Its bytes come as they are in the file, and not as UTF-8. */
  readonly isDecodedLater: boolean;
  /** Columns of tables that exist where the rows go, by names in lower case. */
  readonly existing: ReadonlyMap<string, readonly InsertTarget[]>;
}

/** One for each program that writes such files. Text is made of bytes (byte-text.ts). */
export interface SqlTranslator {
  /** If there is one, the file is read twice: this is called with every statement and command before any is translated. */
  see?(text: string): void;
  /** Called between the two passes. */
  restart?(): void;
  translate(text: string): SqlAction;
  /** Statements after the last one of the file. */
  finish?(): readonly string[];
  /** Whole sentences about changes of types and names. */
  readonly notes: readonly string[];
}
