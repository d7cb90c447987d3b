// The context menu of the grid: what can be done to the cell, row or column under the pointer.
import { COMMANDS } from '#shared/commands.ts';
import type { Command, CommandId } from '#shared/commands.ts';
import type { FilterTerm, SortTerm } from '#shared/protocol/rows.ts';
import { runCommand } from '../../workbench/commands.ts';
import { keyLabel } from '../../workbench/key-map.ts';
import type { TableView } from '../../workbench/table-tabs.ts';
import type { GridHit } from '../../grid/layout/grid-space.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import type { MenuEntry, MenuItem } from '../../ui/menu.tsx';
import { withTerm } from './grid-view.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export interface MenuContext {
  readonly source: TableSource;
  readonly grid: GridHandle;
  readonly view: TableView;
  onChange(change: Partial<TableView>): void;
}

export function menuEntries(context: MenuContext, hit: GridHit): readonly MenuEntry[] {
  if (hit.zone === 'header') return headerEntries(context, context.source.columns[hit.column]?.name ?? '');
  if (hit.zone === 'scroll-bar' || hit.zone === 'corner') return [];
  const isEditable = context.source.info.key.kind !== 'none';
  const editing = isEditable ? [command('grid.editCell'), command('grid.setNull'), 'separator' as const] : [];
  const rows = [command('grid.addRow'), command('grid.duplicateRow'), { ...command('grid.deleteRows'), danger: true }];
  if (hit.zone === 'outside')
    return isEditable ? [command('grid.addRow'), command('grid.goToRow')] : [command('grid.goToRow')];
  return [
    ...(hit.zone === 'cells' ? editing : []),
    command('grid.copy'),
    command('grid.copyWithHeaders'),
    ...(isEditable ? [command('grid.paste')] : []),
    'separator',
    ...filterEntries(context, hit),
    command('grid.goToRow'),
    ...(isEditable ? ['separator' as const, ...rows] : []),
  ];
}

function headerEntries({ view, onChange }: MenuContext, column: string): readonly MenuEntry[] {
  const sort = (term: SortTerm): void => onChange({ sort: [term] });
  return [
    { label: 'Sort ascending', run: () => sort({ column, descending: false }) },
    { label: 'Sort descending', run: () => sort({ column, descending: true }) },
    {
      label: 'Add to sorting',
      run: () => onChange({ sort: withTerm(view.sort, column) }),
    },
    { label: 'Clear sorting', run: () => onChange({ sort: [] }), disabled: view.sort.length === 0 },
    'separator',
    {
      label: 'Only rows where it is NULL',
      run: () => addFilter({ view, onChange }, { column, operator: 'is-null', value: null }),
    },
    {
      label: 'Only rows where it is not NULL',
      run: () => addFilter({ view, onChange }, { column, operator: 'is-not-null', value: null }),
    },
    'separator',
    { label: 'Reset columns', run: () => onChange({ widths: {}, order: [] }) },
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

function command(id: CommandId): MenuItem {
  const { title, key } = (COMMANDS as readonly Command[]).find((candidate) => candidate.id === id)!;
  return { label: title, run: () => void runCommand(id), hint: key && keyLabel(key) };
}
