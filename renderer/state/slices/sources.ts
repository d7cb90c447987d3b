// State: the files that open databases came from, and the comparison or merge that is on screen.
import type { DatabaseId, MergeChoice, MergePlan, SourceComparison, SourceState } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';

export interface ShownComparison {
  readonly database: DatabaseId;
  readonly result: SourceComparison;
}

/** What a person has decided; a row remembers its table, so that what is still open can be counted. */
export interface MergeAnswers {
  readonly rows: Readonly<Record<number, { readonly table: string; readonly choice: MergeChoice }>>;
  readonly tables: Readonly<Record<string, MergeChoice>>;
  readonly all: MergeChoice | null;
}

/** Found out, and waiting for the person. */
export interface ShownMerge {
  readonly database: DatabaseId;
  readonly plan: MergePlan;
  readonly answers: MergeAnswers;
}

export interface SourcesSlice {
  /** A database that is missing here came from no file, or nobody has looked yet. */
  readonly sources: Readonly<Record<DatabaseId, SourceState>>;
  readonly comparison: ShownComparison | null;
  readonly merge: ShownMerge | null;
  /** Null forgets it. */
  putSource(database: DatabaseId, state: SourceState | null): void;
  showComparison(comparison: ShownComparison | null): void;
  showMerge(merge: ShownMerge | null): void;
}

export const createSourcesSlice: StateCreator<SourcesSlice, [], [], SourcesSlice> = (set) => ({
  sources: {},
  comparison: null,
  merge: null,
  putSource: (database, state) =>
    set(({ sources }) => {
      const { [database]: _former, ...others } = sources;
      return { sources: state === null ? others : { ...others, [database]: state } };
    }),
  showComparison: (comparison) => set({ comparison }),
  showMerge: (merge) => set({ merge }),
});
