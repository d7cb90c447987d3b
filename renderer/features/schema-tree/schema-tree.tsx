// The objects of the current database: search, keyboard, menu; fast with thousands of them.
import { useId, useMemo, useRef, useState } from 'react';
import type { CSSProperties, HTMLAttributes, KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react';
import { missingText } from '#shared/extensions.ts';
import type { DatabaseId, SchemaObject } from '#shared/protocol/index.ts';
import { runCommand } from '../../workbench/commands/commands.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { useAttached } from '../../workbench/databases/attached-files.ts';
import { useColumns, useSchema, useSchemas } from '../../state/schema.ts';
import { TextField } from '../../ui/text-field.tsx';
import {
  ACTION_KEYS,
  attachedMenu,
  attachedObjectMenu,
  databaseMenu,
  objectMenu,
  openObject,
} from '../../workbench/objects/object-menu.ts';
import './schema-tree.css';
import { ensureOpen, notifyFailure, whyReadOnly } from '../../state/databases.ts';
import { activeTab, updateTab, useStore } from '../../state/store.ts';
import { askObjectAction } from '../../workbench/objects/object-actions.ts';
import { showObjectSql } from '../../workbench/objects/object-sql.ts';
import { isTableTab, type TableTab } from '../../workbench/tabs/table.ts';
import { ContextMenu, type MenuEntry } from '../../ui/menu.tsx';
import {
  ChevronDown,
  ChevronRight,
  Columns3,
  Eye,
  ListTree,
  Table2,
  TableProperties,
  TriangleAlert,
  Zap,
} from 'lucide-react';
import { cut, visibleName } from '#shared/visible-text.ts';
import { formatCount } from '../../ui/format.ts';
import { ownerOf, rowKey, treeRows, type AttachedObjects, type TreeRow } from './tree-rows.ts';
import { canDrag, useTableDrag } from './table-drag.ts';
import { useRowWindow } from '../../ui/use-row-window.ts';

/** The keyboard of the schema tree: a cursor that is scrolled into view, folding, opening, typing into the search. */
const ROW_HEIGHT = 24;
const MENU_INDENT = 24;

interface TreeKeysOptions {
  readonly tree: RefObject<HTMLElement | null>;
  readonly rows: readonly TreeRow[];
  readonly onOpen: (row: TreeRow | undefined, preview: boolean) => void;
  readonly onFold: (row: TreeRow) => void;
  readonly onType: () => void;
  /** Another key was pressed on a row. Returns whether the row handles it. */
  readonly onAction: (key: string, row: TreeRow | undefined) => boolean;
}

interface TreeKeys {
  /** Index of the row under the cursor, -1 without rows. */
  readonly at: number;
  readonly setCursor: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function useTreeKeys({ tree, rows, onOpen, onFold, onType, onAction }: TreeKeysOptions): TreeKeys {
  const [cursor, setCursor] = useState(1);
  const at = Math.min(cursor, rows.length - 1);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[at];
    const target = jumpOf(event.key, at, rows.length, tree.current);
    if (target !== null) {
      setCursor(target);
      scrollTo(tree.current, target);
    } else if (event.key === 'Enter' && (row?.kind === 'heading' || row?.kind === 'attached')) onFold(row);
    else if (event.key === 'Enter') onOpen(row, false);
    else if (event.key === ' ') onOpen(row, true);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      if (row && isFolded(row) === (event.key === 'ArrowRight')) onFold(row);
    } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) showMenu(tree.current, at);
    else if (!onAction(event.key, row)) {
      if (event.key.length === 1) onType();
      return;
    }
    event.preventDefault();
  };
  return { at, setCursor, onKeyDown };
}

function jumpOf(key: string, at: number, count: number, element: HTMLElement | null): number | null {
  const pageRows = Math.floor((element?.clientHeight ?? 0) / ROW_HEIGHT) - 1;
  const jumps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: count - 1,
  };
  const jump = jumps[key];
  return jump === undefined ? null : Math.max(0, Math.min(count - 1, jump));
}

