// The way out when a statement does not react to Stop: the engine is ended and started again. Says what that costs before it does it.
import { isInPlace } from '#shared/protocol/index.ts';
import type { DatabaseState, Work } from '#shared/protocol/index.ts';
import { client, isNativeWork } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { confirm, useStore } from '../../state/store.ts';

export async function offerRestart(work: Work): Promise<void> {
  const agreed = await confirm({
    title: isNativeWork(work) ? 'Stop the native engine?' : 'Restart the database engine?',
    body: isNativeWork(work)
      ? nativeConsequences(work, Object.values(useStore.getState().openDatabases))
      : consequences(work, Object.values(useStore.getState().openDatabases)),
    confirmLabel: isNativeWork(work) ? 'Stop it' : 'Restart',
    danger: true,
  });
  // It may have come to its end while the question was on screen.
  const isStillThere = useStore.getState().works.some(({ id }) => id === work.id);
  if (agreed && isStillThere) await client.restartEngineOf(work).catch(notifyFailure);
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
    'It is in a single SQLite call that cannot be interrupted, and everything else is waiting for it.',
    'Everything committed is kept in every database, and so are tabs and unsaved SQL.',
    `Lost in all windows: ${lost.join(', ')}.`,
  ].join('\n\n');
}

function nativeConsequences(work: Work, databases: readonly DatabaseState[]): string {
  const files = databases.filter(({ entry }) => isInPlace(entry.id)).map(({ entry }) => `“${entry.name}”`);
  return [
    'It is in a single SQLite call, which the native engine cannot interrupt. Stopping it ends the engine; a new one opens the files again.',
    `“${work.title}” and all other uncommitted changes to ${files.join(', ')} are rolled back, in every window. Committed changes are in the files.`,
  ].join('\n\n');
}
