// The grid of a table with its context menu, and the cards that open over it.
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import type { Column } from '#shared/protocol/index.ts';
import type { ColumnPositions } from '../../grid/layout/column-positions.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { isSingleCell, selectsWholeRows } from '../../grid/input/selection.ts';
import { notify, useStore } from '../../state/store.ts';
import { commandItem, commandKeyLabel } from '../../workbench/commands/commands.ts';
import { ColorCard } from '../../workbench/color-rules/color-card.tsx';
import { rulesOf, withRules } from '../../workbench/color-rules/color-rule.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import { changeTableColumns } from './change-view.ts';
import { ColumnCard } from './column-card/column-card.tsx';
import { ScaleEnds } from './column-card/scale-ends.tsx';
import type { CardKind, ColumnCardControl } from './column-card/use-column-card.ts';
import { withEntries } from './filter-entries.ts';
import type { FilterTerm, SortTerm } from '#shared/protocol/rows.ts';
import type { ColumnFormatControl } from '../../workbench/columns/use-column-formats.tsx';
import { copyEntries } from '../../workbench/cells/copy-menu.ts';
import { chooseAndImport } from '../../workbench/tabs/import.ts';
import { openUses } from '../../workbench/tabs/uses.ts';
import type { GridHit } from '../../grid/layout/grid-space.ts';
import type { MenuEntry, MenuItem } from '../../ui/menu.tsx';
import { columnEntries } from '../../workbench/columns/column-menu.ts';
import { withTerm } from '../../workbench/columns/sort-terms.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import { gridView, tableArrangement } from './grid-view.ts';
import type { TableColumns } from './grid-view.ts';
import { PeekCard } from './peek/peek-card.tsx';
import { useForeignKey } from './peek/use-foreign-key.ts';
import { TableGrid } from './table-grid.tsx';
import type { DraftControl } from './use-draft.ts';

interface MenuContext {
  readonly source: TableSource;
  readonly grid: GridHandle;
  readonly view: TableView;
  readonly formats: ColumnFormatControl;
  onChange(change: Partial<TableView>): void;
  /** Shows the values and statistics of a column, or its colors. */
  onCard(column: string, kind: CardKind): void;
  onChangeColumns(columns: TableColumns): void;
}

/** The context menu of the grid: actions on the cell, row or column under the pointer. */
function menuEntries(context: MenuContext, hit: GridHit): readonly MenuEntry[] {
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
    ...(isEditable && hit.zone === 'cells' ? [commandItem('grid.cut')] : []),
    ...copyEntries(isEditable, context.formats.names.length > 0),
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
  { source, grid, view, formats, onChange, onChangeColumns, onCard }: MenuContext,
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
    ...formats.entries(number),
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
  const stored = context.formats.shown[hit.column] ? 'this stored value' : 'this value';
  return [
    {
      label: `Only rows with ${stored}`,
      run: () => addFilter(context, { column, operator: isNull ? 'is-null' : '=', value }),
    },
    {
      label: `Only rows without ${stored}`,
      run: () => addFilter(context, { column, operator: isNull ? 'is-not-null' : '<>', value }),
    },
    'separator',
  ];
}

const addFilter = ({ view, onChange }: Pick<MenuContext, 'view' | 'onChange'>, term: FilterTerm): void =>
  onChange({ filter: [...view.filter, term] });

interface GridAreaProps {
  readonly tab: TableTab;
  readonly formats: ColumnFormatControl;
  readonly source: TableSource;
  readonly draft: DraftControl;
  readonly grid: RefObject<GridHandle | null>;
  readonly card: ColumnCardControl;
  onColumnsPlaced(places: ColumnPositions): void;
  /** Reads the rows again. */
  onRetry(): void;
  onChange(change: Partial<TableView>): void;
  onDelete(): void;
  /** Called for keys that the grid did not handle. */
  onKeyDown(event: KeyboardEvent): void;
  /** Blocks editing: a change would become part of a dry run. */
  readonly isHeld: boolean;
}

