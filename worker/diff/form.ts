// The interface of a form in which differences are written.
import type { SettingDifference } from '#shared/schema-diff/compare-schemas.ts';
import type { ComparedTable } from './compared-tables.ts';
import type { BlockRow } from './merge-rows.ts';
import type { ObjectChange } from './schema-changes.ts';

export interface RowCounts {
  added: number;
  removed: number;
  changed: number;
}

/** Calls come in this order: `schema`, then for each table `begin`, `row` …, `end`; then `finish`. Equal tables are left out. */
export interface DiffWriter {
  schema(objects: readonly ObjectChange[], settings: readonly SettingDifference[]): void;
  begin(table: ComparedTable): void;
  /** A null stands for the side that lacks the row. */
  row(before: BlockRow | null, after: BlockRow | null): void;
  end(counts: RowCounts): void;
  finish(isEqual: boolean, notCompared: readonly TableNotCompared[]): void;
}

export interface TableNotCompared {
  readonly table: string;
  readonly why: string;
  /** Its rows are computed, or compared with another table. */
  readonly isElsewhere: boolean;
}
