// Restores a moment of a replica as a task with progress and Stop, and opens it.
import { AppError, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Replica } from '#shared/replicas.ts';
import { shell } from '../../connection/shell.ts';
import { ensureOpen, refreshLibrary } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { runJob } from '../../workbench/jobs.ts';
import type { JobOptions } from '../../workbench/jobs.ts';
import { openReplicas } from './replica-session.ts';

const LOOK_EVERY_MS = 250;

/** Tells the user why if that fails. @param onOpened called when it is open and can be shown */
export async function restore(replica: Replica, txid: string, onOpened: (database: DatabaseId) => void): Promise<void> {
  try {
    const database = await runJob(`Restoring ${replica.name}`, (options) => restoreFile(replica, txid, options));
    try {
      await ensureOpen(database);
    } catch (thrown) {
      await shell.replicas.discard(database);
      throw thrown;
    }
    await refreshLibrary();
    onOpened(database);
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    if (code === 'stopped')
      return notify({ tone: 'info', text: `Restoring “${replica.name}” was stopped. Nothing was kept.` });
    notify({
      tone: 'error',
      topic: 'replica',
      text: `“${replica.name}” was not restored. ${message}`,
      action: { label: 'Choose a restore point', run: () => void openReplicas() },
    });
  }
}

async function restoreFile({ token }: Replica, txid: string, { signal, onChunk }: JobOptions): Promise<DatabaseId> {
  const look = setInterval(() => {
    void shell.replicas.written(token).then(
      (done) => onChunk({ phase: 'Restoring', done, total: null, unit: 'bytes' }),
      () => undefined,
    );
  }, LOOK_EVERY_MS);
  signal.addEventListener('abort', () => void shell.replicas.stop(token).catch(() => undefined));
  try {
    const reply = await shell.replicas.restore(token, txid);
    if ('database' in reply) return reply.database;
    if ('stopped' in reply) throw new AppError({ code: 'stopped', message: 'Restoring was stopped.' });
    throw new AppError({ code: 'unavailable', message: reply.why });
  } finally {
    clearInterval(look);
  }
}
