// Runs one export from its source to its bytes, in slices between which other work runs. Knows nothing about windows or files, so a command
// line can use it too.
import { AppError } from '#shared/protocol/errors.ts';
import { BLOB_FORMS } from '#shared/protocol/export.ts';
import type { ExportReply, RowInterval, ExportOptions, ExportSource } from '#shared/protocol/export.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Progress } from '#shared/protocol/library.ts';
import { isRawText } from '#shared/protocol/values.ts';
import type { RowScan, Statement, Connection } from '../engines/engine.ts';
import type { Reader } from '../readers/reader.ts';
import { sliceEnd } from '../readers/slice.ts';
import type { Key } from '../readers/key-order.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import type { BlobFiles } from './blob-files.ts';
import { ByteWriter } from './byte-writer.ts';
import { Cells, Losses } from './cells.ts';
import { DateColumns } from './date-columns.ts';
import type { ChunkSink, FormatWriter, ExportFormat } from './format.ts';
import { nextSlice, unreadable } from './part.ts';
import type { KeySlices, ExportPart, KeptRows, StatementRows, TextPart, SeenRows } from './part.ts';
import type { SmallRows } from './small-tables.ts';
import { queryPart, resultPart } from './result-part.ts';
import { tablePart } from './table-part.ts';

/** An export's source, contents, and destination. */
export interface ExportJob {
  readonly source: ExportSource;
  readonly format: ExportFormat;
  readonly options: ExportOptions;
  readonly sink: ChunkSink;
  /** Rows of each table; null: all. */
  readonly maxRows: number | null;
  /** Approximate size of the output; null: all. */
  readonly maxBytes: number | null;
  readonly isFragment: boolean;
  /** Finds the result if the source is a kept one. */
  readonly reader: Reader | null;
  /** Receives BLOBs as files; null: they become text. */
  readonly blobFiles?: BlobFiles | null;
  /** An empty scratch database for a format that needs one. */
  readonly scratch?: Connection;
  /** Finds the columns of dates among the rows of a preview. */
  readonly dateColumns?: DateColumns | null;
  /** Called now and then with the progress. @throws AppError `stopped` */
  readonly report: (progress: Progress) => Promise<void>;
}

const MANY = { maxRows: 512, maxBytes: 1024 * 1024 };
/** A table of no more is read by its SELECT alone: its rows are not estimated, and a faster scan takes longer to compile. */
const FEW = { maxRows: 64, maxBytes: 64 * 1024 };
/** Sinks are fastest with about this much at a time. */
const CHUNK_BYTES = 1024 * 1024;

export function* runExport(turn: Turn, job: ExportJob): Generator<Pause, ExportReply> {
  const [reply] = yield* runExports(turn, [job]);
  return reply!;
}

/** Exports the parts one after the other, all from the same database state; if a server's state changed meanwhile, it says so. */
export function* runExports(turn: Turn, jobs: readonly ExportJob[]): Generator<Pause, readonly ExportReply[]> {
  // SQLite's snapshot of the file stays the same from the first statement to the last, even if other programs write.
  const release = holdSnapshot(turn.connection);
  const isRead = jobs.some(({ source, maxRows }) => source.kind !== 'result' && maxRows === null);
  const hasChanged = isRead ? watchOthers(turn.connection) : () => false;
  const replies: ExportReply[] = [];
  try {
    for (const job of jobs) {
      const run = new ExportRun(turn, job);
      try {
        replies.push(yield* run.run());
      } finally {
        run.dispose();
      }
    }
    return hasChanged() ? replies.map((reply) => ({ ...reply, notes: [...reply.notes, CHANGED_MEANWHILE] })) : replies;
  } finally {
    release();
  }
}

/** Result of one statement. */
interface SliceRead {
  rows: number;
  bytes: number;
  /** Its last rows; null if there were none. */
  last: PackedRows | null;
}

class ExportRun {
  readonly #turn: Turn;
  readonly #job: ExportJob;
  readonly #out = new ByteWriter();
  readonly #losses = new Losses();
  readonly #writer: FormatWriter;
  /** Filled before anything is written; null: the format writes no dates. */
  readonly #dates: DateColumns | null;
  #isSurvey = false;
  readonly #sink: ChunkSink;
  /** The wasm engine reads invalid UTF-8 as unchanged bytes; the native engine replaces them with U+FFFD. */
  readonly #readsBytes: boolean;
  #rows = 0;
  #sizeBytes = 0;
  #isPartial = false;
  #expectedRows: number | null = 0;
  #failure: { readonly error: unknown } | null = null;

