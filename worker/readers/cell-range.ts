// Reads one stored value by the key of its row: whole, in pieces, or parts of a TEXT or BLOB.
import { MAX_RANGE_BYTES, type CellRange } from '#shared/protocol/cell.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { CellAddress } from '#shared/protocol/rows.ts';
import type { StorageClass } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { keyCondition, type TableShape } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';
import { describeEditable } from '../schema/view-key.ts';
import { brokenStart, decodeBytes, wholeCharacters, type TextEncodingName } from '../sql/text-bytes.ts';
import type { CellValue } from './reader.ts';

/** SQL names of a cell. */
export interface FoundCell {
  readonly shape: TableShape;
  readonly column: TableShape['columns'][number];
  /** Quoted. */
  readonly name: string;
  /** `FROM … WHERE …`, with the key as its parameters. */
  readonly row: string;
  /** Condition for the row, as `WHERE` takes it. */
  readonly condition: string;
  /** Quoted, with its schema. */
  readonly table: string;
}

/** @throws AppError `not-found`, `invalid` for a table whose rows have no key */
export function findCell(connection: Connection, cell: CellAddress): FoundCell {
  const shape = describeEditable(connection, cell.table);
  if (shape.key.kind === 'none') throw AppError.invalid(shape.key.why);
  const column = shape.columns.find(({ name }) => name === cell.column);
  if (!column) throw AppError.notFound(`“${shape.name}” has no column “${cell.column}”.`);
  const table = `main.${quoteName(shape.name)}`;
  const condition = keyCondition(shape.key);
  return { shape, column, name: quoteName(column.name), table, condition, row: `FROM ${table} WHERE ${condition}` };
}

interface CellSize {
  readonly storageClass: StorageClass;
  /** 0 unless it is TEXT or BLOB. */
  readonly sizeBytes: number;
}

/** @throws AppError `not-found` */
export function cellSize(connection: Connection, { name, row, shape }: FoundCell, { key }: CellAddress): CellSize {
  const found = connection.one(`SELECT typeof(${name}), octet_length(${name}) ${row}`, key);
  if (!found) throw AppError.notFound(`This row of “${shape.name}” no longer exists.`);
  const storageClass = found[0] as StorageClass;
  return { storageClass, sizeBytes: storageClass === 'text' || storageClass === 'blob' ? Number(found[1]) : 0 };
}

/** Bytes as stored, starting at `offset`. */
export function rangeBytes(
  connection: Connection,
  { name, row }: FoundCell,
  { key }: CellAddress,
  { offset, length }: { readonly offset: number; readonly length: number },
): Uint8Array {
  // A part of an empty blob is NULL for `substr`.
  const sql = `SELECT coalesce(substr(CAST(${name} AS BLOB), ?, ?), x'') ${row}`;
  return connection.one(sql, [offset + 1, length, ...key])![0] as Uint8Array;
}

/** @throws AppError `not-found`, `invalid` */
export function readRange(connection: Connection, cell: CellAddress, from: number, length: number): CellRange {
  const isRange = Number.isSafeInteger(from) && from >= 0 && Number.isSafeInteger(length) && length > 0;
  if (!isRange || length > MAX_RANGE_BYTES)
    throw AppError.invalid('A part of a value can be at most 4 MB, from an offset of 0 or greater.');
  const found = findCell(connection, cell);
  const size = cellSize(connection, found, cell);
  if (size.storageClass !== 'text' && size.storageClass !== 'blob')
    throw AppError.invalid('Only text and blobs can be read in parts.');
  const offset = Math.min(from, size.sizeBytes);
  const bytes = rangeBytes(connection, found, cell, { offset, length });
  if (size.storageClass === 'blob') return { ...size, offset, lengthBytes: bytes.length, value: bytes, bytes };
  const encoding = textEncodingOf(connection);
  const skipped = Math.min(brokenStart(bytes, offset, encoding), bytes.length);
  const rest = bytes.slice(skipped);
  const isLast = offset + bytes.length >= size.sizeBytes;
  const whole = isLast ? rest : rest.slice(0, wholeCharacters(rest, encoding));
  return {
    ...size,
    offset: offset + skipped,
    lengthBytes: whole.length,
    value: decodeBytes(whole, encoding),
    bytes: whole,
  };
}

// Reads one stored value in pieces, from the state at the first piece.

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

/** @throws AppError `not-found` when the row or column is gone */
export function readCell(connection: Connection, cell: CellAddress, maxBytes: number): CellValue {
  const shape = describeEditable(connection, cell.table);
  if (shape.key.kind === 'none') throw AppError.invalid(shape.key.why);
  const column = shape.columns.find(({ name }) => name === cell.column);
  if (!column) throw AppError.notFound(`“${shape.name}” has no column “${cell.column}”.`);
  const name = quoteName(column.name);
  const row = `FROM main.${quoteName(shape.name)} WHERE ${keyCondition(shape.key)}`;
  const size = connection.one(`SELECT typeof(${name}), octet_length(${name}) ${row}`, cell.key);
  if (!size) throw AppError.notFound(`This row of “${shape.name}” no longer exists.`);
  const storageClass = size[0] as StorageClass;
  const sizeBytes = storageClass === 'text' || storageClass === 'blob' ? Number(size[1]) : 0;
  if (sizeBytes <= maxBytes)
    return { value: connection.one(`SELECT ${name} ${row}`, cell.key)![0]!, storageClass, sizeBytes };
  const bytes = connection.one(`SELECT substr(CAST(${name} AS BLOB), 1, ?) ${row}`, [
    maxBytes,
    ...cell.key,
  ])![0] as Uint8Array;
  if (storageClass !== 'text') return { value: bytes, storageClass, sizeBytes };
  const encoding = textEncodingOf(connection);
  const value = decodeBytes(bytes.slice(0, wholeCharacters(bytes, encoding)), encoding);
  return { value, storageClass, sizeBytes };
}

/** UTF-8 also where the build of SQLite supports no other. */
export function textEncodingOf(connection: Connection): TextEncodingName {
  const name = String(connection.one('PRAGMA encoding')?.[0] ?? '').toLowerCase();
  return name === 'utf-16le' || name === 'utf-16be' ? name : 'utf-8';
}
