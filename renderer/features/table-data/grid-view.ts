// A tab's arrangement, by column names, as the grid takes it, by column numbers; and back.
import type { SortTerm } from '#shared/protocol/rows.ts';
import type { TableView } from '../../workbench/table-tabs.ts';
import type { SortColumn } from '../../grid/paint/frame.ts';
import type { GridView } from '../../grid/layout/geometry.ts';

export function gridView({ widths, order }: Pick<TableView, 'widths' | 'order'>, names: readonly string[]): GridView {
  const byNumber: Record<number, number> = {};
  names.forEach((name, column) => {
    const width = Object.hasOwn(widths, name) ? widths[name] : undefined;
    if (width !== undefined) byNumber[column] = width;
  });
  return {
    order: order.map((name) => names.indexOf(name)).filter((column) => column >= 0),
    widths: byNumber,
    hidden: [],
  };
}

export function tableArrangement(view: GridView, names: readonly string[]): Pick<TableView, 'widths' | 'order'> {
  const widths = Object.fromEntries(
    Object.entries(view.widths).map(([column, width]) => [names[Number(column)] ?? '', width]),
  );
  return { widths, order: view.order.map((column) => names[column] ?? '') };
}

export const sortMarks = (sort: readonly SortTerm[], names: readonly string[]): readonly SortColumn[] =>
  sort
    .map(({ column, descending }) => ({ column: names.indexOf(column), descending }))
    .filter(({ column }) => column >= 0);
