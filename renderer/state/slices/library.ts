// State: the library's entries and the databases this window has open.
import type { DatabaseId, DatabaseState, LibraryEntry } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';

export interface LibrarySlice {
  /** Null until the first list has arrived. */
  readonly entries: readonly LibraryEntry[] | null;
  readonly openDatabases: Readonly<Record<DatabaseId, DatabaseState>>;
  /** The database whose objects are listed on the left; new SQL tabs belong to it. */
  readonly currentDatabase: DatabaseId | null;
  /** True while databases that were open before the window started are not open again yet. */
  readonly isRestoring: boolean;
  /** Whether the browser has promised to keep the library when disk space is low; null if not asked, as in the desktop app. */
  readonly isKeptByBrowser: boolean | null;
  putDatabaseState(state: DatabaseState): void;
  dropDatabaseState(database: DatabaseId): void;
  showDatabase(database: DatabaseId | null): void;
}

export const createLibrarySlice: StateCreator<LibrarySlice, [], [], LibrarySlice> = (set) => ({
  entries: null,
  openDatabases: {},
  currentDatabase: null,
  isRestoring: true,
  isKeptByBrowser: null,
  putDatabaseState: (state) =>
    set((before) => ({ openDatabases: { ...before.openDatabases, [state.entry.id]: state } })),
  dropDatabaseState: (database) =>
    set((before) => {
      const { [database]: _dropped, ...openDatabases } = before.openDatabases;
      const currentDatabase =
        before.currentDatabase === database ? (Object.keys(openDatabases)[0] ?? null) : before.currentDatabase;
      return { openDatabases, currentDatabase };
    }),
  showDatabase: (currentDatabase) => set({ currentDatabase }),
});
