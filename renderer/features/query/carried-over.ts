// What a result takes over from the previous run: its chart, and how the user has sorted and filtered its rows. Pure.
import type { GridColumn } from '../../grid/grid-source.ts';
import { isArranged, NO_CHART, type QueryResult } from './query-view.ts';

type Former = Pick<QueryResult, 'sql' | 'arrangement' | 'rearrange' | 'chart'> & {
  readonly source: { readonly columns: readonly Pick<GridColumn, 'name'>[] };
};

/**
 * A chart stays as long as the columns are the same; an arrangement only for the same statement, because rows that are missing from a new
 * statement's result would be searched for in vain.
 */
export function carriedOver(
  sql: string,
  columns: readonly Pick<GridColumn, 'name'>[],
  former: readonly Former[],
): Pick<QueryResult, 'chart' | 'rearrange'> {
  const alike = former.filter(
    ({ source }) =>
      source.columns.length === columns.length &&
      source.columns.every(({ name }, index) => name === columns[index]!.name),
  );
  const same = alike.find((each) => each.sql.trim() === sql.trim());
  // A run that was stopped has not arranged its rows yet.
  const wanted = same?.rearrange ?? same?.arrangement;
  return {
    chart: (same ?? alike[0])?.chart ?? NO_CHART,
    rearrange: wanted && isArranged(wanted) ? wanted : null,
  };
}
