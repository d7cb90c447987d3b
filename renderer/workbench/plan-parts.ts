// Parts of a plan that every feature that plans a schema change shows: what a rebuild costs, and the rows in the way.
import type { DatabaseId, RowsInTheWay, SchemaStep } from '#shared/protocol/index.ts';
import { formatBytes, formatDuration, plural } from '../ui/format.ts';
import { openTable, PLAIN_VIEW } from './table-tabs.ts';

/** “: 3 rows, about 2 ms, 4 kB”; empty if nothing is known. What is too small to be measured is left out. */
export function rebuildCosts({ rows, timeMs, bytes }: Extract<SchemaStep, { kind: 'rebuild' }>): string {
  const costs = [
    rows !== null && plural(rows, 'row'),
    timeMs !== null && timeMs >= 1 && `about ${formatDuration(timeMs)}`,
    bytes !== null && bytes > 0 && formatBytes(bytes),
  ].filter(Boolean);
  return costs.length > 0 ? `: ${costs.join(', ')}` : '';
}

/** Shows the rows in their table, where they can be edited; those that belong together are adjacent. */
export function showRowsInTheWay(database: DatabaseId, { table, where, sort }: RowsInTheWay): void {
  openTable(database, table, {
    view: { ...PLAIN_VIEW, where, sort: sort.map((column) => ({ column, descending: false })) },
  });
}