function scrollTo(element: HTMLElement | null, index: number): void {
  if (!element) return;
  const top = index * ROW_HEIGHT;
  const bottom = top + ROW_HEIGHT;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
}

/** The focus is on the tree as a whole: the menu belongs to the row under the cursor. */
function showMenu(element: HTMLElement | null, index: number): void {
  const row = element?.querySelector(`[data-index="${index}"]`) ?? element;
  if (!row) return;
  const { left, bottom } = row.getBoundingClientRect();
  const place = { clientX: left + MENU_INDENT, clientY: bottom, button: 2 };
  row.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...place }));
}

/** Null for rows that cannot be folded. */
function isFolded(row: TreeRow): boolean | null {
  if (row.kind === 'heading' || row.kind === 'attached') return row.folded;
  return row.kind === 'object' && row.unfolded !== null ? !row.unfolded : null;
}

const ICONS = { table: Table2, view: Eye, virtual: TableProperties, shadow: Table2, index: ListTree, trigger: Zap };
const TOOLTIP_CHARS = 800;

interface TreeItemProps {
  readonly row: TreeRow;
  readonly id: string;
  readonly index: number;
  readonly style: CSSProperties;
  readonly filter: string;
  readonly isCursor: boolean;
  readonly isOpen: boolean;
  /** A table that is dropped now goes into its database. */
  readonly isDrop: boolean;
  readonly onFold: () => void;
}

function TreeItem({ row, id, index, style, filter, isCursor, isOpen, isDrop, onFold }: TreeItemProps): ReactNode {
  const cursor = `${isCursor ? ' tree-cursor' : ''}${isDrop ? ' tree-drop' : ''}`;
  const shared = { id, style, 'data-index': index, role: 'treeitem', 'aria-selected': isOpen };
  if (row.kind === 'heading' || row.kind === 'attached')
    return (
      <Heading
        row={row}
        shared={{ ...shared, className: `fine-print strong tree-row tree-heading${cursor}` }}
        onFold={onFold}
      />
    );
  if (row.kind === 'note') {
    return (
      <div {...shared} className={`tree-row${cursor}`} aria-level={2} title={row.text}>
        <TriangleAlert className="tree-gone" size={14} />
        <span className="shrink-x clip tree-name dim">{row.text}</span>
      </div>
    );
  }
  if (row.kind === 'column') {
    return (
      <div {...shared} className={`tree-row tree-deep tree-column${cursor}`} aria-level={3}>
        <Columns3 size={13} />
        <span className="shrink-x clip tree-name">
          <Marked text={visibleName(row.column)} match={filter} />
        </span>
      </div>
    );
  }
  const { object, depth, unfolded } = row;
  const Icon = ICONS[object.kind];
  const classes = `tree-row${cursor}${depth > 0 ? ' tree-deep' : ''}${isOpen ? ' tree-open' : ''}`;
  return (
    <div
      {...shared}
      className={classes}
      aria-level={depth + 2}
      title={tooltip(object)}
      {...(canDrag(row) && { draggable: true })}
      {...(object.kind === 'table' && { 'data-table': object.name })}
      {...(unfolded !== null && { 'aria-expanded': unfolded })}
    >
      <Icon size={14} />
      <span className="shrink-x clip tree-name">
        <Marked text={visibleName(object.name) || '(empty name)'} match={filter} />
      </span>
      {object.problem && <TriangleAlert className="tree-problem" size={14} aria-label={object.problem} />}
      {object.rows && (
        <span className="tree-rows">{`${object.rows.estimated ? '~' : ''}${formatCount(object.rows.count)}`}</span>
      )}
      {unfolded !== null && <FoldButton unfolded={unfolded} onFold={onFold} />}
    </div>
  );
}

interface HeadingProps {
  readonly row: Extract<TreeRow, { readonly kind: 'heading' | 'attached' }>;
  readonly shared: HTMLAttributes<HTMLDivElement>;
  readonly onFold: () => void;
}

