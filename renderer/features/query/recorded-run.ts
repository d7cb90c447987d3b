// Keeps each run of an SQL tab in the query history: its text before it runs, and how it ended.
import { capabilitiesOf, QUERY_LOG_LIMITS, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, LoggedParameter, RunEnd } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notify, useStore } from '../../state/store.ts';
import type { ParameterEntry } from '../../workbench/tabs/query.ts';
import { parameterNames } from './parameters.ts';
import type { RunOutcome } from './query-run.ts';
import type { QueryResult } from './query-view.ts';

type Ended = (outcome: RunOutcome, results: readonly QueryResult[]) => void;

/**
 * Call right before the run: the worker handles requests in order, so the text is stored even if the run never ends. Errors in recording
 * do not affect the run.
 * @returns to be called when it has ended
 */
export function recordRun(database: DatabaseId, sql: string, entries: Readonly<Record<string, ParameterEntry>>): Ended {
  if (!/\S/.test(sql)) return () => undefined;
  const startedAtMs = performance.now();
  const name = useStore.getState().openDatabases[database]?.entry.name ?? '';
  // The history is not encrypted. Of an encrypted file it keeps what was typed, and neither values nor what a trigger says of them.
  const { plain } = capabilitiesOf(database);
  const run = {
    of: { id: database, name },
    // The rest of a long text would only be copied and thrown away.
    sql: sql.slice(0, QUERY_LOG_LIMITS.textChars),
    chars: sql.length,
    parameters: plain ? ofText(sql, entries) : {},
  };
  const begun = client.call('queryLog.begin', { run });
  begun.catch(notifyLoss);
  return (outcome, results) => {
    const ended = endOf(outcome, results, performance.now() - startedAtMs);
    const end = plain ? ended : { ...ended, error: null };
    void begun.then(
      ({ id }) => client.call('queryLog.end', { id, end }).catch(notifyLoss),
      () => undefined,
    );
  };
}

function endOf(outcome: RunOutcome, results: readonly QueryResult[], passedMs: number): RunEnd {
  const rows = results.length === 0 ? null : results.reduce((sum, result) => sum + result.rows, 0);
  if ('reply' in outcome) {
    const { statements, rowsChanged, timeMs } = outcome.reply;
    return { outcome: 'done', timeMs, statements, rows, rowsChanged, error: null };
  }
  const { code, message, detail } = outcome.error;
  const statements = Number(detail?.['statement'] ?? 0);
  const stopped = code === 'stopped';
  return {
    outcome: stopped ? 'stopped' : 'failed',
    timeMs: passedMs,
    statements,
    rows,
    rowsChanged: 0,
    error: message,
  };
}

function ofText(
  sql: string,
  entries: Readonly<Record<string, ParameterEntry>>,
): Readonly<Record<string, LoggedParameter>> {
  const names = parameterNames(sql).filter((name) => Object.hasOwn(entries, name));
  return Object.fromEntries(names.map((name) => [name, entries[name]!]));
}

/** A lost connection already has a banner. */
function notifyLoss(thrown: unknown): void {
  const { code, message } = toAppError(thrown);
  if (code === 'disconnected') return;
  notify({ tone: 'warning', topic: 'query-log', text: `This run is missing from the query history. ${message}` });
}
