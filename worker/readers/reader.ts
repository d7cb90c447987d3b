// The interface of every reader: a source of pages of rows, whatever its implementation.
import type { Key } from './key-order.ts';
import type { Extent, ReaderInfo, ResultColumn, RowKey, RowsPage } from '#shared/protocol/rows.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import type { ChangedKeys, TableChanges, TransactionChanges } from '../engines/transaction-changes.ts';
import type { DatabaseSession, WindowSession } from '../sessions/session.ts';
import { type TableShape, keyNames, leadsWithRowid } from '../schema/table-shape.ts';

/** The packed columns of a reader and what they mean. */
export type ReaderLayout = Pick<ReaderInfo, 'columns' | 'hiddenColumns' | 'key'>;

export interface CellValue {
  readonly value: Value;
  readonly storageClass: StorageClass;
  /** Size of the complete value; larger than `value` when that was cut. */
  readonly sizeBytes: number;
}

/** The effect of changes on the rows of a reader: other values in the same positions, or other rows or another order. */
export interface Effect {
  readonly kind: 'values' | 'rows';
  /** The rows that were touched, by the reader's own keys. Null: any. */
  readonly keys: ChangedKeys | null;
}

export interface Reader {
  /** Shown to the user. */
  readonly title: string;
  readonly layout: ReaderLayout;
  readonly extent: Extent;
  /** The rows are all rows of the table, in the order of their row id. */
  readonly isByRowid?: boolean;
  /** Exact names of tables that the rows come from, as far as they are known without a query. */
  readonly tables?: readonly string[];
  /** Called once; resolves when there are rows to show. */
  open?(): Promise<void>;
  read(start: number, count: number): Promise<RowsPage>;
  find(key: Key): Promise<number | null>;
  /** Implemented only by readers that keep their rows. */
  valueAt?(position: number, column: number): CellValue;
  /** Notes changes. Returns their effect on rows that were read before; null when there is none. */
  noteChanges(changes: TransactionChanges): Effect | null;
  /** Reruns readers that show the rows of an earlier run, if that is due; resolves when pages are as current as possible. */
  freshen?(): Promise<void>;
  dispose(): void;
}

/** Host services for a reader. */
export interface ReaderHost {
  readonly database: DatabaseSession;
  readonly window: WindowSession;
  /** Rows that were read may have changed, not through a commit but through what the reader has learned or done since. */
  rowsChanged(): void;
  extentChanged(): void;
  /** The status of a live result has changed. */
  liveChanged(): void;
}

/** The row id comes first and is hidden; a primary key is among the shown columns. */
export function layoutOf(shape: TableShape): ReaderLayout {
  const shown = shape.columns.map((column) => ({
    name: column.name,
    declaredType: column.declaredType,
    origin: { table: shape.name, column: column.name },
  }));
  if (leadsWithRowid(shape)) {
    const rowid: ResultColumn = { name: 'rowid', declaredType: 'INTEGER', origin: null };
    return { columns: [rowid, ...shown], hiddenColumns: 1, key: { kind: 'rowid', columns: [0] } };
  }
  return { columns: shown, hiddenColumns: 0, key: shownKey(shape) };
}

function shownKey(shape: TableShape): RowKey {
  const index = (name: string): number => shape.columns.findIndex((column) => column.name === name);
  if (shape.key.kind === 'primary-key') return { kind: 'primary-key', columns: keyNames(shape.key).map(index) };
  if (shape.key.kind === 'none') return { kind: 'none', columns: [], why: shape.key.why };
  if (shape.rowidColumn !== null) return { kind: 'rowid', columns: [index(shape.rowidColumn)] };
  return {
    kind: 'none',
    columns: [],
    why: 'This table has as many columns as SQLite can read at once, so its row id cannot be read beside them for editing.',
  };
}

/** The effect of changes on the rows of a table in the order of its key. */
export function effectOnTable(changes: TransactionChanges, table: string): Effect | null {
  if (changes.tables === null) return { kind: 'rows', keys: null };
  const change = changeOf(changes.tables, table);
  if (!change) return null;
  const { inserted, updated, deleted, moved, keys } = change;
  if (inserted || deleted || moved) return { kind: 'rows', keys };
  return updated ? { kind: 'values', keys } : null;
}

export function changeOf(tables: ReadonlyMap<string, TableChanges>, table: string): TableChanges | null {
  const exact = tables.get(table);
  if (exact) return exact;
  const wanted = table.toLowerCase();
  for (const [name, change] of tables) if (name.toLowerCase() === wanted) return change;
  return null;
}