  constructor(turn: Turn, job: ExportJob) {
    this.#turn = turn;
    this.#job = job;
    this.#readsBytes = isRawText(turn.connection.one("SELECT CAST(X'FF' AS TEXT)")![0]!);
    const { format, options, source, isFragment, scratch = null, blobFiles = null } = job;
    if (format.needsScratch && scratch === null)
      throw AppError.unavailable(`${format.info.label} cannot be written here.`);
    const several = source.kind === 'tables';
    const counted: ChunkSink = {
      write: (bytes) => {
        this.#sizeBytes += bytes.length;
        return job.sink.write(bytes);
      },
      finish: () => job.sink.finish(),
    };
    this.#dates = options.excelDates && format.info.options.includes('excelDates') ? new DateColumns() : null;
    const dates = this.#dates;
    this.#writer = format.start(this.#out, {
      options,
      losses: this.#losses,
      several,
      isFragment,
      scratch,
      blobFiles,
      dates,
    });
    this.#sink = this.#writer.pack?.(counted) ?? counted;
  }

  *run(): Generator<Pause, ExportReply> {
    if (this.#dates) {
      this.#isSurvey = true;
      yield* this.#parts();
      this.#isSurvey = false;
      for (const sentence of this.#dates.sentences) this.#losses.say(sentence);
    }
    yield* this.#parts();
    if (!this.#isFull) this.#writer.finish();
    yield* this.#flush();
    for (const bytes of this.#writer.file?.() ?? []) yield* this.#wait(this.#write(bytes));
    yield* this.#wait(this.#sink.finish());
    const reply = { rows: this.#rows, sizeBytes: this.#sizeBytes, notes: this.#losses.sentences };
    return { ...reply, ...(this.#isPartial && { isPartial: true as const }) };
  }

  *#parts(): Generator<Pause> {
    let end = sliceEnd(this.#turn);
    for (const part of partsOf(this.#turn.connection, this.#job)) {
      if (part.kind === 'text') this.#writeText(part);
      else yield* this.#writeRows(part);
      if (this.#isFull) break;
      if (performance.now() < end) continue;
      yield* this.#pause();
      end = sliceEnd(this.#turn);
    }
  }

  /** What the rows go to. */
  get #target(): Pick<FormatWriter, 'begin' | 'rows' | 'end'> {
    return this.#isSurvey ? this.#dates! : this.#writer;
  }

  dispose(): void {
    this.#writer.dispose?.();
  }

  #writeText(part: TextPart): void {
    if (part.note !== undefined) this.#losses.say(part.note);
    this.#isPartial ||= part.isLoss === true;
    if (this.#writer.run) this.#writer.run(part);
    else this.#out.text(part.text);
  }

  get #isFull(): boolean {
    const { maxBytes } = this.#job;
    return maxBytes !== null && this.#sizeBytes + this.#out.length >= maxBytes;
  }

  *#writeRows(part: Exclude<ExportPart, { kind: 'text' }>): Generator<Pause> {
    if (part.kind === 'kept') this.#expect(part.rows.shown.rowCount);
    this.#target.begin(part.head);
    this.#job.dateColumns?.begin(part.head);
    let missing: TextPart | null = null;
    try {
      if (part.kind === 'kept') yield* this.#keptRows(part.rows);
      else yield* this.#statementRows(part.rows);
    } catch (error) {
      if (part.kind === 'kept' || part.goesOn !== true) throw error;
      missing = unreadable(part.head.name, error);
    }
    this.#target.end();
    if (missing !== null) this.#writeText(missing);
  }

  /** Rows still to come. */
  #expect(rows: number | null): void {
    this.#expectedRows = rows === null || this.#expectedRows === null ? null : this.#rows + rows;
  }

  *#statementRows(rows: StatementRows): Generator<Pause> {
    const small = this.#takesSmall ? (rows.small?.() ?? null) : null;
    if (small !== null) return yield* this.#smallRows(small);
    if (rows.slices) {
      this.#expect(rows.estimate());
      yield* this.#slicedRows(rows.slices, rows.keep);
    } else yield* this.#rowsOf(rows, 0, rows.keep);
    this.#seenOf(rows)?.end();
  }

  /** All rows are written, and nothing but the columns that are asked for is looked at. */
  get #takesSmall(): boolean {
    return this.#job.maxRows === null && this.#job.maxBytes === null && this.#writer.run === undefined;
  }

  *#smallRows({ cells, from, to }: SmallRows): Generator<Pause> {
    this.#expect(to - from);
    this.#writer.rows(cells, from, to);
    this.#rows += to - from;
    if (this.#hasChunk) yield* this.#flush();
  }

  *#slicedRows(slices: KeySlices, keep: StatementRows['keep']): Generator<Pause> {
    const { maxRows } = this.#job;
    let position = 0;
    let rows = Math.min(nextSlice(null, 0), maxRows ?? Infinity);
    for (let key: Key | null = null; ;) {
      const slice: SliceRead = yield* this.#rowsOf(slices.statement(key, rows), position, keep);
      position += slice.rows;
      if (slice.rows < rows || slice.last === null || position >= (maxRows ?? Infinity) || this.#isFull) return;
      key = slices.lastKey(slice.last);
      if (key === null) return;
      rows = nextSlice(rows, slice.bytes);
      yield* this.#pause();
    }
  }

  *#rowsOf(
    rows: Pick<StatementRows, 'sql' | 'params' | 'scan' | 'seen'> & Partial<Pick<StatementRows, 'estimate'>>,
    start: number,
    keep: StatementRows['keep'],
  ): Generator<Pause, SliceRead> {
    const { maxRows, maxBytes } = this.#job;
    const read: SliceRead = { rows: 0, bytes: 0, last: null };
    // A preview shows no more of a value than this, and a whole value could fill memory.
    const previewBytes = maxBytes ?? Infinity;
    const { connection } = this.#turn;
    let statement: RowScan = this.#prepared(rows);
    try {
      let end = sliceEnd(this.#turn);
      let position = start;
      const writer = new PackedRowsWriter(statement.columnCount, { expectedRows: FEW.maxRows, previewBytes });
      let most = FEW;
      for (let more = true; more && (maxRows === null || position < maxRows) && !this.#isFull;) {
        const room = maxRows === null ? most.maxRows : Math.min(most.maxRows, maxRows - position);
        writer.clear();
        more = statement.pack(writer, { ...most, maxRows: room, deadlineMs: end });
        if (more && most !== MANY) {
          most = MANY;
          if (rows.estimate) this.#expect(rows.estimate());
          const scan = (rows.scan && connection.scan?.(rows.scan)) ?? null;
          if (scan !== null) {
            statement.finalize();
            statement = scan;
            continue;
          }
        }
        const packed = writer.rows;
        const cells = new Cells(packed);
        if (!this.#readsBytes && !this.#isSurvey && cells.replacedTexts > 0)
          this.#losses.note('replacedText', cells.replacedTexts);
        this.#seenOf(rows)?.check(packed, position);
        this.#writeCells(cells, position, keep);
        position += cells.rowCount;
        read.rows += cells.rowCount;
        read.bytes += writer.sizeBytes;
        if (cells.rowCount > 0) read.last = packed;
        if (this.#hasChunk) yield* this.#flush();
        else if (more && performance.now() >= end) yield* this.#pause();
        else continue;
        end = sliceEnd(this.#turn);
      }
      return read;
    } finally {
      statement.finalize();
    }
  }

  /** A preview shows what is there. */
  #seenOf({ seen }: Pick<StatementRows, 'seen'>): SeenRows | null {
    return (this.#job.maxRows === null && seen) || null;
  }

  #prepared({ sql, params }: Pick<StatementRows, 'sql' | 'params'>): Statement {
    const statement = this.#turn.connection.prepare(sql);
    try {
      statement.bind(params);
    } catch (error) {
      statement.finalize();
      throw error;
    }
    return statement;
  }

  *#keptRows({ shown, keep }: KeptRows): Generator<Pause> {
    const total = shown.rowCount;
    const until = Math.min(total, this.#job.maxRows ?? total);
    let end = sliceEnd(this.#turn);
    for (let row = 0; row < until;) {
      if (shown.rowCount !== total)
        throw AppError.conflict('The result was run again while it was exported. Export it again.');
      const { start, rows } = shown.chunkWith(row);
      const cells = new Cells(rows);
      this.#writeCells(cells, start, keep, until - start);
      row = start + rows.rowCount;
      if (this.#hasChunk) yield* this.#flush();
      else if (performance.now() >= end) yield* this.#pause();
      else continue;
      end = sliceEnd(this.#turn);
    }
  }

  /** @param start position of the first row among all rows of the source */
  #writeCells(cells: Cells, start: number, keep: readonly RowInterval[] | null, most = Infinity): void {
    const count = Math.min(cells.rowCount, most);
    for (const { first, last } of keep ?? [{ first: 0, last: Infinity }]) {
      const from = Math.max(0, first - start);
      const to = Math.min(count, last - start + 1);
      if (from >= to) continue;
      this.#target.rows(cells, from, to);
      this.#job.dateColumns?.rows(cells, from, to);
      if (!this.#isSurvey) this.#rows += to - from;
    }
  }

  get #hasChunk(): boolean {
    return this.#out.length >= CHUNK_BYTES || (this.#job.blobFiles?.isFull ?? false);
  }

  /** Passes what has been written to the sink, and continues when the sink has room. */
  *#flush(): Generator<Pause> {
    const { blobFiles } = this.#job;
    if (blobFiles) yield* this.#wait(blobFiles.flush());
    if (this.#out.length === 0) return;
    yield* this.#wait(this.#write(this.#out.take()));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#sink.write(bytes);
    await this.#report();
  }

  #report(): Promise<void> {
    const total = this.#expectedRows === null ? null : Math.max(this.#expectedRows, this.#rows);
    return this.#job.report({ phase: 'Exporting', done: this.#rows, total, unit: 'rows' });
  }

  /** Gives other work its turn and reports progress, which a format that writes its file at the end reports nowhere else. */
  *#pause(): Generator<Pause> {
    if (this.#writer.file) return yield* this.#wait(this.#report());
    yield 'reading';
    this.#assertGoesOn();
  }

  *#wait(settled: Promise<void>): Generator<Pause> {
    this.#turn.pauseUntil(settled.catch((error: unknown) => void (this.#failure = { error })));
    yield 'reading';
    this.#assertGoesOn();
  }

  #assertGoesOn(): void {
    if (this.#failure) throw this.#failure.error;
    if (this.#turn.stopRequested) throw AppError.stopped('The export was stopped. The unfinished file was removed.');
  }
}

const CHANGED_MEANWHILE =
  'Another client changed the database while it was read, so not all rows are from the same moment.';

/** A server holds no snapshot from one request to the next. Returns whether others have committed since. */
function watchOthers(connection: Connection): () => boolean {
  if (connection.isMetered !== true) return () => false;
  const before = connection.dataVersion;
  return () => connection.dataVersion !== before;
}

/**
 * Keeps one state of the database for everything that an export reads: a half-read statement keeps the snapshot for all others of its
 * connection (sqlite.org/isolation.html).
 */
export function holdSnapshot(connection: Connection, schema = 'main'): () => void {
  const statement = connection.prepare(`SELECT 1 FROM ${schema}.sqlite_schema UNION ALL VALUES (1), (2)`);
  statement.step();
  return () => statement.finalize();
}

function* partsOf(connection: Connection, { source, format, reader, options }: ExportJob): Generator<ExportPart> {
  if (!format.info.sources.includes(source.kind))
    throw AppError.unavailable(`${format.info.label} cannot store this. Choose another format.`);
  const own = format.parts?.(connection, source, options) ?? null;
  if (own) return yield* own;
  switch (source.kind) {
    case 'table':
      return yield tablePart(connection, source, format.needsKey);
    case 'query':
      return yield queryPart(connection, source.sql);
    case 'result':
      return yield resultPart(connection, reader!, source);
    case 'tables':
      for (const table of source.tables) yield tablePart(connection, { kind: 'table', table }, format.needsKey);
      return;
    case 'schema':
    case 'database':
      return; // a format with its own parts writes these
  }
}

// Validates the options of a page or a command line, because with invalid ones the file could not be read again.

const MAX_TEXT = 200;

/** @throws AppError `invalid` */
export function checkOptions(options: ExportOptions): ExportOptions {
  const { delimiter, nullText, tableName, blobs } = options;
  if (Array.from(delimiter).length !== 1 || /["\r\n\0]/.test(delimiter))
    throw invalid('The delimiter must be one character that is neither a quote nor a line ending.');
  if (nullText.length > MAX_TEXT || /["\r\n\0]/.test(nullText) || nullText.includes(delimiter))
    throw invalid('The text for NULL must be short and must not contain quotes, line endings, or the delimiter.');
  if (tableName.length > MAX_TEXT || tableName.includes('\0')) throw invalid('The table name is too long.');
  if (!BLOB_FORMS.includes(blobs)) throw invalid('BLOBs can be written as hexadecimal text, as Base64, or as files.');
  return options;
}

const invalid = (message: string): AppError => AppError.invalid(`${message} Nothing was written.`);
