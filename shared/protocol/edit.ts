// Operations that change rows from the grid. Each request is one transaction: all of it happens or nothing does.
import type { Op } from './envelope.ts';
import type { DatabaseId } from './database-id.ts';
import type { Value } from './values.ts';

export type RowChange =
  | {
      readonly kind: 'update';
      readonly key: readonly Value[];
      readonly set: Readonly<Record<string, Value>>;
      /** What the person saw in those columns. A difference is a `conflict`: somebody was faster. */
      readonly base: Readonly<Record<string, Value>>;
    }
  | { readonly kind: 'insert'; readonly set: Readonly<Record<string, Value>> }
  | { readonly kind: 'duplicate'; readonly key: readonly Value[] }
  | { readonly kind: 'delete'; readonly key: readonly Value[] };

export interface EditReply {
  /** Per change: the key of the row as it is now; null for a deleted one. */
  readonly keys: readonly (readonly Value[] | null)[];
  readonly rowsChanged: number;
}

export interface EditOperations {
  /**
   * Applies the changes in order, in one transaction. Fails with `constraint`, `conflict` (`detail.current` says what
   * is there now), `not-found`, `transaction-elsewhere`; then nothing was changed.
   */
  'edit.apply': Op<
    { readonly database: DatabaseId; readonly table: string; readonly changes: readonly RowChange[] },
    EditReply
  >;
}
