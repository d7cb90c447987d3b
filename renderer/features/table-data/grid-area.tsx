// The grid of a table with its context menu, and the cards that open over it.
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import type { Column } from '#shared/protocol/index.ts';
import type { ColumnPositions } from '../../grid/layout/column-positions.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { selectsWholeRows } from '../../grid/input/selection.ts';
import { notify, useStore } from '../../state/store.ts';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { ColorCard } from '../../workbench/color-rules/color-card.tsx';
import { rulesOf, withRules } from '../../workbench/color-rules/color-rule.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import { changeTableColumns } from './change-view.ts';
import { ColumnCard } from './column-card/column-card.tsx';
import { ScaleEnds } from './column-card/scale-ends.tsx';
import type { ColumnCardControl } from './column-card/use-column-card.ts';
import { withEntries } from './filter-entries.ts';
import { menuEntries } from './grid-menu.ts';
import { PeekCard } from './peek/peek-card.tsx';
import { useForeignKey } from './peek/use-foreign-key.ts';
import { TableGrid } from './table-grid.tsx';
import type { DraftControl } from './use-draft.ts';

interface GridAreaProps {
  readonly tab: TableTab;
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
  const { tab, source, draft, grid, card, onColumnsPlaced, onRetry, onChange, onDelete, onKeyDown, isHeld } = props;
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
          className="table-data-grid"
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
            gridRef={grid}
            onColumnsPlaced={onColumnsPlaced}
            onRetry={onRetry}
          />
        </div>
      </ContextMenu>
      <OpenCard tab={tab} source={source} card={card} onChange={onChange} />
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
  card,
  onChange,
}: Pick<GridAreaProps, 'tab' | 'source' | 'card' | 'onChange'>): ReactNode {
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
