// The content of a tab that shows a table: filter bar, grid, and the row being added.
import { useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { commandKeyLabel } from '../../client/commands.ts';
import { notifyFailure } from '../../client/databases.ts';
import { shell } from '../../client/shell.ts';
import type { TableTab, TableView } from '../../client/slices/tabs.ts';
import { notify, setDetail, setTabStatus, updateTab, useStore } from '../../client/store.ts';
import type { GridEditing } from '../../grid/cell-editing.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid.tsx';
import type { CellReference } from '../../grid/grid-source.ts';
import { selectsWholeRows } from '../../grid/selection.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import { cellDetail } from './cell-detail.ts';
import { DraftBar } from './draft-bar.tsx';
import { beginDraftEdit, draftRow } from './draft.ts';
import { beginEdit, whyColumnIsFixed } from './edit-session.ts';
import { EmptyTable, FailedTable } from './empty-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { gridView, sortMarks, sortedBy, tableArrangement } from './grid-view.ts';
import { menuEntries } from './grid-menu.ts';
import { selectionSummary } from './selection-summary.ts';
import type { TableSource } from './table-source.ts';
import { useDraft } from './use-draft.ts';
import type { DraftControl } from './use-draft.ts';
import { useGridCommands } from './use-grid-commands.ts';
import { useTableSource } from './use-table-source.ts';
import './table-data.css';

export function TableDataTab({ tab }: { readonly tab: TableTab }): ReactNode {
  const grid = useRef<GridHandle>(null);
  const opened = useTableSource(tab, grid);
  const { source } = opened;
  const draft = useDraft(tab.id, source, grid);
  const [editedFilter, setEditedFilter] = useState<number | 'new' | null>(null);
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const { deleteSelected } = useGridCommands({ grid, source, draft, isActive, onFilter: () => setEditedFilter('new') });
  const change = (patch: Partial<TableView>): void => changeView(tab.id, patch);

  if (!source) return opened.error ? <FailedTable tab={tab} error={opened.error} onRetry={opened.retry} onChange={change} /> : <div className="table-data" />;
  return (
    <div className="table-data">
      <FilterBar
        view={tab.view}
        columns={source.columns.map(({ name }, column) => ({ name, declaredType: source.declaration(column)?.declaredType ?? '' }))}
        error={opened.error}
        editing={editedFilter}
        currentColumn={source.columns[grid.current?.cursor.column ?? 0]?.name ?? ''}
        onEditing={setEditedFilter}
        onChange={change}
        onLeave={() => grid.current?.focus()}
      />
      <ContextMenu
        entriesAt={(event) => {
          const isEditor = event.target instanceof Element && event.target.closest('[data-cell-editor]') !== null;
          if (!grid.current || isEditor) return [];
          return menuEntries({ source, grid: grid.current, view: tab.view, onChange: change }, grid.current.hitAt(event.clientX, event.clientY));
        }}
      >
        <div
          className="table-data-grid"
          onKeyDown={(event) => {
            const isEditor = event.target instanceof Element && event.target.closest('[data-cell-editor]') !== null;
            if (event.key !== 'Delete' || event.ctrlKey || event.metaKey || event.defaultPrevented || isEditor || !grid.current) return;
            event.preventDefault();
            if (selectsWholeRows(grid.current.selection)) deleteSelected();
            else notify({ tone: 'info', text: `${commandKeyLabel('grid.setNull')} sets cells to NULL; ${commandKeyLabel('grid.deleteRows')} deletes their rows.` });
          }}
        >
          <TableGrid tab={tab} source={source} draft={draft} gridRef={grid} />
        </div>
      </ContextMenu>
      {draft.draft && <DraftBar draft={draft.draft} onStore={() => void draft.store()} onDiscard={draft.discard} />}
    </div>
  );
}

interface TableGridProps {
  readonly tab: TableTab;
  readonly source: TableSource;
  readonly draft: DraftControl;
  readonly gridRef: { current: GridHandle | null };
}

function TableGrid({ tab, source, draft, gridRef }: TableGridProps): ReactNode {
  const { widths, order, sort } = tab.view;
  const names = useMemo(() => source.columns.map(({ name }) => name), [source]);
  const view = useMemo(() => gridView({ widths, order }, names), [widths, order, names]);
  const marks = useMemo(() => sortMarks(sort, names), [sort, names]);
  const shownDraft = useMemo(() => (draft.draft ? draftRow(source, draft.draft) : null), [source, draft.draft]);
  const detailed = useRef<CellReference | null>(null);
  const [isEmpty, setEmpty] = useState(false);

  const showDetail = (grid: GridHandle): void => {
    const { row, column } = grid.cursor;
    const cell = grid.cell(row, column);
    const before = detailed.current;
    if (cell && before && cell.rows === before.rows && cell.index === before.index && cell.column === before.column) return;
    detailed.current = cell;
    setDetail(cellDetail(tab.id, source, grid));
  };
  return (
    <>
      <Grid
        ref={gridRef}
        source={source}
        view={view}
        sort={marks}
        label={`Rows of ${tab.table}`}
        editing={editingOf(source, draft)}
        draft={shownDraft}
        initialTopRow={tab.view.topRow}
        onViewChange={(changed) => changeView(tab.id, tableArrangement(changed, names))}
        onSort={(column, additive) => changeView(tab.id, { sort: sortedBy(sort, names[column] ?? '', additive) })}
        onSelectionChange={(grid) => {
          showDetail(grid);
          draft.cursorMoved(grid);
        }}
        onSettled={(grid) => {
          const { rows, exact } = source.extent;
          setTabStatus(tab.id, { rows, exact, selectedSummary: selectionSummary(grid, source.hiddenColumns) });
          setEmpty(exact && rows === 0);
          showDetail(grid);
          if (grid.topRow !== tab.view.topRow) changeView(tab.id, { topRow: grid.topRow });
        }}
        onFirstRows={() => {
          document.documentElement.dataset.firstRows = '';
          setTabStatus(tab.id, { firstRowsMs: performance.now() - source.openedAtMs });
        }}
        onPastEnd={() => void draft.store().then((isStored) => isStored && draft.start())}
        onError={(error) => notifyFailure(error)}
        onRefused={(text) => notify({ tone: 'info', text })}
        onLostText={(message, text) => {
          const action = { label: 'Copy the text', run: () => void shell.writeClipboard(text) };
          notify({ tone: 'error', text: `${message} What you typed was not stored.`, action });
        }}
      />
      {isEmpty && !draft.draft && (
        <EmptyTable
          view={tab.view}
          canAdd={source.info.key.kind !== 'none'}
          onClear={() => changeView(tab.id, { filter: [], where: '' })}
        />
      )}
    </>
  );
}

function editingOf(source: TableSource, draft: DraftControl): GridEditing {
  return {
    begin({ column, cell }) {
      if (cell) return beginEdit(source, cell);
      if (!draft.draft) return 'There is no row here.';
      return whyColumnIsFixed(source, column) ?? beginDraftEdit(source, draft.draft, column, (value) => draft.fill(column, value));
    },
  };
}

/** Onto what the tab shows now, not what it showed when the handler was made. */
function changeView(tabId: string, patch: Partial<TableView>): void {
  const tab = useStore.getState().tabs.find((candidate) => candidate.id === tabId);
  if (tab?.kind === 'table') updateTab(tabId, { view: { ...tab.view, ...patch } });
}
