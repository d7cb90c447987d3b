// Copies of tables of a server for a comparison on this computer: each row is read once, over a temporary file, because the process of a
// server writes into no library.
import { AppError, DEFAULT_EXPORT_OPTIONS, type DatabaseId, type Progress } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client, nativeClient } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { ensureOpen } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import type { PrepareOptions } from './comparison-copies.ts';
import type { EngineKind } from './comparison-sides.ts';

export interface ServerCopy {
  readonly database: DatabaseId;
  /** Full sentences about rows that differ from the rows on the server. */
  readonly notes: readonly string[];
  release(): Promise<void>;
}

/** @param engine that will open the copy */
export async function copyFromServer(
  database: DatabaseId,
  tables: readonly string[],
  engine: EngineKind,
  options: PrepareOptions,
): Promise<ServerCopy> {
  await ensureOpen(database);
  const name = useStore.getState().openDatabases[database]?.entry.name ?? 'server';
  const reply = await shell.createComparisonCopy();
  if ('why' in reply) throw AppError.unavailable(reply.why);
  const { comparisonCopy, sink } = reply;
  const removeFile = (): Promise<void> => shell.removeComparisonCopy(comparisonCopy).catch(() => undefined);
  try {
    // Asking for a copy has started the native engine; an engine that cannot be loaded is reported before anything is read.
    await nativeClient.answered();
    const notes = await readTables(database, tables, sink, name, options);
    const opened = await shell.openComparisonCopy(comparisonCopy, name);
    if (opened === null) throw gone();
    if (engine === 'native') {
      await client.call('compare.openComparisonCopy', { database: opened });
      return { database: opened, notes, release: () => close(opened).then(removeFile) };
    }
    const copied = await copyIn(comparisonCopy, name, options);
    await removeFile();
    return { database: copied, notes, release: () => close(copied) };
  } catch (error) {
    await removeFile();
    throw error;
  }
}

async function readTables(
  database: DatabaseId,
  tables: readonly string[],
  sink: string,
  name: string,
  { signal, onPhase, onProgress }: PrepareOptions,
): Promise<readonly string[]> {
  const phase = `Reading “${visibleName(name)}”`;
  onPhase(phase);
  const { notes } = await client.call(
    'export.file',
    {
      ...{ database, format: 'sqlite', options: DEFAULT_EXPORT_OPTIONS, sink },
      source: { kind: 'tables', tables, withoutTriggers: true },
    },
    { signal, onChunk: (progress: Progress) => onProgress({ ...progress, phase }) },
  );
  return notes;
}

async function copyIn(comparisonCopy: string, name: string, { signal, onPhase, onProgress }: PrepareOptions) {
  const source = await shell.comparisonCopySource(comparisonCopy);
  if (!source) throw gone();
  onPhase('Copying the rows for the comparison');
  const params = { source: source.token, name };
  return (await client.call('compare.copyIn', params, { signal, onChunk: onProgress })).database;
}

const close = (database: DatabaseId): Promise<void> =>
  client.call('compare.closeComparisonCopy', { database }).then(
    () => undefined,
    // The copy is gone with its engine.
    () => undefined,
  );

const gone = (): AppError => AppError.notFound('The temporary copy no longer exists. Compare again.');
