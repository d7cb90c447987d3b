// Reads one stored value in pieces, from the state at the first piece.
import { AppError } from '#shared/protocol/errors.ts';
import type { CellAddress } from '#shared/protocol/rows.ts';
import type { Connection } from '../engines/engine.ts';
import { textEncodingOf } from '../schema/text-encoding.ts';
import { wholeCharacters } from '../sql/text-bytes.ts';
import type { TextEncodingName } from '../sql/text-bytes.ts';
import { cellSize, findCell, rangeBytes } from './cell-range.ts';

interface CellPiece {
  /** Bytes as stored. A piece of text ends with a whole character. */
  readonly bytes: Uint8Array;
  readonly encoding: TextEncodingName;
  /** Offset of the next piece. */
  readonly end: number;
  readonly sizeBytes: number;
}

/**
 * A statement stays open from the first piece to the last. Other programs may write to the file meanwhile, but what they commit is not seen
 * before it ends (sqlite.org/isolation.html).
 *
 * @param pieceBytes at least as many as the longest character has
 * @throws AppError `not-found`; `invalid` for a number and NULL
 */
export function* cellPieces(connection: Connection, cell: CellAddress, pieceBytes: number): Generator<CellPiece, void> {
  const found = findCell(connection, cell);
  const held = connection.prepare(`SELECT 1 ${found.row}`);
  try {
    held.bind(cell.key);
    held.step();
    const { storageClass, sizeBytes } = cellSize(connection, found, cell);
    if (storageClass !== 'text' && storageClass !== 'blob')
      throw AppError.invalid('Only text and blobs can be saved as files. Nothing was written.');
    const encoding = storageClass === 'text' ? textEncodingOf(connection) : 'utf-8';
    for (let offset = 0; offset < sizeBytes;) {
      const read = rangeBytes(connection, found, cell, { offset, length: pieceBytes });
      const isLast = offset + read.length >= sizeBytes;
      const bytes = isLast || storageClass === 'blob' ? read : read.subarray(0, wholeCharacters(read, encoding));
      offset += bytes.length;
      yield { bytes, encoding, end: offset, sizeBytes };
    }
  } finally {
    held.finalize();
  }
}
