// The interface of an export format: one file for each, listed in `formats/all.ts`.
import type { ExportFormatInfo, ExportOptions, ExportSource } from '#shared/protocol/export.ts';
import type { Connection } from '../engines/engine.ts';
import type { BlobFiles } from './blob-files.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { Cells, Losses } from './cells.ts';
import type { DateColumns } from './date-columns.ts';
import type { ExportPart, TextPart } from './part.ts';
import type { RowsHead } from './rows-head.ts';

/** Writes one file. Calls come in this order: `begin`, `rows` …, `end` for each table, `finish`. */
export interface FormatWriter {
  begin(head: RowsHead): void;
  /** Writes rows from `from` up to, but not including, `to`. */
  rows(cells: Cells, from: number, to: number): void;
  end(): void;
  finish(): void;
  /** Runs the text parts, for a format that executes SQL instead of writing it to the file. */
  run?(part: TextPart): void;
  /** The bytes of a file that exists only after `finish`. */
  file?(): Iterable<Uint8Array>;
  /** Releases all resources, even if the export did not finish. */
  dispose?(): void;
  /** Wraps the sink for the bytes of a compressed file. */
  pack?(sink: ChunkSink): ChunkSink;
}

export interface FormatJob {
  readonly options: ExportOptions;
  readonly losses: Losses;
  /** True when the file may contain more than one table. */
  readonly several: boolean;
  /** True for the clipboard: omits header and footer of a complete file. */
  readonly isFragment: boolean;
  /** Receives BLOBs as files; null: they become text. */
  readonly blobFiles: BlobFiles | null;
  /** Columns to write as dates, known before the first row; null: none. */
  readonly dates: DateColumns | null;
  /** Set for a format that {@link ExportFormat.needsScratch}. */
  readonly scratch: Connection | null;
}

/** Takes a file in pieces and owns each from then on. Resolves when there is room for the next. */
export interface ChunkSink {
  write(bytes: Uint8Array): Promise<void>;
  /** No more pieces follow. */
  finish(): Promise<void>;
}

export interface ExportFormat {
  readonly info: ExportFormatInfo;
  start(out: ByteWriter, job: FormatJob): FormatWriter;
  /** The format identifies rows by their key, so the key is read too. */
  readonly needsKey?: true;
  /** The file is built in a scratch database before it is written. */
  readonly needsScratch?: true;
  /** Set by a format that itself decides what is written and in which order; null for the usual parts. */
  parts?(connection: Connection, source: ExportSource, options: ExportOptions): Iterable<ExportPart> | null;
}
