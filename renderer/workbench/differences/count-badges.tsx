// “+12 ~3 −1”: how many rows a change inserted, updated and deleted.
import type { ReactNode } from 'react';
import type { TableCounts } from '#shared/protocol/index.ts';
import { formatCount } from '../../ui/format.ts';
import { countParts, SIGNS } from './difference-lines.ts';

const WORDS = { inserted: 'inserted', updated: 'changed', deleted: 'deleted' };

export function CountBadges({
  counts,
}: {
  readonly counts: Pick<TableCounts, 'inserted' | 'updated' | 'deleted'>;
}): ReactNode {
  return (
    <span className="gap-6 figures one-line count-badges">
      {countParts(counts).map(([kind, count]) => (
        <span key={kind} className={`count-${kind}`} title={`${formatCount(count)} ${WORDS[kind]}`}>
          {SIGNS[kind]}
          {formatCount(count)}
        </span>
      ))}
    </span>
  );
}
