// State: the histories of open databases, the change that waits for answers to its conflicts, and dry runs by tab.
import type { ConflictChoices, DatabaseId, DryRunReply, HistoryState, RowConflict } from '#shared/protocol/index.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { StateCreator } from 'zustand';

/** Rows that are not as a change expects them, and who wants to know what to do with each. */
export interface ConflictQuestion {
  /** “Undo of Edit of Album”. */
  readonly title: string;
  readonly conflicts: readonly RowConflict[];
  readonly total: number;
  /** Null: nothing is changed. */
  answer(choices: ConflictChoices | null): void;
}

/** Of an SQL tab: its changes wait to be kept or discarded. */
export interface DryRun {
  readonly database: DatabaseId;
  readonly startedAtMs: number;
  /** `open`: done, and neither kept nor discarded. */
  readonly phase: 'running' | 'open' | 'finishing';
  readonly stopping: boolean;
  readonly reply: DryRunReply | null;
  stop(): void;
}

/** A row that grids showing its table should go to, and the column that changed, if it is one. */
export interface RevealedRow {
  readonly database: DatabaseId;
  readonly table: string;
  readonly key: readonly Value[];
  readonly column: string | null;
  /** By `performance.now()`: who has typed or clicked since is not taken there. */
  readonly askedAtMs: number;
}

export interface HistorySlice {
  /** A database that is missing here has no history that works. */
  readonly histories: Readonly<Record<DatabaseId, HistoryState>>;
  readonly conflictQuestion: ConflictQuestion | null;
  readonly dryRuns: Readonly<Record<string, DryRun>>;
  readonly revealedRow: RevealedRow | null;
  /** Null forgets it. */
  putHistory(database: DatabaseId, state: HistoryState | null): void;
  /** Answers null when the person decided against the change. */
  askConflicts(question: Omit<ConflictQuestion, 'answer'>): Promise<ConflictChoices | null>;
  /** Merges; null forgets it. */
  putDryRun(tabId: string, dryRun: DryRun | null): void;
}

export const createHistorySlice: StateCreator<HistorySlice, [], [], HistorySlice> = (set) => ({
  histories: {},
  conflictQuestion: null,
  dryRuns: {},
  revealedRow: null,
  putHistory: (database, state) => set(({ histories }) => ({ histories: withEntry(histories, database, state) })),
  askConflicts: (question) =>
    new Promise((resolve) => {
      const answer = (choices: ConflictChoices | null): void => {
        set({ conflictQuestion: null });
        resolve(choices);
      };
      set({ conflictQuestion: { ...question, answer } });
    }),
  putDryRun: (tabId, dryRun) => set(({ dryRuns }) => ({ dryRuns: withEntry(dryRuns, tabId, dryRun) })),
});

function withEntry<T>(entries: Readonly<Record<string, T>>, key: string, entry: T | null): Readonly<Record<string, T>> {
  const { [key]: _former, ...others } = entries;
  return entry === null ? others : { ...others, [key]: entry };
}
