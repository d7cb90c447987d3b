// Operations that change rows from the grid. Each request is one transaction: all of its changes are made or none.
import type { Op } from './envelope.ts';
import type { DatabaseId } from './database-id.ts';
import type { ReaderId } from './rows.ts';
import type { Column } from './schema.ts';
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
  | {
      readonly kind: 'delete';
      readonly key: readonly Value[];
      /** Deletes the rows that refer to it, too, where a foreign key would not allow the deletion otherwise. */
      readonly withReferring?: true;
    };

/** A change of a row of one of several tables. */
export type TableChange = RowChange & { readonly table: string };

/**
 * State of the row of a change since it was made. `done`: the change is already there. `conflict`: other values are stored than the user
 * saw. `gone`: the row, its table, or a column no longer exists.
 */
export type ChangeState =
  | { readonly kind: 'ready' | 'done' }
  | { readonly kind: 'conflict'; readonly current: Readonly<Record<string, Value>> }
  | { readonly kind: 'gone'; readonly why: string };

/** Values by column. */
export type RowImage = Readonly<Record<string, Value>>;

/** Effect on one row. For an update, the images hold the columns that it sets; otherwise all columns that can be written. */
export interface MadeChange {
  readonly table: string;
  /** Null: the row did not exist. */
  readonly before: { readonly key: readonly Value[]; readonly image: RowImage } | null;
  /** Null: the row no longer exists. */
  readonly after: { readonly key: readonly Value[]; readonly image: RowImage } | null;
}

export interface EditReply {
  /** The key that the row has now, for each change; null for a deleted row. */
  readonly keys: readonly (readonly Value[] | null)[];
  readonly rowsChanged: number;
}

/** The table column that edits of a result's column go to, or a sentence why there is none. */
export type EditableColumn =
  | {
      readonly table: string;
      /** The column as declared; `references` is null if its foreign key cannot be set because one of its columns is generated. */
      readonly column: Column;
      readonly strict: boolean;
      /** The packed columns of the result that identify the row. */
      readonly key: readonly number[];
      /** The columns of the unique key that these are; null if they are the key that edits use. See `edit.findKey`. */
      readonly by: readonly string[] | null;
    }
  | { readonly why: string };

export interface EditOperations {
  /** Tells for each packed column of a result where its edits go. Ask again after the schema has changed. */
  'edit.columns': Op<{ readonly database: DatabaseId; readonly reader: ReaderId }, readonly EditableColumn[]>;
  /** Returns the key of the row with these values in the columns of a unique key; null if no row, or more than one, has them. */
  'edit.findKey': Op<
    {
      readonly database: DatabaseId;
      readonly table: string;
      readonly by: readonly string[];
      readonly values: readonly Value[];
    },
    readonly Value[] | null
  >;
  /**
   * Applies the changes in order, in one transaction. Fails with `constraint`, `conflict` (`detail.current` has the current values),
   * `not-found`, `transaction-elsewhere`; nothing is changed then.
   */
  'edit.apply': Op<
    { readonly database: DatabaseId; readonly table: string; readonly changes: readonly RowChange[] },
    EditReply
  >;
  /**
   * Applies the changes in one transaction, in an order in which they do not break a constraint, if there is one. Fails as `edit.apply`, with
   * the index of the change in `detail.change` if one of them is the cause.
   *
   * `title`: of the step in the history; those of held changes have one of their own.
   */
  'edit.applyAll': Op<
    { readonly database: DatabaseId; readonly changes: readonly TableChange[]; readonly title?: string },
    { readonly rowsChanged: number }
  >;
  /**
   * Makes, for a database on a server, changes of rows of any tables in one batch, in order, each only if its row still is as it was. Fails
   * as `edit.apply`; nothing is changed then.
   */
  'edit.applyMade': Op<
    { readonly database: DatabaseId; readonly title: string; readonly changes: readonly MadeChange[] },
    { readonly rowsChanged: number }
  >;
  /** Says of each change whether it can still be applied. */
  'edit.check': Op<{ readonly database: DatabaseId; readonly changes: readonly TableChange[] }, readonly ChangeState[]>;
}
