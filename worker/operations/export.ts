// Operations that export rows, schemas and databases.
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { ExportOperations, ExportReply } from '#shared/protocol/export.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import { BlobFiles, fileNamesFor } from '../export/blob-files.ts';
import { DateColumns } from '../export/date-columns.ts';
import type { ChunkSink, ExportFormat } from '../export/format.ts';
import { EXPORT_FORMATS, formatOf } from '../export/formats/all.ts';
import { TSV } from '../export/formats/csv.ts';
import { checkOptions, runExports, type ExportJob } from '../export/run-export.ts';
import type { LibraryContext } from '../library/context.ts';
import { FolderSink } from '../library/folder-sink.ts';
import { FileSink } from '../library/files.ts';
import type { ScratchDatabase } from '../library/scratch.ts';
import { readersOf } from '../live/reader-registry.ts';
import { writeWholeFile } from './whole-files.ts';
import { detachedFrom, type OperationSession } from '../sessions/session.ts';

/** Requirements of these operations besides an open database. */
interface ExportSession extends OperationSession {
  readonly library: Pick<LibraryContext, 'files'>;
  scratch(): Promise<ScratchDatabase>;
}

type Request = ExportOperations['export.text']['params'];
type Call = CallContext<Progress, ExportSession>;

const REPORT_EVERY_MS = 50;
const MAX_TEXT_BYTES = 100 * 2 ** 20;
/** A preview shows no more than this. */
const MAX_PREVIEW_BYTES = 64 * 1024;

export const exportHandlers: Handlers<ExportOperations, ExportSession> = {
  'export.formats': () => EXPORT_FORMATS.map(({ info }) => info),

  async 'export.file'(params, call) {
    const format = formatOf(params.format);
    const { files } = call.session.library;
    const file = new FileSink(files, params.sink);
    const hasFolder = format.info.canNameFiles === true && params.options.blobs === 'files';
    let folder: FolderSink | null = null;
    let scratch: ScratchDatabase | null = null;
    try {
      if (hasFolder) folder = await FolderSink.beside(files, params.sink);
      if (format.needsScratch) scratch = await call.session.scratch();
      const sink: ChunkSink = { write: (bytes) => file.write(bytes), finish: () => Promise.resolve() };
      const reply = await run(params, call, {
        format,
        sink,
        isFragment: false,
        blobFiles: folder && new BlobFiles(folder.name, folder.write),
        ...(scratch && { scratch: scratch.connection }),
      });
      await folder?.commit();
      await file.commit();
      return reply;
    } catch (error) {
      await folder?.abort();
      await file.abort();
      throw error;
    } finally {
      scratch?.dispose();
    }
  },

  async 'export.folder'(params, call) {
    const { tables, replace, options } = params;
    const format = formatOf(params.format);
    const folder = new FolderSink(call.session.library.files, params.folder, '');
    const names = fileNamesFor(tables, format.info.extension);
    if (format.needsScratch || options.blobs === 'files')
      fail('invalid', 'This cannot be written as one file per table. Nothing was written.');
    const taken = await folder.taken(names);
    if (taken.length > 0 && !replace) throw alreadyThere(taken);
    try {
      const replies = await runAll(
        { ...params, source: { kind: 'tables', tables } },
        call,
        tables.map((table, at) => ({
          format,
          isFragment: false,
          source: { kind: 'table', table },
          sink: folder.fileSink(names[at]!),
        })),
      );
      await folder.commit(taken);
      return { ...inOne(replies), files: names.length };
    } catch (error) {
      await folder.abort();
      throw error;
    }
  },

  'export.bytes': ({ sink, bytes }, { session }) => writeWholeFile(session.library.files, sink, bytes),

  async 'export.text'(params, call) {
    const { maxRows } = params;
    const format = formatOf(params.format);
    const isPreview = maxRows !== undefined;
    if (format.info.isBinary && !isPreview)
      fail('unavailable', `${format.info.label} is not text. Export it to a file.`);
    const isNaming = params.options.blobs === 'files' && format.info.canNameFiles === true;
    if (isNaming && !isPreview) fail('unavailable', 'BLOBs cannot be copied as files. Export to a file instead.');
    const chunks = new TextChunks();
    const dateColumns = format.info.options.includes('excelDates') ? new DateColumns() : null;
    const reply = await run(params, call, {
      // Formats that are not text are previewed by their values.
      format: format.info.isBinary ? { ...TSV, info: { ...TSV.info, sources: format.info.sources } } : format,
      sink: chunks,
      isFragment: !isPreview,
      dateColumns,
      blobFiles: isNaming ? new BlobFiles('…_files', null) : null,
    });
    return {
      ...reply,
      text: chunks.text,
      dateColumns: dateColumns?.names ?? [],
      isCut: isPreview && (reply.rows >= maxRows || reply.sizeBytes >= MAX_PREVIEW_BYTES),
    };
  },
};

