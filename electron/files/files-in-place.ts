// Knows which files in place each window may name: those it has opened since the app was started, and those the library lists.
import { statSync } from 'node:fs';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { FileOperations } from '#shared/protocol/files.ts';
import type { NativeFile } from '#shared/native-link.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { locationIdFor, type FileLocations } from './file-locations.ts';

export class FilesInPlace {
  readonly #listed: FileLocations;
  /** Open files by window, including comparison copies. */
  readonly #opened = new Map<string, Map<string, NativeFile>>();
  #closed: () => void = () => undefined;

  constructor(listed: FileLocations) {
    this.#listed = listed;
  }

  /** @param closed called when a window has closed files */
  onClosed(closed: () => void): void {
    this.#closed = closed;
  }

  /** Returns a function that undoes this. */
  open(windowId: string, file: NativeFile): () => void {
    const ofWindow = this.#opened.get(windowId) ?? new Map<string, NativeFile>();
    const before = ofWindow.get(file.locationId);
    this.#opened.set(windowId, ofWindow.set(file.locationId, file));
    return () => {
      if (before) ofWindow.set(file.locationId, before);
      else ofWindow.delete(file.locationId);
    };
  }

  /** A file that one window has opened read-only is so in all of them. */
  openedIn(windowId: string): readonly NativeFile[] {
    const files = [...(this.#opened.get(windowId)?.values() ?? [])];
    return files.map((file) => (this.accessTo(file.locationId) === 'read' ? { ...file, readOnly: true } : file));
  }

  /** What has become read-only stays so in the other windows. */
  forget(windowId: string, locationId: string): void {
    const isReadOnly = this.accessTo(locationId) === 'read';
    this.#opened.get(windowId)?.delete(locationId);
    for (const files of isReadOnly ? this.#opened.values() : []) {
      const file = files.get(locationId);
      if (file) files.set(locationId, { ...file, readOnly: true });
    }
    this.#closed();
  }

  forgetWindow(windowId: string): void {
    for (const locationId of this.#opened.get(windowId)?.keys() ?? []) this.forget(windowId, locationId);
    this.#opened.delete(windowId);
  }

  /** Any window has it open. */
  isOpened(database: DatabaseId): boolean {
    return [...this.#opened.values()].some((files) => [...files.values()].some((file) => file.database === database));
  }

  /** As a window has it open that has opened it; null if none has. */
  find(locationId: string): NativeFile | null {
    for (const files of this.#opened.values()) if (files.has(locationId)) return files.get(locationId)!;
    return null;
  }

  /** Another window has it open. */
  isOpenedBeside(windowId: string, locationId: string): boolean {
    return [...this.#opened].some(([other, files]) => other !== windowId && files.has(locationId));
  }

  /** Null if the file was not opened in this window. */
  pathOfOpened(windowId: string, locationId: string): string | null {
    return this.#opened.get(windowId)?.get(locationId)?.path ?? null;
  }

  /** How windows that have opened the file may use it, since they share a connection; null if no window has opened it. */
  accessTo(locationId: string): 'read' | 'write' | null {
    const opened = [...this.#opened.values()].flatMap((files) => files.get(locationId) ?? []);
    if (opened.length === 0) return null;
    return opened.some(({ readOnly }) => readOnly) ? 'read' : 'write';
  }

  /** Null if this window may not name the file. */
  pathOf(windowId: string, locationId: string): string | null {
    return this.pathOfOpened(windowId, locationId) ?? this.#listed.pathOf(locationId);
  }

  readonly handlers: Pick<Handlers<FileOperations>, 'inPlace.list' | 'inPlace.unlist'> = {
    'inPlace.list': ({ locationId, window = '' }) => {
      const file = this.#opened.get(window)?.get(locationId);
      const stats = file && statSync(file.path, { throwIfNoEntry: false });
      if (!file || !stats || locationIdFor(file.path) !== locationId)
        throw AppError.notFound('This file is not open in this window. Open it again.');
      this.#listed.idOf(file.path);
      const { database, fileName, displayPath } = file;
      return { database, fileName, displayPath, locationId, sizeBytes: stats.size };
    },
    'inPlace.unlist': ({ locationId }) => {
      this.#listed.forget(locationId);
      return null;
    },
  };

  keepOnly(locationIds: readonly string[]): void {
    this.#listed.keepOnly(locationIds);
  }
}
