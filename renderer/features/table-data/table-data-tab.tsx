// The content of a tab that shows a table: filter bar, grid, and the row being added.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { FindBar } from '../../workbench/find/find-bar.tsx';
import { useFind } from '../../workbench/find/use-find.ts';
import { useCopyAs } from '../../workbench/cells/copy-as.ts';
import { tableChoices, useExportOffer } from '../../workbench/files/export-request.ts';
import { useColumnCommands } from '../../workbench/columns/use-column-commands.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { useStore } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { tablePlace } from '../../workbench/columns/format-memory.ts';
import { useColumnFormats } from '../../workbench/columns/use-column-formats.tsx';
import type { ColumnFormatControl } from '../../workbench/columns/use-column-formats.tsx';
import { declaredColumns } from './declared-columns.ts';
import { changeView } from './change-view.ts';
import { useColumnCard } from './column-card/use-column-card.ts';
import { DraftBar } from './draft-bar.tsx';
import { FailedTable } from './empty-table.tsx';
import { useFindPlace } from './find-in-table.ts';
import { GoneTable } from './gone-table.tsx';
import { TableBar } from './table-bar.tsx';
import { Filters } from './filters.tsx';
import { GridArea } from './grid-area.tsx';
import { useDraft } from './use-draft.ts';
import { useFilterRow } from './use-filter-row.ts';
import { useGridCommands } from './use-grid-commands.ts';
import { useGridDialogs } from './use-grid-dialogs.tsx';
import { useHiddenRows } from './use-hidden-rows.ts';
import { useRevealedRow } from './use-revealed-row.ts';
import { useSortCommands } from '../../workbench/columns/use-sort-commands.ts';
import { OpeningProgress } from '../../workbench/rows/rows-progress.tsx';
import { ScanBar } from '../../workbench/rows/scan-bar.tsx';
import { useTableSource } from '../../workbench/rows/use-table-source.ts';
import type { OpenedTable } from '../../workbench/rows/use-table-source.ts';
import './table-data.css';
import '../../workbench/filter/filter-chip.css';
import './filter-bar.css';
import './filter-row.css';

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
      <TableBar source={source} onDuplicate={duplicateSelected} onDelete={deleteSelected} />
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
      <GridArea
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
