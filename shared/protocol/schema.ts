// Operations on the schema of one database.
import type { AddedNames, MissingPart } from '../extensions.ts';
import type { Op } from './envelope.ts';
import type { DatabaseId } from './database-id.ts';
import type { SchemaDiagramOperations } from './schema-diagram.ts';

export type ObjectKind = 'table' | 'view' | 'index' | 'trigger' | 'virtual' | 'shadow';

export interface SchemaObject {
  readonly kind: ObjectKind;
  readonly name: string;
  /** The table that an index or trigger belongs to; the owner of a shadow table; otherwise the object's own name. */
  readonly tableName: string;
  /** SQL as stored in sqlite_schema; null for automatic indexes. */
  readonly sql: string | null;
  /** Set for tables; null until known. `estimated` comes from the key range or sqlite_stat1, never from a count. */
  readonly rows: { readonly count: number; readonly estimated: boolean } | null;
  /** Why this object cannot be read (an error in a view, a missing module); null if it can. */
  readonly problem: string | null;
  /** The part of SQLite whose absence is the problem, which an extension may provide. */
  readonly missing?: MissingPart;
  /** The text of a view that cannot be read, with its texts in single quotes, which makes it readable. */
  readonly corrected?: string;
}

export interface Column {
  readonly name: string;
  /** Type as declared, possibly empty. */
  readonly declaredType: string;
  readonly notNull: boolean;
  readonly defaultSql: string | null;
  /** 1-based position in the primary key, 0 if not part of it. */
  readonly primaryKeyIndex: number;
  /** Generated columns cannot be written (sqlite.org/gencol.html). */
  readonly generated: 'no' | 'virtual' | 'stored';
  /** The first foreign key that includes this column. */
  readonly references: ForeignKey | null;
  /** The collation that the column declares and SQLite does not have here: sorted and filtered rows compare its values by bytes. */
  readonly unknownCollation?: string;
}

export interface ForeignKey {
  readonly table: string;
  /** The column pairs of the key, all of which must match together. `to` is null if the referenced table has no such key. */
  readonly columns: readonly { readonly from: string; readonly to: string | null }[];
}

/** Columns whose combined values differ in every row. */
export interface UniqueKey {
  /** Null if the table definition itself declares it. */
  readonly index: string | null;
  readonly columns: readonly string[];
}

export interface TableDetail {
  readonly name: string;
  readonly kind: ObjectKind;
  readonly columns: readonly Column[];
  readonly withoutRowid: boolean;
  readonly strict: boolean;
  /** Unique keys besides the primary key. */
  readonly uniqueKeys: readonly UniqueKey[];
  readonly sql: string | null;
}

export interface SchemaSnapshot {
  readonly objects: readonly SchemaObject[];
  /** `PRAGMA schema_version`: increases with each schema change. */
  readonly schemaVersion: number;
}

export interface TableColumns {
  readonly table: string;
  readonly columns: readonly string[];
  /** Types as declared, possibly empty, in the order of `columns`. */
  readonly types: readonly string[];
  readonly primaryKey: readonly string[];
  /** Declared foreign keys whose columns are known on both sides, in pairs. */
  readonly references: readonly {
    readonly columns: readonly string[];
    readonly target: string;
    readonly targetColumns: readonly string[];
  }[];
}

export interface SchemaOperations extends SchemaDiagramOperations {
  'schema.get': Op<{ readonly database: DatabaseId }, SchemaSnapshot>;
  'schema.table': Op<{ readonly database: DatabaseId; readonly table: string }, TableDetail>;
  /** Returns tables and views with their columns, for completion and column search. */
  'schema.columns': Op<{ readonly database: DatabaseId }, readonly TableColumns[]>;
  /** Returns what the extensions of the connection add, for completion. */
  'schema.added': Op<{ readonly database: DatabaseId }, AddedNames>;
}
