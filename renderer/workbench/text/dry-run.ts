// Dry runs: SQL runs in a transaction that stays open until the user keeps or discards its changes. One at a time per tab.
import { toAppError, type DatabaseId, type ParameterValues } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { noteReview } from '../../state/reviews.ts';
import { notify, putDryRun, useStore } from '../../state/store.ts';

interface DryRunRequest {
  readonly tabId: string;
  readonly database: DatabaseId;
  readonly sql: string;
  readonly parameters: ParameterValues;
  /** Title of the step, for a text that the user has not written. */
  readonly title?: string;
  /** The user agrees that the changes cannot be undone if they are kept. */
  readonly withoutUndo?: true;
}

/** Rolls back the dry runs of closed tabs, and forgets those rolled back by a worker restart. Call once. */
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

/** A stopped dry run is not an error: everything was rolled back. @throws AppError */
export async function startDryRun({ tabId, ...params }: DryRunRequest): Promise<void> {
  if (useStore.getState().dryRuns[tabId]) return;
  noteReview(params.database, tabId);
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
    // The tab was closed during the run, so the user can no longer keep the changes.
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
  const { database } = dryRun;
  putDryRun(tabId, { ...dryRun, phase: 'finishing' });
  const ending = endTransaction(database, keep);
  holdEditsUntil(database, ending);
  const end = await ending;
  putDryRun(tabId, end === 'open' ? dryRun : null);
}

const endings = new Map<DatabaseId, Promise<unknown>>();

/** The engine refuses edits while a transaction waits for a decision, and nobody is asked about this one. @param ending never rejects */
export function holdEditsUntil(database: DatabaseId, ending: Promise<unknown>): void {
  endings.set(database, ending);
  void ending.then(() => endings.get(database) === ending && endings.delete(database));
}

/**
 * Resolves once the decision has been carried out: an edit made right after it goes to the rows as they are then. If the decision could not
 * be carried out, the engine refuses the edit.
 */
export const afterDryRun = (database: DatabaseId): Promise<unknown> => Promise.resolve(endings.get(database));

/**
 * Keeps or discards the changes of the transaction that a dry run or a schema change left open, and tells the user. Never rejects.
 * @returns `open` if the user can choose again: after a failed COMMIT the transaction is still open (sqlite.org/lang_transaction.html);
 *   `gone` if it had ended already, so that nothing was kept
 */
export async function endTransaction(database: DatabaseId, keep: boolean): Promise<'done' | 'open' | 'gone'> {
  try {
    await client.call('dryRun.finish', { database, keep });
    notify({ tone: keep ? 'success' : 'info', text: keep ? 'The changes were kept.' : 'Nothing was changed.' });
    return 'done';
  } catch (thrown) {
    const { code } = toAppError(thrown);
    notifyFailure(thrown);
    return code === 'not-found' || code === 'disconnected' ? 'gone' : 'open';
  }
}

/** Discards a transaction that can no longer be decided about. */
export const discardTransaction = (database: DatabaseId): void =>
  void client.call('dryRun.finish', { database, keep: false }).catch(notifyFailure);
