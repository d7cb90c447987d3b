// Turns paths a person chose into tokens, and serves the bytes behind a token to the worker.
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import type { FileOperations, FileToken } from '#shared/protocol/files.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import type { FilesInPlace } from './files-in-place.ts';
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

/** Each file belongs to the window it was chosen in: `windowId`. */
export interface FileTokens {
  addSource(windowId: string, path: string): OpenedFile;
  addSink(windowId: string, path: string): OpenedFile;
  /** A sink whose file lasts no longer than the app runs. */
  addTemporarySink(windowId: string, path: string): OpenedFile;
  /** The path behind a token of a file to read; null when it is not open (any more) in this window. Its bytes are let go. */
  takeSourcePath(windowId: string, token: FileToken): string | null;
  readonly handlers: Handlers<FileOperations>;
  /** Removes what unfinished exports have written: their writer is gone. */
  abortSinks(): Promise<void>;
}

interface FileTokenParts {
  readonly places: SourcePlaces;
  readonly inPlace: FilesInPlace;
  readonly unfinished: UnfinishedFiles;
  readonly backups: SourceBackups;
  /** A window asked for a file of another one. */
  readonly refused: (fileName: string, windowId: string) => void;
}

interface Held {
  readonly file: SourceFile | SinkFile;
  readonly windowId: string;
}

export function createFileTokens({ places, inPlace, unfinished, backups, refused }: FileTokenParts): FileTokens {
  const files = new Map<FileToken, Held>();
  const add = (windowId: string, file: SourceFile | SinkFile): OpenedFile => {
    const token = randomUUID();
    files.set(token, { file, windowId });
    return { token, fileName: file.fileName };
  };
  const find = (token: FileToken, windowId: string | undefined): SourceFile | SinkFile | null => {
    const held = files.get(token);
    if (held?.windowId === windowId) return held?.file ?? null;
    if (held) refused(held.file.fileName, windowId ?? '');
    return null;
  };
  const get = <T extends SourceFile | SinkFile>(
    { token, window }: { readonly token: FileToken; readonly window?: string },
    kind: new (...args: never[]) => T,
  ): T => {
    const file = find(token, window);
    if (file instanceof kind) return file;
    throw new AppError({ code: 'not-found', message: 'This file is not open any more. Choose it again.' });
  };

  return {
    addSource: (windowId, path) => add(windowId, new SourceFile(path, places.idOf(path))),
    addSink: (windowId, path) => add(windowId, new SinkFile(path, unfinished)),
    addTemporarySink: (windowId, path) => add(windowId, new SinkFile(path, unfinished, true)),
    takeSourcePath(windowId, token) {
      const file = find(token, windowId);
      if (!(file instanceof SourceFile)) return null;
      files.delete(token);
      void file.close();
      return file.path;
    },
    handlers: {
      'file.info': (params) => get(params, SourceFile).info(),
      'file.read'(params) {
        const { part, offset, length } = params;
        const sane =
          PARTS.has(part) && Number.isSafeInteger(offset) && offset >= 0 && length >= 0 && length <= MAX_READ_BYTES;
        if (!sane)
          throw new AppError({ code: 'invalid', message: 'A part of a file was asked for that cannot exist.' });
        return get(params, SourceFile).read(part, offset, length);
      },
      async 'file.write'(params) {
        await get(params, SinkFile).write(params.bytes);
        return null;
      },
      async 'file.close'({ token, commit, window }) {
        const file = find(token, window);
        if (file) files.delete(token);
        if (file instanceof SinkFile && commit) return { backup: await file.commit() };
        if (file instanceof SourceFile) await file.close();
        else await file?.abort();
        return { backup: null };
      },
      ...sourceHandlers(places, (windowId, file) => add(windowId ?? '', file).token, { unfinished, backups }),
      ...inPlace.handlers,
      'source.keepOnly'({ copies, inPlace: listed }) {
        places.keepOnly(copies);
        inPlace.keepOnly(listed);
        return null;
      },
    },
    async abortSinks() {
      for (const [token, { file }] of files) {
        if (!(file instanceof SinkFile)) continue;
        files.delete(token);
        await file.abort();
      }
    },
  };
}

function sourceHandlers(
  places: SourcePlaces,
  add: (windowId: string | undefined, file: SourceFile | SinkFile) => FileToken,
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
    'source.open': ({ sourceId, window }) => ({ token: add(window, new SourceFile(pathOf(sourceId), sourceId)) }),
    async 'source.openSink'({ sourceId, expected, window }) {
      return { token: add(window, await SourceSink.open(pathOf(sourceId), expected, backups, unfinished)) };
    },
  };
}
