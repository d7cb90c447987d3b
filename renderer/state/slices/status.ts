// State: what each tab reports to the status bar and the tab strip.
import type { StateCreator } from 'zustand';

export interface TabStatus {
  /** Number of rows that the tab shows; null if unknown. */
  readonly rows: number | null;
  readonly exact: boolean;
  /** “3 cells, sum 16.83”; null for none. */
  readonly selectedSummary: string | null;
  readonly firstRowsMs: number | null;
  /** Duration of the whole query. */
  readonly timeMs: number | null;
  readonly message: string | null;
  /** A row typed here is not stored yet. */
  readonly unsaved: boolean;
  /** A value typed in the details is not stored yet. */
  readonly unsavedValue: boolean;
}

export interface StatusSlice {
  readonly tabStatus: Readonly<Record<string, TabStatus>>;
  /** Merges; null forgets the tab. */
  setTabStatus(tabId: string, patch: Partial<TabStatus> | null): void;
}

const NO_STATUS: TabStatus = {
  rows: null,
  exact: false,
  selectedSummary: null,
  firstRowsMs: null,
  timeMs: null,
  message: null,
  unsaved: false,
  unsavedValue: false,
};

/** Text typed in the tab is not stored yet. */
export const hasUnsaved = (status: TabStatus | undefined): boolean =>
  status?.unsaved === true || status?.unsavedValue === true;

export const createStatusSlice: StateCreator<StatusSlice, [], [], StatusSlice> = (set) => ({
  tabStatus: {},
  setTabStatus: (tabId, patch) =>
    set((before) => {
      if (patch)
        return { tabStatus: { ...before.tabStatus, [tabId]: { ...NO_STATUS, ...before.tabStatus[tabId], ...patch } } };
      const { [tabId]: _forgotten, ...tabStatus } = before.tabStatus;
      return { tabStatus };
    }),
});
