// Labels for a run: its outcome, its rows, and the filters that find it. Pure.
import type { LoggedRun, QueryLogFilter } from '#shared/protocol/index.ts';
import { formatCount, formatDuration, formatFixed, formatMeasure, plural } from '../../ui/format.ts';
import type { QueryLogTab } from '../../workbench/tabs/query-log.ts';

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<QueryLogTab['period'], number | null>> = { any: null, day: 1, week: 7, month: 30 };

export const OUTCOME_OPTIONS: readonly (readonly [QueryLogTab['outcome'], string])[] = [
  ['all', 'All runs'],
  ['done', 'Succeeded'],
  ['failed', 'Failed'],
];

export const PERIOD_OPTIONS: readonly (readonly [QueryLogTab['period'], string])[] = [
  ['any', 'Any time'],
  ['day', 'Today'],
  ['week', 'Last 7 days'],
  ['month', 'Last 30 days'],
];

/** Whole days, so that the same choice is the same filter until midnight. */
export function filterOf({ words, of, outcome, period }: QueryLogTab, nowMs: number): QueryLogFilter {
  const days = DAYS[period];
  const midnightMs = new Date(nowMs).setHours(0, 0, 0, 0);
  const sinceMs = days === null ? null : midnightMs - (days - 1) * DAY_MS;
  return { words: words.trim(), database: of, outcome, sinceMs };
}

export const OUTCOME_WORDS: Readonly<Record<LoggedRun['outcome'], string>> = {
  done: 'Succeeded',
  failed: 'Failed',
  stopped: 'Stopped',
  running: 'Running',
  interrupted: 'Interrupted: Sidelite quit or the window closed first',
};

/** “3 rows · 2 rows changed · 12 ms” */
export function factsOf({ outcome, rows, rowsChanged, timeMs, statements }: LoggedRun): string {
  if (outcome === 'running') return 'Running';
  if (outcome === 'interrupted') return 'Interrupted';
  return [
    outcome === 'stopped' && 'Stopped',
    statements > 1 && plural(statements, 'statement'),
    rows !== null && plural(rows, 'row'),
    rowsChanged > 0 && `${plural(rowsChanged, 'row')} changed`,
    timeMs !== null && formatDuration(timeMs),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** “2.5 times as long”, “as long as before” */
export function ratioLabel(beforeMs: number, nowMs: number): string | null {
  if (beforeMs <= 0 || nowMs <= 0) return null;
  const ratio = nowMs / beforeMs;
  if (ratio > 0.95 && ratio < 1.05) return 'as long';
  const shown =
    ratio >= 10
      ? formatCount(Math.round(ratio))
      : ratio >= 0.1
        ? formatFixed(ratio, ratio < 1 ? 2 : 1)
        : formatMeasure(Number(ratio.toPrecision(1)));
  return `${shown} times as long`;
}
