// The content of a tab that shows a table: filter bar, grid, and the row being added.
import { useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { commandKeyLabel } from '../../workbench/commands.ts';
import { useCopyAs } from '../../workbench/copy-as.ts';
import { tableChoices, useExportOffer } from '../../workbench/export-request.ts';
import { useColumnCommands } from '../../workbench/use-column-commands.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab, TableView } from '../../workbench/table-tabs.ts';
import { notify, useStore } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import { selectsWholeRows } from '../../grid/input/selection.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import { changeView } from './change-view.ts';
import { ColumnCard } from './column-card/column-card.tsx';
import { useColumnCard } from './column-card/use-column-card.ts';
import { withEntries } from './filter-entries.ts';
import { DraftBar } from './draft-bar.tsx';
import { FailedTable } from './empty-table.tsx';
import { GoneTable } from './gone-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { FilterColumn } from './filter-form-rows.ts';
import { FilterRow } from './filter-row.tsx';
import { menuEntries } from './grid-menu.ts';
import { PasteSpecial } from './paste-special/paste-special.tsx';
import { TableGrid } from './table-grid.tsx';
import { useDraft } from './use-draft.ts';
import { useFilterRow } from './use-filter-row.ts';
import { useGridCommands } from './use-grid-commands.ts';
import { useRevealedRow } from './use-revealed-row.ts';
import { useSortCommands } from './use-sort-commands.ts';
import { useTableSource } from './use-table-source.ts';
import type { OpenedTable } from './use-table-source.ts';
import './table-data.css';

export function TableDataTab({ tab }: { readonly tab: TableTab }): ReactNode {
  const grid = useRef<GridHandle>(null);
  const opened = useTableSource(tab, grid);
  const { source } = opened;
  const draft = useDraft(tab.id, source, grid);
  const [editedFilter, setEditedFilter] = useState<number | 'new' | null>(null);
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  useRevealedRow(source, grid, isActive);
  const [pasted, setPasted] = useState<string | null>(null);
  const filterRow = useFilterRow(grid, source, isActive);
  const { deleteSelected } = useGridCommands({
    grid,
    source,
    draft,
    isActive,
    onFilter: () => (filterRow.isShown ? filterRow.focus() : setEditedFilter('new')),
    onPasteSpecial: setPasted,
  });
  useSortCommands({ tab, grid, source, isActive });
  useColumnCommands(() => grid.current, isActive && source !== null);
  useRowsOut(tab, source, grid, isActive);
  const card = useColumnCard(grid, source, filterRow.places, isActive);
  const change = (patch: Partial<TableView>): void => changeView(tab.id, patch);
  const columns = useMemo(() => filterColumns(source), [source]);
  if (!source) return <TableWithoutRows tab={tab} opened={opened} onChange={change} />;
  return (
    <div className="table-data">
      <FilterBar
        view={tab.view}
        columns={columns}
        error={opened.error}
        editing={editedFilter}
        currentColumn={source.columns[grid.current?.cursor.column ?? 0]?.name ?? ''}
        isRowShown={filterRow.isShown}
        onEditing={setEditedFilter}
        onChange={change}
        onLeave={() => grid.current?.focus()}
      />
      {filterRow.isShown && (
        <FilterRow
          view={tab.view}
          columns={columns}
          places={filterRow.places}
          wanted={filterRow.wanted}
          onChange={change}
          onReveal={(column) => grid.current?.revealColumn(column)}
          onValues={card.show}
          onLeave={() => grid.current?.focus()}
        />
      )}
      <ContextMenu
        entriesAt={(event) => {
          if (!grid.current || isInCellEditor(event.target)) return [];
          return menuEntries(
            { source, grid: grid.current, view: tab.view, onChange: change, onValues: card.show },
            grid.current.hitAt(event.clientX, event.clientY),
          );
        }}
      >
        <div
          ref={card.box}
          className="table-data-grid"
          onKeyDown={(event) => deleteByKey(event, source, grid.current, deleteSelected)}
        >
          <TableGrid tab={tab} source={source} draft={draft} gridRef={grid} onColumnsPlaced={filterRow.placed} />
        </div>
      </ContextMenu>
      {card.column !== null && (
        <ColumnCard
          key={card.column}
          tab={tab}
          column={card.column}
          anchor={card.anchor}
          onFilter={(entries) => change({ filter: withEntries(tab.view.filter, card.column, entries) })}
          onClose={card.hide}
        />
      )}
      {pasted !== null && (
        <SpecialPaste source={source} grid={grid.current} text={pasted} onClose={() => setPasted(null)} />
      )}
      {draft.draft && <DraftBar draft={draft.draft} onStore={() => void draft.store()} onDiscard={draft.discard} />}
    </div>
  );
}

const filterColumns = (source: TableSource | null): readonly FilterColumn[] =>
  source?.columns.map(({ name }, column) => ({
    name,
    declaredType: source.declaration(column)?.declaredType ?? '',
  })) ?? [];

interface TableWithoutRowsProps {
  readonly tab: TableTab;
  readonly opened: OpenedTable;
  readonly onChange: (patch: Partial<TableView>) => void;
}

function TableWithoutRows({ tab, opened, onChange }: TableWithoutRowsProps): ReactNode {
  const { isGone, error, retry } = opened;
  if (isGone) return <GoneTable tab={tab} />;
  if (error === null) return <div className="table-data" />;
  return <FailedTable tab={tab} error={error} onRetry={retry} onChange={onChange} />;
}

/** The plain key deletes whole rows only: of cells it would be taken for emptying them. */
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

interface SpecialPasteProps {
  readonly source: TableSource;
  readonly grid: GridHandle | null;
  readonly text: string;
  readonly onClose: () => void;
}

/** The grid keeps what is selected while the dialog is there. */
function SpecialPaste({ source, grid, text, onClose }: SpecialPasteProps): ReactNode {
  const target = useMemo(() => grid && { source, grid, text }, [source, grid, text]);
  return target && <PasteSpecial target={target} onClose={onClose} />;
}

/** What leaves the table as text: files and the clipboard. */
function useRowsOut(
  { database, table, view }: TableTab,
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): void {
  const names = source?.columns.map(({ name }) => name) ?? [];
  useExportOffer(isActive && source !== null, () => ({
    database,
    choices: tableChoices(table, { ...view, ...source!.view }, grid.current, names),
  }));
  useCopyAs(isActive && source !== null, source?.info.key.kind !== 'none', () => {
    if (!grid.current || !source) return null;
    const { sort, filter, where } = source.view;
    const rows = { kind: 'table', table, sort, filter, ...(where !== '' && { where }) } as const;
    return { database, grid: grid.current, source: rows, nameOf: (column) => names[column]! };
  });
}

const isInCellEditor = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-cell-editor]') !== null;

/** Delete alone could mean either: it is not guessed at. */
const whatDeletes = (): string =>
  `${commandKeyLabel('grid.setNull')} sets cells to NULL; ${commandKeyLabel('grid.deleteRows')} deletes their rows.`;
