// The grid of one table: its arrangement, the row being added, and what it reports to its tab.
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { toAppError, capabilitiesOf, type AppError, type Value } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { shell } from '../../connection/shell.ts';
import type { GridStart } from '../../grid/grid-start.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { isSameView, type RowsView } from '../../workbench/rows/scan-consent.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { notify, setDetail, setTabStatus, useStore } from '../../state/store.ts';
import type { GridEditing } from '../../grid/editing/cell-editing.ts';
import { useArrangedColumns } from '../../workbench/columns/use-arranged-columns.tsx';
import type { GridView } from '../../grid/layout/geometry.ts';
import type { GridCompanion } from '../../grid/companion.ts';
import type { CellTints } from '../../grid/cell-tints.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { ColumnPositions } from '../../grid/layout/column-positions.ts';
import type { DraftRow, SortColumn } from '../../grid/paint/frame.ts';
import { isDateType } from '../../grid/paint/special-display.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { cellTints } from '../../workbench/color-rules/cell-tints.ts';
import { declaredColumns } from './declared-columns.ts';
import { cellDetail } from '../../workbench/rows/cell-detail.ts';
import { changeTableColumns, changeView } from './change-view.ts';
import { beginDraftEdit, draftDetail, draftRow, type Draft } from './draft.ts';
import { beginEdit, whyColumnIsFixed } from '../../workbench/rows/edit-session.ts';
import { sortedBy } from '../../workbench/columns/sort-terms.ts';
import { gridView, sortColumns, tableArrangement } from './grid-view.ts';
import { notifyFailure } from '../../state/databases.ts';
import { RowsProgress } from '../../workbench/rows/rows-progress.tsx';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { EmptyTable, UnreadTable } from './empty-table.tsx';
import { selectionSummary } from '../../workbench/cells/selection-summary.ts';
import { noteMapRow } from '../../workbench/map/map-state.ts';
import { noteCurrentRow, type CurrentRow } from '../../workbench/navigation-history.ts';
import { followSelection, linkTable, sideCompanion } from '../../workbench/relations/side-links.ts';
import type { ColumnFormatControl } from '../../workbench/columns/use-column-formats.tsx';
import { storeChecked } from '../../workbench/cells/date-check.ts';
import { fillSelected } from './row-actions.ts';
import { selectedTypes } from './selected-rows.ts';
import type { DraftControl } from './use-draft.ts';

interface RowsKnown {
  /** `unknown`: none has been read yet, and there may be some. */
  readonly count: 'some' | 'none' | 'unknown';
  /** Why rows could not be read the last time; null if they could. */
  readonly failure: AppError | null;
  /** Call when the grid has finished loading. */
  settled(): void;
  failed(error: unknown): void;
}

/** Shown over the grid while rows are missing: they are being read, could not be read, or there are none. */
function useRowsKnown(source: TableSource): RowsKnown {
  const [count, setCount] = useState<RowsKnown['count']>('some');
  const [failed, setFailed] = useState<{ readonly source: TableSource; readonly error: AppError } | null>(null);
  return {
    count,
    failure: failed?.source === source ? failed.error : null,
    settled() {
      setCount(countOf(source));
    },
    failed(thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'disconnected') setFailed({ source, error });
      // If the number of rows is unknown, the error is shown in their place.
      if (countOf(source) !== 'unknown') notifyFailure(error);
    },
  };
}

function countOf({ extent: { rows, exact } }: TableSource): RowsKnown['count'] {
  if (rows > 0) return 'some';
  return exact ? 'none' : 'unknown';
}

interface InPlaceOfRowsProps {
  readonly tab: TableTab;
  readonly source: TableSource;
  readonly known: RowsKnown;
  readonly isAdding: boolean;
  onRetry(): void;
}

function InPlaceOfRows({ tab, source, known, isAdding, onRetry }: InPlaceOfRowsProps): ReactNode {
  const { count, failure } = known;
  if (count === 'unknown' && failure) return <UnreadTable error={failure} onRetry={onRetry} />;
  if (count === 'unknown' || tab.view.sort !== source.view.sort)
    return <RowsProgress database={tab.database} table={tab.table} text={awaitedText(tab.view)} />;
  if (count === 'some' || isAdding) return null;
  return (
    <EmptyTable
      view={tab.view}
      canAdd={source.info.key.kind !== 'none'}
      onClear={() => changeView(tab.id, { filter: [], where: '' })}
    />
  );
}

const awaitedText = ({ sort, filter, where }: TableView): string =>
  sort.length > 0 ? 'Sorting rows' : filter.length > 0 || where !== '' ? 'Looking for rows' : 'Reading rows';

interface TableGridProps {
  readonly tab: TableTab;
  readonly formats: ColumnFormatControl;
  readonly source: TableSource;
  readonly draft: DraftControl;
  readonly gridRef: { current: GridHandle | null };
  onColumnsPlaced(places: ColumnPositions): void;
  onRetry(): void;
}

