// Reads parts of one stored TEXT or BLOB by the key of its row.
import { MAX_RANGE_BYTES } from '#shared/protocol/cell.ts';
import type { CellRange } from '#shared/protocol/cell.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { CellAddress } from '#shared/protocol/rows.ts';
import type { StorageClass } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { keyCondition } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';
import { textEncodingOf } from '../schema/text-encoding.ts';
import { describeEditable } from '../schema/view-key.ts';
import { brokenStart, decodeBytes, wholeCharacters } from '../sql/text-bytes.ts';

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
