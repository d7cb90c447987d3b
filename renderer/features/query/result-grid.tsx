// One result in the grid: its rows can be sorted, filtered, copied, and edited where they come
// from one table; selection feeds the details panel.
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { ResultArrangement } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { editInDetails } from '../../workbench/cells/edit-in-details.ts';
import { copyCells } from '../../workbench/cells/copy-cells.ts';
import { useCopyCommands } from '../../workbench/cells/use-copy-commands.ts';
import { useCopyAs } from '../../workbench/cells/copy-as.ts';
import { resultChoices, useExportOffer } from '../../workbench/files/export-request.ts';
import { selectionSummary } from '../../workbench/cells/selection-summary.ts';
import { sideCompanion } from '../../workbench/relations/side-links.ts';
import { useSortCommands } from '../../workbench/columns/use-sort-commands.ts';
import { useColumnCommands } from '../../workbench/columns/use-column-commands.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify, setDetail, setTabStatus, useStore } from '../../state/store.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import { useArrangedColumns } from '../../workbench/columns/use-arranged-columns.tsx';
import { sortedBy } from '../../workbench/columns/sort-terms.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import { formatCount } from '../../ui/format.ts';
import { useLatest } from '../../ui/use-latest.ts';
import type { GridMemory } from './grid-memory.ts';
import { cellForDetails, editingOf, storeNull, useEditableColumns } from './result-editing.ts';
import type { GridEditing } from '../../grid/editing/cell-editing.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { isArranged } from './query-view.ts';
import type { QueryResult } from './query-view.ts';
import type { ResultEditing } from './result-key-offers.ts';
import { useResultColors } from './result-colors.tsx';
import { resultMenu } from './result-menu.ts';

interface ResultGridProps {
  readonly tabId: string;
  readonly result: QueryResult;
  readonly number: number;
  readonly memory: GridMemory;
  readonly gridRef: RefObject<GridHandle | null>;
  onArrange(arrangement: ResultArrangement): void;
  onStored(): void;
}

export function ResultGrid(props: ResultGridProps) {
  const { tabId, result, number, memory, gridRef: grid, onArrange } = props;
  const [companion] = useState(() => sideCompanion(tabId));
  const [view, setView] = useState(() => memory.view(result));
  const [openedAtMs] = useState(() => performance.now());
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);

  const { arrangement } = result;
  useRowCommands(props, isActive);
  const { editing, showDetail } = useEditing(props, isActive);
  const colors = useResultColors(result, memory, grid, isActive);

  const changeView = (changed: GridView): void => {
    memory.keepView(result, changed);
    setView(changed);
  };
  const names = result.source.columns.map(({ name }) => name);
  const list = useArrangedColumns({ grid: () => grid.current, names, view, isActive, onChange: changeView });
  return (
    <>
      <ContextMenu
        boxAt={({ clientX, clientY }) => grid.current?.hitBoxAt(clientX, clientY) ?? null}
        entriesAt={({ clientX, clientY }) => {
          if (!grid.current) return [];
          const menu = { result, grid: grid.current, view, onArrange, onChangeColumns: changeView };
          return resultMenu({ ...menu, onColors: colors.show }, grid.current.hitAt(clientX, clientY));
        }}
      >
        <div ref={colors.box} className="result-grid">
          {list}
          <Grid
            ref={grid}
            source={result.source}
            companion={companion}
            view={view}
            sort={arrangement.sort}
            onSort={(column, additive) =>
              onArrange({ ...arrangement, sort: sortedBy(arrangement.sort, column, additive) })
            }
            label={`Rows of result ${number}`}
            editing={editing}
            tints={colors.tints}
            start={{ topRow: memory.topRow(result) }}
            onViewChange={changeView}
            onColumnsPlaced={colors.placed}
            onSelectionChange={showDetail}
            onSettled={(handle) => {
              memory.keepTopRow(result, handle.topRow);
              if (isShownInDetails(tabId)) showDetail(handle);
              setTabStatus(tabId, { selectedSummary: selectionSummary(handle, result.source.hiddenColumns) });
            }}
            onFirstRows={() => setTabStatus(tabId, { firstRowsMs: performance.now() - openedAtMs })}
            onError={notifyFailure}
            onRefused={(text) => notify({ tone: 'info', topic: 'result-edit', text })}
          />
        </div>
      </ContextMenu>
      {colors.card}
    </>
  );
}