export function TableGrid(props: TableGridProps): ReactNode {
  const { tab, source, draft, formats, gridRef, onColumnsPlaced, onRetry } = props;
  const { names, view, marks, tints } = useShownColumns(tab.view, source);
  const shownDraft = useShownDraft(source, draft.draft, formats);
  const known = useRowsKnown(source);
  const showDetail = useDetailOf(tab.id, source, draft.draft, formats.chosen);
  const changeColumns = (changed: GridView): void => changeTableColumns(tab, tableArrangement(changed, names));
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const start = useKeptCell(tab, source, gridRef);
  const companion = useSideLink(tab.id, source, gridRef);
  const list = useArrangedColumns({ grid: () => gridRef.current, names, view, isActive, onChange: changeColumns });
  return (
    <>
      {list}
      <Grid
        ref={gridRef}
        source={source}
        view={view}
        sort={marks}
        label={`Rows of ${visibleName(tab.table)}`}
        companion={companion}
        editing={editingOf(source, draft, formats, gridRef)}
        formats={formats.shown}
        draft={shownDraft}
        tints={tints}
        start={start}
        onViewChange={changeColumns}
        onSort={(column, additive) =>
          // A second click may come before the order of the first one is drawn.
          changeView(tab.id, ({ sort }) => ({ sort: sortedBy(sort, names[column] ?? '', additive) }))
        }
        onSelectionChange={(grid) => {
          if (useStore.getState().detailWaits) useStore.setState({ detailWaits: false });
          showDetail(grid);
          noteCell(tab, source, grid);
          followSelection(tab.id, source, grid.cell(grid.cursor.row, grid.cursor.column));
          draft.cursorMoved(grid);
        }}
        onSettled={(grid) => {
          const { rows, exact } = source.extent;
          setTabStatus(tab.id, {
            rows: rows > 0 || exact ? rows : null,
            exact,
            selectedSummary: selectionSummary(grid, source.hiddenColumns),
          });
          known.settled();
          keepCell(tab, source, grid);
          showDetail(grid);
          if (grid.topRow !== tab.view.topRow) changeView(tab.id, { topRow: grid.topRow });
        }}
        onColumnsPlaced={onColumnsPlaced}
        onFirstRows={() => noteFirstRows(tab.id, source)}
        onPastEnd={() => draft.store().then((isStored) => isStored && draft.start())}
        onError={known.failed}
        onRefused={(text) => notify({ tone: 'info', text })}
        onLostText={offerLostText}
      />
      <InPlaceOfRows tab={tab} source={source} known={known} isAdding={draft.draft !== null} onRetry={onRetry} />
    </>
  );
}

function useShownDraft(source: TableSource, draft: Draft | null, { shown }: ColumnFormatControl): DraftRow | null {
  return useMemo(() => (draft ? draftRow(source, draft, shown) : null), [source, draft, shown]);
}

function noteFirstRows(tabId: string, source: TableSource): void {
  document.documentElement.dataset.firstRows ??= String(performance.now());
  setTabStatus(tabId, { firstRowsMs: performance.now() - source.openedAtMs });
}

function useSideLink(tabId: string, source: TableSource, grid: TableGridProps['gridRef']): GridCompanion {
  const [companion] = useState(() => sideCompanion(tabId));
  useEffect(() => linkTable(tabId, { source, grid: () => grid.current }), [tabId, source, grid]);
  return companion;
}

interface ShownColumns {
  readonly names: readonly string[];
  readonly view: GridView;
  readonly marks: readonly SortColumn[];
  readonly tints: CellTints | null;
}

/** The arrangement, the sort order, and the colors of the tab, in terms of the source's columns. */
function useShownColumns(
  { widths, order, hidden, frozen, sort, colors }: TableView,
  source: TableSource,
): ShownColumns {
  const names = useMemo(() => source.columns.map(({ name }) => name), [source]);
  const view = useMemo(
    () => gridView({ widths, order, hidden, frozen }, names),
    [widths, order, hidden, frozen, names],
  );
  const isPending = sort !== source.view.sort;
  const marks = useMemo(() => sortColumns(sort, names, isPending), [sort, names, isPending]);
  const tints = useMemo(() => cellTints(colors, declaredColumns(source), source.hiddenColumns), [colors, source]);
  return { names, view, marks, tints };
}

/** Keeps the details panel at the current cell, without updates while that is the same. */
function useDetailOf(
  tabId: string,
  source: TableSource,
  draft: Draft | null,
  formats: ColumnFormatControl['chosen'],
): (grid: GridHandle) => void {
  const detailed = useRef<CellReference | null>(null);
  const ofDraft = useRef<{ readonly draft: Draft; readonly column: number } | null>(null);
  const shownFormats = useRef(formats);
  return (grid) => {
    if (useStore.getState().detailWaits) return;
    const { row, column } = grid.cursor;
    const cell = grid.cell(row, column);
    const before = shownFormats.current === formats ? detailed.current : null;
    if (shownFormats.current !== formats) ofDraft.current = null;
    shownFormats.current = formats;
    if (cell && before && cell.rows === before.rows && cell.index === before.index && cell.column === before.column)
      return;
    detailed.current = cell;
    if (!cell && draft && row === grid.draftPosition) {
      if (ofDraft.current?.draft !== draft || ofDraft.current.column !== column)
        setDetail(tabId, draftDetail(tabId, source, draft, column, formats[column] ?? null));
      ofDraft.current = { draft, column };
      return;
    }
    ofDraft.current = null;
    // Null while the row has not been read.
    setDetail(tabId, cell && cellDetail(tabId, source, cell, formats[column] ?? null));
  };
}

