// Runs one statement that begins or ends a transaction or a savepoint, for a button.
import { toAppError, type DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { useStore } from '../../state/store.ts';
import type { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import type { RunOutcome } from './query-run.ts';
import type { Message } from './query-view.ts';

/** Hint after a failed COMMIT, as with foreign keys that are checked there (sqlite.org/lang_transaction.html). */
const STILL_OPEN = 'The transaction is still open: correct what is wrong and commit again, or roll it back.';

/** Never rejects. @returns the message, too */
export async function runControl(
  database: DatabaseId,
  sql: string,
  waiver: UndoWaiver,
  signal: AbortSignal,
): Promise<{ readonly outcome: RunOutcome; readonly message: Omit<Message, 'id'> }> {
  try {
    const reply = await waiver.run((withoutUndo) =>
      client.call('query.run', { database, sql, ...withoutUndo }, { signal }),
    );
    const { timeMs } = reply;
    return { outcome: { reply }, message: { tone: 'success', text: 'Done', sql, timeMs, offset: null } };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'stopped')
      return { outcome: { error }, message: { tone: 'info', text: error.message, sql, timeMs: null, offset: null } };
    // Known by now: the state of the database is told before the reply. A server may have ended it.
    const isOpen = sql === 'COMMIT' && Boolean(useStore.getState().openDatabases[database]?.transaction);
    const text = isOpen ? `${error.message} ${STILL_OPEN}` : error.message;
    return { outcome: { error }, message: { tone: 'error', text, sql, timeMs: null, offset: null } };
  }
}
