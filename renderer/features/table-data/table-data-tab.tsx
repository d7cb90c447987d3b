// The content of a tab that shows a table: filter bar, grid, and the row being added.
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { Copy, Map as MapIcon, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useSchema } from '../../state/schema.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useRoomForMessages } from '../../ui/use-room-for-messages.ts';
import { commandKeyLabel, runCommand, useCommand } from '../../workbench/commands/commands.ts';
import { focusContent, endFocusMove } from '../../workbench/commands/focus-content.ts';
import { isConflictTable, openConflicts } from '../../workbench/differences/open-conflicts.ts';
import { FindBar } from '../../workbench/find/find-bar.tsx';
import { useFind } from '../../workbench/find/use-find.ts';
import { useCopyAs } from '../../workbench/cells/copy-as.ts';
import { tableChoices, useExportOffer } from '../../workbench/files/export-request.ts';
import { useColumnCommands } from '../../workbench/columns/use-column-commands.ts';
import { suggestMap } from '../../workbench/map/map-columns.ts';
import { toggleMap, useMapChoice } from '../../workbench/map/map-state.ts';
import { WithMap } from '../../workbench/map/with-map.tsx';
import { stepBackOrForth } from '../../workbench/history/history.ts';
import { showObjectSql } from '../../workbench/objects/object-sql.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { designedKind, openObjectDesign } from '../../workbench/tabs/design.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { useStore, closeTab } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { tablePlace } from '../../workbench/columns/format-memory.ts';
import { useColumnFormats, type ColumnFormatControl } from '../../workbench/columns/use-column-formats.tsx';
import type { ChangeKind } from './bulk/change-fields.tsx';
import { declaredColumns } from './declared-columns.ts';
import { changeView } from './change-view.ts';
import { useColumnCard } from './column-card/use-column-card.ts';
import type { Draft } from './draft.ts';
import { FailedTable } from './empty-table.tsx';
import { useFindPlace } from './find-in-table.ts';
import { Filters } from './filters.tsx';
import { GridArea, type GridAreaProps } from './grid-area.tsx';
import { useDraft } from './use-draft.ts';
import { useFilterRow } from './use-filter-row.ts';
import { useGridCommands } from './use-grid-commands.ts';
import { ChangeCells } from './bulk/change-cells.tsx';
import { PasteSpecial } from './paste-special/paste-special.tsx';
import { useHiddenRows } from './use-hidden-rows.ts';
import { useSortCommands } from '../../workbench/columns/use-sort-commands.ts';
import { OpeningProgress } from '../../workbench/rows/rows-progress.tsx';
import { ScanBar } from '../../workbench/rows/scan-bar.tsx';
import { useTableSource, type OpenedTable } from '../../workbench/rows/use-table-source.ts';
import '../../workbench/filter/filter.css';
import './table-data.css';

interface TableDataTabProps {
  readonly tab: TableTab;
  /** The changes of many cells that wait to be kept or discarded. */
  readonly dryRun: ReactNode;
}

export function TableDataTab({ tab, dryRun }: TableDataTabProps): ReactNode {
  const grid = useRef<GridHandle>(null);
  const opened = useTableSource(tab, grid, tab.view.topRow);
  const { source } = opened;
  const draft = useDraft(tab.id, source, grid);
  const [editedFilter, setEditedFilter] = useState<number | 'new' | null>(null);
  const { isActive, isWaiting } = useActive(tab.id, dryRun, grid);
  useRowsToShow(tab, source, grid, isActive);
  const dialogs = useGridDialogs(tab.id, source, grid);
  const filterRow = useFilterRow(grid, source, isActive);
  const rows = { grid, source, draft, isActive };
  const { deleteSelected, duplicateSelected } = useGridCommands({
    ...rows,
    onFilter: () => (filterRow.isShown ? filterRow.focus() : setEditedFilter('new')),
    onPasteSpecial: dialogs.pasteSpecial,
    onChangeCells: dialogs.changeCells,
  });
  const change = (patch: Partial<TableView>): void => changeView(tab.id, patch);
  const formats = useRowCommands(tab, source, grid, isActive);
  const find = useFind(useFindPlace(source), grid, isActive);
  const shownTab = useShownOrder(tab, opened);
  const card = useColumnCard(grid, source, filterRow.places, isActive);
  if (!source) return <TableWithoutRows tab={tab} opened={opened} onChange={change} />;
  return (
    <div className="stack shrink-x shrink-y full-height table-data">
      <TableBar tabId={tab.id} source={source} onDuplicate={duplicateSelected} onDelete={deleteSelected} />
      <Filters
        tab={tab}
        source={source}
        row={filterRow}
        formatted={formats.names}
        error={opened.error}
        editing={editedFilter}
        grid={grid}
        onEditing={setEditedFilter}
        onChange={change}
        onValues={(column) => card.show(column)}
      />
      <FindBar find={find} />
      <GridWithMap
        tab={shownTab}
        source={source}
        draft={draft}
        grid={grid}
        formats={formats}
        card={card}
        onColumnsPlaced={filterRow.placed}
        onRetry={opened.retry}
        onChange={change}
        onDelete={deleteSelected}
        onKeyDown={find.onKeyDown}
        isHeld={isWaiting}
      />
      <ScanBar tab={tab} opened={opened} onLeave={() => grid.current?.focus()} />
      {dryRun}
      {dialogs.shown}
      {draft.draft && <DraftBar draft={draft.draft} onStore={() => void draft.store()} onDiscard={draft.discard} />}
    </div>
  );
}