function noteCell(tab: TableTab, source: TableSource, grid: GridHandle): void {
  keepCell(tab, source, grid);
  noteCurrentRow(tab.id, currentRow(source, grid));
}

function currentRow(source: TableSource, grid: GridHandle): CurrentRow | null {
  const { row, column } = grid.cursor;
  const cell = grid.cell(row, column);
  const key = cell && source.keyOf(cell.rows, cell.index);
  return key && { key, column: source.columns[column]?.name ?? null };
}

function offerLostText(message: string, text: string): void {
  const action = { label: 'Copy the text', run: () => void shell.writeClipboard(text) };
  notify({ tone: 'error', text: `${message} What you typed was not saved.`, action });
}

function editingOf(
  source: TableSource,
  draft: DraftControl,
  formats: ColumnFormatControl,
  gridRef: TableGridProps['gridRef'],
): GridEditing {
  return {
    begin({ column, cell }) {
      const format = formats.shown[column] ?? null;
      if (cell) return beginEdit(source, cell, format);
      if (!draft.draft) return 'There is no row here.';
      return whyColumnIsFixed(source, column) ?? beginDraftEdit(source, draft.draft, column, draft.fill, format);
    },
    fillSelection(typed) {
      const types = gridRef.current === null ? [] : selectedTypes(source, gridRef.current);
      return storeChecked(typed, types.find(isDateType) ?? '', async (text) => {
        try {
          const isDone = gridRef.current !== null && (await fillSelected(source, gridRef.current, text));
          return isDone ? { kind: 'done' } : { kind: 'failed', message: 'Nothing was changed.', choices: [] };
        } catch (thrown) {
          return { kind: 'failed', message: toAppError(thrown).message, choices: [] };
        }
      });
    },
    copyText(text) {
      void shell.writeClipboard(text);
      notify({ tone: 'info', text: 'What you typed is on the clipboard.' });
    },
  };
}

// The current cell of a table, kept while its tab is not on screen, and restored when the tab is shown again.

interface KeptCell {
  /** Its position in this view. */
  readonly row: number;
  readonly view: RowsView;
  readonly column: string | null;
  /** `draft`: the row that is being added. Null if the row has no key, or was never on screen. */
  readonly key: readonly Value[] | 'draft' | null;
}

const keptCells = tabSessions((_tab: TableTab): { cell: KeptCell | null; dispose(): void } => ({
  cell: null,
  dispose: () => undefined,
}));

function keepCell(tab: TableTab, source: TableSource, grid: GridHandle): void {
  const { row, column } = grid.cursor;
  noteMapRow(tab.id, row);
  const cell = grid.cell(row, column);
  const kept = keptCells(tab);
  const before = kept.cell;
  const known = before?.row === row && isSameView(before.view, source.view) ? before.key : null;
  const stored = cell ? source.keyOf(cell.rows, cell.index) : known;
  const key = row === grid.draftPosition ? 'draft' : stored;
  kept.cell = { row, view: source.view, column: source.columns[column]?.name ?? null, key };
}

/**
 * Initial position of the grid: the cell that was current. Rows may have been added and removed meanwhile: the row is found by its
 * key, except on a server, where that has a cost.
 */
function useKeptCell(tab: TableTab, source: TableSource, grid: RefObject<GridHandle | null>): GridStart {
  const [kept] = useState(() => cellOf(tab, source));
  useEffect(() => {
    const isAskedElsewhere = useStore.getState().revealedRow !== null;
    if (!kept || isAskedElsewhere || !grid.current) return;
    const { key } = kept;
    if (key === 'draft') {
      const { draftPosition } = grid.current;
      if (draftPosition >= 0) grid.current.goTo(draftPosition, columnOf(source, kept));
    } else if (key) {
      const shownAtMs = performance.now();
      source.find(key).then(
        (row) => {
          if (row === null || !grid.current || grid.current.lastInputMs > shownAtMs) return;
          if (row !== grid.current.cursor.row) grid.current.goTo(row, columnOf(source, kept));
        },
        () => undefined, // It is a comfort: the rows say themselves what is wrong with them.
      );
    }
  }, [kept, source, grid]);
  const { topRow } = tab.view;
  return kept ? { topRow, cell: { row: kept.row, column: columnOf(source, kept) } } : { topRow };
}

function cellOf(tab: TableTab, source: TableSource): KeptCell | null {
  const { cell } = keptCells(tab);
  return cell && isSameView(cell.view, source.view) && capabilitiesOf(source.database).freeReads ? cell : null;
}

function columnOf(source: TableSource, { column: name }: KeptCell): number | undefined {
  const index = source.columns.findIndex((column) => column.name === name);
  return index >= 0 ? index : undefined;
}
