// Converts a tab's arrangement by column names to the grid's arrangement by column numbers, and back.
import type { SortTerm } from '#shared/protocol/rows.ts';
import type { TableView } from '../../workbench/tabs/table.ts';
import type { SortColumn } from '../../grid/paint/frame.ts';
import type { GridView } from '../../grid/layout/geometry.ts';

/** The parts of a tab's view that arrange its columns. */
export type TableColumns = Pick<TableView, 'widths' | 'order' | 'hidden' | 'frozen'>;

export function gridView({ widths, order, hidden, frozen }: TableColumns, names: readonly string[]): GridView {
  const byNumber: Record<number, number> = {};
  names.forEach((name, column) => {
    const width = Object.hasOwn(widths, name) ? widths[name] : undefined;
    if (width !== undefined) byNumber[column] = width;
  });
  const numbers = (wanted: readonly string[]): readonly number[] =>
    wanted.map((name) => names.indexOf(name)).filter((column) => column >= 0);
  const hiddenColumns = numbers(hidden);
  return {
    order: numbers(order),
    widths: byNumber,
    // A table whose other columns are gone shows those that remain.
    hidden: hiddenColumns.length < names.length ? hiddenColumns : [],
    frozen,
  };
}

export function tableArrangement(view: GridView, names: readonly string[]): TableColumns {
  const widths = Object.fromEntries(
    Object.entries(view.widths).map(([column, width]) => [names[Number(column)] ?? '', width]),
  );
  const named = (columns: readonly number[]): readonly string[] => columns.map((column) => names[column] ?? '');
  return { widths, order: named(view.order), hidden: named(view.hidden), frozen: view.frozen };
}

/** @param isPending whether the rows are not in this order yet */
export const sortColumns = (
  sort: readonly SortTerm[],
  names: readonly string[],
  isPending = false,
): readonly SortColumn[] =>
  sort
    .map(({ column, descending }) => ({ column: names.indexOf(column), descending, ...(isPending && { isPending }) }))
    .filter(({ column }) => column >= 0);
