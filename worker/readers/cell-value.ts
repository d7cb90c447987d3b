// Reads one complete value of a table by the key of its row.
import { AppError } from '#shared/protocol/errors.ts';
import type { CellAddress } from '#shared/protocol/rows.ts';
import type { StorageClass } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import { keyCondition } from '../schema/table-shape.ts';
import { textEncodingOf } from '../schema/text-encoding.ts';
import { describeEditable } from '../schema/view-key.ts';
import { decodeBytes, wholeCharacters } from '../sql/text-bytes.ts';
import type { CellValue } from './reader.ts';

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
