// The data of a schema diagram: tables with their columns, and the relations between them.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';

export interface DiagramColumn {
  readonly name: string;
  /** Type as declared, possibly empty. */
  readonly declaredType: string;
  readonly notNull: boolean;
  /** 1-based position in the primary key, 0 if not part of it. */
  readonly primaryKeyIndex: number;
}

export interface DiagramTable {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'virtual';
  readonly columns: readonly DiagramColumn[];
}

/** Columns of `table` that refer to `targetColumns` of `target`, in pairs. */
export interface KeyColumns {
  readonly table: string;
  readonly columns: readonly string[];
  readonly target: string;
  /** Empty if the referenced table does not exist, or has no primary key. */
  readonly targetColumns: readonly string[];
}

export interface Relation extends KeyColumns {
  /** `likely`: not declared as a foreign key, but suggested by name, type and a unique key in the target. */
  readonly origin: 'declared' | 'likely';
  /** Action as written in SQL; `NO ACTION` if none is declared. */
  readonly onUpdate: string;
  readonly onDelete: string;
  /** One of the columns can be NULL, so a row need not refer to another. */
  readonly optional: boolean;
  /** At most one row refers to each row of the target, because the columns contain a unique key. */
  readonly single: boolean;
  /** Why a declared key cannot be resolved; null if it can. */
  readonly problem: string | null;
}

export interface SchemaDiagram {
  /** Excludes shadow tables and SQLite's own tables. */
  readonly tables: readonly DiagramTable[];
  readonly relations: readonly Relation[];
  readonly schemaVersion: number;
}

/** Statistics about the rows of a relation. */
export interface RelationCounts {
  /** Rows of the referring table. */
  readonly rows: number;
  /** Rows with a NULL in the key, which refer to nothing. */
  readonly without: number;
  /** Rows whose key values do not exist in the target. */
  readonly broken: number;
  /** Rows of the target. */
  readonly targets: number;
  /** Fewest rows that refer to one row of the target; 0 if none refer, or the target is empty. */
  readonly fewest: number;
  readonly average: number;
  readonly most: number;
}

export interface SchemaDiagramOperations {
  'schema.diagram': Op<{ readonly database: DatabaseId }, SchemaDiagram>;
  /** Reads both tables once. Can be canceled. */
  'schema.countRelation': Op<{ readonly database: DatabaseId; readonly key: KeyColumns }, RelationCounts>;
}
