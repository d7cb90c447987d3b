// The worker's comparison copies: databases of the pool outside any library, each for one window to compare with, gone when it closes them.
import { newComparisonCopyName } from '#shared/protocol/compare.ts';
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import type { Durability } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { CatalogueEntry } from '../library/catalogue.ts';
import type { LibraryContext } from '../library/context.ts';
import { streamOut } from '../library/export.ts';
import { letGo, FileSink } from '../library/files.ts';
import { copyParts } from '../library/import.ts';
import { runLongWork, type ProgressCall } from '../library/long-work.ts';
import { beginFile, createEmpty } from '../library/new-file.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import type { FilePool, FileWriter } from '../engines/wasm/storage/file-pool.ts';
import type { Pause, Turn, WindowSession } from '../sessions/session.ts';

interface ComparisonCopy {
  readonly file: string;
  readonly name: string;
  readonly window: WindowSession;
  readonly durability: Durability;
  /** Changes are recorded: only in copies that are measured. */
  readonly history: boolean;
}

/** The mode is a property of the file: both sides use a WAL. */
const WANTS_WAL = 2;

export class ComparisonCopies {
  readonly #comparisonCopies = new Map<DatabaseId, ComparisonCopy>();

  /** Stands in for {@link LibraryContext.catalogue}; null for a database that is no comparison copy. */
  entry(id: DatabaseId): CatalogueEntry | null {
    const comparisonCopy = this.#comparisonCopies.get(id);
    if (!comparisonCopy) return null;
    return {
      id,
      name: comparisonCopy.name,
      lastUsedAtMs: 0,
      durability: comparisonCopy.durability,
      source: null,
    };
  }

  keepsHistory(id: DatabaseId): boolean {
    return this.#comparisonCopies.get(id)?.history ?? false;
  }

  file(id: DatabaseId): string | null {
    return this.#comparisonCopies.get(id)?.file ?? null;
  }

  /** A copy of a file that is open in place. @throws AppError `io` when the file changed in the meantime */
  async copyIn(
    context: LibraryContext,
    window: WindowSession,
    { source, name: chosen }: { readonly source: FileToken; readonly name?: string },
    call: ProgressCall,
  ): Promise<{ readonly database: DatabaseId }> {
    const { files } = context;
    const info = await files.call('file.info', { token: source });
    const name = chosen ?? info.fileName;
    const title = { window, databaseName: name, title: `Copying ${name} for comparison` };
    try {
      return await runLongWork(context, title, call, (work) =>
        this.#make(context, window, name, (file) => copyParts(context, source, info, file, work)),
      );
    } finally {
      await letGo(files, source);
    }
  }

  /** The last committed state of a database in which a transaction is open. */
  snapshot(
    context: LibraryContext,
    window: WindowSession,
    id: DatabaseId,
    { id: call, onCancel }: Pick<CallContext, 'id' | 'onCancel'>,
  ): Promise<{ readonly database: DatabaseId; readonly mark: string }> {
    const database = context.databases.of(window, id);
    const { name } = database.entry;
    return this.#make(context, window, name, (file) =>
      database.enqueue({
        window,
        kind: 'read',
        pausesReading: true,
        title: `Copying the committed data of ${name}`,
        call,
        onCancel,
        body: (turn) => copyCommitted(turn, context.pool, file),
      }),
    );
  }

  /** Creates an empty database to be filled by the window, and measured. */
  empty(
    context: LibraryContext,
    window: WindowSession,
    { name, durability, history }: Pick<ComparisonCopy, 'name' | 'durability' | 'history'>,
  ): Promise<{ readonly database: DatabaseId }> {
    const make = (file: string): Promise<object> => Promise.resolve(createEmpty(context, file)).then(() => ({}));
    return this.#make(context, window, name, make, { durability, history });
  }

  async copyOut(
    context: LibraryContext,
    window: WindowSession,
    { database, sink: token }: { readonly database: DatabaseId; readonly sink: FileToken },
    call: ProgressCall,
  ): Promise<{ readonly sizeBytes: number; readonly mark: string }> {
    const { name } = context.databases.of(window, database).entry;
    const sink = new FileSink(context.files, token);
    const title = { window, databaseName: name, title: `Copying ${name} for comparison` };
    try {
      return await runLongWork(context, title, call, async (work) => {
        const written = await streamOut(
          context,
          window,
          database,
          'Copying',
          work,
          (bytes) => sink.write(bytes),
          WANTS_WAL,
        );
        await sink.commit();
        return written;
      });
    } catch (error) {
      await sink.abort();
      throw asCopy(error);
    }
  }

  /** Does nothing if it does not exist. */
  close(context: LibraryContext, window: WindowSession, id: DatabaseId): void {
    const comparisonCopy = this.#comparisonCopies.get(id);
    if (comparisonCopy?.window !== window) return;
    context.databases.leave(window, id);
    this.#comparisonCopies.delete(id);
    if (comparisonCopy.history) context.histories.forget(id);
    context.pool.remove(comparisonCopy.file);
    context.catalogue.forgetFile(comparisonCopy.file);
  }

  closeAllOf(context: LibraryContext, window: WindowSession): void {
    for (const [id, comparisonCopy] of this.#comparisonCopies)
      if (comparisonCopy.window === window) this.close(context, window, id);
  }

  async #make<T>(
    context: LibraryContext,
    window: WindowSession,
    name: string,
    write: (file: string) => Promise<T>,
    kept: Pick<ComparisonCopy, 'durability' | 'history'> = { durability: 'balanced', history: false },
  ): Promise<T & { readonly database: DatabaseId }> {
    const id = newComparisonCopyName(crypto.randomUUID());
    // Not a database name: what a crash leaves behind is removed at the next start.
    const file = `/${id}.sqlite3`;
    await beginFile(context, file);
    try {
      const written = await write(file);
      this.#comparisonCopies.set(id, { file, name, window, ...kept });
      context.databases.join(window, id);
      return { ...written, database: id };
    } catch (error) {
      this.#comparisonCopies.delete(id);
      context.pool.remove(file);
      context.catalogue.forgetFile(file);
      throw asCopy(error);
    }
  }
}

/** Writes the file and its WAL. While it pauses, as one that reads, nothing can be committed. */
export function* copyCommitted(
  turn: Turn,
  pool: Pick<FilePool, 'createWriter'>,
  file: string,
): Generator<Pause, { readonly mark: string }> {
  const { connection } = turn;
  const writers: FileWriter[] = [];
  const parts = new Map<string, FileWriter>();
  const total = connection.fileSizeBytes;
  let done = 0;
  let whole = false;
  turn.measureBy(() => ({ phase: 'Copying', done, total, unit: 'bytes' }));
  try {
    for (const { part, bytes } of connection.copyCommitted()) {
      let writer = parts.get(part);
      if (!writer) {
        writer = pool.createWriter(part === 'file' ? file : `${file}-wal`);
        parts.set(part, writer);
        writers.unshift(writer);
      }
      writer.write(bytes);
      done += bytes.length;
      if (turn.stopRequested) fail('stopped', 'Copying was stopped.');
      if (performance.now() >= turn.deadlineMs) yield 'reading';
    }
    for (const writer of writers) writer.finish();
    whole = true;
    return { mark: connection.commitMark };
  } finally {
    turn.measureBy(null);
    if (!whole) for (const writer of writers) writer.abort();
  }
}

function asCopy(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'full') return error;
  return AppError.full(
    'There is not enough space for the copy that a comparison needs. Your data was not changed. Free some space and compare again.',
  );
}
