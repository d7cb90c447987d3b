// Progress of a table: what of it the server has, and what it may have.
import type { RowDigest } from './row-digest.ts';
import type { PlannedTable } from './source-plan.ts';

/** `unsure`: the reply to the last commit was lost. */
export interface SentTable {
  readonly plan: PlannedTable;
  saved: number;
  unsure: number;
  digest: RowDigest;
  /** Digest of all rows, including the unsure ones. */
  unsureDigest: RowDigest | null;
  isComplete: boolean;
  onServer: { readonly rows: number; readonly digest: string } | null;
}