function GridWithMap(props: GridAreaProps): ReactNode {
  const { tab, source, grid, isHeld } = props;
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  useCommand('grid.map', () => toggleMap(tab.id, grid.current?.cursor.row ?? null), isActive && !isHeld);
  return (
    <WithMap tabId={tab.id} database={tab.database} source={source} columns={source.info.columns} grid={grid}>
      <GridArea {...props} />
    </WithMap>
  );
}

/** Whether the tab accepts commands, or a dry run in it waits for a decision. */
function useActive(
  tabId: string,
  dryRun: ReactNode,
  grid: RefObject<GridHandle | null>,
): { readonly isActive: boolean; readonly isWaiting: boolean } {
  useFocusAfter(dryRun, grid);
  const isWaiting = useIsUndecided(tabId) && Boolean(dryRun);
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId) && !isWaiting;
  return { isActive, isWaiting };
}

/** Goes to rows that were asked for, and says where saved ones went. */
function useRowsToShow(
  tab: TableTab,
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): void {
  useRevealedRow(source, grid, tab.view, isActive);
  useHiddenRows(tab, source, isActive);
}

/** Commands for sorting, columns, their formats, copying and exporting. */
function useRowCommands(
  tab: TableTab,
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): ColumnFormatControl {
  const formats = useColumnFormats(useFormatted(tab, source, grid, isActive));
  useSorting(tab, source, grid, isActive);
  useColumnCommands(() => grid.current, isActive && source !== null);
  useRowsOut(tab, source, grid, isActive, formats.names);
  return formats;
}

function useFormatted(
  { id: tabId, database, table }: TableTab,
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): Parameters<typeof useColumnFormats>[0] {
  const columns = useMemo(
    () =>
      (source ? declaredColumns(source) : []).map((column) => ({
        ...column,
        place: tablePlace(database, table, column.name),
      })),
    [source, database, table],
  );
  return { tabId, grid, columns, hiddenColumns: source?.hiddenColumns ?? 0, isActive };
}

/** While the user is asked about another order, the headers show the current order of the rows. */
function useShownOrder(tab: TableTab, { source, question }: OpenedTable): TableTab {
  const shown = source && question ? source.view.sort : tab.view.sort;
  return useMemo(() => (shown === tab.view.sort ? tab : { ...tab, view: { ...tab.view, sort: shown } }), [tab, shown]);
}

/** False once a dry run is decided: what the user does then applies to the resulting rows. */
const useIsUndecided = (tabId: string): boolean => useStore(({ dryRuns }) => dryRuns[tabId]?.phase !== 'finishing');

/** The buttons of the dry run lose the focus when they disappear. */
function useFocusAfter(dryRun: ReactNode, grid: RefObject<GridHandle | null>): void {
  const wasThere = useRef(false);
  useEffect(() => {
    if (wasThere.current && !dryRun && document.activeElement === document.body) grid.current?.focus();
    wasThere.current = Boolean(dryRun);
  }, [dryRun, grid]);
}

interface TableWithoutRowsProps {
  readonly tab: TableTab;
  readonly opened: OpenedTable;
  readonly onChange: (patch: Partial<TableView>) => void;
}

