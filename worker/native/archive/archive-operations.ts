// The operations on archives: which databases are in one, and one of them unpacked into temporary files of main.
import { archiveKindOf, type ArchiveKind } from '#shared/archives.ts';
import { HEADER_BYTES, isDatabaseHeader } from '#shared/file-header.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ArchiveOperations } from '#shared/protocol/archive.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import { openBytes } from '../../import/byte-sources.ts';
import { joined } from '../../records/bytes.ts';
import { CHUNK_BYTES, FileSink, letGo } from '../../library/files.ts';
import { runLongWork, type LongWork } from '../../library/long-work.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import type { InPlaceSession } from '../in-place-session.ts';
import { bytesOf, firstBytesOf, HEAD_BYTES, mayBeEncrypted } from './packed-file.ts';
import type { Archive, PackedFile, Pieces } from './packed-file.ts';
import { openZip, gunzip } from './zip-archive.ts';
import { isLikeEncrypted, otherThanDatabase } from '#shared/foreign-files.ts';
import { unzstd } from './unzstd.ts';

const KIND_BYTES = 16;

type Params = ArchiveOperations['archive.unpack']['params'];

export const archiveHandlers: Handlers<ArchiveOperations, InPlaceSession> = {
  async 'archive.list'({ source }, { session }) {
    const archive = await openArchive(await openBytes(session.library.files, { kind: 'file', token: source }));
    return { databases: await archive.list() };
  },
  'archive.unpack': (params, context) => unpack(params, context),
};

async function openArchive(source: ByteSource): Promise<Archive> {
  const kind = archiveKindOf(await source.read(0, KIND_BYTES));
  if (kind === 'zip') return openZip(source);
  if (kind !== null) return openCompressed(source, kind);
  throw AppError.notADatabase(`“${source.fileName}” is no archive that Sidelite unpacks. Nothing was changed.`);
}

async function unpack(
  { source, name, into, mostBytes }: Params,
  context: CallContext<Progress, InPlaceSession>,
): Promise<{ readonly sizeBytes: number }> {
  const { session } = context;
  const { files } = session.library;
  const bytes = await openBytes(files, { kind: 'file', token: source });
  const title = { window: session.window, databaseName: bytes.fileName, title: `Unpacking ${bytes.fileName}` };
  return runLongWork(session.library, title, context, async (work) => {
    const { main, wal, journal } = (await openArchive(bytes)).partsOf(name);
    const parts = [
      { file: main, token: into.main, head: isDatabaseHeader },
      { file: wal, token: into.wal, head: () => true },
      { file: journal, token: into.journal, head: () => true },
    ];
    const unpacking = new Unpacking({ name, mostBytes, total: main.sizeBytes, work });
    for (const { file } of parts) unpacking.expect(file?.sizeBytes ?? 0);
    // The main file first: a sink removes what lies beside the file that it replaces.
    for (const { file, token, head } of parts) {
      if (file) await unpacking.copy(file, new FileSink(files, token), head);
      else await letGo(files, token);
    }
    return { sizeBytes: unpacking.done };
  });
}

interface UnpackingParts {
  readonly name: string;
  readonly mostBytes: number;
  /** Null: not known. */
  readonly total: number | null;
  readonly work: LongWork;
}

/** Counts what is unpacked, whatever the archive says of it. */
class Unpacking {
  readonly #parts: UnpackingParts;
  #expected = 0;
  done = 0;

  constructor(parts: UnpackingParts) {
    this.#parts = parts;
  }

  /** @throws AppError `too-big` before anything is unpacked */
  expect(sizeBytes: number): void {
    this.#expected += sizeBytes;
    this.#assertFits(this.#expected);
  }

  /** @throws AppError `not-a-database` */
  async copy({ unpack: pieces }: PackedFile, sink: FileSink, isHead: (head: Uint8Array) => boolean): Promise<void> {
    const { name, total, work } = this.#parts;
    try {
      let isFirst = true;
      for await (const chunk of inChunks(pieces())) {
        if (isFirst && !isHead(chunk.subarray(0, HEADER_BYTES)))
          throw AppError.notADatabase(`“${name}” is not an SQLite database. Nothing was changed.`);
        isFirst = false;
        this.done += chunk.length;
        this.#assertFits(this.done);
        await sink.write(chunk);
        await work.report({ phase: 'Unpacking', done: this.done, total, unit: 'bytes' });
      }
      if (isFirst) throw AppError.invalid(`“${name}” is empty. Nothing was changed.`);
      await sink.commit();
    } catch (error) {
      await sink.abort();
      throw error;
    }
  }

  #assertFits(bytes: number): void {
    const { name, mostBytes } = this.#parts;
    if (bytes <= mostBytes) return;
    throw new AppError({
      code: 'too-big',
      message: `“${name}” has more than ${mostBytes.toLocaleString('en-US')} bytes when it is unpacked. Nothing was kept.`,
    });
  }
}

/** Fewer and larger messages. */
async function* inChunks(pieces: Pieces): Pieces {
  let [waiting, bytes]: [Uint8Array[], number] = [[], 0];
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < CHUNK_BYTES) continue;
    yield joined(waiting);
    [waiting, bytes] = [[], 0];
  }
  if (bytes > 0) yield joined(waiting);
}

// A database that was compressed on its own, by gzip or zstd.

type Compression = Exclude<ArchiveKind, 'zip'>;

const UNPACK: Readonly<Record<Compression, (packed: Pieces) => Pieces>> = { gzip: gunzip, zstd: unzstd };
const PACKED_BY: Readonly<Record<Compression, string>> = { gzip: 'gzip', zstd: 'Zstandard' };
const EXTENSION = /\.(gz|gzip|zst|zstd)$/i;

function openCompressed(source: ByteSource, kind: Compression): Archive {
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
