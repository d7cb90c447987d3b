// Turns paths the user chose into tokens, and serves the bytes behind a token to the worker.
import { randomUUID } from 'node:crypto';
import { basename, dirname, join, parse } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import type { FileOperations, FileToken } from '#shared/protocol/files.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { fileContentOf, type FileContent } from '#shared/archives.ts';
import { HEADER_BYTES } from '#shared/file-header.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import type { FilesInPlace } from './files-in-place.ts';
import { realTarget } from './real-target.ts';
import { FolderSink } from './folder-sink.ts';
import { SinkFile } from './sink-file.ts';
import type { SourceBackups } from './source-backups.ts';
import { SourceFile } from './source-file.ts';
import { lookAt, SourceSink } from './source-sink.ts';
import type { FileLocations } from './file-locations.ts';
import type { UnfinishedFiles } from './unfinished-files.ts';

/** Larger messages would only cost memory on both sides. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
/** How many saved files “Show in Folder” remembers. */
const MAX_SAVED = 50;
const PARTS = new Set(['main', 'wal', 'journal']);

/** Each file belongs to the window it was chosen in: `windowId`. */
export interface FileTokens {
  addSource(windowId: string, path: string): OpenedFile;
  addSink(windowId: string, path: string): OpenedFile;
  /** Adds an existing folder to write files into. */
  addFolder(windowId: string, path: string): OpenedFile;
  /** Adds a sink whose file is deleted when the app ends. */
  addTemporarySink(windowId: string, path: string): OpenedFile;
  /**
   * Takes the path for the token of a file to read, and releases the file; null if the file is not open in this window, or not any more.
   */
  takeSourcePath(windowId: string, token: FileToken): string | null;
  /** The path for the token of a file to read; the file stays open; null if it is not open in this window. */
  sourcePath(windowId: string, token: FileToken): string | null;
  /** Writes all of a sink. Resolves with its path. @throws AppError `not-found`, and those of writing */
  writeSink(windowId: string, token: FileToken, bytes: Uint8Array): Promise<string>;
  /** The path of a file this window saved under `token`; null if it did not, or too many were saved since. */
  savedPath(windowId: string, token: FileToken): string | null;
  /** What a file to read is by its first bytes; null too if it is not open in this window or cannot be read. */
  contentOf(windowId: string, token: FileToken): Promise<FileContent>;
  readonly handlers: Handlers<FileOperations>;
  /** The window is closed: nobody reads the files of that window any more. */
  closeSourcesOf(windowId: string): Promise<void>;
  /** Removes partial files of unfinished exports whose writer is gone. */
  abortSinks(): Promise<void>;
}

interface FileTokenParts {
  readonly locations: FileLocations;
  readonly inPlace: FilesInPlace;
  readonly unfinished: UnfinishedFiles;
  readonly backups: SourceBackups;
  /** Called when a window requests a file of another window. */
  readonly refused: (fileName: string, windowId: string) => void;
}

type HeldFile = SourceFile | SinkFile | FolderSink;

interface Held {
  readonly file: HeldFile;
  readonly windowId: string;
}

export function createFileTokens({ locations, inPlace, unfinished, backups, refused }: FileTokenParts): FileTokens {
  const open = new OpenFiles(refused);
  return {
    addSource(windowId, path) {
      // A file chosen through a link is the same file, of which the library may have a copy.
      const locationId = locations.idOf(realTarget(path));
      return { ...open.add(windowId, new SourceFile(path, locationId)), locationId };
    },
    addSink: (windowId, path) => open.add(windowId, new SinkFile(path, unfinished)),
    addFolder: (windowId, path) => open.add(windowId, new FolderSink(path, unfinished, false)),
    addTemporarySink: (windowId, path) => open.add(windowId, new SinkFile(path, unfinished, true)),
    takeSourcePath(windowId, token) {
      const file = open.find(token, windowId);
      if (!(file instanceof SourceFile)) return null;
      open.forget(token);
      void file.close();
      return file.path;
    },
    sourcePath(windowId, token) {
      const file = open.find(token, windowId);
      return file instanceof SourceFile ? file.path : null;
    },
    async writeSink(windowId, token, bytes) {
      const file = open.get({ token, window: windowId }, SinkFile);
      open.forget(token);
      try {
        await file.write(bytes);
      } catch (thrown) {
        await file.abort();
        throw thrown;
      }
      await file.commit();
      open.noteSaved(token, file, windowId);
      return file.path;
    },
    savedPath: (windowId, token) => open.savedPath(windowId, token),
    async contentOf(windowId, token) {
      const file = open.find(token, windowId);
      if (!(file instanceof SourceFile)) return null;
      // A file that cannot be read reports why when it is opened.
      return fileContentOf(await file.read('main', 0, HEADER_BYTES).catch(() => new Uint8Array(0)));
    },
    handlers: {
      ...fileHandlers(open),
      ...folderHandlers(open, unfinished),
      ...sourceHandlers(locations, open, { unfinished, backups }),
      ...inPlace.handlers,
      'source.keepOnly'({ copies, inPlace: listed }) {
        locations.keepOnly(copies);
        inPlace.keepOnly(listed);
        return null;
      },
    },
    closeSourcesOf: (windowId) => open.closeSourcesOf(windowId),
    abortSinks: () => open.abortSinks(),
  };
}

/** Open files by token; each is only found from its own window. */
class OpenFiles {
  readonly #files = new Map<FileToken, Held>();
  /** Saved files, oldest first. */
  readonly #saved = new Map<FileToken, { readonly path: string; readonly windowId: string }>();
  readonly #refused: FileTokenParts['refused'];

