// What an SQL tab shows of its runs: plain data, replaced as a whole with each change.
import type { LiveStatus, PlanLine, Progress, ResultArrangement } from '#shared/protocol/index.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';

/** Whether a result follows its tables, and if not, whether they have changed since. */
export type ResultLive = Pick<LiveStatus, 'state' | 'stale' | 'runMs' | 'why'>;

export const NOT_LIVE: ResultLive = { state: 'fixed', stale: false, runMs: 0, why: null };

export const PLAIN_ARRANGEMENT: ResultArrangement = { sort: [], filter: [] };

export const isArranged = ({ sort, filter }: ResultArrangement): boolean => sort.length + filter.length > 0;

export interface QueryResult {
  readonly id: number;
  readonly sql: string;
  /** Where its statement starts in the editor's text at the time of the run. */
  readonly from: number;
  readonly source: ResultSource;
  readonly rows: number;
  readonly ended: boolean;
  readonly timeMs: number | null;
  /** Null when it also writes. */
  readonly reads: readonly string[] | null;
  readonly live: ResultLive;
  /** It stays when something else runs, as it is now. */
  readonly isKept: boolean;
  /** How its rows are sorted and filtered here. */
  readonly arrangement: ResultArrangement;
}

/** Results of the newest run. */
export const ofLastRun = (results: readonly QueryResult[]): readonly QueryResult[] =>
  results.filter(({ isKept }) => !isKept);

export interface Message {
  readonly id: number;
  readonly tone: 'info' | 'success' | 'error';
  readonly text: string;
  /** Start of the SQL it is about, in one line; '' for none. */
  readonly sql: string;
  readonly timeMs: number | null;
  /** Offset in the editor's text to jump to. */
  readonly offset: number | null;
}

export interface RunningQuery {
  readonly startedAtMs: number;
  readonly progress: Progress | null;
  readonly stopping: boolean;
}

/** How SQLite would run a statement. */
export interface ExplainedPlan {
  readonly lines: readonly PlanLine[];
  readonly sql: string;
  /** Where the statement starts in the editor's text. */
  readonly from: number;
}

/** The id of a result, the messages, or the plan. */
export type ShownPart = number | 'messages' | 'plan';

export interface QueryView {
  readonly running: RunningQuery | null;
  readonly results: readonly QueryResult[];
  readonly messages: readonly Message[];
  /** Of the statement that was explained last, until something runs. */
  readonly plan: ExplainedPlan | null;
  readonly shown: ShownPart;
  /** Parameters without a value that kept a run from beginning. */
  readonly asked: readonly string[];
}

export const EMPTY_VIEW: QueryView = {
  running: null,
  results: [],
  messages: [],
  plan: null,
  shown: 'messages',
  asked: [],
};