/** A group of objects, or an attached file. */
function Heading({ row, shared, onFold }: HeadingProps): ReactNode {
  const { fileName = null, name: label } = row.kind === 'heading' ? { name: row.group } : row.attached;
  return (
    <div
      {...shared}
      aria-level={1}
      aria-expanded={!row.folded}
      onClick={onFold}
      {...(fileName !== null && { title: `${visibleName(fileName)}, attached read-only` })}
    >
      {row.folded ? <ChevronRight size={12} /> : <ChevronDown size={12} />}
      <span className="shrink-x clip tree-name">{label}</span>
      {fileName !== null && <span className="shrink-x clip faint tree-name tree-file">{visibleName(fileName)}</span>}
      {row.count !== null && <span className="tree-rows">{formatCount(row.count)}</span>}
    </div>
  );
}

function FoldButton({ unfolded, onFold }: { readonly unfolded: boolean; readonly onFold: () => void }): ReactNode {
  const fold = (event: MouseEvent): void => {
    event.stopPropagation();
    onFold();
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      className="dim push-end tree-fold"
      aria-label={unfolded ? 'Hide shadow tables' : 'Show shadow tables'}
      onClick={fold}
    >
      {unfolded ? <ChevronDown size={13} /> : <ChevronRight size={13} />}
    </button>
  );
}

function Marked({ text, match }: { readonly text: string; readonly match: string }): ReactNode {
  const at = match ? text.toLowerCase().indexOf(match.toLowerCase()) : -1;
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <span className="strong accent">{text.slice(at, at + match.length)}</span>
      {text.slice(at + match.length)}
    </>
  );
}

function tooltip({ problem, missing, sql, name }: SchemaObject): string {
  return cut([problem, missing && missingText(missing), sql ?? name].filter(Boolean).join('\n\n'), TOOLTIP_CHARS);
}

interface TreeListProps {
  readonly tree: RefObject<HTMLDivElement | null>;
  readonly database: DatabaseId;
  readonly rows: readonly TreeRow[];
  readonly filter: string;
  readonly onFold: (row: TreeRow) => void;
  /** A printable key was pressed: it belongs in the search field. */
  readonly onType: () => void;
}

function TreeList({ tree, database, rows, filter, onFold, onType }: TreeListProps): ReactNode {
  const openTable = useOpenTable();
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

  const { into, ...drag } = useTableDrag(database, (event) => rows[indexOf(event) ?? -1]);
  const onClick = (event: MouseEvent): void => {
    const index = indexOf(event);
    if (index === null) return;
    setCursor(index);
    const row = rows[index];
    if ((event.ctrlKey || event.metaKey) && row?.kind === 'object') showObjectSql(ownerOf(row, database), row.object);
    else openRow(database, row, true);
  };
  const entriesAt = (event: MouseEvent): readonly MenuEntry[] => {
    const index = indexOf(event) ?? -1;
    const row = rows[index];
    if (row && row.kind !== 'heading') setCursor(index);
    return rowMenu(database, row);
  };

  return (
    <ContextMenu entriesAt={entriesAt}>
      <div
        ref={tree}
        className="fill anchor quiet-focus tree-scroll"
        role="tree"
        aria-label="Database objects"
        tabIndex={0}
        aria-activedescendant={rows.length > 0 ? `${prefix}-${at}` : undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        {...drag}
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
            isOpen={isTableOf(row, database, openTable)}
            isDrop={into !== null && into === ownerOf(row, database)}
            onFold={() => onFold(row)}
          />
        ))}
      </div>
    </ContextMenu>
  );
}

/** Outside the rows, the menu of the database. */
function rowMenu(database: DatabaseId, row: TreeRow | undefined): readonly MenuEntry[] {
  if (!row || row.kind === 'heading') return databaseMenu(database);
  if (row.kind === 'attached' || row.kind === 'note') return attachedMenu(database, row.attached);
  if (row.kind === 'object' && row.attached) return attachedObjectMenu(database, row.attached, row.object);
  return objectMenu(database, row.object);
}

function openRow(database: DatabaseId, row: TreeRow | undefined, preview: boolean): void {
  if (row && 'object' in row) openObject(ownerOf(row, database), row.object, preview);
}

