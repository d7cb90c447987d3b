// The objects of the current database: search, keyboard, menu; quick with thousands of them.
import { useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { useColumns, useSchema } from '../../client/schema.ts';
import { activeTab, updateTab, useStore } from '../../client/store.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { objectMenu, openObject } from './object-actions.ts';
import './schema-tree.css';
import { TreeItem } from './tree-item.tsx';
import { rowKey, treeRows } from './tree-rows.ts';
import type { TreeRow } from './tree-rows.ts';
import { useRowWindow } from './use-row-window.ts';

const ROW_HEIGHT = 24;

export function SchemaTree({ database }: { readonly database: DatabaseId }): ReactNode {
  const schema = useSchema(database);
  const columns = useColumns(database);
  const [filter, setFilter] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const field = useRef<HTMLInputElement>(null);
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () => (schema ? treeRows(schema, { filter, columns, folded, unfolded }) : []),
    [schema, filter, columns, folded, unfolded],
  );

  const fold = (row: TreeRow): void => {
    if (row.kind === 'heading') setFolded(toggled(folded, row.group));
    else if (row.kind === 'object' && row.unfolded !== null) setUnfolded(toggled(unfolded, row.object.name));
  };
  const onFieldKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') tree.current?.focus();
    else if (event.key === 'Enter') {
      const first = rows.find((row) => row.kind !== 'heading');
      if (first) openObject(database, first.object, false);
    } else if (event.key === 'Escape' && filter) setFilter('');
    else return;
    event.preventDefault();
  };

  return (
    <section className="schema-tree" aria-label="Objects">
      <div className="schema-filter">
        <TextField
          ref={field}
          type="search"
          placeholder="Find table, column, index"
          aria-label="Find table, column, index"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={onFieldKey}
        />
      </div>
      <TreeList
        tree={tree}
        database={database}
        rows={rows}
        filter={filter.trim()}
        onFold={fold}
        onType={() => field.current?.focus()}
      />
      {schema && rows.length === 0 && (
        <p className="tree-note">
          {filter ? 'Nothing is called that.' : 'This database is empty. Create a table in an SQL tab.'}
        </p>
      )}
    </section>
  );
}

interface TreeListProps {
  readonly tree: RefObject<HTMLDivElement | null>;
  readonly database: DatabaseId;
  readonly rows: readonly TreeRow[];
  readonly filter: string;
  readonly onFold: (row: TreeRow) => void;
  /** A printable key was pressed: it belongs into the search field. */
  readonly onType: () => void;
}

function TreeList({ tree, database, rows, filter, onFold, onType }: TreeListProps): ReactNode {
  const openTableName = useStore((state) => {
    const tab = activeTab(state);
    return tab?.kind === 'table' && tab.database === database ? tab.table : null;
  });
  const [cursor, setCursor] = useState(1);
  const { from, to } = useRowWindow(tree, rows.length, ROW_HEIGHT);
  const prefix = useId();
  const at = Math.min(cursor, rows.length - 1);

  const moveTo = (index: number): void => {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    setCursor(target);
    const element = tree.current;
    if (!element) return;
    const top = target * ROW_HEIGHT;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW_HEIGHT - element.clientHeight;
  };
  const open = (row: TreeRow | undefined, preview: boolean): void => {
    if (row && row.kind !== 'heading') openObject(database, row.object, preview);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    const pageRows = Math.floor((tree.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1;
    const jumps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + pageRows,
      PageUp: at - pageRows,
      Home: 0,
      End: rows.length - 1,
    };
    const jump = jumps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (jump !== undefined) moveTo(jump);
    else if (event.key === 'Enter') row?.kind === 'heading' ? onFold(row) : open(row, false);
    else if (event.key === ' ') open(row, true);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      if (row && isFolded(row) === (event.key === 'ArrowRight')) onFold(row);
    } else {
      if (event.key.length === 1) onType();
      return;
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent): void => {
    const index = indexOf(event);
    if (index === null) return;
    setCursor(index);
    open(rows[index], true);
  };
  const onDoubleClick = (event: MouseEvent): void => {
    const index = indexOf(event);
    if (index === null || rows[index]?.kind === 'heading') return;
    const tab = activeTab(useStore.getState());
    if (tab?.kind === 'table') updateTab(tab.id, { preview: false });
  };
  const entriesAt = (event: MouseEvent): readonly MenuEntry[] => {
    const index = indexOf(event);
    const row = index === null ? undefined : rows[index];
    if (index === null || !row || row.kind === 'heading') return [];
    setCursor(index);
    return objectMenu(database, row.object);
  };

  return (
    <ContextMenu entriesAt={entriesAt}>
      <div
        ref={tree}
        className="tree-scroll"
        role="tree"
        aria-label="Objects of the database"
        tabIndex={0}
        aria-activedescendant={rows.length > 0 ? `${prefix}-${at}` : undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
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
            isOpen={
              row.kind === 'object' &&
              row.object.kind !== 'index' &&
              row.object.kind !== 'trigger' &&
              row.object.name === openTableName
            }
            onFold={() => onFold(row)}
          />
        ))}
      </div>
    </ContextMenu>
  );
}

function indexOf(event: MouseEvent): number | null {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset['index']) : null;
}

/** Null for rows without a fold. */
function isFolded(row: TreeRow): boolean | null {
  if (row.kind === 'heading') return row.folded;
  return row.kind === 'object' && row.unfolded !== null ? !row.unfolded : null;
}

function toggled(set: ReadonlySet<string>, member: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}
