// Dry runs: a text is run in a transaction that stays open until its changes are kept or discarded. One at a time in a tab.
import { toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, ParameterValues } from '#shared/protocol/index.ts';
import { client } from '../connection/database-client.ts';
import { notifyFailure } from '../state/databases.ts';
import { notify, putDryRun, useStore } from '../state/store.ts';

export interface DryRunRequest {
  readonly tabId: string;
  readonly database: DatabaseId;
  readonly sql: string;
  readonly parameters: ParameterValues;
  /** Kept or not, it could not be undone later, and the person agrees to that. */
  readonly withoutUndo?: true;
}

/** Takes back what closed tabs leave behind, and forgets what a restarted worker has rolled back. Call once. */
export function startDryRuns(): void {
  client.onReconnected(({ states, failures }) => {
    const gone = new Set([...states.map(({ entry }) => entry.id), ...failures.map(({ database }) => database)]);
    const kept = Object.entries(useStore.getState().dryRuns).filter(([, { database }]) => !gone.has(database));
    useStore.setState({ dryRuns: Object.fromEntries(kept) });
  });
  useStore.subscribe(({ tabs }, before) => {
    if (tabs === before.tabs) return;
    for (const [tabId, dryRun] of Object.entries(useStore.getState().dryRuns)) {
      if (tabs.some(({ id }) => id === tabId)) continue;
      if (dryRun.phase === 'running') dryRun.stop();
      else void finishDryRun(tabId, false);
    }
  });
}

/**
 * Stopped is no failure: nothing is left of it.
 * @throws AppError
 */
export async function startDryRun({ tabId, ...params }: DryRunRequest): Promise<void> {
  if (useStore.getState().dryRuns[tabId]) return;
  const controller = new AbortController();
  const running = client.call('dryRun.start', params, { signal: controller.signal });
  const base = { database: params.database, startedAtMs: performance.now(), stopping: false, reply: null };
  const stop = (): void => {
    const now = useStore.getState().dryRuns[tabId];
    if (now?.phase !== 'running' || now.stopping) return;
    putDryRun(tabId, { ...now, stopping: true });
    controller.abort();
  };
  putDryRun(tabId, { ...base, phase: 'running', stop });
  try {
    const reply = await running;
    putDryRun(tabId, { ...base, phase: 'open', reply, stop });
    // The tab was closed while the dry run was running, so there is no place left to keep it from.
    if (!useStore.getState().tabs.some(({ id }) => id === tabId)) await finishDryRun(tabId, false);
  } catch (thrown) {
    putDryRun(tabId, null);
    if (toAppError(thrown).code !== 'stopped') throw thrown;
    notify({ tone: 'info', text: 'The dry run was stopped. Nothing was changed.' });
  }
}

export async function finishDryRun(tabId: string, keep: boolean): Promise<void> {
  const dryRun = useStore.getState().dryRuns[tabId];
  if (dryRun?.phase !== 'open') return;
  putDryRun(tabId, { ...dryRun, phase: 'finishing' });
  try {
    await client.call('dryRun.finish', { database: dryRun.database, keep });
    putDryRun(tabId, null);
    notify({ tone: keep ? 'success' : 'info', text: keep ? 'The changes were kept.' : 'Nothing was changed.' });
  } catch (thrown) {
    // A COMMIT that fails leaves the transaction open (sqlite.org/lang_transaction.html): the choice stays.
    const isGone = toAppError(thrown).code === 'not-found' || toAppError(thrown).code === 'disconnected';
    putDryRun(tabId, isGone ? null : dryRun);
    notifyFailure(thrown);
  }
}
