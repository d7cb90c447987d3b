// What a diagram of a schema is drawn from: tables with their columns, and what refers to what.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';

export interface DiagramColumn {
  readonly name: string;
  /** As declared, possibly empty. */
  readonly declaredType: string;
  readonly notNull: boolean;
  /** 1-based place in the primary key, 0 when not part of it. */
  readonly primaryKeyIndex: number;
}

export interface DiagramTable {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'virtual';
  readonly columns: readonly DiagramColumn[];
}

/** Columns of `table` whose values are those of `targetColumns` in `target`, in pairs. */
export interface KeyColumns {
  readonly table: string;
  readonly columns: readonly string[];
  readonly target: string;
  /** Empty where the table that is referred to does not exist, or has no primary key. */
  readonly targetColumns: readonly string[];
}

export interface Relation extends KeyColumns {
  /** `likely`: no foreign key says so, but name, type and a unique key to refer to. */
  readonly origin: 'declared' | 'likely';
  /** As in SQL; `NO ACTION` where nothing is declared. */
  readonly onUpdate: string;
  readonly onDelete: string;
  /** A row may refer to nothing: one of the columns may be NULL. */
  readonly optional: boolean;
  /** At most one row refers to each row of the target: the columns contain a unique key. */
  readonly single: boolean;
  /** Why a declared key cannot be followed; null when it can. */
  readonly problem: string | null;
}

export interface SchemaDiagram {
  /** Without shadow tables and those of SQLite itself. */
  readonly tables: readonly DiagramTable[];
  readonly relations: readonly Relation[];
  readonly schemaVersion: number;
}

/** What is in the rows of a relation. */
export interface RelationCounts {
  /** Rows of the table that refers. */
  readonly rows: number;
  /** Those with a NULL in the key, which refer to nothing. */
  readonly without: number;
  /** Those whose values are in no row of the target. */
  readonly broken: number;
  /** Rows of the target. */
  readonly targets: number;
  /** Rows that refer to one row of the target; 0 where nothing refers, or there is none. */
  readonly fewest: number;
  readonly average: number;
  readonly most: number;
}

export interface SchemaDiagramOperations {
  'schema.diagram': Op<{ readonly database: DatabaseId }, SchemaDiagram>;
  /** Reads both tables once. Stops when it is canceled. */
  'schema.countRelation': Op<{ readonly database: DatabaseId; readonly key: KeyColumns }, RelationCounts>;
}
