// State: the files that open databases came from, and the comparison or merge on screen.
import type {
  DatabaseId,
  MergeChoice,
  MergePlan,
  MergeQuestion,
  SourceComparison,
  SourceState,
} from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';

export interface ShownComparison {
  readonly database: DatabaseId;
  readonly result: SourceComparison;
}

/** The user's decisions; a row remembers its table, so that open questions can be counted. */
export interface MergeAnswers {
  readonly rows: Readonly<Record<number, { readonly table: string; readonly choice: MergeChoice }>>;
  readonly tables: Readonly<Record<string, MergeChoice>>;
  readonly all: MergeChoice | null;
}

/** A planned merge that waits for the user. */
export interface ShownMerge {
  readonly database: DatabaseId;
  readonly plan: MergePlan;
  readonly answers: MergeAnswers;
  /** The first questions of the merge, up to `FIRST_QUESTIONS`, so that the dialog opens with everything on its first screen. */
  readonly first: readonly MergeQuestion[];
}

export const FIRST_QUESTIONS = 100;

export interface SourcesSlice {
  /** A database missing here did not come from a file, or its state has not been read yet. */
  readonly sources: Readonly<Record<DatabaseId, SourceState>>;
  readonly comparison: ShownComparison | null;
  readonly merge: ShownMerge | null;
  /** Null removes it. */
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
