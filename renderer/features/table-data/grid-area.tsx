// The grid of a table with its context menu, and the cards that open over it.
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject, PointerEvent } from 'react';
import type { Column, FilterTerm, SortTerm } from '#shared/protocol/index.ts';
import { valueText } from '../../grid/input/value-text.ts';
import type { ColumnPositions } from '../../grid/layout/column-positions.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { isSingleCell, selectsWholeRows } from '../../grid/input/selection.ts';
import { notify, useStore } from '../../state/store.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { commandItem, commandKeyLabel, useCommand } from '../../workbench/commands/commands.ts';
import { ColorCard } from '../../workbench/color-rules/color-card.tsx';
import { rulesOf, withRules } from '../../workbench/color-rules/color-rule.ts';
import { parentOf, showParent, type ParentRow } from '../../workbench/relations/foreign-keys.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { ContextMenu, type MenuEntry, type MenuItem } from '../../ui/menu.tsx';
import { changeTableColumns } from './change-view.ts';
import { ColumnCard, CountingState } from './column-card/column-card.tsx';
import type { CardKind, ColumnCardControl } from './column-card/use-column-card.ts';
import { useColumnProfile } from './column-card/use-column-profile.ts';
import { withEntries } from './filter-entries.ts';
import { isReal, type Value } from '#shared/protocol/values.ts';
import type { ColumnFormatControl } from '../../workbench/columns/use-column-formats.tsx';
import { copyEntries } from '../../workbench/cells/copy-menu.ts';
import { chooseAndImport } from '../../workbench/tabs/import.ts';
import { openUses } from '../../workbench/tabs/uses.ts';
import type { GridHit } from '../../grid/layout/grid-space.ts';
import { columnEntries } from '../../workbench/columns/column-menu.ts';
import { withTerm } from '../../workbench/columns/sort-terms.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import { gridView, tableArrangement, type TableColumns } from './grid-view.ts';
import { PeekCard, type Peek } from './peek/peek-card.tsx';
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

