// An export's source, contents, and destination.
import type { ExportOptions, ExportSource } from '#shared/protocol/export.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import type { Reader } from '../readers/reader.ts';
import type { BlobFiles } from './blob-files.ts';
import type { DateColumns } from './date-columns.ts';
import type { ChunkSink, ExportFormat } from './format.ts';

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