function openByKey(database: DatabaseId, row: TreeRow | undefined, preview: boolean): void {
  openRow(database, row, preview);
  if (!preview) focusContent();
}

/** Returns whether the row handles the key. */
function act(database: DatabaseId, key: string, row: TreeRow | undefined): boolean {
  const action = ACTION_KEYS[key];
  if (action === undefined || row?.kind !== 'object' || row.attached || whyReadOnly(database) !== null) return false;
  return askObjectAction(database, row.object, action);
}

function useOpenTable(): TableTab | null {
  return useStore((state) => {
    const tab = activeTab(state);
    return isTableTab(tab) ? tab : null;
  });
}

/** The first click of a double click has opened the tab. */
function goToOpened(row: TreeRow | undefined): void {
  if (!row || !('object' in row)) return;
  const tab = activeTab(useStore.getState());
  if (isTableTab(tab)) updateTab(tab.id, { preview: false });
  focusContent();
}

function isTableOf(row: TreeRow, database: DatabaseId, tab: TableTab | null): boolean {
  if (row.kind !== 'object' || row.object.kind === 'index' || row.object.kind === 'trigger') return false;
  return row.object.name === tab?.table && ownerOf(row, database) === tab.database;
}

function indexOf(event: MouseEvent): number | null {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset['index']) : null;
}

export function SchemaTree({ database }: { readonly database: DatabaseId }): ReactNode {
  const schema = useSchema(database);
  const columns = useColumns(database);
  const attached = useAttachedObjects(database);
  const [filter, setFilter] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const field = useRef<HTMLInputElement>(null);
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () => (schema ? treeRows(schema, { filter, columns, folded, unfolded, attached }) : []),
    [schema, filter, columns, folded, unfolded, attached],
  );

  const fold = (row: TreeRow): void => {
    if (row.kind === 'heading') setFolded(toggled(folded, row.group));
    else if (row.kind === 'attached') {
      const { file, why } = row.attached;
      if (row.count === null && why === null) ensureOpen(file).catch(notifyFailure);
      else setFolded(toggled(folded, file));
    } else if (row.kind === 'object' && row.unfolded !== null) setUnfolded(toggled(unfolded, row.object.name));
  };
  const onFieldKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') tree.current?.focus();
    else if (event.key === 'Enter') {
      const first = rows.find((row) => 'object' in row);
      if (!first) return;
      openRow(database, first, false);
      focusContent();
    } else if (event.key === 'Escape' && filter) setFilter('');
    else return;
    event.preventDefault();
  };

  return (
    <section className="stack sunken full-height" aria-label="Objects" data-pane>
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
      {schema && rows.length === 0 ? (
        <NoObjects isFiltered={filter !== ''} />
      ) : (
        <TreeList
          tree={tree}
          database={database}
          rows={rows}
          filter={filter.trim()}
          onFold={fold}
          onType={() => field.current?.focus()}
        />
      )}
    </section>
  );
}

function useAttachedObjects(database: DatabaseId): readonly AttachedObjects[] {
  const all = useAttached(database);
  const open = useStore(({ openDatabases }) => openDatabases);
  // One that the user has closed meanwhile is opened again when it is unfolded.
  const files = useMemo(() => all.map(({ file }) => file).filter((file) => open[file]), [all, open]);
  const schemas = useSchemas(files);
  return useMemo(
    () => all.map((attached) => ({ attached, objects: schemas[files.indexOf(attached.file)]?.objects ?? null })),
    [all, files, schemas],
  );
}

function NoObjects({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return (
    <p className="dim tree-note" role="status">
      {isFiltered ? (
        'No matches.'
      ) : (
        <>
          This database is empty.{' '}
          <button type="button" className="link-button" onClick={() => runCommand('table.new')}>
            Create a table
          </button>{' '}
          or{' '}
          <button type="button" className="link-button" onClick={() => runCommand('file.import')}>
            import a file
          </button>
          .
        </>
      )}
    </p>
  );
}

function toggled(set: ReadonlySet<string>, member: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}
