// Operations that change rows from the grid. Each request is one transaction: all of its changes are made or none.
import type { Op } from './envelope.ts';
import type { DatabaseId } from './database-id.ts';
import type { Value } from './values.ts';

export type RowChange =
  | {
      readonly kind: 'update';
      readonly key: readonly Value[];
      readonly set: Readonly<Record<string, Value>>;
      /** The values the user saw in those columns. If they differ now, the edit fails with `conflict`. */
      readonly base: Readonly<Record<string, Value>>;
    }
  | { readonly kind: 'insert'; readonly set: Readonly<Record<string, Value>> }
  | { readonly kind: 'duplicate'; readonly key: readonly Value[] }
  | { readonly kind: 'delete'; readonly key: readonly Value[] };

export interface EditReply {
  /** For each change, the key the row has now; null for a deleted row. */
  readonly keys: readonly (readonly Value[] | null)[];
  readonly rowsChanged: number;
}

export interface EditOperations {
  /**
   * Applies the changes in order, in one transaction. Fails with `constraint`, `conflict` (`detail.current` has the current values),
   * `not-found`, `transaction-elsewhere`; nothing is changed then.
   */
  'edit.apply': Op<
    { readonly database: DatabaseId; readonly table: string; readonly changes: readonly RowChange[] },
    EditReply
  >;
}
