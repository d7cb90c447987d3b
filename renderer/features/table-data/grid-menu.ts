// The context menu of the grid: actions on the cell, row or column under the pointer.
import type { FilterTerm, SortTerm } from '#shared/protocol/rows.ts';
import { copyAsMenu } from '../../workbench/cells/copy-as.ts';
import { commandItem } from '../../workbench/commands/commands.ts';
import { chooseAndImport } from '../../workbench/tabs/import.ts';
import type { TableView } from '../../workbench/tabs/table.ts';
import { openUses } from '../../workbench/tabs/uses.ts';
import { isSingleCell } from '../../grid/input/selection.ts';
import type { GridHit } from '../../grid/layout/grid-space.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { MenuEntry, MenuItem } from '../../ui/menu.tsx';
import { columnEntries } from '../../workbench/columns/column-menu.ts';
import { withTerm } from '../../workbench/columns/sort-terms.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import type { CardKind } from './column-card/use-column-card.ts';
import { gridView, tableArrangement } from './grid-view.ts';
import type { TableColumns } from './grid-view.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export interface MenuContext {
  readonly source: TableSource;
  readonly grid: GridHandle;
  readonly view: TableView;
  onChange(change: Partial<TableView>): void;
  /** Shows the values and statistics of a column, or its colors. */
  onCard(column: string, kind: CardKind): void;
  onChangeColumns(columns: TableColumns): void;
}

export function menuEntries(context: MenuContext, hit: GridHit): readonly MenuEntry[] {
  if (hit.zone === 'header') return headerEntries(context, hit.column);
  if (hit.zone === 'scroll-bar' || hit.zone === 'corner') return [];
  const isEditable = context.source.info.key.kind !== 'none';
  const editing = isEditable
    ? [
        commandItem('grid.editCell'),
        commandItem('value.edit'),
        commandItem('form.show'),
        commandItem('grid.setNull'),
        ...(isSingleCell(context.grid.selection) ? [] : [commandItem('grid.changeCells')]),
        'separator' as const,
      ]
    : [];
  const rows = [
    commandItem('grid.addRow'),
    commandItem('grid.duplicateRow'),
    { ...commandItem('grid.deleteRows'), danger: true },
  ];
  const importing = isEditable ? [importEntry(context.source)] : [];
  if (hit.zone === 'outside')
    return isEditable
      ? [commandItem('grid.addRow'), commandItem('grid.pasteSpecial'), ...importing, commandItem('grid.goToRow')]
      : [commandItem('grid.goToRow')];
  return [
    ...(hit.zone === 'cells' ? editing : []),
    commandItem('grid.copy'),
    commandItem('grid.copyWithHeaders'),
    commandItem('grid.copyTransposed'),
    copyAsMenu(isEditable),
    ...(isEditable ? [commandItem('grid.paste'), commandItem('grid.pasteSpecial'), ...importing] : []),
    commandItem('export.show'),
    'separator',
    ...filterEntries(context, hit),
    commandItem('grid.goToRow'),
    ...(isEditable ? ['separator' as const, ...rows] : []),
  ];
}

const importEntry = ({ database, detail }: TableSource): MenuItem => ({
  label: 'Import into this table…',
  run: () => void chooseAndImport({ database, table: detail.name }),
});

function headerEntries(
  { source, grid, view, onChange, onChangeColumns, onCard }: MenuContext,
  number: number,
): readonly MenuEntry[] {
  const names = source.columns.map(({ name }) => name);
  const column = names[number] ?? '';
  const arranged = {
    grid,
    view: gridView(view, names),
    count: names.length,
    onChange: (changed: GridView) => onChangeColumns(tableArrangement(changed, names)),
  };
  const sort = (term: SortTerm): void => onChange({ sort: [term] });
  return [
    { label: 'Sort ascending', run: () => sort({ column, descending: false }) },
    { label: 'Sort descending', run: () => sort({ column, descending: true }) },
    {
      label: 'Add to sort order',
      run: () => onChange({ sort: withTerm(view.sort, column) }),
    },
    { label: 'Clear sort order', run: () => onChange({ sort: [] }), disabled: view.sort.length === 0 },
    'separator',
    { label: 'Values and statistics…', run: () => onCard(column, 'values') },
    { label: 'Color by rule…', run: () => onCard(column, 'colors') },
    {
      label: 'Only rows where it is NULL',
      run: () => addFilter({ view, onChange }, { column, operator: 'is-null', value: null }),
    },
    {
      label: 'Only rows where it is not NULL',
      run: () => addFilter({ view, onChange }, { column, operator: 'is-not-null', value: null }),
    },
    'separator',
    { label: 'What uses this column?', run: () => void openUses(source.database, source.detail.name, column) },
    'separator',
    ...columnEntries(arranged, number),
  ];
}

function filterEntries(context: MenuContext, hit: GridHit): readonly MenuEntry[] {
  const { source, grid } = context;
  const cell = grid.cell(hit.row, hit.column);
  const packed = hit.column + source.hiddenColumns;
  if (hit.zone !== 'cells' || !cell || cell.rows.isPreview(cell.index, packed)) return [];
  const value = cell.rows.value(cell.index, packed);
  const column = source.columns[hit.column]!.name;
  const isNull = value === null;
  return [
    {
      label: 'Only rows with this value',
      run: () => addFilter(context, { column, operator: isNull ? 'is-null' : '=', value }),
    },
    {
      label: 'Only rows without this value',
      run: () => addFilter(context, { column, operator: isNull ? 'is-not-null' : '<>', value }),
    },
    'separator',
  ];
}

const addFilter = ({ view, onChange }: Pick<MenuContext, 'view' | 'onChange'>, term: FilterTerm): void =>
  onChange({ filter: [...view.filter, term] });
