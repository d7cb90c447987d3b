// What an SQL tab shows of its runs: plain data, replaced as a whole with each change.
import type { LiveStatus, PlanLine, ResultArrangement } from '#shared/protocol/index.ts';
import type { IndexLabSession } from './index-lab/index-lab-session.ts';
import type { ChartChoice } from './chart/chart-choice.ts';
import type { ShownWork } from '../../workbench/jobs.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';

/** Whether a result follows its tables, and if not, whether they have changed since. */
export type ResultLive = Pick<LiveStatus, 'state' | 'stale' | 'runMs' | 'why'>;

export const NOT_LIVE: ResultLive = { state: 'fixed', stale: false, runMs: 0, why: null };

export const PLAIN_ARRANGEMENT: ResultArrangement = { sort: [], filter: [] };

export const isArranged = ({ sort, filter }: ResultArrangement): boolean => sort.length + filter.length > 0;

/** The chart of a result, which is shown in place of its rows. */
export interface ResultChart {
  readonly isShown: boolean;
  /** Null: the choice that suits the columns. */
  readonly choice: ChartChoice | null;
}

export const NO_CHART: ResultChart = { isShown: false, choice: null };

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
  /** Whether it stays, unchanged, when something else runs. */
  readonly isKept: boolean;
  readonly arrangement: ResultArrangement;
  /** Arrangement in the previous run of the same statement, until the rows are arranged like that again. */
  readonly rearrange: ResultArrangement | null;
  readonly chart: ResultChart;
}

export const ofLastRun = (results: readonly QueryResult[]): readonly QueryResult[] =>
  results.filter(({ isKept }) => !isKept);

export interface Message {
  readonly id: number;
  readonly tone: 'info' | 'success' | 'error';
  readonly text: string;
  /** Start of the SQL it refers to, in one line; '' for none. */
  readonly sql: string;
  readonly timeMs: number | null;
  /** Offset in the editor's text to jump to. */
  readonly offset: number | null;
}

export interface ExplainedPlan {
  readonly lines: readonly PlanLine[];
  readonly sql: string;
  /** Where the statement starts in the editor's text. */
  readonly from: number;
  readonly lab: IndexLabSession;
  /** Explained again because the lab has created an index. */
  readonly isAgain: boolean;
}

/** ID of a result, or the messages, the plan, or the differences between two results. */
export type ShownPart = number | 'messages' | 'plan' | 'comparison';

/** Two results by ID. The second one is replaced by the first result of the next run. */
export interface ComparedIds {
  readonly before: number;
  readonly after: number;
}

export interface QueryView {
  readonly running: ShownWork | null;
  readonly results: readonly QueryResult[];
  readonly messages: readonly Message[];
  /** Plan of the statement that was explained last, until something runs. */
  readonly plan: ExplainedPlan | null;
  readonly shown: ShownPart;
  readonly compared: ComparedIds | null;
  /** Parameters without a value that prevented a run. */
  readonly asked: readonly string[];
}

export const EMPTY_VIEW: QueryView = {
  running: null,
  results: [],
  messages: [],
  plan: null,
  shown: 'messages',
  compared: null,
  asked: [],
};

/** The compared results, as long as both exist. */
export function comparedOf({
  results,
  compared,
}: Pick<QueryView, 'results' | 'compared'>): { readonly before: QueryResult; readonly after: QueryResult } | null {
  if (!compared) return null;
  const before = results.find(({ id }) => id === compared.before);
  const after = results.find(({ id }) => id === compared.after) ?? ofLastRun(results)[0];
  return before && after && before !== after ? { before, after } : null;
}

/** The result to compare with first: the last one that was kept, otherwise a neighbor. */
export function otherThan(result: QueryResult, results: readonly QueryResult[]): QueryResult | null {
  const kept = results.filter((each) => each.isKept && each !== result).at(-1);
  const place = results.indexOf(result);
  return kept ?? results[place - 1] ?? results[place + 1] ?? null;
}
