// State: the files that open databases came from, and the comparison that is on screen.
import type { DatabaseId, SourceComparison, SourceState } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';

export interface ShownComparison {
  readonly database: DatabaseId;
  readonly result: SourceComparison;
}

export interface SourcesSlice {
  /** A database that is missing here came from no file, or nobody has looked yet. */
  readonly sources: Readonly<Record<DatabaseId, SourceState>>;
  readonly comparison: ShownComparison | null;
  /** Null forgets it. */
  putSource(database: DatabaseId, state: SourceState | null): void;
  showComparison(comparison: ShownComparison | null): void;
}

export const createSourcesSlice: StateCreator<SourcesSlice, [], [], SourcesSlice> = (set) => ({
  sources: {},
  comparison: null,
  putSource: (database, state) =>
    set(({ sources }) => {
      const { [database]: _former, ...others } = sources;
      return { sources: state === null ? others : { ...others, [database]: state } };
    }),
  showComparison: (comparison) => set({ comparison }),
});
