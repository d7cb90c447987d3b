// State: the histories of open databases, the change whose conflicts await an answer, and dry runs by tab.
import type { ConflictChoices, DatabaseId, DryRunReply, HistoryState, RowConflict } from '#shared/protocol/index.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { StateCreator } from 'zustand';

/** Rows in conflict with a change, and a callback for the choices about them. */
export interface ConflictQuestion {
  /** “Undo: Edit Title in Album”. */
  readonly title: string;
  readonly conflicts: readonly RowConflict[];
  readonly total: number;
  /** Null cancels the change. */
  answer(choices: ConflictChoices | null): void;
}

/** A dry run of an SQL tab: its changes wait to be kept or discarded. */
export interface DryRun {
  readonly database: DatabaseId;
  readonly startedAtMs: number;
  /** `open`: finished running, and neither kept nor discarded. */
  readonly phase: 'running' | 'open' | 'finishing';
  readonly stopping: boolean;
  readonly reply: DryRunReply | null;
  stop(): void;
}

/** A row that grids of its table should scroll to, and the changed column, if it is one. */
export interface RevealedRow {
  readonly database: DatabaseId;
  readonly table: string;
  readonly key: readonly Value[];
  readonly column: string | null;
  /** Text to edit the cell with, which is not stored yet. */
  readonly typed?: string;
  /** Time from `performance.now()`: if the user has typed or clicked since, the grid does not scroll. */
  readonly askedAtMs: number;
}

export interface HistorySlice {
  /** A database missing here has no working history. */
  readonly histories: Readonly<Record<DatabaseId, HistoryState>>;
  readonly conflictQuestion: ConflictQuestion | null;
  readonly dryRuns: Readonly<Record<string, DryRun>>;
  readonly revealedRow: RevealedRow | null;
  /** Null removes it. */
  putHistory(database: DatabaseId, state: HistoryState | null): void;
  /** Resolves with null if the user decided against the change. */
  askConflicts(question: Omit<ConflictQuestion, 'answer'>): Promise<ConflictChoices | null>;
  /** Merges; null removes it. */
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
