// What a format of imported files has to tell: one file for each, collected in formats.ts.
import type { Evidence, ImportFormatId, ImportOptions } from '#shared/protocol/import.ts';
import type { ByteSource, RecordReader } from '../records/record-batch.ts';

/** The first bytes of a file (64 KB, a megabyte where lines are long, or all of it) and what it is called. */
export interface FileSample {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

export interface Detected {
  /** 0: not this format. 1: certain (a magic number). The format with the largest one is taken. */
  readonly certainty: number;
  readonly options: ImportOptions;
  readonly evidence: readonly Evidence[];
}

export interface ImportFormat {
  readonly id: ImportFormatId;
  /** @param given options the person has chosen: the others follow from these. Evidence of what is given is not shown. */
  detect(sample: FileSample, given?: Partial<ImportOptions>): Detected;
  /** Sheets or tables it could be read from, when there may be several. Without a part in the options `read` gets the first one. */
  parts?(source: ByteSource, options: ImportOptions): readonly string[] | Promise<readonly string[]>;
  /** It is made of tables with columns of their own, which are read by worker/transfer: `read` refuses. */
  readonly holdsTables?: true;
  read(source: ByteSource, options: ImportOptions): RecordReader | Promise<RecordReader>;
}
