// Operations on one stored value: parts of it, as a file, and from one form of JSON to the other.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { StepId } from './history.ts';
import type { Progress } from './library.ts';
import type { CellAddress } from './rows.ts';
import type { StorageClass, Value } from './values.ts';

/** A part of a TEXT or BLOB. */
export interface CellRange {
  /** Offset in bytes, as stored; moved forward to the next whole character of a text. */
  readonly offset: number;
  readonly lengthBytes: number;
  /** The part itself: text, or the bytes of a BLOB. */
  readonly value: Value;
  /** The same value as stored: text in the encoding of the database. */
  readonly bytes: Uint8Array;
  readonly storageClass: StorageClass;
  /** Size of the whole value. */
  readonly sizeBytes: number;
}

/** The replaced value, as the user saw it. */
export interface SeenValue {
  readonly storageClass: StorageClass;
  /** 0 unless it is TEXT or BLOB. */
  readonly sizeBytes: number;
  /** Set only if the value was loaded whole. */
  readonly value?: Value;
}

export interface OneCell {
  readonly database: DatabaseId;
  readonly cell: CellAddress;
}

/** Value of a cell before a step. */
export interface EarlierValue {
  readonly step: StepId;
  readonly atMs: number;
  /** Title of the step that replaced the value. */
  readonly title: string;
  readonly windowTitle: string;
  readonly value: Value;
}

export interface CellOperations {
  /** Fails with `not-found`, `invalid` for a value that is neither TEXT nor BLOB. At most 4 MiB. */
  'cell.readRange': Op<OneCell & { readonly offset: number; readonly length: number }, CellRange>;
  /**
   * Replaces `removed` at `offset` by `value` without sending the rest. Fails with `conflict` if the size of the value or these bytes
   * differ now, and as `edit.apply` does.
   */
  'cell.replaceRange': Op<
    OneCell & {
      readonly offset: number;
      readonly removed: Uint8Array;
      /** Size of the whole value, as the user saw it. */
      readonly sizeBytes: number;
      readonly value: string | Uint8Array;
      readonly withoutUndo?: true;
    },
    { readonly sizeBytes: number }
  >;
  /** Writes the bytes of a value to a file; a text as UTF-8. Fails with `not-found`, `io`, `full`, `stopped`; no partial file is left then. */
  'cell.save': Op<OneCell & { readonly sink: FileToken }, { readonly sizeBytes: number }, Progress>;
  /**
   * Makes the contents of a file the value. `text`: the file must be valid UTF-8 (`invalid`). Fails with `too-big` for more than
   * {@link MAX_LOADED_BYTES}, `conflict` if the value is no longer what was seen, and as `edit.apply` does.
   */
  'cell.load': Op<
    OneCell & {
      readonly source: FileToken;
      readonly loadAs: 'text' | 'blob';
      readonly seen: SeenValue;
      readonly withoutUndo?: true;
    },
    { readonly sizeBytes: number },
    Progress
  >;
  /** The values the cell had before, newest first, at most 50. `why`: why there may have been earlier ones; null if these are all. */
  'cell.past': Op<OneCell, { readonly values: readonly EarlierValue[]; readonly why: string | null }>;
  /** Converts between JSON text and JSONB (sqlite.org/json1.html#jsonb) with SQLite's own functions; null if the value is not valid. */
  'cell.convertJson': Op<
    { readonly database: DatabaseId; readonly value: string | Uint8Array; readonly convertTo: 'text' | 'jsonb' },
    string | Uint8Array | null
  >;
}

/** Limit of SQLite itself for one value, unless it was compiled otherwise (sqlite.org/limits.html). */
export const MAX_LOADED_BYTES = 1_000_000_000;
export const MAX_RANGE_BYTES = 4 * 1024 * 1024;
