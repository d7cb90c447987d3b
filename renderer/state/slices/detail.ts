// State: the cell the details panel is about.
import type { CellAddress, DatabaseId, ReaderId, StorageClass, Value } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';

/** The current cell. `value` may be a preview: the panel then reads the whole from `source`. */
export interface Detail {
  readonly tabId: string;
  readonly database: DatabaseId;
  /** “Track 12”, “Row 3”. */
  readonly title: string;
  readonly column: string;
  readonly declaredType: string;
  /** The table column it comes from, when it does: for foreign keys. */
  readonly origin: { readonly table: string; readonly column: string } | null;
  /** The row of a table it is in; null in a result. */
  readonly row: {
    readonly table: string;
    /** The whole value of another of its columns; undefined when that is not here. */
    valueOf(column: string): Value | undefined;
  } | null;
  readonly value: Value;
  readonly storageClass: StorageClass;
  /** Of the whole value, in bytes. */
  readonly sizeBytes: number;
  /** False when `value` is only the beginning. */
  readonly complete: boolean;
  readonly source:
    | { readonly kind: 'cell'; readonly cell: CellAddress }
    | { readonly kind: 'position'; readonly reader: ReaderId; readonly position: number; readonly column: number };
}

export interface DetailSlice {
  readonly detail: Detail | null;
  /** After a crash: what it may have come from is not shown again before a cell is selected. */
  readonly detailWaits: boolean;
  setDetail(detail: Detail | null): void;
}

export const createDetailSlice: StateCreator<DetailSlice, [], [], DetailSlice> = (set) => ({
  detail: null,
  detailWaits: false,
  setDetail: (detail) => set({ detail }),
});
