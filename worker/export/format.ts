// What a format of an export is: one file for each, listed in `formats/all.ts`.
import type { ExportFormatInfo, ExportOptions, ExportSource } from '#shared/protocol/export.ts';
import type { Connection } from '../engines/engine.ts';
import type { BlobFiles } from './blob-files.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { Cells } from './cells.ts';
import type { Losses } from './losses.ts';
import type { ExportPart, TextPart } from './part.ts';
import type { RowsHead } from './rows-head.ts';

/** Writes one file. Calls come in this order: `begin`, `rows` …, `end` for each table, `finish`. */
export interface FormatWriter {
  begin(head: RowsHead): void;
  /** Rows `from` and on, before `to`. */
  rows(cells: Cells, from: number, to: number): void;
  end(): void;
  finish(): void;
  /** For a format that runs SQL: `text` of the parts is its, and not of the file. */
  run?(part: TextPart): void;
  /** For a file that is there only after `finish`: its bytes. */
  file?(): Iterable<Uint8Array>;
  /** Gives back what it holds, also when it did not come to its end. */
  dispose?(): void;
  /** For a file that is packed: what is written goes through the answer. */
  pack?(sink: ChunkSink): ChunkSink;
}

export interface FormatJob {
  readonly options: ExportOptions;
  readonly losses: Losses;
  /** More than one table may come. */
  readonly several: boolean;
  /** For the clipboard: what frames a whole file is left out. */
  readonly isFragment: boolean;
  /** Where BLOBs become files; null: they become text. */
  readonly blobFiles: BlobFiles | null;
  /** For a format that {@link ExportFormat.needsScratch}. */
  readonly scratch: Connection | null;
}

/** Takes a file in pieces; each is its own from then on. Resolves when there is room for the next. */
export interface ChunkSink {
  write(bytes: Uint8Array): Promise<void>;
  /** Nothing more comes. */
  finish(): Promise<void>;
}

export interface ExportFormat {
  readonly info: ExportFormatInfo;
  start(out: ByteWriter, job: FormatJob): FormatWriter;
  /** It names rows by their key, so that is read too. */
  readonly needsKey?: true;
  /** It is built in a database of its own before it is written. */
  readonly needsScratch?: true;
  /** For a format that says itself what is written, and in which order; null: as others. */
  parts?(connection: Connection, source: ExportSource): Iterable<ExportPart> | null;
}
