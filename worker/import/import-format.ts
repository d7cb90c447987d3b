// The interface of an import format: one file for each, listed in formats.ts.
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { Evidence, FileReading, ImportOptions } from '#shared/protocol/import.ts';
import type { ByteSource, RecordReader } from '../records/record-batch.ts';
import type { ReadingLimits } from './reading-limits.ts';

/** The first bytes of a file (64 KB, a megabyte where lines are long, or all of it) and its name. */
export interface FileSample {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

export interface Detected {
  /** 0: not this format. 1: certain (a magic number). The format with the largest value is used. */
  readonly certainty: number;
  readonly options: ImportOptions;
  readonly evidence: readonly Evidence[];
  /** See {@link FileReading}; absent: none is near. */
  readonly readings?: readonly FileReading[];
}

/** What only reading a file shows about its beginning. */
export interface Beginning {
  /** Rows above the table, and whether its first row names the columns: where nothing is given. */
  readonly options: Pick<ImportOptions, 'skipLines' | 'hasHeader'>;
  readonly evidence: readonly Evidence[];
  readonly columns: readonly string[];
  readonly readings: readonly FileReading[];
}

/** Sheets, or lists of records, of which one is read. */
export interface FileParts {
  /** The first is read where none is chosen. */
  readonly names: readonly string[];
  /** Why it is the first, and what is left out with it. */
  readonly evidence: readonly Evidence[];
}

export interface ImportFormat {
  readonly id: ImportFormatId;
  /** @param given options the user has chosen, from which the others follow. There is no evidence for these. */
  detect(sample: FileSample, given?: Partial<ImportOptions>): Detected;
  parts?(source: ByteSource, options: ImportOptions, limits?: ReadingLimits): Promise<FileParts>;
  /** For formats whose files have to be read to find where the table begins. */
  begin?(
    source: ByteSource,
    options: ImportOptions,
    given: Partial<ImportOptions>,
    limits?: ReadingLimits,
  ): Promise<Beginning>;
  /** The file consists of tables with their own columns, which worker/transfer reads; `read` refuses it. */
  readonly holdsTables?: true;
  read(source: ByteSource, options: ImportOptions, limits?: ReadingLimits): RecordReader | Promise<RecordReader>;
}
