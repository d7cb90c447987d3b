// The databases in a ZIP file, told by their first bytes. The names of its files are shown and compared, and never used as paths.
import { archiveKindOf } from '#shared/archives.ts';
import { HEADER_BYTES, isDatabaseHeader } from '#shared/file-header.ts';
import { isLikeEncrypted } from '#shared/foreign-files.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { PackedDatabase } from '#shared/protocol/archive.ts';
import { READING_LIMITS } from '../../import/reading-limits.ts';
import { foldedPart, readZipDirectory, type ZipEntry } from '../../import/zip/zip-directory.ts';
import { dataStart } from '../../import/zip/zip-stream.ts';
import { crc32 } from '../../records/bytes.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { bytesOf, firstBytesOf, HEAD_BYTES, mayBeEncrypted } from './packed-file.ts';
import type { Archive, PackedFile, Pieces } from './packed-file.ts';
import { unzstd } from './unzstd.ts';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflateRaw } from 'node:zlib';

/** Number of files that are looked into: an archive may hold a million pictures. */
const MOST_TRIED = 2000;
/** More would be read for each file that is looked into. */
const TRIED_BYTES = 1 << 13;
const LIKELY_NAME = /\.(db|db3|sqlite|sqlite3|sqlitedb|s3db|sl3|gpkg|mbtiles|anki2|anki21)$/;
const [STORED, DEFLATED] = [0, 8];

/** A package of Anki has its collection in one of these, newest first: the others then only ask for a newer version of Anki. */
const ANKI_ZSTD = 'collection.anki21b';
const ANKI = [ANKI_ZSTD, 'collection.anki21', 'collection.anki2'];
/** Office documents are ZIP files with this in it (ECMA-376-2, 7.3.7). */
const OFFICE = '[content_types].xml';

export async function openZip(source: ByteSource): Promise<Archive> {
  const zip = new ZipFile(source, await readZipDirectory(source, READING_LIMITS));
  return { list: () => zip.list(), partsOf: (name) => zip.partsOf(name) };
}

class ZipFile {
  readonly #source: ByteSource;
  readonly #entries: ReadonlyMap<string, ZipEntry>;

  constructor(source: ByteSource, entries: ReadonlyMap<string, ZipEntry>) {
    this.#source = source;
    this.#entries = entries;
  }

