// The last resort when a statement does not react to Stop: ends the engine and starts it again, after explaining the consequences.
import { engineOf, type DatabaseState, type Work } from '#shared/protocol/index.ts';
import {
  client,
  isInNativeEngine,
  isLibraryWork,
  isNativeWork,
  processClients,
} from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import type { ConfirmQuestion } from '../../state/slices/dialogs.ts';
import { confirm, useStore } from '../../state/store.ts';

export async function offerRestart(work: Work): Promise<void> {
  const agreed = await confirm({ ...questionOf(work, Object.values(useStore.getState().openDatabases)), danger: true });
  // The work may have ended while the question was on screen.
  const isStillThere = useStore.getState().works.some(({ id }) => id === work.id);
  if (agreed && isStillThere) await client.restartEngineOf(work).catch(notifyFailure);
}

function questionOf(work: Work, databases: readonly DatabaseState[]): Omit<ConfirmQuestion, 'danger'> {
  if (isNativeWork(work))
    return {
      title: 'Stop the native engine?',
      body: nativeConsequences(work, databases),
      confirmLabel: 'Stop it',
    };
  const served = processClients.ofWork(work);
  if (served && engineOf(processClients.databaseOf(served)!) !== 'remote')
    return {
      title: 'Stop the engine of this file?',
      body: ownProcessConsequences(work),
      confirmLabel: 'Stop it',
    };
  if (!isLibraryWork(work))
    return {
      title: `Connect to “${work.databaseName}” again?`,
      body: serverConsequences(work),
      confirmLabel: 'Connect again',
    };
  return {
    title: 'Restart the database engine?',
    body: consequences(work, databases),
    confirmLabel: 'Restart',
  };
}

/** Consequences for a file with a process of its own: no other database is affected. */
export function ownProcessConsequences({ title, databaseName }: Work): string {
  return [
    'It is in a single SQLite call, which the native engine cannot interrupt. Stopping it ends the process that has this file open; a new one opens it again, with the same key and extensions.',
    `“${title}” and all other uncommitted changes to “${databaseName}” are rolled back, in every window. Committed changes are in the file.`,
  ].join('\n\n');
}

/** Consequences for a database on a server: no other database is affected. */
export function serverConsequences({ title, databaseName }: Work): string {
  return [
    `“${title}” is waiting for the server of “${databaseName}” and does not respond to Stop. Sidelite can end this connection and open a new one.`,
    'Everything committed is on the server. If a statement that writes is running, Sidelite can’t tell whether the server will complete it. An open transaction is rolled back, and results on screen are lost.',
  ].join('\n\n');
}

export function consequences(work: Work, databases: readonly DatabaseState[]): string {
  const held = databases.flatMap(({ entry, transaction }) =>
    transaction ? [`the open transaction of ${transaction.windowTitle} on “${entry.name}”`] : [],
  );
  const lost = [
    `“${work.title}”`,
    'anything else that is running',
    ...held,
    'temporary tables',
    'query results on screen',
  ];
  return [
    'It is in a single SQLite call that cannot be interrupted, and all other work is waiting for it.',
    'Everything committed is kept in every database, and so are tabs and unsaved SQL.',
    `Lost in all windows: ${lost.join(', ')}.`,
  ].join('\n\n');
}

function nativeConsequences(work: Work, databases: readonly DatabaseState[]): string {
  const files = databases.filter(({ entry }) => isInNativeEngine(entry.id)).map(({ entry }) => `“${entry.name}”`);
  return [
    'It is in a single SQLite call, which the native engine cannot interrupt. Stopping it ends the engine; a new one opens the files again.',
    `“${work.title}” and all other uncommitted changes to ${files.join(', ')} are rolled back, in every window. Committed changes are in the files.`,
  ].join('\n\n');
}
