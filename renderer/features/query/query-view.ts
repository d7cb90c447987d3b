// What a SQL tab shows of its runs: plain data, replaced as a whole with each change.
import type { Progress } from '#shared/protocol/index.ts';
import type { ResultSource } from './result-source.ts';

/** `live`: refreshes itself. `stale`: a table it reads has changed since. `fixed`: nothing known to depend on. */
export type Freshness = 'live' | 'stale' | 'fixed';

export interface QueryResult {
  readonly id: number;
  readonly sql: string;
  /** Where its statement starts in the editor's text at the time of the run. */
  readonly from: number;
  readonly source: ResultSource;
  readonly rows: number;
  readonly ended: boolean;
  readonly timeMs: number | null;
  readonly reads: readonly string[] | null;
  readonly freshness: Freshness;
}

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

/** The id of a result, or the messages. */
export type ShownPart = number | 'messages';

export interface QueryView {
  readonly running: RunningQuery | null;
  readonly results: readonly QueryResult[];
  readonly messages: readonly Message[];
  readonly shown: ShownPart;
}

export const EMPTY_VIEW: QueryView = { running: null, results: [], messages: [], shown: 'messages' };

const SHORT_SQL_CHARS = 90;

/** The beginning of a statement in one line, for labels. */
export function shortSql(sql: string): string {
  const line = sql
    .slice(0, SHORT_SQL_CHARS * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= SHORT_SQL_CHARS ? line : `${line.slice(0, SHORT_SQL_CHARS)}…`;
}
