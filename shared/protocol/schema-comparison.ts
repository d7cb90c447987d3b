// Comparing schemas: the text of a schema, wherever it is, and trying on a copy what would make one schema like another.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { StepId } from './history.ts';
import type { ImportSource } from './import.ts';
import type { Progress } from './library.ts';
import type { SchemaChange, SchemaChangeReport } from './schema-change.ts';

/** Indexes and triggers belong to a table or view; automatic indexes, shadow tables, and SQLite's own tables are no objects here. */
export type ComparedKind = 'table' | 'virtual' | 'view' | 'index' | 'trigger';

export interface ComparedObject {
  readonly kind: ComparedKind;
  readonly name: string;
  /** The table or view that an index or trigger belongs to; otherwise the object's own name. */
  readonly table: string;
  /** SQL as stored in sqlite_schema. */
  readonly sql: string;
  /** Columns of a table in order, including generated ones. Empty for other objects. */
  readonly columns: readonly string[];
}

/** Settings that are stored in the file, in the order in which they are shown. */
export const COMPARED_SETTINGS = ['user_version', 'application_id', 'encoding', 'page_size', 'auto_vacuum'] as const;
export type ComparedSetting = (typeof COMPARED_SETTINGS)[number];

export interface SchemaText {
  /** Objects in the order in which they were created. */
  readonly objects: readonly ComparedObject[];
  /** Empty for a file of SQL; of a server without those of its file. */
  readonly settings: Readonly<Partial<Record<ComparedSetting, string>>>;
}

export interface FileSchema {
  readonly fileName: string;
  readonly schema: SchemaText;
  /** Full sentences about statements that were not understood, and about what differs from the file. */
  readonly notes: readonly string[];
}

export interface MigrationTrial {
  readonly report: Omit<SchemaChangeReport, 'kept'>;
  /** Schema of the copy afterwards. */
  readonly schema: SchemaText;
}

export interface SchemaComparisonOperations {
  /**
   * @param before as it was right before this step of the history. @throws AppError `not-found`, `unavailable` when that is not known any
   *   more
   */
  'schema.text': Op<{ readonly database: DatabaseId; readonly before?: StepId }, SchemaText>;
  /**
   * Reads a file of SQL, or an SQLite file, into a scratch database of the library's engine, and removes that again.
   * @throws AppError as `transfer.open` does
   */
  'schema.textOfFile': Op<{ readonly source: ImportSource }, FileSchema, Progress>;
  /**
   * Makes the changes on a copy that only this operation sees, and removes it again. `all`: the copy has all committed rows. `sample`: it
   * has one row of each table, which is enough to know the statements.
   * @throws AppError as `schema.change` does; `full`
   */
  'schema.try': Op<
    { readonly database: DatabaseId; readonly changes: readonly SchemaChange[]; readonly rows: 'all' | 'sample' },
    MigrationTrial,
    Progress
  >;
}
