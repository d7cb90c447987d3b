// Rows of other tables that refer to the selected row, counted live; a click shows them.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { DatabaseId, SchemaSnapshot, Value } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { sameValue } from '../../workbench/rows/own-edits.ts';
import { useLiveQuery } from '../../workbench/rows/live-query.ts';
import { useSchema } from '../../state/schema.ts';
import type { Detail } from '../../state/slices/detail.ts';
import { openTable } from '../../workbench/table-tabs.ts';
import { formatCount } from '../../ui/format.ts';
import { REFERENCES_TO, countSql } from './related-sql.ts';
import type { Reference } from './related-sql.ts';

/** Moving over rows with the arrow keys asks nothing. */
const REST_MS = 120;
/** Without an index a count reads the whole table: of larger ones it is left out. */
const MAX_SCANNED_ROWS = 100_000;

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
  const schema = useSchema(database);
  const references = useLiveQuery(database, REFERENCES_TO, [row.table]).rows.map((each): Reference => ({
    table: each.text('table'),
    columns: names(each.text('columns')),
    values: names(each.text('targets')).map((target) => row.valueOf(target)),
    isIndexed: each.number('indexed') === 1,
  }));
  const known = references.filter(({ values }) => values.every((value) => value !== undefined && value !== null));
  const counted = known.filter((each) => each.isIndexed || rowsOf(schema, each.table) <= MAX_SCANNED_ROWS);
  const counts = useLiveQuery(
    database,
    counted.length === 0 ? null : countSql(counted),
    counted.flatMap(({ values }) => values as Value[]),
  );
  if (known.length === 0) return null;
  return (
    <section className="related" aria-label="Related rows">
      <h3>Related rows</h3>
      <ul>
        {known.map((each) => {
          const at = counted.indexOf(each);
          const count = at >= 0 ? counts.rows[0]?.number(`c${at}`) : undefined;
          return (
            <li key={`${each.table}.${each.columns.join()}`}>
              <button type="button" className="details-link" onClick={() => showRows(database, each)}>
                {visibleName(each.table)} → {visibleName(each.columns.join(', '))}
              </button>
              <span
                className="related-count"
                title={
                  at < 0
                    ? `Not counted: ${visibleName(each.columns.join(', '))} has no index, and the table is large.`
                    : undefined
                }
              >
                {at < 0 ? 'not counted' : count === undefined ? '' : formatCount(count)}
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
  if (a.source.kind === 'position' || b.source.kind === 'position') return a === b;
  const [mine, other] = [a.source.cell, b.source.cell];
  const isSameKey =
    mine.key.length === other.key.length && mine.key.every((part, at) => sameValue(part, other.key[at]!));
  return mine.table === other.table && isSameKey;
}

const rowsOf = (schema: SchemaSnapshot | null, table: string): number =>
  schema?.objects.find(({ name }) => name === table)?.rows?.count ?? Infinity;

const names = (json: string): string[] => JSON.parse(json) as string[];

function showRows(database: DatabaseId, { table, columns, values }: Reference): void {
  const filter = columns.map((column, index) => ({ column, operator: '=' as const, value: values[index] ?? null }));
  openTable(database, table, { view: { filter, where: '', topRow: 0 } });
}
