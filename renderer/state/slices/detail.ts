// State: the cell shown in the details panel.
import type { CellAddress, DatabaseId, ForeignKey, ReaderId, StorageClass, Value } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';
import { sidesOf } from './tabs.ts';
import type { TabsSlice } from './tabs.ts';

/** The current cell. `value` may be a preview: the panel then reads the whole value from `source`. */
export interface Detail {
  readonly tabId: string;
  readonly database: DatabaseId;
  /** “Track 12”, “Row 3”. */
  readonly title: string;
  readonly column: string;
  readonly declaredType: string;
  /** The table column it comes from, if any; used for foreign keys. `references`: the key of the column, where it is known already. */
  readonly origin: {
    readonly table: string;
    readonly column: string;
    readonly references?: ForeignKey | null;
  } | null;
  /** The table row it is in; null in a result. */
  readonly row: {
    readonly table: string;
    /** Returns the whole value of another column of the row; undefined if it is not loaded. */
    valueOf(column: string): Value | undefined;
  } | null;
  readonly value: Value;
  /** The form in which its column shows it, if any; `text` may be only the beginning, and is null if the value does not fit. */
  readonly shownAs?: { readonly format: string; readonly text: string | null } | null;
  readonly storageClass: StorageClass;
  /** Size of the whole value, in bytes. */
  readonly sizeBytes: number;
  /** False if `value` is only the beginning. */
  readonly complete: boolean;
  /** A sentence why it cannot be changed. */
  readonly editing: DetailEditing | string;
  readonly source:
    | { readonly kind: 'cell'; readonly cell: CellAddress }
    | { readonly kind: 'position'; readonly reader: ReaderId; readonly position: number; readonly column: number }
    /** A cell of a row that is being added. `emptyText`: what a cell that is not filled in becomes; null if it is filled in. */
    | { readonly kind: 'new-row'; readonly emptyText: string | null };
}

/** How the cell is changed. */
export interface DetailEditing {
  readonly declaredType: string;
  /** Whether the table is STRICT. */
  readonly isStrict: boolean;
  readonly notNull: boolean;
  /** Call after a value was stored: the next edit in the grid begins with it. */
  stored(before: Value, after: Value): void;
}

/** Detail of the active tab. */
export const currentDetail = ({ details, activeTabId }: DetailSlice & TabsSlice): Detail | null =>
  (activeTabId !== null && details[activeTabId]) || null;

export interface DetailSlice {
  /** Details of the tabs on screen, by tab. */
  readonly details: Readonly<Record<string, Detail>>;
  /** After a crash: the cell that may have caused it is not shown again until the user selects a cell. */
  readonly detailWaits: boolean;
  /** The user wants to edit the current cell in the panel, which takes the focus then. */
  readonly detailEditAsked: boolean;
  /** Null: no cell of the tab is selected. */
  setDetail(tabId: string, detail: Detail | null): void;
}

export const createDetailSlice: StateCreator<DetailSlice & TabsSlice, [], [], DetailSlice> = (set) => ({
  details: {},
  detailWaits: false,
  detailEditAsked: false,
  setDetail: (tabId, detail) =>
    set((state) => {
      const shown = new Set(sidesOf(state).map(({ id }) => id));
      const kept = Object.entries(state.details).filter(([id]) => shown.has(id) && id !== tabId);
      return { details: Object.fromEntries(detail ? [...kept, [tabId, detail]] : kept) };
    }),
});
