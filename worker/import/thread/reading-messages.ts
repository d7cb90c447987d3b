// Messages between an engine's thread and the thread that reads an imported file.
import type { ErrorData } from '#shared/protocol/errors.ts';
import type { FileOperations } from '#shared/protocol/files.ts';
import type { ImportAnalysis, ImportOptions, ImportSource } from '#shared/protocol/import.ts';
import type { RecordNotice, RecordProblem } from '../../records/record-batch.ts';
import type { SentBatch } from './sent-batch.ts';

export interface ReadingOrder {
  readonly t: 'begin';
  /** The records themselves, or what they hold by column. */
  readonly task: 'records' | 'facts';
  readonly source: ImportSource;
  readonly options: ImportOptions;
}

/** Calls that reading makes to the files port, which the engine's thread has. */
export type ReadingCall = { readonly t: 'call'; readonly request: number } & {
  [Op in 'file.info' | 'file.read']: { readonly op: Op; readonly params: FileOperations[Op]['params'] };
}['file.info' | 'file.read'];

export type ToReading =
  | ReadingOrder
  /** The answer to a call; bytes are transferred. */
  | { readonly t: 'answer'; readonly request: number; readonly value: unknown }
  | { readonly t: 'refused'; readonly request: number; readonly error: ErrorData }
  /** One batch more may be sent, in this memory where it is large enough. */
  | { readonly t: 'more'; readonly memory: ArrayBuffer | null };

/** Information from a reader besides its records, as of this batch. */
export interface SentRemarks {
  readonly columns: readonly string[];
  readonly bytesRead: number;
  readonly problems: readonly RecordProblem[];
  readonly notices: readonly RecordNotice[];
}

export type FromReading =
  | ReadingCall
  | { readonly t: 'opened'; readonly columns: readonly string[] }
  | ({ readonly t: 'batch'; readonly batch: SentBatch } & SentRemarks)
  | ({ readonly t: 'end' } & SentRemarks)
  | { readonly t: 'counted'; readonly bytesRead: number }
  | { readonly t: 'facts'; readonly analysis: ImportAnalysis }
  | { readonly t: 'failed'; readonly error: ErrorData };