function TableWithoutRows({ tab, opened, onChange }: TableWithoutRowsProps): ReactNode {
  const { isGone, error, retry } = opened;
  if (isGone) return <GoneTable tab={tab} />;
  if (error === null)
    return (
      <div className="stack shrink-x shrink-y full-height anchor table-data table-opening">
        <OpeningProgress database={tab.database} table={tab.table} />
      </div>
    );
  return <FailedTable tab={tab} error={error} onRetry={retry} onChange={onChange} />;
}

function useSorting(
  tab: TableTab,
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): void {
  useSortCommands<string>({
    grid,
    isReady: isActive && source !== null,
    sort: tab.view.sort,
    columnAt: (index) => source?.columns[index]?.name ?? null,
    nameOf: visibleName,
    onSort: (sort) => changeView(tab.id, { sort }),
  });
}

/** Commands that export the table as text: to files and the clipboard. */
function useRowsOut(
  { database, table, view }: TableTab,
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
  formatted: readonly string[],
): void {
  const names = source?.columns.map(({ name }) => name) ?? [];
  useExportOffer(isActive && source !== null, () => ({
    database,
    choices: tableChoices(table, { ...view, ...source!.view }, grid.current, names),
    formatted,
  }));
  useCopyAs(isActive && source !== null, source?.info.key.kind !== 'none', () => {
    if (!grid.current || !source) return null;
    const { sort, filter, where } = source.view;
    const rows = { kind: 'table', table, sort, filter, ...(where !== '' && { where }) } as const;
    return { database, grid: grid.current, source: rows, nameOf: (column) => names[column]! };
  });
}

// Shown in place of a table or view that no longer exists. If it is created again, its rows appear.
function GoneTable({ tab: { id, database, table } }: { readonly tab: TableTab }): ReactNode {
  const undo = useStore(({ histories }) => histories[database]?.undo ?? null);
  const close = (): void => {
    closeTab(id);
    focusContent();
  };
  return (
    <div className="stack shrink-x shrink-y full-height gap-14 centered table-data failed-table" role="alert">
      <p>“{visibleName(table)}” no longer exists.</p>
      <div>
        {undo && <Button onClick={() => void stepBackOrForth('undo', database)}>Undo {visibleName(undo.title)}</Button>}
        <Button onClick={close}>Close tab</Button>
      </div>
    </div>
  );
}

/** Height in pixels. The row being added is the last one: it must be visible while the user types. */
const ROW_AND_SCROLL_BAR = 44;

interface DraftBarProps {
  readonly draft: Draft;
  onStore(): void;
  onDiscard(): void;
}

function DraftBar({ draft, onStore, onDiscard }: DraftBarProps): ReactNode {
  const bar = useRoomForMessages<HTMLDivElement>('--draft-height', ROW_AND_SCROLL_BAR);
  return (
    <div
      ref={bar}
      className="row note gap-8 sunken draft-bar"
      data-failed={draft.failure !== null || undefined}
      role={draft.failure ? 'alert' : 'status'}
    >
      <p>
        {draft.failure ?? 'New row: fill in its cells. It is saved when you leave it; empty cells get their defaults.'}
      </p>
      <Button size="small" variant="primary" onClick={onStore}>
        {draft.failure ? 'Try again' : 'Save row'} <kbd>{commandKeyLabel('row.save')}</kbd>
      </Button>
      <Button size="small" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  );
}

// Moves the grid to the row that an undo or a redo changed, that Back leads to, or that was found by a search.
function useRevealedRow(
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  view: TableView,
  isActive: boolean,
): void {
  const row = useStore(({ revealedRow }) => revealedRow);
  useEffect(() => {
    // The rows of another filter or order are still on screen: wait for the new ones to search for the row.
    if (source && !shows(source, view)) return;
    if (!row || !source || !isActive || row.database !== source.database || row.table !== source.detail.name) return;
    useStore.setState({ revealedRow: null });
    // The row is filtered out, deleted, or in a table without keys: there is nowhere to go.
    source.find(row.key).then(
      (position) => {
        // If the user has typed or clicked in the meantime, the cursor stays where the next key belongs.
        if (position === null || !grid.current || grid.current.lastInputMs > row.askedAtMs) return;
        grid.current.goTo(position, columnOf(source, row.column));
        if (row.typed === undefined) return;
        endFocusMove();
        grid.current.editCell(row.typed);
      },
      () => undefined,
    );
  }, [row, source, grid, view, isActive]);
}

const shows = ({ view: shown }: TableSource, { sort, filter, where }: TableView): boolean =>
  shown.sort === sort && shown.filter === filter && shown.where === where;

function columnOf(source: TableSource, name: string | null): number | undefined {
  const index = source.columns.findIndex((column) => column.name === name);
  return index >= 0 ? index : undefined;
}