/** Commands for columns, sorting, copying, and exporting. */
function useRowCommands(props: ResultGridProps, isActive: boolean): void {
  useColumnCommands(() => props.gridRef.current, isActive);
  useSorting(props, isActive);
  useRowsOut(props.result, props.gridRef, isActive);
}

function useSorting({ result, gridRef: grid, onArrange }: ResultGridProps, isActive: boolean): void {
  const { arrangement } = result;
  useSortCommands<number>({
    grid,
    isReady: isActive && result.ended,
    sort: arrangement.sort,
    columnAt: (index) => (result.source.columns[index] ? index : null),
    nameOf: (column) => visibleName(result.source.columns[column]?.name ?? ''),
    onSort: (sort) => onArrange({ ...arrangement, sort }),
  });
}

interface CellsEdited {
  readonly editing: GridEditing;
  showDetail(grid: GridHandle): void;
}

function useEditing({ tabId, result, gridRef: grid, onStored }: ResultGridProps, isActive: boolean): CellsEdited {
  const columns = useEditableColumns(result);
  const editing = { result, columns, onStored };
  useCommand('grid.editCell', () => grid.current?.editCell(), isActive);
  useCommand(
    'grid.setNull',
    () => {
      const { row, column } = grid.current!.cursor;
      const cell = grid.current!.cell(row, column);
      if (cell) grid.current!.during(storeNull(editing, cell));
    },
    isActive,
  );
  useCommand('value.edit', editInDetails, isActive);
  const latest = useLatest(editing);
  const shown = useRef<CellReference | null>(null);
  const show = (handle: GridHandle): void => {
    const cell = handle.cell(handle.cursor.row, handle.cursor.column);
    if (cell && isSameCell(cell, shown.current)) return;
    shown.current = cell;
    showCell(tabId, latest.current, handle);
  };
  // It becomes known only after the rows which columns can be edited.
  useEffect(() => {
    if (columns && shown.current && grid.current) showCell(tabId, latest.current, grid.current);
  }, [columns, grid, latest, tabId]);
  return { editing: editingOf(editing), showDetail: show };
}

/** Commands that export the result as text: to files and the clipboard. */
function useRowsOut(result: QueryResult, grid: RefObject<GridHandle | null>, isActive: boolean): void {
  useCopyCommands(() => grid.current, isActive);
  useCommand('grid.copyTransposed', () => grid.current && void copyCells(grid.current, false, true), isActive);
  const { database, reader } = result.source;
  const rows = { kind: 'result', reader, sql: result.reads === null ? null : result.sql } as const;
  useExportOffer(isActive && result.ended, () => ({
    database,
    choices: resultChoices(rows, grid.current, isArranged(result.arrangement)),
  }));
  useCopyAs(isActive, false, () => {
    if (!grid.current) return null;
    return { database, grid: grid.current, source: rows, nameOf: (column) => column };
  });
}

/** False until a cell of the result has been selected. */
const isShownInDetails = (tabId: string): boolean => useStore.getState().details[tabId] !== undefined;

const isSameCell = (a: CellReference, b: CellReference | null): boolean =>
  a.rows === b?.rows && a.index === b.index && a.column === b.column;

function showCell(tabId: string, editing: ResultEditing, grid: GridHandle): void {
  const { source } = editing.result;
  const { row, column } = grid.cursor;
  const cell = grid.cell(row, column);
  const packed = column + source.hiddenColumns;
  const info = source.info.columns[packed];
  if (!cell || !info) return;
  const { rows, index } = cell;
  const edited = cellForDetails(editing, cell);
  const isFixed = typeof edited === 'string';
  setDetail(tabId, {
    tabId,
    database: source.database,
    title: `Row ${formatCount(row + 1)}`,
    column: info.name,
    declaredType: info.declaredType,
    origin: info.origin,
    row: null,
    value: rows.value(index, packed),
    storageClass: rows.storageClass(index, packed),
    sizeBytes: rows.sizeBytes(index, packed),
    complete: !rows.isPreview(index, packed),
    editing: isFixed ? edited : edited.editing,
    source: isFixed
      ? { kind: 'position', reader: source.reader, position: row, column: packed }
      : { kind: 'cell', cell: edited.address },
  });
}
