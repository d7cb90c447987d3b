// One result in the grid: selection feeds the details panel, cells can be copied, nothing can be edited.
import { useRef, useState } from 'react';
import { commandItem, useCommand } from '../../workbench/commands.ts';
import { copyCells } from '../../workbench/copy-cells.ts';
import { copyAsMenu, useCopyAs } from '../../workbench/copy-as.ts';
import { resultChoices, useExportOffer } from '../../workbench/export-request.ts';
import { selectionSummary } from '../../workbench/selection-summary.ts';
import { useColumnCommands } from '../../workbench/use-column-commands.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify, setDetail, setTabStatus, useStore } from '../../state/store.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid.tsx';
import { ContextMenu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { formatCount } from '../../ui/format.ts';
import type { GridMemory } from './grid-memory.ts';
import type { QueryResult } from './query-view.ts';

interface ResultGridProps {
  readonly tabId: string;
  readonly result: QueryResult;
  readonly number: number;
  readonly memory: GridMemory;
}

export function ResultGrid({ tabId, result, number, memory }: ResultGridProps) {
  const grid = useRef<GridHandle>(null);
  const [view, setView] = useState(() => memory.view(result));
  const [openedAtMs] = useState(() => performance.now());
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);

  const copy = (withHeaders: boolean): void => {
    if (grid.current) void copyCells(grid.current, withHeaders);
  };
  useCommand('grid.copy', () => copy(false), isActive);
  useCommand('grid.copyWithHeaders', () => copy(true), isActive);
  useColumnCommands(() => grid.current, isActive);
  const rows = {
    kind: 'result',
    reader: result.source.reader,
    sql: result.reads === null ? null : result.sql,
  } as const;
  const { database } = result.source;
  useExportOffer(isActive && result.ended, () => ({ database, choices: resultChoices(rows, grid.current) }));
  useCopyAs(isActive, false, () => {
    if (!grid.current) return null;
    return { database, grid: grid.current, source: rows, nameOf: (column) => column };
  });

  const changeView = (changed: GridView): void => {
    memory.keepView(result, changed);
    setView(changed);
  };
  return (
    <ContextMenu entriesAt={() => menuEntries(result.ended)}>
      <div className="result-grid">
        <Grid
          ref={grid}
          source={result.source}
          view={view}
          sort={NO_SORT}
          label={`Rows of result ${number}`}
          initialTopRow={memory.topRow(result)}
          onViewChange={changeView}
          onSelectionChange={(handle) => showDetail(tabId, result, handle)}
          onSettled={(handle) => {
            memory.keepTopRow(result, handle.topRow);
            setTabStatus(tabId, { selectedSummary: selectionSummary(handle, result.source.hiddenColumns) });
          }}
          onFirstRows={() => setTabStatus(tabId, { firstRowsMs: performance.now() - openedAtMs })}
          onError={notifyFailure}
          onRefused={(text) => notify({ tone: 'info', text })}
        />
      </div>
    </ContextMenu>
  );
}

const menuEntries = (hasAllRows: boolean): readonly MenuEntry[] => [
  commandItem('grid.copy'),
  commandItem('grid.copyWithHeaders'),
  ...(hasAllRows ? [copyAsMenu(false), commandItem('export.show')] : []),
];

const NO_SORT = [] as const;

function showDetail(tabId: string, { source }: QueryResult, grid: GridHandle): void {
  const { row, column } = grid.cursor;
  const cell = grid.cell(row, column);
  const packed = column + source.hiddenColumns;
  const info = source.info.columns[packed];
  if (!cell || !info) return;
  const { rows, index } = cell;
  setDetail({
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
    source: { kind: 'position', reader: source.reader, position: row, column: packed },
  });
}