// The dialogs for the selected cells of a table: Paste Special and Change Cells.

interface GridDialogs {
  /** The open dialog, to be rendered on the page. */
  readonly shown: ReactNode;
  readonly pasteSpecial: (text: string) => void;
  readonly changeCells: (kind: ChangeKind) => void;
}

function useGridDialogs(tabId: string, source: TableSource | null, grid: RefObject<GridHandle | null>): GridDialogs {
  const [pasted, setPasted] = useState<string | null>(null);
  const [changing, setChanging] = useState<ChangeKind | null>(null);
  const shown = source && grid.current && (
    <>
      {pasted !== null && (
        <SpecialPaste source={source} grid={grid.current} text={pasted} onClose={() => setPasted(null)} />
      )}
      {changing !== null && (
        <ChangeCells
          tabId={tabId}
          source={source}
          grid={grid.current}
          firstKind={changing}
          onClose={() => setChanging(null)}
        />
      )}
    </>
  );
  return { shown, pasteSpecial: setPasted, changeCells: setChanging };
}

interface SpecialPasteProps {
  readonly source: TableSource;
  readonly grid: GridHandle;
  readonly text: string;
  readonly onClose: () => void;
}

/** The grid keeps its selection while the dialog is open. */
function SpecialPaste({ source, grid, text, onClose }: SpecialPasteProps): ReactNode {
  const target = useMemo(() => ({ source, grid, text }), [source, grid, text]);
  return <PasteSpecial target={target} onClose={onClose} />;
}

// The bar of a table: what its tab, its design, and its SQL show, and what can be done with rows.

interface TableBarProps {
  readonly tabId: string;
  readonly source: TableSource;
  /** For the selected rows. */
  onDuplicate(): void;
  onDelete(): void;
}

function TableBar({ tabId, source, onDuplicate, onDelete }: TableBarProps): ReactNode {
  const showsMap = useMapChoice(tabId) !== null;
  const hasMap = useMemo(() => suggestMap(source.info.columns), [source]);
  const isEditable = source.info.key.kind !== 'none';
  return (
    // The focus stays in the grid, whose selection the buttons are about.
    <div className="table-bar" role="toolbar" aria-label="Table" onMouseDown={(event) => event.preventDefault()}>
      <Views source={source} />
      {isEditable && (
        <>
          <IconButton
            label="Add row"
            name="Add row"
            shortcut={commandKeyLabel('grid.addRow')}
            onClick={() => runCommand('grid.addRow')}
          >
            <Plus size={14} />
          </IconButton>
          <IconButton
            label="Duplicate rows"
            name="Duplicate"
            shortcut={commandKeyLabel('grid.duplicateRow')}
            onClick={onDuplicate}
          >
            <Copy size={14} />
          </IconButton>
          <IconButton
            label="Delete rows"
            name="Delete"
            shortcut={commandKeyLabel('grid.deleteRows')}
            onClick={onDelete}
          >
            <Trash2 size={14} />
          </IconButton>
        </>
      )}
      <IconButton
        label="Refresh"
        name="Refresh"
        shortcut={commandKeyLabel('view.refresh')}
        onClick={() => runCommand('view.refresh')}
      >
        <RefreshCw size={14} />
      </IconButton>
      {(hasMap || showsMap) && (
        <IconButton
          label="Map"
          name="Map"
          shortcut={commandKeyLabel('grid.map')}
          aria-pressed={showsMap}
          onClick={() => runCommand('grid.map')}
        >
          <MapIcon size={14} />
        </IconButton>
      )}
    </div>
  );
}

/** The rows are here; the design is a tab of its own, and the SQL a dialog. */
function Views({ source: { database, detail } }: Pick<TableBarProps, 'source'>): ReactNode {
  const object = useSchema(database)?.objects.find(({ name }) => name === detail.name) ?? null;
  const canDesign = object !== null && designedKind(object) !== null;
  return (
    <span className="gap-2 fixed table-views">
      <span aria-current="true">Data</span>
      <button type="button" disabled={!canDesign} onClick={() => object && openObjectDesign(database, object)}>
        Structure
      </button>
      <button type="button" disabled={object === null} onClick={() => object && showObjectSql(database, object)}>
        SQL
      </button>
      {isConflictTable(detail.name) && (
        <button type="button" onClick={() => openConflicts(database)}>
          Open conflicts
        </button>
      )}
    </span>
  );
}
