// The context menu of a result: copying, and sorting and filtering the rows that were read.
import type { ResultArrangement, ResultFilterTerm } from '#shared/protocol/index.ts';
import { copyAsMenu } from '../../workbench/cells/copy-as.ts';
import { commandItem } from '../../workbench/commands/commands.ts';
import { columnEntries } from '../../workbench/columns/column-menu.ts';
import { withTerm } from '../../workbench/columns/sort-terms.ts';
import type { GridHit } from '../../grid/layout/grid-space.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import type { QueryResult } from './query-view.ts';

export interface ResultMenuContext {
  readonly result: QueryResult;
  readonly grid: GridHandle;
  onArrange(arrangement: ResultArrangement): void;
  readonly view: GridView;
  onChangeColumns(view: GridView): void;
  /** Shows the color rules of a column. */
  onColors(column: number): void;
}

export function resultMenu(context: ResultMenuContext, hit: GridHit): readonly MenuEntry[] {
  if (hit.zone === 'scroll-bar' || hit.zone === 'corner') return [];
  const { ended } = context.result;
  if (hit.zone === 'header') return headerEntries(context, hit.column);
  return [
    ...(ended && hit.zone === 'cells'
      ? [commandItem('grid.editCell'), commandItem('grid.setNull'), 'separator' as const]
      : []),
    commandItem('grid.copy'),
    commandItem('grid.copyWithHeaders'),
    commandItem('grid.copyTransposed'),
    ...(ended ? [copyAsMenu(false), commandItem('export.show'), ...valueEntries(context, hit)] : []),
  ];
}

function headerEntries(context: ResultMenuContext, column: number): readonly MenuEntry[] {
  const { result, grid, view, onArrange, onChangeColumns, onColors } = context;
  const { arrangement, ended } = result;
  const { sort } = arrangement;
  const sorting = (label: string, terms: ResultArrangement['sort'], disabled = false): MenuEntry => ({
    label,
    run: () => onArrange({ ...arrangement, sort: terms }),
    disabled: disabled || !ended,
  });
  const only = (label: string, operator: 'is-null' | 'is-not-null'): MenuEntry => ({
    label,
    run: () => addFilter({ result, onArrange }, { column, operator, value: null }),
    disabled: !ended,
  });
  return [
    sorting('Sort ascending', [{ column, descending: false }]),
    sorting('Sort descending', [{ column, descending: true }]),
    sorting('Add to sort order', withTerm(sort, column)),
    sorting('Clear sort order', [], sort.length === 0),
    'separator',
    { label: 'Color by rule…', run: () => onColors(column) },
    only('Only rows where it is NULL', 'is-null'),
    only('Only rows where it is not NULL', 'is-not-null'),
    'separator',
    ...columnEntries({ grid, view, count: result.source.columns.length, onChange: onChangeColumns }, column),
  ];
}

function valueEntries(context: ResultMenuContext, { zone, row, column }: GridHit): readonly MenuEntry[] {
  const cell = zone === 'cells' ? context.grid.cell(row, column) : null;
  const packed = column + context.result.source.hiddenColumns;
  if (!cell || cell.rows.isPreview(cell.index, packed)) return [];
  const value = cell.rows.value(cell.index, packed);
  const [same, different] = value === null ? (['is-null', 'is-not-null'] as const) : (['=', '<>'] as const);
  return [
    'separator',
    { label: 'Only rows with this value', run: () => addFilter(context, { column, operator: same, value }) },
    { label: 'Only rows without this value', run: () => addFilter(context, { column, operator: different, value }) },
  ];
}

const addFilter = (
  { result: { arrangement }, onArrange }: Pick<ResultMenuContext, 'result' | 'onArrange'>,
  term: ResultFilterTerm,
): void => onArrange({ ...arrangement, filter: [...arrangement.filter, term] });