  constructor(refused: FileTokenParts['refused']) {
    this.#refused = refused;
  }

  add(windowId: string, file: HeldFile): OpenedFile {
    const token = randomUUID();
    this.#files.set(token, { file, windowId });
    return { token, fileName: file.fileName };
  }

  find(token: FileToken, windowId: string | undefined): HeldFile | null {
    const held = this.#files.get(token);
    if (held?.windowId === windowId) return held?.file ?? null;
    if (held) this.#refused(held.file.fileName, windowId ?? '');
    return null;
  }

  /** @throws AppError `not-found` */
  get<T extends HeldFile>(
    { token, window }: { readonly token: FileToken; readonly window?: string },
    kind: new (...args: never[]) => T,
  ): T {
    const file = this.find(token, window);
    if (file instanceof kind) return file;
    throw AppError.notFound('This file is no longer open. Choose it again.');
  }

  forget(token: FileToken): void {
    this.#files.delete(token);
  }

  noteSaved(token: FileToken, { path }: SinkFile | FolderSink, windowId: string | undefined): void {
    this.#saved.set(token, { path, windowId: windowId ?? '' });
    const [oldest] = this.#saved.keys();
    if (oldest !== undefined && this.#saved.size > MAX_SAVED) this.#saved.delete(oldest);
  }

  savedPath(windowId: string, token: FileToken): string | null {
    const saved = this.#saved.get(token);
    return saved?.windowId === windowId ? saved.path : null;
  }

  async closeSourcesOf(windowId: string): Promise<void> {
    for (const [token, { file, windowId: owner }] of this.#files) {
      if (owner !== windowId || !(file instanceof SourceFile)) continue;
      this.#files.delete(token);
      await file.close();
    }
  }

  async abortSinks(): Promise<void> {
    for (const [token, { file }] of this.#files) {
      if (file instanceof SourceFile) continue;
      this.#files.delete(token);
      await file.abort();
    }
  }
}

function fileHandlers(
  open: OpenFiles,
): Pick<Handlers<FileOperations>, 'file.info' | 'file.read' | 'file.write' | 'file.close'> {
  return {
    'file.info': (params) => open.get(params, SourceFile).info(),
    'file.read'(params) {
      const { part, offset, length } = params;
      const sane =
        PARTS.has(part) && Number.isSafeInteger(offset) && offset >= 0 && length >= 0 && length <= MAX_READ_BYTES;
      if (!sane) throw AppError.invalid('A part of the file that cannot exist was requested.');
      return open.get(params, SourceFile).read(part, offset, length);
    },
    async 'file.write'(params) {
      await open.get(params, SinkFile).write(params.bytes);
      return null;
    },
    async 'file.close'({ token, commit, window }) {
      const file = open.find(token, window);
      if (file) open.forget(token);
      if (file instanceof SinkFile && commit) {
        const backup = await file.commit();
        open.noteSaved(token, file, window);
        return { backup };
      }
      if (file instanceof SourceFile) await file.close();
      else await file?.abort();
      return { backup: null };
    },
  };
}

function folderHandlers(
  open: OpenFiles,
  unfinished: UnfinishedFiles,
): Pick<Handlers<FileOperations>, 'folder.openBeside' | 'folder.taken' | 'folder.write' | 'folder.close'> {
  return {
    'folder.openBeside'({ token, window }) {
      const { path } = open.get({ token, window: window ?? '' }, SinkFile);
      const beside = new FolderSink(join(dirname(path), `${parse(path).name}_files`), unfinished, true, path);
      if (beside.taken(['']).length > 0)
        throw AppError.exists(
          `The BLOBs would go into the folder “${beside.fileName}”, but something with that name is already there. Nothing was written. Save under another name.`,
        );
      const added = open.add(window ?? '', beside);
      return { token: added.token, folderName: added.fileName };
    },
    'folder.taken': (params) => open.get(params, FolderSink).taken(params.names),
    async 'folder.write'(params) {
      const folder = open.get(params, FolderSink);
      for (const { name, bytes } of params.files) await folder.write(name, bytes);
      return null;
    },
    async 'folder.close'({ token, commit, replaced, window }) {
      const folder = open.find(token, window);
      if (!(folder instanceof FolderSink)) return null;
      open.forget(token);
      if (!commit) await folder.abort();
      else {
        await folder.commit(new Set(replaced));
        open.noteSaved(token, folder, window);
      }
      return null;
    },
  };
}

function sourceHandlers(
  locations: FileLocations,
  open: OpenFiles,
  { unfinished, backups }: { readonly unfinished: UnfinishedFiles; readonly backups: SourceBackups },
): Pick<Handlers<FileOperations>, 'source.stat' | 'source.open' | 'source.openSink'> {
  const pathOf = (locationId: string): string => {
    const path = locations.pathOf(locationId);
    if (path !== null) return path;
    throw AppError.notFound('Sidelite no longer knows where this database came from. Export it to a file instead.');
  };
  const add = (windowId: string | undefined, file: HeldFile): FileToken => open.add(windowId ?? '', file).token;
  return {
    async 'source.stat'({ locationId }) {
      const path = locations.pathOf(locationId);
      return path === null ? { found: 'missing' } : lookAt(path, basename(path));
    },
    'source.open': ({ locationId, window }) => ({ token: add(window, new SourceFile(pathOf(locationId), locationId)) }),
    async 'source.openSink'({ locationId, expected, window }) {
      return { token: add(window, await SourceSink.open(pathOf(locationId), expected, backups, unfinished)) };
    },
  };
}
