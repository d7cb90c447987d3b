// What a dry run would do, in one line.
import type { DryRunReply } from '#shared/protocol/index.ts';
import { formatCount, plural } from '../../ui/format.ts';

const VERBS = { inserted: 'insert', updated: 'change', deleted: 'delete' };

/** “Would insert 3 and change 120 rows in 2 tables”. */
export function outcomeLabel({ tables }: Pick<DryRunReply, 'tables'>): string {
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
