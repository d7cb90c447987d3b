// What the inspector and the worker that owns the file say to each other. Bytes go through shared memory: the inspector waits for them
// inside SQLite, where it can hear no message.
import type { ErrorData } from '#shared/protocol/errors.ts';

export type InspectionKind = 'quick' | 'integrity';

/** The first and only message to the inspector. */
export interface InspectionOrder {
  readonly kind: InspectionKind;
  readonly sizeBytes: number;
  /** {@link Word}s, then {@link BLOCK_BYTES} for what was asked for. */
  readonly shared: SharedArrayBuffer;
}

export type FromInspector =
  | { readonly t: 'read'; readonly offset: number; readonly length: number }
  /** SQLite's messages; none when all is well. */
  | { readonly t: 'done'; readonly messages: readonly string[] }
  | { readonly t: 'failed'; readonly error: ErrorData };

/** Words at the beginning of the shared memory. */
export const Word = { answer: 0 } as const;
/** Values of `Word.answer`. */
export const Answer = { pending: 0, given: 1, refused: 2 } as const;
export const DATA_AT = 8;
export const BLOCK_BYTES = 128 * 1024;
