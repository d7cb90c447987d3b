// What a dry run would do, in one line.
import { ROWS_WITH_NEW_VALUES } from '#shared/protocol/history.ts';
import type { DryRunReply } from '#shared/protocol/index.ts';
import { formatCount, plural } from '../../ui/format.ts';

const VERBS = { inserted: 'insert', updated: 'change', deleted: 'delete' };

/** “Would insert 3 and change 120 rows in 2 tables”. */
export function outcomeLabel({ tables, rows }: Pick<DryRunReply, 'tables' | 'rows'>): string {
  if (!isListed({ tables, rows })) return `Would insert, change, or delete ${plural(rows, 'row')}`;
  const sum = (of: (counts: DryRunReply['tables'][number]) => number): string =>
    formatCount(tables.reduce((total, counts) => total + of(counts), 0));
  const parts = (['inserted', 'updated', 'deleted'] as const)
    .filter((kind) => tables.some((counts) => counts[kind] > 0))
    .map((kind) => `${VERBS[kind]} ${sum((counts) => counts[kind])}`);
  if (parts.length === 0) return 'Would change no rows';
  const last = parts.pop()!;
  const done = parts.length > 0 ? `${parts.join(', ')} and ${last}` : last;
  return `Would ${done} ${last.endsWith(' 1') ? 'row' : 'rows'} in ${plural(tables.length, 'table')}`;
}

/** False: the rows are counted, and no more is known of them. */
export const isListed = ({ tables, rows }: Pick<DryRunReply, 'tables' | 'rows'>): boolean =>
  tables.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0) === rows;

/** What of the change cannot be seen. Empty if all can. */
export function unseenWords({ tables, rows, schema }: Pick<DryRunReply, 'tables' | 'rows' | 'schema'>): string {
  if (!isListed({ tables, rows }))
    return schema
      ? 'The schema would change too, so rows are only counted.'
      : 'Rows are only counted: they are more than the history keeps of a step, or no history is kept here.';
  const dropped = schema && 'The schema would change too: rows of dropped tables are not listed.';
  const cut = rows > ROWS_WITH_NEW_VALUES && `New values are listed for the first ${formatCount(ROWS_WITH_NEW_VALUES)} rows.`; // prettier-ignore
  return [dropped, cut].filter(Boolean).join(' ');
}
