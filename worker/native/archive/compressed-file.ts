// A database that was compressed on its own, by gzip or zstd.
import type { ArchiveKind } from '#shared/archives.ts';
import { HEADER_BYTES, isDatabaseHeader } from '#shared/file-header.ts';
import { isLikeEncrypted, otherThanDatabase } from '#shared/foreign-files.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { gunzip } from './inflate.ts';
import { bytesOf, firstBytesOf, HEAD_BYTES, mayBeEncrypted } from './packed-file.ts';
import type { Archive, Pieces } from './packed-file.ts';
import { unzstd } from './unzstd.ts';

type Compression = Exclude<ArchiveKind, 'zip'>;

const UNPACK: Readonly<Record<Compression, (packed: Pieces) => Pieces>> = { gzip: gunzip, zstd: unzstd };
const PACKED_BY: Readonly<Record<Compression, string>> = { gzip: 'gzip', zstd: 'Zstandard' };
const EXTENSION = /\.(gz|gzip|zst|zstd)$/i;

export function openCompressed(source: ByteSource, kind: Compression): Archive {
  const { fileName } = source;
  // The name in the header of GZIP is that of a file on another computer.
  const name = fileName.replace(EXTENSION, '') || fileName;
  const main = { sizeBytes: null, unpack: () => UNPACK[kind](bytesOf(source)) };
  return {
    async list() {
      const head = await firstBytesOf(main.unpack(), HEAD_BYTES);
      if (head.length >= HEADER_BYTES && isDatabaseHeader(head)) return [{ name, sizeBytes: null }];
      if (isLikeEncrypted(head)) throw mayBeEncrypted(`What is in “${fileName}”`);
      const what = head.length === 0 ? 'is empty' : (otherThanDatabase(head) ?? 'does not begin as one');
      throw AppError.notADatabase(
        `“${fileName}” was compressed by ${PACKED_BY[kind]}, but what is in it is not an SQLite database: it ${what}. Nothing was changed.`,
      );
    },
    partsOf: () => ({ main, wal: null, journal: null }),
  };
}
