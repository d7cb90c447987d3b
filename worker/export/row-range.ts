// The part of a table's statement that selects its rows from the first requested one to the last: by key where the user sees these rows.
// Others may have added rows before them, the grid estimates positions of rows that are not counted, and OFFSET reads every row before.
import type { ExportSource, RowInterval } from '#shared/protocol/export.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { rowOrderOf } from './row-order.ts';
import type { ReadPlaces } from './seen-rows.ts';

export interface RowRange extends ReadPlaces {
  /** On the key; null: rows are counted. */
  readonly condition: string | null;
  readonly limit: string;
  /** For the condition, then for the limit. */
  readonly params: readonly Value[];
  readonly keep: readonly RowInterval[] | null;
}

type Requested = Pick<Extract<ExportSource, { readonly kind: 'table' }>, 'rows' | 'corners' | 'seen' | 'sort'>;

export function rangeOf(connection: Connection, shape: TableShape, requested: Requested): RowRange {
  const { rows, corners, seen = [], sort = [] } = requested;
  if (!rows) return { seen: [], lastKey: null, condition: null, limit: '', params: [], keep: null };
  const order = rowOrderOf(connection, shape, sort);
  const between = corners && order?.between(...corners);
  if (between) {
    const { firstKey, lastKey, sql, params } = between;
    return { seen: [{ position: 0, key: firstKey }], lastKey, condition: sql, limit: '', params, keep: null };
  }
  const [first, last] = [rows[0]?.first ?? 0, rows.at(-1)?.last ?? -1];
  const atCorners = corners?.map((key, at) => ({ position: at === 0 ? first : last, key })) ?? [];
  const counted = {
    seen: [...atCorners, ...seen].map(({ position, key }) => ({ position: position - first, key })),
    lastKey: null,
    keep: rows.map((interval) => ({ first: interval.first - first, last: interval.last - first })),
  };
  const firstKey = seen.find(({ position }) => position === first)?.key;
  const from = firstKey && order?.atOrAfter(firstKey);
  const count = last - first + 1;
  if (!from) return { ...counted, condition: null, limit: ' LIMIT ? OFFSET ?', params: [count, first] };
  return { ...counted, condition: from.sql, limit: ' LIMIT ?', params: [...from.params, count] };
}
