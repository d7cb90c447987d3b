// Facts about a table that is filled with sample rows.
import type { Affinity } from '../ddl/table-model.ts';

/** What CHECK constraints and a declared length allow, as far as they have a simple form. */
export interface AllowedValues {
  /** Values listed by `IN (…)`. */
  readonly list: readonly (string | number)[] | null;
  readonly least: number | null;
  readonly most: number | null;
  readonly shortest: number | null;
  readonly longest: number | null;
}

export interface ColumnFacts {
  readonly name: string;
  readonly declaredType: string;
  /** In a STRICT table, ANY counts as BLOB. */
  readonly affinity: Affinity;
  readonly canBeNull: boolean;
  /** The INTEGER PRIMARY KEY. */
  readonly isRowid: boolean;
  readonly allowed: AllowedValues;
}

export interface ReferenceFacts {
  /** Places in {@link TableFacts.columns}; `parentColumns` in the same order. */
  readonly columns: readonly number[];
  readonly table: string;
  readonly parentColumns: readonly string[];
  /** It refers to its own table. */
  readonly isOwn: boolean;
  /** Not declared, but apparently meant: SQLite does not check it. */
  readonly isLikely: boolean;
  /** Whether the other table has rows. */
  readonly hasRows: boolean;
}

export interface TableFacts {
  readonly name: string;
  /** Excludes generated columns. */
  readonly columns: readonly ColumnFacts[];
  /** The primary key first; places in `columns`. */
  readonly unique: readonly (readonly number[])[];
  readonly references: readonly ReferenceFacts[];
}

export const ANYTHING: AllowedValues = { list: null, least: null, most: null, shortest: null, longest: null };
