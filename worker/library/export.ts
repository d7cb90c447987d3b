// Streams a database out of the library, into a file or into another database, as one consistent plain SQLite file.
import { fail } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import type { LibraryEntry } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Connection } from '../engines/engine.ts';
import { joined } from '../records/bytes.ts';
import { detachedFrom, type Pause, type Turn, type WindowSession } from '../sessions/session.ts';
import type { LibraryContext } from './context.ts';
import { CHUNK_BYTES, FileSink } from './files.ts';
import { runLongWork, type LongWork, type ProgressCall } from './long-work.ts';
import { cleanName } from './names.ts';
import { buildNewFile } from './new-file.ts';

/** Offsets of the file format's write and read version. */
export const VERSION_BYTES = [18, 19] as const;
/** 1 is a plain file, 2 one that wants a WAL beside it. */
export type FileVersion = 1 | 2;
const PLAIN: FileVersion = 1;

/** Requirements of an export, of a library or of files in place. */
export type ExportContext = Pick<LibraryContext, 'databases' | 'files' | 'monitor' | 'clock'> & {
  readonly catalogue: Pick<LibraryContext['catalogue'], 'entry'>;
  /** Keeps the file unchanged until it is released, where other programs may write. */
  readonly hold?: (turn: Turn) => Generator<Pause, StillFile>;
};

/** A database as one plain file. */
export interface StillFile {
  readonly sizeBytes: number;
  read(offset: number, length: number): Uint8Array;
  release(): void;
}

export async function exportDatabase(
  context: ExportContext,
  window: WindowSession,
  { database, sink: token }: { readonly database: DatabaseId; readonly sink: FileToken },
  call: ProgressCall,
): Promise<{ readonly sizeBytes: number }> {
  const { name } = context.catalogue.entry(database);
  const sink = new FileSink(context.files, token);
  try {
    return await runLongWork(
      context,
      { window, databaseName: name, title: `Exporting ${name}` },
      call,
      async (work) => {
        const { sizeBytes } = await streamOut(context, window, database, 'Exporting', work, (bytes) =>
          sink.write(bytes),
        );
        await sink.commit();
        return { sizeBytes };
      },
    );
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/** Each measured engine gets a copy, so it is in memory more than once. */
const MAX_READ_BYTES = 256 * 2 ** 20;

/** @throws AppError `too-big` */
export async function readDatabase(
  context: ExportContext,
  window: WindowSession,
  database: DatabaseId,
  call: ProgressCall,
): Promise<Uint8Array> {
  const { name } = context.catalogue.entry(database);
  const title = { window, databaseName: name, title: `Copy of ${name} for the benchmark` };
  return runLongWork(context, title, call, async (work) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    await streamOut(context, window, database, 'Copying', work, async (bytes) => {
      chunks.push(bytes);
      size += bytes.length;
      if (size > MAX_READ_BYTES)
        fail(
          'too-big',
          `“${name}” is larger than 256 MB: each engine would need a copy of it in memory. Measure the query on a smaller database.`,
        );
    });
    return joined(chunks);
  });
}

export async function duplicateDatabase(
  context: LibraryContext,
  window: WindowSession,
  { database, name }: { readonly database: DatabaseId; readonly name?: string },
  call: ProgressCall,
): Promise<LibraryEntry> {
  const original = context.catalogue.entry(database);
  const title = { window, databaseName: original.name, title: `Duplicating ${original.name}` };
  return runLongWork(context, title, call, async (work) => {
    const { entry } = await buildNewFile(context, async (file) => {
      const writer = context.pool.createWriter(file);
      try {
        await streamOut(context, window, database, 'Duplicating', work, async (bytes) => writer.write(bytes));
        writer.finish();
      } catch (error) {
        writer.abort();
        throw error;
      }
      return { name: name ? cleanName(name) : original.name, source: original.source };
    });
    return entry;
  });
}

interface StreamedOut {
  readonly sizeBytes: number;
  /** `Connection.commitMark` of the written state. */
  readonly mark: string;
}

/** Other windows continue to read in the meantime; their writes wait until the last byte is written. */
export async function streamOut(
  { databases, hold }: Pick<ExportContext, 'databases' | 'hold'>,
  window: WindowSession,
  id: DatabaseId,
  phase: string,
  work: LongWork,
  write: (bytes: Uint8Array) => Promise<void>,
  fileVersion: FileVersion = PLAIN,
): Promise<StreamedOut> {
  const detached = detachedFrom(window);
  const database = databases.join(detached, id);
  try {
    return await database.enqueue({
      window: detached,
      kind: 'file',
      title: `${phase} ${database.entry.name}`,
      body: (turn) =>
        copyFile(
          turn,
          hold,
          async (bytes, done, total) => {
            await write(bytes);
            await work.report({ phase, done, total, unit: 'bytes' });
          },
          fileVersion,
        ),
    });
  } finally {
    databases.leave(detached, id);
  }
}

function* copyFile(
  turn: Turn,
  hold: ExportContext['hold'],
  write: (bytes: Uint8Array, done: number, total: number) => Promise<void>,
  fileVersion: FileVersion,
): Generator<Pause, StreamedOut, undefined> {
  const { connection } = turn;
  if (!hold) connection.checkpoint();
  const file = hold ? yield* hold(turn) : stillFile(connection, () => undefined);
  try {
    yield* copyBytes(turn, file, write, fileVersion);
    // The mark cannot be read inside a transaction, and it is only kept for files of the library.
    return { sizeBytes: file.sizeBytes, mark: hold ? '' : connection.commitMark };
  } finally {
    file.release();
  }
}

/** The file of a database in which everything is committed and checkpointed. */
export const stillFile = (connection: Connection, release: () => void): StillFile => ({
  sizeBytes: connection.fileSizeBytes,
  read: (offset, length) => connection.readFile(offset, length),
  release,
});

function* copyBytes(
  turn: Turn,
  file: StillFile,
  write: (bytes: Uint8Array, done: number, total: number) => Promise<void>,
  fileVersion: FileVersion,
): Generator<Pause, void, undefined> {
  const total = file.sizeBytes;
  let failure: { readonly error: unknown } | null = null;
  for (let offset = 0; offset < total && !failure; offset += CHUNK_BYTES) {
    if (turn.stopRequested) fail('stopped', 'Stopped. The unfinished copy was removed.');
    const chunk = readAs(fileVersion, file, offset);
    const written = write(chunk, offset + chunk.length, total).catch((error: unknown) => void (failure = { error }));
    turn.pauseUntil(written);
    yield 'reading';
  }
  if (failure) throw (failure as { readonly error: unknown }).error;
}

function readAs(version: FileVersion, file: StillFile, offset: number): Uint8Array {
  const chunk = file.read(offset, CHUNK_BYTES);
  if (offset === 0) for (const at of VERSION_BYTES) chunk[at] = version;
  return chunk;
}
