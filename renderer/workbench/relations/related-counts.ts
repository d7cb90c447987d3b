// The rows of other tables that refer to one row: counted live, as far as counting does not read a large table.
import type { DatabaseId, FilterTerm, SchemaSnapshot, Value } from '#shared/protocol/index.ts';
import { useSchema } from '../../state/schema.ts';
import { REFERENCES_TO, countSql, type Reference } from './related-sql.ts';
import { isSettled, useLiveQuery } from '../rows/live-query.ts';
import { openTable } from '../tabs/table.ts';

/** Without an index a count reads the whole table, so larger tables are not counted. */
const MAX_SCANNED_ROWS = 100_000;

/** A foreign key that points at the row, and how many rows it finds. */
export interface RelatedCount {
  readonly reference: KnownReference;
  readonly count: number | null;
  readonly isCounted: boolean;
}

interface KnownReference extends Reference {
  readonly values: readonly Value[];
}

type Referring = Pick<KnownReference, 'table' | 'columns' | 'values'>;

/**
 * Each foreign key that points at the row, unless the row has NULL in the referenced columns: nothing refers to NULL.
 * @param valueOf a value of the row; undefined while it is not loaded completely
 * @returns null until they have been counted
 */
export function useRelatedCounts(
  database: DatabaseId,
  table: string,
  valueOf: (column: string) => Value | undefined,
): readonly RelatedCount[] | null {
  const schema = useSchema(database);
  const references = useLiveQuery(database, REFERENCES_TO, [table]);
  const known = references.rows
    .map((each): Reference => ({
      table: each.text('table'),
      columns: names(each.text('columns')),
      values: names(each.text('targets')).map((target) => valueOf(target)),
      isIndexed: each.number('indexed') === 1,
    }))
    .filter(isKnown);
  const counted = known.filter((each) => each.isIndexed || rowsOf(schema, each.table) <= MAX_SCANNED_ROWS);
  const sql = counted.length === 0 ? null : countSql(counted);
  const counts = useLiveQuery(
    database,
    sql,
    counted.flatMap(({ values }) => values),
  );
  if (!isSettled(references) || (sql !== null && !isSettled(counts))) return null;
  return known.map((reference) => {
    const at = counted.indexOf(reference);
    const count = at < 0 ? null : (counts.rows[0]?.number(`c${at}`) ?? null);
    return { reference, count, isCounted: at >= 0 };
  });
}

const names = (json: string): string[] => JSON.parse(json) as string[];

const isKnown = (reference: Reference): reference is KnownReference =>
  reference.values.every((value) => value !== undefined && value !== null);

const rowsOf = (schema: SchemaSnapshot | null, table: string): number =>
  schema?.objects.find(({ name }) => name === table)?.rows?.count ?? Infinity;

/** The condition that holds for the rows that refer to the row. */
export const referringTerms = ({ columns, values }: Referring): readonly FilterTerm[] =>
  columns.map((column, at): FilterTerm => ({ column, operator: '=', value: values[at] ?? null }));

/** Opens the table that refers to the row, filtered to the rows that do. */
export function openReferring(database: DatabaseId, reference: Referring): void {
  openTable(database, reference.table, { view: { filter: referringTerms(reference), where: '', topRow: 0 } });
}
