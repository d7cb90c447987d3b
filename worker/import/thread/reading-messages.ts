// Messages between an engine's thread and the thread that reads an imported file.
import type { ErrorData } from '#shared/protocol/errors.ts';
import type { FileOperations } from '#shared/protocol/files.ts';
import type {
  ColumnFacts,
  DetectedSource,
  ImportAnalysis,
  ImportOptions,
  ImportSource,
} from '#shared/protocol/import.ts';
import type { RecordNotice, RecordProblem } from '../../records/record-batch.ts';
import type { DumpEnd, DumpFacts, DumpOptions } from '../sql/dump-steps.ts';
import type { SentBatch } from './sent-batch.ts';
import type { SentStep } from './sent-step.ts';

/** How many are on their way: one batch is written, one waits, one is being filled. */
export const BATCHES = 3;

export interface RecordsOrder {
  readonly t: 'begin';
  /** The records themselves, what they hold by column, or both. */
  readonly task: 'records' | 'facts' | 'counted-records';
  readonly source: ImportSource;
  readonly options: ImportOptions;
}

/** What the file is and how it is read, as {@link DetectedSource} says. */
export interface DetectOrder {
  readonly t: 'begin';
  readonly task: 'detect';
  readonly source: ImportSource;
  /** Options the user has chosen. */
  readonly options: Partial<ImportOptions>;
}

/** A file of SQL, as steps. */
export interface DumpOrder {
  readonly t: 'begin';
  readonly task: 'dump';
  readonly source: ImportSource;
  readonly options: DumpOptions;
}

export type ReadingOrder = RecordsOrder | DetectOrder | DumpOrder;

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
  /** With `counted-records`, now and then: what is read so far holds. */
  readonly facts?: readonly ColumnFacts[];
}

export type FromReading =
  | ReadingCall
  /** With `counted-records` once the first batches are read, and with what they hold. */
  | { readonly t: 'opened'; readonly columns: readonly string[]; readonly facts?: readonly ColumnFacts[] }
  | ({ readonly t: 'batch'; readonly batch: SentBatch } & SentRemarks)
  | ({ readonly t: 'end'; readonly analysis?: ImportAnalysis } & SentRemarks)
  | { readonly t: 'counted'; readonly bytesRead: number }
  | { readonly t: 'facts'; readonly analysis: ImportAnalysis }
  | { readonly t: 'detected'; readonly detected: DetectedSource }
  | { readonly t: 'dump-opened'; readonly facts: DumpFacts }
  /** In order. `memory` holds the batches of all of them. */
  | {
      readonly t: 'steps';
      readonly steps: readonly SentStep[];
      readonly memory: ArrayBuffer | null;
      readonly bytesRead: number;
    }
  | { readonly t: 'dump-end'; readonly end: DumpEnd }
  | { readonly t: 'failed'; readonly error: ErrorData };
