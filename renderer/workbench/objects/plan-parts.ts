// Parts of a plan that every feature that plans a schema change shows: what a rebuild costs, and the rows in the way.
import type { DatabaseId, RowsInTheWay, SchemaPlan, SchemaStep } from '#shared/protocol/index.ts';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import { formatBytes, formatDuration, plural } from '../../ui/format.ts';
import { openTable, PLAIN_VIEW } from '../tabs/table.ts';

/** “: 3 rows, about 2 ms, 4 kB”; empty if nothing is known. Values that are too small to be measured are left out. */
export function rebuildCosts({ rows, timeMs, bytes }: Extract<SchemaStep, { kind: 'rebuild' }>): string {
  const costs = [
    rows !== null && plural(rows, 'row'),
    timeMs !== null && timeMs >= 1 && `about ${formatDuration(timeMs)}`,
    bytes !== null && bytes > 0 && formatBytes(bytes),
  ].filter(Boolean);
  return costs.length > 0 ? `: ${costs.join(', ')}` : '';
}

/** Further costs of a rebuild: on a server, the server does all of it, and bills it. Null elsewhere, and for other changes. */
export function serverCosts(database: DatabaseId, { steps }: SchemaPlan): string | null {
  if (capabilitiesOf(database).freeReads || !steps.some(({ kind }) => kind === 'rebuild')) return null;
  return 'The server writes each row twice, and reads it about a dozen times to compare it. Others cannot write until that is done; if one has to wait for more than a few seconds, the server may end the change, and everything stays as it was';
}

/** Shows the rows in their table, where they can be edited; those that belong together are adjacent. */
export function showRowsInTheWay(database: DatabaseId, { table, where, sort }: RowsInTheWay): void {
  openTable(database, table, {
    view: { ...PLAIN_VIEW, where, sort: sort.map((column) => ({ column, descending: false })) },
  });
}
