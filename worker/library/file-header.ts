// Reads what the first bytes of a file say before any of it is imported (sqlite.org/fileformat.html, section 1.3).
import { isDatabaseHeader } from '#shared/file-header.ts';
import { isLikeEncrypted, otherThanDatabase } from '#shared/foreign-files.ts';
import { AppError, fail } from '#shared/protocol/errors.ts';
import { MAY_BE_ENCRYPTED } from '#shared/protocol/library.ts';

/** The number of bytes {@link checkHeader} needs: the header, and enough to guess other file types. */
export const HEADER_BYTES = 4096;

const NEWEST_FORMAT = 2;
const WAL_FORMAT = 2;
const NEWEST_SCHEMA_FORMAT = 4;
const UTF_8 = 1;
interface HeaderInfo {
  readonly pageSize: number;
  /** A file of zero bytes, which SQLite treats as an empty database. */
  readonly empty: boolean;
  /** The programs that have it open keep their latest commits in a WAL beside it. */
  readonly usesWal: boolean;
}

interface FileFacts {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly walSizeBytes: number;
}

/** @param readsUtf16 the engine reads such files @throws AppError `not-a-database`, `too-new`, `unavailable`, `corrupt` with `detail.salvage` */
export function checkHeader(head: Uint8Array, file: FileFacts, readsUtf16 = false): HeaderInfo {
  if (file.sizeBytes === 0) return { pageSize: 4096, empty: true, usesWal: false };
  if (!isDatabaseHeader(head)) throw notADatabase(head, file);
  if (head.length < 100) throw damaged(file, 'it ends inside its header', false);
  checkFormat(head, file, readsUtf16);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const stored = view.getUint16(16);
  const pageSize = stored === 1 ? 65536 : stored;
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0)
    throw damaged(file, `its header names a page size of ${stored}`, false);
  // The count is only valid when these agree: old writers did not keep it. With a WAL the missing pages may be in there.
  const countIsValid = view.getUint32(24) === view.getUint32(92);
  const expectedBytes = view.getUint32(28) * pageSize;
  if (countIsValid && file.walSizeBytes === 0 && expectedBytes > file.sizeBytes) {
    throw damaged(
      file,
      `it should be ${grouped(expectedBytes)} bytes long and has only ${grouped(file.sizeBytes)}, so its end is missing`,
      true,
    );
  }
  return { pageSize, empty: false, usesWal: head[18] === WAL_FORMAT };
}

const grouped = (bytes: number): string => bytes.toLocaleString('en-US');

function checkFormat(head: Uint8Array, file: FileFacts, readsUtf16: boolean): void {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head[18]! > NEWEST_FORMAT || head[19]! > NEWEST_FORMAT || view.getUint32(44) > NEWEST_SCHEMA_FORMAT) {
    fail(
      'too-new',
      `“${file.fileName}” was written in a newer file format than this version of SQLite can read. Nothing was imported. A newer version of Sidelite may open it.`,
    );
  }
  const encoding = view.getUint32(56);
  if (encoding > UTF_8 && encoding <= 3 && !readsUtf16) {
    fail(
      'unavailable',
      `“${file.fileName}” stores its text as UTF-16, which SQLite’s WebAssembly build for the library cannot read. Nothing was imported. Open it in place in the desktop app, which reads it as it is.`,
    );
  }
}

/** `salvage`: it is worth trying to save its rows. */
export function damaged(file: { readonly fileName: string }, what: string, salvage: boolean): AppError {
  const advice = salvage
    ? 'What can still be read can be recovered into a new database.'
    : 'If you have a backup, use that.';
  return AppError.corrupt(`“${file.fileName}” is damaged: ${what}. Nothing was imported. ${advice}`, {
    detail: { salvage },
  });
}

function notADatabase(head: Uint8Array, { fileName }: FileFacts): AppError {
  const isEncrypted = isLikeEncrypted(head);
  const what = isEncrypted ? ENCRYPTED : (otherThanDatabase(head) ?? 'does not begin as one');
  return AppError.notADatabase(`“${fileName}” is not an SQLite database: it ${what}. Nothing was imported.`, {
    ...(isEncrypted && { detail: { [MAY_BE_ENCRYPTED]: true } }),
  });
}

const ENCRYPTED =
  'looks like random bytes, so it may be an encrypted database. The desktop app opens one in place, with its password, and exports it';
