// Messages between the inspector and the worker that owns the file. Requests are messages; replies go through shared memory
// (`reply.ts`), because the inspector waits for them inside SQLite, where it can hear no message.
import type { ErrorData } from '#shared/protocol/errors.ts';
import type { FileFindings } from '#shared/protocol/session.ts';

export type InspectionKind = 'quick' | 'integrity';

/** The first and only message to the inspector. */
export interface InspectionOrder {
  readonly kind: InspectionKind;
  readonly sizeBytes: number;
  /** See `reply.ts`. */
  readonly shared: SharedArrayBuffer;
}

export type FromInspector =
  /** Asks for exactly `length` bytes, at most `BLOCK_BYTES`. The reply names `request`, which no two requests share. */
  | { readonly t: 'read'; readonly request: number; readonly offset: number; readonly length: number }
  | { readonly t: 'done'; readonly findings: FileFindings }
  | { readonly t: 'failed'; readonly error: ErrorData };
