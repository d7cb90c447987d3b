// Files that may hold a database, packed: told by their first bytes, and the ids of databases that were unpacked from one.
import { isDatabaseHeader } from './file-header.ts';
import type { UnpackedSinks } from './protocol/archive.ts';
import type { DatabaseId } from './protocol/database-id.ts';
import type { FileToken } from './protocol/files.ts';

/** `gzip` and `zstd` hold one file each, without a name. */
export type ArchiveKind = 'zip' | 'gzip' | 'zstd';

/** First bytes (PKWARE APPNOTE 4.3.7, RFC 1952 section 2.3.1, RFC 8878 section 3.1.1). */
const SIGNATURES: readonly (readonly [kind: ArchiveKind, bytes: readonly number[]])[] = [
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['gzip', [0x1f, 0x8b, 0x08]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

/** Null if the file begins as no archive that Sidelite unpacks. */
export const archiveKindOf = (head: Uint8Array): ArchiveKind | null =>
  SIGNATURES.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0] ?? null;

/** Null: anything else. */
export type FileContent = 'database' | 'archive' | null;

/** @param head the first bytes of a file */
export function fileContentOf(head: Uint8Array): FileContent {
  if (isDatabaseHeader(head)) return 'database';
  return archiveKindOf(head) === null ? null : 'archive';
}

/** Extensions of such files, for dialogs: `.apkg` and `.colpkg` are ZIP files of Anki. */
export const ARCHIVE_EXTENSIONS: readonly string[] = ['zip', 'gz', 'zst', 'apkg', 'colpkg'];

/** Id of a database that was unpacked: a temporary file, opened in place until it is closed. */
const UNPACKED = /^file:unpacked-[0-9a-f-]{36}$/;
export const isUnpacked = (database: DatabaseId): boolean => UNPACKED.test(database);
export const newUnpackedName = (uuid: string): string => `unpacked-${uuid}`;

/** Where to unpack a database, and how large it may be; or why that is impossible. */
export type UnpackedPlace =
  | { readonly unpacked: string; readonly into: UnpackedSinks; readonly roomBytes: number }
  | { readonly why: string };

/** Temporary databases that are unpacked from archives. Desktop only. */
export interface UnpackedShell {
  /** Starts the native engine, and makes room for a database. */
  create(): Promise<UnpackedPlace>;
  /** It is unpacked. Resolves with its id in the native engine, for `database.open`; null if it, or the archive, is gone. */
  open(unpacked: string, name: string, archive: FileToken): Promise<DatabaseId | null>;
  /** It is closed, or not needed: removes its file. */
  discard(unpacked: string): Promise<void>;
}
