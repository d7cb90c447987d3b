// Main's part of the files port in a plain browser tab: sources are File objects, sinks are collected and downloaded.
import { fileContentOf } from '#shared/archives.ts';
import type { FileContent } from '#shared/archives.ts';
import { HEADER_BYTES } from '#shared/file-header.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { FileOperations, FilePart, FileToken } from '#shared/protocol/files.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { OpenedFile } from '#shared/shell-api.ts';

interface Download {
  readonly fileName: string;
  /** Blobs instead of arrays: Chromium moves large ones out of this process and to disk. */
  readonly parts: Blob[];
}

/** Files SQLite keeps beside a database: the WAL and the journal hold content, the third is only shared memory. */
const SIDE_FILES = ['-wal', '-journal', '-shm'] as const;
type SideFile = (typeof SIDE_FILES)[number];

const files = new Map<FileToken, File>();
const sideFiles = new WeakMap<File, ReadonlyMap<SideFile, File>>();
const downloads = new Map<FileToken, Download>();

/**
 * Returns the files except those that belong to another chosen file: these are read together with it. A page sees only chosen files, so
 * this is the only way for a database in a browser to get its WAL.
 */
export function takeTogether(chosen: readonly File[]): readonly File[] {
  const names = new Map(chosen.map((file) => [file.name, file]));
  for (const file of chosen) {
    const beside = SIDE_FILES.flatMap((kind) => {
      const side = names.get(file.name + kind);
      return side ? [[kind, side] as const] : [];
    });
    if (beside.length > 0) sideFiles.set(file, new Map(beside));
  }
  return withoutSideFiles(chosen);
}

/** Side files are read with their database and are not databases themselves. */
export function withoutSideFiles<T extends { readonly name: string }>(chosen: readonly T[]): readonly T[] {
  const names = new Set(chosen.map(({ name }) => name));
  const isBeside = ({ name }: T): boolean =>
    SIDE_FILES.some((kind) => name.endsWith(kind) && names.has(name.slice(0, -kind.length)));
  return chosen.filter((file) => !isBeside(file));
}

export function addFile(file: File): OpenedFile {
  const token = crypto.randomUUID();
  files.set(token, file);
  return { token, fileName: file.name };
}

/** Whether the file starts with the SQLite header. */
export async function contentOfFile({ token }: OpenedFile): Promise<FileContent> {
  const file = files.get(token);
  return file === undefined ? null : fileContentOf(await read(file, 0, HEADER_BYTES).catch(() => new Uint8Array(0)));
}

export function addDownload(fileName: string): OpenedFile {
  const token = crypto.randomUUID();
  downloads.set(token, { fileName, parts: [] });
  return { token, fileName };
}

function source(token: FileToken): File {
  const file = files.get(token);
  if (!file) throw AppError.notFound('This file is no longer open. Choose it again.');
  return file;
}

function partOf(file: File, part: FilePart): File | undefined {
  return part === 'main' ? file : sideFiles.get(file)?.get(`-${part}`);
}

async function read(file: Blob, offset: number, length: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  } catch {
    throw AppError.io('The file could not be read because it was moved, changed, or deleted. Choose it again.');
  }
}

const save = ({ fileName, parts }: Download): void =>
  saveBlob(new Blob(parts, { type: 'application/octet-stream' }), fileName);

/** Saves the blob as a download. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download reads the blob after the click has returned, so the URL must stay valid until then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export const webFileHandlers: Handlers<FileOperations> = {
  'file.info'({ token }) {
    const file = source(token);
    return {
      fileName: file.name,
      displayPath: file.name,
      locationId: null,
      sizeBytes: file.size,
      modifiedAtMs: file.lastModified,
      walSizeBytes: partOf(file, 'wal')?.size ?? 0,
      journalSizeBytes: partOf(file, 'journal')?.size ?? 0,
      onlyChosenSideFiles: true,
    };
  },
  'file.read'({ token, part, offset, length }) {
    const file = partOf(source(token), part);
    return file ? read(file, offset, length) : new Uint8Array(0);
  },
  'file.write'({ token, bytes }) {
    const download = downloads.get(token);
    if (!download) throw AppError.notFound('This export has already finished or was canceled.');
    download.parts.push(new Blob([bytes as Uint8Array<ArrayBuffer>]));
    return null;
  },
  'file.close'({ token, commit }) {
    const download = downloads.get(token);
    if (download && commit) save(download);
    downloads.delete(token);
    files.delete(token);
    return { backup: null };
  },
  'folder.openBeside': noFolders,
  'folder.taken': noFolders,
  'folder.write': noFolders,
  'folder.close': () => null,
  'source.stat': () => ({ found: 'missing' }),
  'source.open': noSources,
  'source.openSink': noSources,
  'source.keepOnly': () => null,
  'inPlace.list': noSources,
  'inPlace.unlist': () => null,
};

function noFolders(): never {
  throw AppError.unavailable('A browser cannot write several files into a folder. Use the desktop app.');
}

function noSources(): never {
  throw AppError.unavailable('A browser cannot reach the file this came from. Choose it again.');
}

/** The file behind a token, which stays open. @throws AppError `not-found` */
export const chosenFile = source;

/** Ends a download that another part of the page writes. @returns its name */
export function takeDownload(token: FileToken): string | null {
  const name = downloads.get(token)?.fileName ?? null;
  downloads.delete(token);
  return name;
}

export const forgetFile = (token: FileToken): void => void files.delete(token);

export const download = (fileName: string, bytes: Uint8Array): void =>
  save({ fileName, parts: [new Blob([bytes as Uint8Array<ArrayBuffer>])] });
