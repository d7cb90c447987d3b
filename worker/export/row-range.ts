// The part of a table's statement that selects its rows from the first requested one to the last.
import type { ExportSource, RowInterval } from '#shared/protocol/export.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOrderOf } from '../readers/key-order.ts';
import type { Key } from '../readers/key-order.ts';
import { keyNames } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';
import type { ReadPlaces } from './seen-rows.ts';

export interface RowRange extends ReadPlaces {
  /** On the key; null: rows are counted. */
  readonly condition: string | null;
  readonly limit: string;
  /** For the condition, then for the limit. */
  readonly params: readonly Value[];
  readonly keep: readonly RowInterval[] | null;
}

type Requested = Pick<Extract<ExportSource, { readonly kind: 'table' }>, 'rows' | 'seen' | 'sort'>;

/**
 * Range from the first requested row to the last, by key where the user sees these rows: the grid estimates positions of rows that are not
 * counted, and OFFSET reads every row before.
 */
export function rangeOf(
  connection: Connection,
  shape: TableShape,
  { rows, seen = [], sort = [] }: Requested,
): RowRange {
  if (!rows) return { seen: [], lastKey: null, condition: null, limit: '', params: [], keep: null };
  const [first, last] = [rows[0]?.first ?? 0, rows.at(-1)?.last ?? -1];
  const counted = {
    seen: seen.map(({ position, key }) => ({ position: position - first, key })),
    lastKey: null,
    keep: rows.map((interval) => ({ first: interval.first - first, last: interval.last - first })),
  };
  const count = last - first + 1;
  const keyAt = (place: number): Key | undefined => seen.find(({ position }) => position === place)?.key;
  const [firstKey, lastKey] = [keyAt(first), keyAt(last)];
  if (!firstKey || sort.length > 0 || shape.kind !== 'table' || keyNames(shape.key).length !== firstKey.length)
    return { ...counted, condition: null, limit: ' LIMIT ? OFFSET ?', params: [count, first] };
  const { atOrAfter, atOrBefore } = keyOrderOf(connection, shape);
  const params = atOrAfter.params(firstKey);
  if (rows.length > 1 || !lastKey)
    return { ...counted, condition: `(${atOrAfter.sql})`, limit: ' LIMIT ?', params: [...params, count] };
  return {
    seen: [{ position: 0, key: firstKey }],
    lastKey,
    condition: `(${atOrAfter.sql}) AND (${atOrBefore.sql})`,
    limit: '',
    params: [...params, ...atOrBefore.params(lastKey)],
    keep: null,
  };
}
