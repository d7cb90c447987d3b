// Rows of other tables that refer to the selected row, counted live; a click shows them.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { sameValue } from '../../workbench/rows/own-edits.ts';
import type { Detail } from '../../state/slices/detail.ts';
import { formatCount } from '../../ui/format.ts';
import { openReferring, useRelatedCounts } from '../../workbench/relations/related-counts.ts';

/** Delay, so that moving over rows with the arrow keys sends no requests. */
const REST_MS = 120;

export function RelatedRows({ detail }: { readonly detail: Detail }): ReactNode {
  const rested = useRested(detail);
  if (!rested?.row) return null;
  return <RelatedTables database={rested.database} row={rested.row} />;
}

interface RelatedTablesProps {
  readonly database: DatabaseId;
  readonly row: NonNullable<Detail['row']>;
}

function RelatedTables({ database, row }: RelatedTablesProps): ReactNode {
  const related = useRelatedCounts(database, row.table, row.valueOf);
  if (!related || related.length === 0) return null;
  return (
    <section className="related" aria-label="Related rows">
      <h3>Related rows</h3>
      <ul>
        {related.map(({ reference, count, isCounted }) => {
          const columns = visibleName(reference.columns.join(', '));
          return (
            <li key={`${reference.table}.${reference.columns.join()}`}>
              <button type="button" className="text-link" onClick={() => openReferring(database, reference)}>
                {visibleName(reference.table)} → {columns}
              </button>
              <span
                className="related-count"
                title={isCounted ? undefined : `Not counted: ${columns} has no index, and the table is large.`}
              >
                {!isCounted ? 'not counted' : count === null ? '' : formatCount(count)}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The cell, once the cursor has stayed on it; at once while it is the same row. */
function useRested(detail: Detail): Detail | null {
  const [rested, setRested] = useState<Detail | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(detail), REST_MS);
    return () => clearTimeout(timer);
  }, [detail]);
  return rested && isSameRow(rested, detail) ? rested : null;
}

function isSameRow(a: Detail, b: Detail): boolean {
  if (a.database !== b.database) return false;
  if (a.source.kind !== 'cell' || b.source.kind !== 'cell') return a === b;
  const [mine, other] = [a.source.cell, b.source.cell];
  const isSameKey =
    mine.key.length === other.key.length && mine.key.every((part, at) => sameValue(part, other.key[at]!));
  return mine.table === other.table && isSameKey;
}