export function GridArea(props: GridAreaProps): ReactNode {
  const { tab, source, draft, formats, grid, card, onColumnsPlaced, onRetry, onChange, onDelete, onKeyDown, isHeld } =
    props;
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const foreignKey = useForeignKey(grid, source, isActive);
  return (
    <>
      <ContextMenu
        boxAt={({ clientX, clientY }) => grid.current?.hitBoxAt(clientX, clientY) ?? null}
        entriesAt={(event) => {
          if (!grid.current || isInCellEditor(event.target)) return [];
          return menuEntries(
            {
              source,
              grid: grid.current,
              view: tab.view,
              formats,
              onChange,
              onChangeColumns: (columns) => changeTableColumns(tab, columns),
              onCard: card.show,
            },
            grid.current.hitAt(event.clientX, event.clientY),
          );
        }}
      >
        <div
          ref={card.box}
          className="fill anchor table-data-grid"
          inert={isHeld}
          onKeyDown={(event) => {
            deleteByKey(event, source, grid.current, onDelete);
            onKeyDown(event);
          }}
          {...foreignKey.pointer}
        >
          <TableGrid
            tab={tab}
            source={source}
            draft={draft}
            formats={formats}
            gridRef={grid}
            onColumnsPlaced={onColumnsPlaced}
            onRetry={onRetry}
          />
        </div>
      </ContextMenu>
      {formats.dialog}
      <OpenCard tab={tab} source={source} formats={formats} card={card} onChange={onChange} />
      {foreignKey.peek && (
        <PeekCard
          database={tab.database}
          peek={foreignKey.peek}
          onFollow={foreignKey.follow}
          onClose={foreignKey.close}
        />
      )}
    </>
  );
}

/** Card about one column, shown over the grid. */
function OpenCard({
  tab,
  source,
  formats,
  card,
  onChange,
}: Pick<GridAreaProps, 'tab' | 'source' | 'formats' | 'card' | 'onChange'>): ReactNode {
  const { column, kind, anchor, hide } = card;
  if (column === null) return null;
  if (kind === 'colors') {
    const declared = { name: column, declaredType: declarationOf(source, column)?.declaredType ?? '' };
    const { colors } = tab.view;
    return (
      <ColorCard
        key={column}
        column={declared}
        rules={rulesOf(colors, column)}
        scaleEnds={(onMeasured) => <ScaleEnds tab={tab} column={column} onMeasured={onMeasured} />}
        anchor={anchor}
        onChange={(rules) => changeTableColumns(tab, { colors: withRules(colors, column, rules) })}
        onClose={hide}
      />
    );
  }
  return (
    <ColumnCard
      key={column}
      tab={tab}
      column={column}
      reference={declarationOf(source, column)?.references ?? null}
      format={formats.chosen[source.columns.findIndex(({ name }) => name === column)] ?? null}
      anchor={anchor}
      onFilter={(entries) => onChange({ filter: withEntries(tab.view.filter, column, entries) })}
      onClose={hide}
    />
  );
}

const declarationOf = (source: TableSource, column: string): Column | null =>
  source.declaration(source.columns.findIndex(({ name }) => name === column));

/** Delete alone could mean either, so it does not guess. */
const whatDeletes = (): string =>
  `${commandKeyLabel('grid.setNull')} sets cells to NULL; ${commandKeyLabel('grid.deleteRows')} deletes their rows.`;

/** The plain key deletes whole rows only: with cells, users would expect it to clear them. */
function deleteByKey(
  event: KeyboardEvent,
  source: TableSource,
  grid: GridHandle | null,
  deleteSelected: () => void,
): void {
  const isPlainDelete = event.key === 'Delete' && !event.ctrlKey && !event.metaKey && !event.defaultPrevented;
  if (!isPlainDelete || isInCellEditor(event.target) || !grid) return;
  event.preventDefault();
  if (selectsWholeRows(grid.selection) || source.info.key.kind === 'none') deleteSelected();
  else notify({ tone: 'info', text: whatDeletes() });
}

const isInCellEditor = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-cell-editor]') !== null;
