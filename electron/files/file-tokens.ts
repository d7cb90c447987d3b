// Turns paths a person chose into tokens, and serves the bytes behind a token to the worker.
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import type { FileOperations, FileToken } from '#shared/protocol/files.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { SinkFile } from './sink-file.ts';
import type { SourceBackups } from './source-backups.ts';
import { SourceFile } from './source-file.ts';
import { lookAt } from './source-look.ts';
import type { SourcePlaces } from './source-places.ts';
import { SourceSink } from './source-sink.ts';
import type { UnfinishedFiles } from './unfinished-files.ts';

/** More in one message would only cost memory on both sides. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
const PARTS = new Set(['main', 'wal', 'journal']);

export interface FileTokens {
  addSource(path: string): OpenedFile;
  addSink(path: string): OpenedFile;
  /** A sink whose file lasts no longer than the app runs. */
  addTemporarySink(path: string): OpenedFile;
  /** The path behind a token of a file to read; null when it is not open any more. Its bytes are let go. */
  takeSourcePath(token: FileToken): string | null;
  readonly handlers: Handlers<FileOperations>;
  /** Removes what unfinished exports have written: their writer is gone. */
  abortSinks(): Promise<void>;
}

export function createFileTokens(
  places: SourcePlaces,
  unfinished: UnfinishedFiles,
  backups: SourceBackups,
): FileTokens {
  const files = new Map<FileToken, SourceFile | SinkFile>();
  const add = (file: SourceFile | SinkFile): OpenedFile => {
    const token = randomUUID();
    files.set(token, file);
    return { token, fileName: file.fileName };
  };
  const get = <T extends SourceFile | SinkFile>(token: FileToken, kind: new (...args: never[]) => T): T => {
    const file = files.get(token);
    if (file instanceof kind) return file;
    throw new AppError({ code: 'not-found', message: 'This file is not open any more. Choose it again.' });
  };

  return {
    addSource: (path) => add(new SourceFile(path, places.idOf(path))),
    addSink: (path) => add(new SinkFile(path, unfinished)),
    addTemporarySink: (path) => add(new SinkFile(path, unfinished, true)),
    takeSourcePath(token) {
      const file = files.get(token);
      if (!(file instanceof SourceFile)) return null;
      files.delete(token);
      void file.close();
      return file.path;
    },
    handlers: {
      'file.info': ({ token }) => get(token, SourceFile).info(),
      'file.read'({ token, part, offset, length }) {
        const sane =
          PARTS.has(part) && Number.isSafeInteger(offset) && offset >= 0 && length >= 0 && length <= MAX_READ_BYTES;
        if (!sane)
          throw new AppError({ code: 'invalid', message: 'A part of a file was asked for that cannot exist.' });
        return get(token, SourceFile).read(part, offset, length);
      },
      async 'file.write'({ token, bytes }) {
        await get(token, SinkFile).write(bytes);
        return null;
      },
      async 'file.close'({ token, commit }) {
        const file = files.get(token);
        files.delete(token);
        if (file instanceof SinkFile && commit) return { backup: await file.commit() };
        if (file instanceof SourceFile) await file.close();
        else await file?.abort();
        return { backup: null };
      },
      ...sourceHandlers(places, (file) => add(file).token, { unfinished, backups }),
    },
    async abortSinks() {
      for (const [token, file] of files) {
        if (!(file instanceof SinkFile)) continue;
        files.delete(token);
        await file.abort();
      }
    },
  };
}

function sourceHandlers(
  places: SourcePlaces,
  add: (file: SourceFile | SinkFile) => FileToken,
  { unfinished, backups }: { readonly unfinished: UnfinishedFiles; readonly backups: SourceBackups },
): Pick<Handlers<FileOperations>, 'source.look' | 'source.open' | 'source.openSink'> {
  const pathOf = (sourceId: string): string => {
    const path = places.pathOf(sourceId);
    if (path !== null) return path;
    throw new AppError({
      code: 'not-found',
      message: 'Where this database came from is no longer known. Export it to a file instead.',
    });
  };
  return {
    async 'source.look'({ sourceId }) {
      const path = places.pathOf(sourceId);
      return path === null ? { found: 'missing' } : lookAt(path, basename(path));
    },
    'source.open': ({ sourceId }) => ({ token: add(new SourceFile(pathOf(sourceId), sourceId)) }),
    async 'source.openSink'({ sourceId, expected }) {
      return { token: add(await SourceSink.open(pathOf(sourceId), expected, backups, unfinished)) };
    },
  };
}