type Job = { readonly format: ExportFormat } & Pick<
  ExportJob,
  'sink' | 'isFragment' | 'scratch' | 'blobFiles' | 'dateColumns'
>;

async function run(params: Request, call: Call, job: Job): Promise<ExportReply> {
  const [reply] = await runAll(params, call, [{ ...job, source: params.source }]);
  return reply!;
}

/** Other windows can still read, and so can the one that requested it, because the export runs in its own lane. */
async function runAll(
  params: Request,
  { session, id, emit, onCancel }: Call,
  jobs: readonly (Job & Pick<ExportJob, 'source'>)[],
): Promise<readonly ExportReply[]> {
  const { source, maxRows } = params;
  const options = checkOptions(params.options);
  const database = session.database(params.database);
  const reader = source.kind === 'result' ? readersOf(session.window).get(source.reader) : null;
  let progress: Progress = { phase: 'Exporting', done: 0, total: null, unit: 'rows' };
  let reportedAtMs = -Infinity;
  const report = async (now: Progress): Promise<void> => {
    progress = now;
    if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return;
    reportedAtMs = performance.now();
    await emit(now);
  };
  return database.enqueue({
    window: detachedFrom(session.window),
    kind: 'read',
    pausesReading: true,
    title: titleOf(params),
    call: id,
    onCancel,
    *body(turn) {
      turn.measureBy(() => progress);
      const limits = { maxRows: maxRows ?? null, maxBytes: maxRows === undefined ? null : MAX_PREVIEW_BYTES };
      return yield* runExports(
        turn,
        jobs.map((job) => ({ ...job, ...limits, options, reader, report })),
      );
    },
  });
}

const alreadyThere = (names: readonly string[]): AppError =>
  AppError.exists(
    `${names.length === 1 ? `“${names[0]}” is` : `${names.length} files of these names are`} already in the folder. Nothing was written.`,
    { detail: { names: names.join('\n') } },
  );

const inOne = (replies: readonly ExportReply[]): ExportReply => ({
  rows: replies.reduce((sum, { rows }) => sum + rows, 0),
  sizeBytes: replies.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  notes: [...new Set(replies.flatMap(({ notes }) => notes))],
  ...(replies.some(({ isPartial }) => isPartial === true) && { isPartial: true as const }),
});

function titleOf({ source, maxRows }: Request): string {
  if (maxRows !== undefined) return 'Preview of an export';
  return source.kind === 'table' ? `Export of ${source.table}` : 'Export';
}

/** A complete text in memory. */
class TextChunks implements ChunkSink {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #parts: string[] = [];
  #sizeBytes = 0;

  async write(bytes: Uint8Array): Promise<void> {
    this.#sizeBytes += bytes.length;
    if (this.#sizeBytes > MAX_TEXT_BYTES)
      fail('too-big', 'The clipboard can take at most 100 MB. Nothing was copied. Export to a file instead.');
    this.#parts.push(this.#decoder.decode(bytes, { stream: true }));
  }

  async finish(): Promise<void> {
    this.#parts.push(this.#decoder.decode());
  }

  get text(): string {
    return this.#parts.join('');
  }
}