export interface GridAreaProps {
  readonly tab: TableTab;
  readonly formats: ColumnFormatControl;
  readonly source: TableSource;
  readonly draft: DraftControl;
  readonly grid: RefObject<GridHandle | null>;
  readonly card: ColumnCardControl;
  onColumnsPlaced(places: ColumnPositions): void;
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

// Reads the minimum and maximum of a column for a scale, with progress and Stop. The results are typed into the rule, and stay there.

interface ScaleEndsProps {
  readonly tab: TableTab;
  readonly column: string;
  onMeasured(from: string, to: string): void;
}

function ScaleEnds({ tab, column, onMeasured }: ScaleEndsProps): ReactNode {
  const counted = useColumnProfile(tab, column, null, '');
  const { profile, progress, isStopped, error } = counted;
  const isComplete = profile !== null && progress === null && !isStopped && error === null;
  const [from, to] = isComplete ? [profile.least, profile.greatest] : [null, null];
  const hasEnds = isNumber(from) && isNumber(to);
  const latest = useLatest(onMeasured);
  useEffect(() => {
    if (hasEnds) latest.current(valueText(from), valueText(to));
  }, [latest, hasEnds, from, to]);
  if (isComplete && !hasEnds)
    return <p className="note">This column has values that are not numbers. Enter the ends of the scale.</p>;
  return <CountingState counted={counted} />;
}

const isNumber = (value: Value): boolean => typeof value === 'number' || typeof value === 'bigint' || isReal(value);

/** Delay, so that a pointer passing by shows nothing. */
const REST_MS = 600;
/** Keys that move the cursor or scroll: another cell may then be under the pointer. */
const MOVES = /^(?:Arrow|Page|Home|End|Tab|Enter)/;

interface ForeignKeyControl {
  readonly peek: Peek | null;
  readonly follow: () => void;
  readonly close: () => void;
  readonly pointer: {
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onPointerDownCapture: (event: PointerEvent) => void;
    readonly onKeyDownCapture: (event: KeyboardEvent) => void;
    readonly onWheel: () => void;
  };
}

function useForeignKey(
  grid: RefObject<GridHandle | null>,
  source: TableSource | null,
  isActive: boolean,
): ForeignKeyControl {
  const [peek, setPeek] = useState<Peek | null>(null);
  const cellAt = (row: number, column: number): ParentRow | null =>
    source && grid.current ? parentAt(source, grid.current, row, column) : null;
  const current = (): ParentRow | null => {
    if (!grid.current) return null;
    const { row, column } = grid.current.cursor;
    const parent = cellAt(row, column);
    if (!parent)
      notify({
        tone: 'info',
        text: 'This cell does not refer to a row: its column has no foreign key, or its value is NULL.',
      });
    return parent;
  };
  const goTo = (parent: ParentRow): void => {
    setPeek(null);
    if (source) showParent(source.database, parent);
  };
  const close = (): void => {
    setPeek(null);
    if (peek?.hasFocus) grid.current?.focus();
  };
  const boxOf = (row: number, column: number): DOMRect => grid.current?.boxOf(row, column) ?? new DOMRect();

  useCommand(
    'grid.followKey',
    () => {
      const parent = peek?.parent ?? current();
      if (parent) goTo(parent);
    },
    isActive && source !== null,
  );
  useCommand(
    'grid.peekKey',
    () => {
      const parent = current();
      if (!parent || !grid.current) return;
      const { row, column } = grid.current.cursor;
      setPeek({ parent, anchor: boxOf(row, column), hasFocus: true });
    },
    isActive && source !== null,
  );
  const pointer = usePointer({ grid, source, peek, setPeek, goTo });
  return { peek, follow: () => peek && goTo(peek.parent), close, pointer };
}

interface PointerParts {
  readonly grid: RefObject<GridHandle | null>;
  readonly source: TableSource | null;
  readonly peek: Peek | null;
  readonly setPeek: (peek: Peek | null) => void;
  readonly goTo: (parent: ParentRow) => void;
}

/** Shows the card where the pointer rests, and follows a key with Ctrl+Shift+click. */
function usePointer({ grid, source, peek, setPeek, goTo }: PointerParts): ForeignKeyControl['pointer'] {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const rested = useRef('');
  useEffect(() => () => clearTimeout(timer.current), []);
  const hide = (): void => {
    clearTimeout(timer.current);
    if (peek && !peek.hasFocus) setPeek(null);
  };
  const cellAt = ({ row, column }: GridHit): ParentRow | null =>
    source && grid.current ? parentAt(source, grid.current, row, column) : null;
  return {
    onPointerMove({ clientX, clientY, buttons }) {
      const hit = grid.current?.hitAt(clientX, clientY);
      const cell = hit?.zone === 'cells' && buttons === 0 ? `${hit.row} ${hit.column}` : '';
      if (cell === rested.current) return;
      rested.current = cell;
      hide();
      if (!hit || cell === '' || !source?.columns[hit.column]?.link) return;
      timer.current = setTimeout(() => {
        const parent = rested.current === cell ? cellAt(hit) : null;
        if (!parent || !grid.current) return;
        setPeek({ parent, anchor: grid.current.boxOf(hit.row, hit.column), hasFocus: false });
      }, REST_MS);
    },
    onPointerLeave() {
      rested.current = '';
      clearTimeout(timer.current);
    },
    onKeyDownCapture({ key }) {
      if (!MOVES.test(key)) return;
      rested.current = '';
      hide();
    },
    onWheel() {
      rested.current = '';
      hide();
    },
    onPointerDownCapture(event) {
      hide();
      const isFollow = event.button === 0 && event.shiftKey && (event.ctrlKey || event.metaKey);
      const hit = isFollow ? grid.current?.hitAt(event.clientX, event.clientY) : null;
      const parent = hit?.zone === 'cells' ? cellAt(hit) : null;
      if (!parent) return;
      event.preventDefault();
      event.stopPropagation();
      goTo(parent);
    },
  };
}

function parentAt(source: TableSource, grid: GridHandle, row: number, column: number): ParentRow | null {
  const cell = grid.cell(row, column);
  const key = source.declaration(column)?.references;
  if (!cell || !key) return null;
  return parentOf(key, (name) => {
    const at = source.columns.findIndex((each) => each.name.toLowerCase() === name.toLowerCase());
    const packed = at + source.hiddenColumns;
    return at < 0 || cell.rows.isPreview(cell.index, packed) ? undefined : cell.rows.value(cell.index, packed);
  });
}
