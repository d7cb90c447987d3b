// The chosen target of the rows of an import.
import type { DatabaseId } from '../protocol/index.ts';

export type Mode = 'append' | 'replace' | 'upsert';
export type Existing = 'skip' | 'overwrite' | 'fill';

/** Target of the rows. */
export interface TargetChoice {
  /** Null: a new one in the library, called `databaseName`. */
  readonly database: DatabaseId | null;
  readonly databaseName: string;
  readonly kind: 'new-table' | 'table';
  /** Name of the new table. */
  readonly newTable: string;
  readonly strict: boolean;
  /** Name of the existing one. */
  readonly table: string | null;
  readonly mode: Mode;
  readonly key: readonly string[];
  readonly existing: Existing;
}
