// Changes one stored value without sending all of it: a part of it, or the whole as bytes from a file.
import type { SeenValue } from '#shared/protocol/cell.ts';
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { CellAddress } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { atomically } from '../engines/transaction.ts';
import type { BoundSql } from '../engines/guarded-write.ts';
import { cellSize, findCell, rangeBytes, type FoundCell, textEncodingOf } from '../readers/cell-range.ts';
import { sameValue } from '../sql/same-value.ts';
import { encodeText } from '../sql/text-bytes.ts';
import { applyChanges } from './apply-edits.ts';

interface RangeChange {
  readonly offset: number;
  readonly removed: Uint8Array;
  readonly sizeBytes: number;
  readonly value: string | Uint8Array;
}

/** Returns the size of the whole value afterward. @throws AppError `conflict`, and as {@link applyChanges}; nothing was changed then */
export function replaceRange(connection: Connection, cell: CellAddress, change: RangeChange): number {
  const { offset, removed, sizeBytes, value } = change;
  return atomically(connection, () => {
    const found = findWritable(connection, cell);
    const size = cellSize(connection, found, cell);
    const now =
      size.sizeBytes === sizeBytes && offset <= sizeBytes
        ? rangeBytes(connection, found, cell, { offset, length: removed.length })
        : null;
    if (now === null || !sameValue(now, removed)) throw changedMeanwhile(cell.column);
    const encoding = textEncodingOf(connection);
    const bytes = typeof value === 'string' ? encodeText(value, encoding) : value;
    const joined =
      encoding === 'utf-8'
        ? joinedBySqlite(found, { offset, removed, bytes })
        : joinedHere(rangeBytes(connection, found, cell, { offset: 0, length: sizeBytes }), { offset, removed, bytes });
    const [row] = connection.all(
      `UPDATE ${found.table} SET ${found.name} = CAST(${joined.sql} AS ${size.storageClass === 'text' ? 'TEXT' : 'BLOB'})
       WHERE ${found.condition} RETURNING octet_length(${found.name})`,
      [...joined.params, ...cell.key],
    );
    if (!row) fail('constraint', 'A trigger of the table ignored this change. Nothing was changed.');
    return Number(row[0]);
  });
}

/** @throws AppError `conflict`, and as {@link applyChanges}; nothing was changed then */
export function replaceWhole(connection: Connection, cell: CellAddress, value: Value, seen: SeenValue): void {
  const { table, key, column } = cell;
  const base = seen.value === undefined ? {} : { [column]: seen.value };
  const size = cellSize(connection, findCell(connection, cell), cell);
  if (size.storageClass !== seen.storageClass || size.sizeBytes !== seen.sizeBytes) throw changedMeanwhile(column);
  applyChanges(connection, table, [{ kind: 'update', key, set: { [column]: value }, base }]);
}

interface Splice {
  readonly offset: number;
  readonly removed: Uint8Array;
  readonly bytes: Uint8Array;
}

/** Passes only the new part into SQLite. The operator joins bytes as they are. */
function joinedBySqlite({ name }: FoundCell, { offset, removed, bytes }: Splice): BoundSql {
  const part = (range: string): string => `coalesce(substr(CAST(${name} AS BLOB), ${range}), x'')`;
  const params = [offset, bytes, offset + removed.length + 1];
  return { sql: `${part('1, ?')} || CAST(? AS BLOB) || ${part('?')}`, params };
}

/** Joins here, because in a UTF-16 database the operator drops a last odd byte. */
function joinedHere(whole: Uint8Array, { offset, removed, bytes }: Splice): BoundSql {
  const rest = whole.subarray(offset + removed.length);
  const joined = new Uint8Array(offset + bytes.length + rest.length);
  joined.set(whole.subarray(0, offset));
  joined.set(bytes, offset);
  joined.set(rest, offset + bytes.length);
  return { sql: '?', params: [joined] };
}

function findWritable(connection: Connection, cell: CellAddress): FoundCell {
  const found = findCell(connection, cell);
  if (found.shape.kind === 'virtual')
    fail('invalid', 'Parts of a value of a virtual table cannot be changed. Nothing was changed.');
  if (found.column.generated === 'no') return found;
  fail('invalid', `“${found.column.name}” is computed from other columns and cannot be written. Nothing was changed.`);
}

const changedMeanwhile = (column: string): AppError =>
  AppError.conflict(
    `“${column}” was changed in the meantime. Your text is kept but not saved yet. Choose which of the two to keep.`,
    { detail: { column } },
  );