  async list(): Promise<readonly PackedDatabase[]> {
    if (this.#entries.has(OFFICE)) throw this.#nothing('it is an office document');
    const anki = ANKI.find((name) => this.#entries.has(name));
    const files = anki === undefined ? this.#likeliest() : [this.#entries.get(anki)!];
    const readable = files.filter(isReadable);
    const found: PackedDatabase[] = [];
    let encrypted: ZipEntry | null = null;
    for (const entry of readable) {
      const head = await this.#headOf(entry);
      if (isDatabaseHeader(head)) found.push(this.#named(entry));
      else if (isLikelyName(entry) && isLikeEncrypted(head)) encrypted ??= entry;
    }
    const unread = files.find((entry) => !isReadable(entry));
    if (found.length > 0) return found;
    if (encrypted) throw mayBeEncrypted(`“${encrypted.name}” in “${this.#source.fileName}”`);
    if (unread?.isEncrypted === true)
      throw AppError.unavailable(
        `The files in “${this.#source.fileName}” are protected by a password. Unpack it with the program that made it, and open the database. Nothing was changed.`,
      );
    if (unread) throw this.#compressedOtherwise(unread);
    const isCut = files.length === MOST_TRIED;
    throw this.#nothing(
      isCut ? `none of the ${MOST_TRIED} files that were looked into is one` : 'none of its files is one',
    );
  }

  partsOf(name: string): {
    readonly main: PackedFile;
    readonly wal: PackedFile | null;
    readonly journal: PackedFile | null;
  } {
    const key = foldedPart(name);
    const main = this.#entries.get(key);
    if (!main) throw AppError.notFound(`“${name}” is no longer in “${this.#source.fileName}”. Open the file again.`);
    if (!isReadable(main)) throw this.#compressedOtherwise(main);
    const beside = (suffix: string): PackedFile | null => {
      const entry = this.#entries.get(key + suffix);
      return entry && entry.sizeBytes > 0 ? this.#packed(entry) : null;
    };
    return { main: this.#packed(main), wal: beside('-wal'), journal: beside('-journal') };
  }

  /** Files that may be databases, those that are named so first. */
  #likeliest(): readonly ZipEntry[] {
    const files = [...this.#entries].filter(([, { sizeBytes }]) => sizeBytes >= HEADER_BYTES);
    const isLikely = ([key]: readonly [string, ZipEntry]): boolean => LIKELY_NAME.test(key);
    const others = files.filter((file) => !isLikely(file)).sort(([, a], [, b]) => b.sizeBytes - a.sizeBytes);
    return [...files.filter(isLikely), ...others].slice(0, MOST_TRIED).map(([, entry]) => entry);
  }

  /** Empty for a damaged file that is no database by its name. */
  async #headOf(entry: ZipEntry): Promise<Uint8Array> {
    const source: ByteSource = {
      ...{ fileName: this.#source.fileName, sizeBytes: this.#source.sizeBytes },
      read: (offset, length) => this.#source.read(offset, Math.min(length, TRIED_BYTES)),
    };
    const bytes = isLikelyName(entry) ? HEAD_BYTES : HEADER_BYTES;
    try {
      return await firstBytesOf(new ZipFile(source, this.#entries).#packed(entry).unpack(), bytes);
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid' && !isLikelyName(entry)) return new Uint8Array();
      throw error;
    }
  }

  #named(entry: ZipEntry): PackedDatabase {
    return { name: entry.name, sizeBytes: isAnkiZstd(entry) ? null : entry.sizeBytes };
  }

  #packed(entry: ZipEntry): PackedFile {
    const plain = (): Pieces => unzip(this.#source, entry);
    if (!isAnkiZstd(entry)) return { sizeBytes: entry.sizeBytes, unpack: plain };
    return { sizeBytes: null, unpack: () => withoutZstd(plain) };
  }

  #nothing(why: string): AppError {
    return AppError.notADatabase(
      `There is no SQLite database in “${this.#source.fileName}”: ${why}. Nothing was changed.`,
    );
  }

  #compressedOtherwise({ name, method, isEncrypted }: ZipEntry): AppError {
    const how = isEncrypted
      ? 'protected by a password'
      : `compressed by a method (${method}) that Sidelite cannot read`;
    return AppError.unavailable(
      `“${name}” in “${this.#source.fileName}” is ${how}. Unpack it with the program that made it, and open the database. Nothing was changed.`,
    );
  }
}

const isLikelyName = ({ name }: ZipEntry): boolean => LIKELY_NAME.test(foldedPart(name));

const isReadable = ({ method, isEncrypted }: ZipEntry): boolean =>
  !isEncrypted && (method === STORED || method === DEFLATED);

const isAnkiZstd = ({ name }: ZipEntry): boolean => foldedPart(name) === ANKI_ZSTD;

/** @throws AppError `invalid` where the content is not the one that was packed */
async function* unzip(source: ByteSource, entry: ZipEntry): Pieces {
  const start = await dataStart(source, entry);
  const packed = bytesOf(source, start, start + entry.compressedBytes);
  let [sizeBytes, checksum] = [0, 0];
  for await (const piece of entry.method === DEFLATED ? inflateRaw(packed) : packed) {
    sizeBytes += piece.length;
    if (sizeBytes > entry.sizeBytes) break;
    checksum = crc32(checksum, piece);
    yield piece;
  }
  if (sizeBytes === entry.sizeBytes && checksum === entry.crc32) return;
  throw AppError.invalid(
    `“${entry.name}” in “${source.fileName}” is damaged: its content does not have the size and checksum that the archive says. Download or copy the archive again.`,
  );
}

/** Anki says so by the name; the content decides. */
async function* withoutZstd(plain: () => Pieces): Pieces {
  const isPacked = archiveKindOf(await firstBytesOf(plain(), HEADER_BYTES)) === 'zstd';
  yield* isPacked ? unzstd(plain()) : plain();
}

// GZIP (RFC 1952), whose members are one file if they follow each other, and the plain Deflate of ZIP files.

const PIECE = { chunkSize: 1 << 18 };

/** @throws AppError `invalid`, and what `packed` throws */
export const gunzip = (packed: Pieces): Pieces => through(createGunzip(PIECE), packed);

/** The same without a header and a checksum. */
const inflateRaw = (packed: Pieces): Pieces => through(createInflateRaw(PIECE), packed);

async function* through(stream: ReturnType<typeof createGunzip | typeof createInflateRaw>, packed: Pieces): Pieces {
  // What fails on one side ends the other; it is thrown below.
  const fed = pipeline(Readable.from(packed), stream).catch(() => undefined);
  try {
    for await (const piece of stream) yield new Uint8Array(piece as Buffer);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const damaged = AppError.invalid(
      'The file is damaged or incomplete: its compressed data cannot be read. Nothing was changed. Download or copy it again.',
    );
    damaged.cause = error;
    throw damaged;
  } finally {
    stream.destroy();
    await fed;
  }
}
