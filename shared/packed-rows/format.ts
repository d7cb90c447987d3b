// Rows as three flat buffers: moved between threads for nothing, decoded cell by cell only when painted.
//
// Row-major: cell = row × columnCount + column.
//   types[cell]   one of CellType
//   slots[cell]   8 bytes: the number itself, or for text and blob two Uint32: offset and length in `heap`
//   heap          UTF-8 text and blob bytes
// A cut-off value (a preview) keeps its full length in bytes as a Float64 in the 8 heap bytes before its offset.

/** Wire values: append, never renumber. */
export const CellType = {
  null: 0,
  /** INTEGER within ±(2^53 − 1); slot is a Float64. */
  integer: 1,
  /** INTEGER beyond that; slot is a BigInt64. */
  bigInteger: 2,
  real: 3,
  text: 4,
  blob: 5,
  textPreview: 6,
  blobPreview: 7,
} as const;
export type CellType = (typeof CellType)[keyof typeof CellType];

/** Buffers are little-endian, as every platform Electron runs on is. */
export interface PackedRows {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly types: Uint8Array;
  /** 8 bytes a cell, viewed by need as Float64, BigInt64 or pairs of Uint32. */
  readonly slots: ArrayBuffer;
  readonly heap: Uint8Array;
}

/** TEXT and BLOB longer than this many bytes cross as previews of this length. */
export const PREVIEW_BYTES = 1024;

export const NO_ROWS: PackedRows = {
  rowCount: 0,
  columnCount: 0,
  types: new Uint8Array(0),
  slots: new ArrayBuffer(0),
  heap: new Uint8Array(0),
};

/** The buffers of packed rows, for a transfer list. */
export function packedRowsTransfers(rows: PackedRows): ArrayBuffer[] {
  if (rows.rowCount === 0) return [];
  return [rows.types.buffer as ArrayBuffer, rows.slots, rows.heap.buffer as ArrayBuffer];
}
