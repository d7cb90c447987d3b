// The library: the list of databases, and operations on a whole database.
import { AppError } from '#shared/protocol/errors.ts';
import type { Durability, LibraryEntry } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { buildSample } from '../sample/sample-database.ts';
import { removeHistory } from '../history/histories.ts';
import { detachedFrom, type WindowSession } from '../sessions/session.ts';
import type { OpenDatabase } from '../sessions/database-session.ts';
import type { LibraryContext } from './context.ts';
import { runLongWork, type ProgressCall } from './long-work.ts';
import { cleanName } from './names.ts';
import { buildNewFile, createEmpty } from './new-file.ts';

const SAMPLE_NAME = 'Sample';

export function listLibrary(context: LibraryContext): readonly LibraryEntry[] {
  const { catalogue } = context;
  const entries = [...catalogue.list().map(({ id }) => libraryEntry(context, id)), ...catalogue.filesInPlace.list()];
  return entries.sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
}

/** @throws AppError `not-found` */
export function libraryEntry({ catalogue, databases, pool }: LibraryContext, id: DatabaseId): LibraryEntry {
  const open = databases.find(id);
  if (open) return open.entry;
  const file = catalogue.file(id);
  return { ...catalogue.entry(id), sizeBytes: pool.has(file) ? pool.sizeOf(file) : 0 };
}

export async function createDatabase(context: LibraryContext, name: string): Promise<LibraryEntry> {
  const clean = cleanName(name);
  const { entry } = await buildNewFile(context, async (file) => {
    createEmpty(context, file);
    return { name: clean, source: null };
  });
  return entry;
}

export async function createSample(
  context: LibraryContext,
  window: WindowSession,
  call: ProgressCall,
): Promise<LibraryEntry> {
  const title = { window, databaseName: SAMPLE_NAME, title: 'Creating the sample database' };
  return runLongWork(context, title, call, async (work) => {
    const { entry } = await buildNewFile(context, async (file) => {
      // Balanced while it is being created: it is discarded unless it is finished.
      const connection = context.engine.open(file, { durability: 'balanced', create: true, untrusted: false });
      try {
        connection.onProgress(() => work.tick());
        let progress = {
          phase: 'Creating',
          done: 0,
          total: null as number | null,
          unit: 'rows' as 'rows' | 'bytes' | 'statements' | 'steps',
        };
        for (const _pause of buildSample(connection, (now) => (progress = { ...now }))) {
          await work.report(progress);
          await context.clock.nextTask();
        }
        connection.checkpoint();
      } finally {
        connection.close();
      }
      return { name: SAMPLE_NAME, source: null };
    });
    return entry;
  });
}

export function renameDatabase(context: LibraryContext, id: DatabaseId, name: string): LibraryEntry {
  context.catalogue.rename(id, cleanName(name));
  context.databases.find(id)?.announceState();
  return libraryEntry(context, id);
}

export function deleteDatabase(context: LibraryContext, window: WindowSession, id: DatabaseId): void {
  const { catalogue, databases, pool } = context;
  const { name } = catalogue.entry(id);
  const open = databases.find(id);
  const others = [...(open?.windows ?? [])].filter((other) => other !== window);
  if (others.length > 0) throw inUse(name, others[0]!);
  databases.leave(window, id);
  const file = catalogue.file(id);
  catalogue.remove(id);
  pool.remove(file);
  removeHistory(pool, id);
  catalogue.forgetFile(file);
}

export async function setDurability(
  context: LibraryContext,
  window: WindowSession,
  id: DatabaseId,
  durability: Durability,
): Promise<LibraryEntry> {
  const open = context.databases.find(id);
  if (open) await applyDurability(open, window, durability);
  context.catalogue.setDurability(id, durability);
  open?.announceState();
  return libraryEntry(context, id);
}

/** Queued, because SQLite changes `synchronous` only outside a transaction. */
function applyDurability(open: OpenDatabase, window: WindowSession, durability: Durability): Promise<void> {
  return open.enqueue({
    window: detachedFrom(window),
    kind: 'file',
    title: 'Changing durability',
    body: ({ connection }) => connection.setDurability(durability),
  });
}

function inUse(name: string, window: WindowSession): AppError {
  return AppError.invalid(`“${name}” is open in ${window.windowTitle}, so it was not deleted. Close it there first.`, {
    detail: { windowTitle: window.windowTitle },
  });
}
