// The rows of the schema tree on screen: pointer, keyboard and menu over a window of a long list.
import { useId } from 'react';
import type { MouseEvent, ReactNode, RefObject } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { whyReadOnly } from '../../state/databases.ts';
import { activeTab, updateTab, useStore } from '../../state/store.ts';
import { askObjectAction } from '../../workbench/objects/object-actions.ts';
import { showObjectSql } from '../../workbench/objects/object-sql.ts';
import { ACTION_KEYS, databaseMenu, objectMenu, openObject } from '../../workbench/objects/object-menu.ts';
import { isTableTab } from '../../workbench/tabs/table.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { TreeItem } from './tree-item.tsx';
import { rowKey } from './tree-rows.ts';
import type { TreeRow } from './tree-rows.ts';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { ROW_HEIGHT, useTreeKeys } from './use-tree-keys.ts';

interface TreeListProps {
  readonly tree: RefObject<HTMLDivElement | null>;
  readonly database: DatabaseId;
  readonly rows: readonly TreeRow[];
  readonly filter: string;
  readonly onFold: (row: TreeRow) => void;
  /** A printable key was pressed: it belongs in the search field. */
  readonly onType: () => void;
}

export function TreeList({ tree, database, rows, filter, onFold, onType }: TreeListProps): ReactNode {
  const openTableName = useOpenTableName(database);
  const { from, to } = useRowWindow(tree, rows.length, ROW_HEIGHT);
  const prefix = useId();
  const { at, setCursor, onKeyDown } = useTreeKeys({
    tree,
    rows,
    onOpen: (row, preview) => openByKey(database, row, preview),
    onFold,
    onType,
    onAction: (key, row) => act(database, key, row),
  });

  const onClick = (event: MouseEvent): void => {
    const index = indexOf(event);
    if (index === null) return;
    setCursor(index);
    const row = rows[index];
    if ((event.ctrlKey || event.metaKey) && row?.kind === 'object') showObjectSql(database, row.object);
    else openRow(database, row, true);
  };
  const entriesAt = (event: MouseEvent): readonly MenuEntry[] => {
    const index = indexOf(event);
    const row = index === null ? undefined : rows[index];
    // Outside the rows, show the menu of the database.
    if (index === null || !row || row.kind === 'heading') return databaseMenu(database);
    setCursor(index);
    return objectMenu(database, row.object);
  };

  return (
    <ContextMenu entriesAt={entriesAt}>
      <div
        ref={tree}
        className="tree-scroll"
        role="tree"
        aria-label="Database objects"
        tabIndex={0}
        aria-activedescendant={rows.length > 0 ? `${prefix}-${at}` : undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={(event) => goToOpened(rows[indexOf(event) ?? -1])}
      >
        <div role="presentation" style={{ height: rows.length * ROW_HEIGHT }} />
        {rows.slice(from, to).map((row, offset) => (
          <TreeItem
            key={rowKey(row)}
            row={row}
            id={`${prefix}-${from + offset}`}
            index={from + offset}
            style={{ top: (from + offset) * ROW_HEIGHT }}
            filter={filter}
            isCursor={from + offset === at}
            isOpen={isTableOf(row, openTableName)}
            onFold={() => onFold(row)}
          />
        ))}
      </div>
    </ContextMenu>
  );
}

function openRow(database: DatabaseId, row: TreeRow | undefined, preview: boolean): void {
  if (row && row.kind !== 'heading') openObject(database, row.object, preview);
}

function openByKey(database: DatabaseId, row: TreeRow | undefined, preview: boolean): void {
  openRow(database, row, preview);
  if (!preview) focusContent();
}

/** Returns whether the row handles the key. */
function act(database: DatabaseId, key: string, row: TreeRow | undefined): boolean {
  const action = ACTION_KEYS[key];
  if (action === undefined || row?.kind !== 'object' || whyReadOnly(database) !== null) return false;
  return askObjectAction(database, row.object, action);
}

function useOpenTableName(database: DatabaseId): string | null {
  return useStore((state) => {
    const tab = activeTab(state);
    return isTableTab(tab) && tab.database === database ? tab.table : null;
  });
}

/** The first click of a double click has opened the tab. */
function goToOpened(row: TreeRow | undefined): void {
  if (!row || row.kind === 'heading') return;
  const tab = activeTab(useStore.getState());
  if (isTableTab(tab)) updateTab(tab.id, { preview: false });
  focusContent();
}

function isTableOf(row: TreeRow, table: string | null): boolean {
  return (
    row.kind === 'object' && row.object.kind !== 'index' && row.object.kind !== 'trigger' && row.object.name === table
  );
}

function indexOf(event: MouseEvent): number | null {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset['index']) : null;
}
