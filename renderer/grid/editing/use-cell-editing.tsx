// Opens, places and closes the editor of the cell being edited.
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { displayCell } from '../paint/cell-display.ts';
import type { AfterEdit, EditNews, EditSession, GridEditing } from './cell-editing.ts';
import { CellEditor } from './cell-editor.tsx';
import type { CellEditorProps } from './cell-editor.tsx';
import type { GridController } from '../grid-controller.ts';
import type { CellReference } from '../grid-source.ts';
import { keyText, sameCell } from '../rows/same-cell.ts';
import { cursorOf, isSingleCell, selectsWholeRows } from '../input/selection.ts';
import type { CellPosition } from '../input/selection.ts';
import type { TypeAhead } from './type-ahead.ts';
import { useLatest } from '../../ui/use-latest.ts';

interface AwaitedRow {
  begin(position: CellPosition, typed: string | null): void;
  look(): void;
  giveUp(): void;
}

/** Opens a requested editor as soon as its row has been read. */
function useAwaitedRow(
  controller: RefObject<GridController | null>,
  ahead: TypeAhead,
  begin: (typed: string | null) => void,
): AwaitedRow {
  const end = useRef<(() => void) | null>(null);
  const source = useRef<GridController['source'] | null>(null);
  const latest = useLatest(begin);
  const giveUp = (): void => {
    if (!end.current) return;
    ahead.drop();
    end.current();
    end.current = null;
  };
  const giveUpLatest = useLatest(giveUp);
  useLayoutEffect(() => () => giveUpLatest.current(), [giveUpLatest]);
  return {
    begin(position, typed) {
      const grid = controller.current;
      if (!grid || end.current || isPastEnd(grid, position.row) || position.displayIndex >= grid.bounds.displayColumns)
        return;
      source.current = grid.source;
      grid.reveal(position);
      grid.requestPaint();
      ahead.during(new Promise<void>((resolve) => (end.current = resolve)));
      ahead.first(() => latest.current(typed));
    },
    look() {
      const grid = controller.current;
      if (!grid || !end.current) return;
      const { row } = cursorOf(grid.selection);
      if (grid.source !== source.current || isPastEnd(grid, row)) return giveUp();
      if (row !== grid.draftPosition && !(grid.row(row) && grid.isReady(row))) return;
      end.current();
      end.current = null;
    },
    giveUp,
  };
}

/** Rows that have just been opened on a server count as zero rows until the first rows are read. */
const isPastEnd = ({ bounds, source }: GridController, row: number): boolean =>
  row >= bounds.rows && source.extent.exact;

type ChangedNews = Extract<EditNews, { kind: 'changed' }>;

/** Characters shown of a value that others stored: enough to recognize it. */
const SHOWN_TEXT = 60;

export interface ElementRefs {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly sizer: RefObject<HTMLDivElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
}

interface EditingProps {
  readonly editing?: GridEditing | null;
  onPastEnd?(): Promise<unknown>;
  onError?(error: unknown): void;
  onRefused?(message: string): void;
  onLostText?(message: string, text: string): void;
}

interface OpenEditor {
  /** Identifies one opening: the editor stays the same wherever its row goes. */
  readonly id: number;
  readonly column: number;
  readonly name: string;
  readonly session: EditSession;
  /** The cell of `session`; null in the draft row. */
  readonly cell: CellReference | null;
  readonly news: EditNews | null;
  /** The initial typed text; null to edit the current value. */
  readonly typed: string | null;
  readonly minWidth: number;
  /** Numbers are right-aligned in their cell, so the editor is too. */
  readonly isNumber: boolean;
  /** The text can go into every selected cell. */
  readonly canFill: boolean;
}

export interface CellEditing {
  readonly editor: ReactElement | null;
  begin(position: CellPosition, typed: string | null): void;
  /** Moves the editor over its cell after scrolling. */
  displayIndex(): void;
  rowsMoved(): void;
  /** Checks whether the value under the editor is still the initial one, and whether an awaited row has been loaded. */
  rowsChanged(): void;
  /** Rows could not be read: the editor stops waiting for them. */
  rowsFailed(): void;
}

let lastId = 0;

export function useCellEditing(
  controller: RefObject<GridController | null>,
  elements: ElementRefs,
  props: RefObject<EditingProps>,
  ahead: TypeAhead,
): CellEditing {
  const [open, setOpen] = useState<OpenEditor | null>(null);
  const openRef = useLatest(open);
  // Rows move between renders, and the editor's position must not wait for a render.
  const at = useRef<CellPosition>({ row: 0, displayIndex: 0 });
  const frame = useRef<HTMLDivElement>(null);
  const awaited = useAwaitedRow(controller, ahead, (typed) => begin(cursorOf(controller.current!.selection), typed));

  const displayIndex = (): void => {
    if (!controller.current || !frame.current || !openRef.current) return;
    moveTo(frame.current, controller.current.boxOf(at.current), controller.current.viewportSize);
  };
  const begin = (position: CellPosition, typed: string | null): void => {
    const grid = controller.current;
    if (!grid || !props.current.editing) return;
    if (openRef.current && ahead.isBusy) return ahead.inTurn(() => begin(cursorOf(grid.selection), typed));
    // An editor whose text could not be stored is still open: that text has to be stored or discarded first.
    if (openRef.current) return frame.current?.querySelector('textarea')?.focus();
    const opened = openAt(grid, props.current.editing, position, typed);
    if (opened === null) return awaited.begin(position, typed);
    if (typeof opened === 'string') return props.current.onRefused?.(opened);
    grid.reveal(position);
    at.current = position;
    grid.cursor.beginEdit(position.row);
    setOpen(opened);
  };
  const close = (after: AfterEdit, refocus: boolean): void => {
    setOpen(null);
    const grid = controller.current;
    const past = grid && !leave(grid, after) && props.current.onPastEnd?.();
    if (past) ahead.during(past);
    if (refocus) focusGrid(elements.layer);
  };
  const tell = (told: EditNews | null): void => setOpen((now) => now && { ...now, news: told });
  const news = newsHandlers(controller, openRef, at, awaited.look, tell);
  const keepMine = (): void => {
    const kept = open && props.current.editing && rebased(open, props.current.editing, at.current.row);
    if (typeof kept === 'string') props.current.onRefused?.(kept);
    else if (kept) setOpen(kept);
  };
  useLayoutEffect(displayIndex);
  useResized(frame, open?.id, displayIndex);

  const editor = open && (
    <CellEditor
      key={open.id}
      {...fieldOf(open, props, close)}
      frameRef={frame}
      ahead={ahead}
      onStoring={(after) => after === 'down' && controller.current?.cursor.noteRowBelow()}
      onClose={close}
      onKeepMine={keepMine}
    />
  );
  return { editor, begin, displayIndex, ...news, rowsFailed: awaited.giveUp };
}

/** Text grows as it is typed, and what is beside it comes and goes. */
function useResized(frame: RefObject<HTMLElement | null>, openId: number | undefined, onResize: () => void): void {
  const latest = useLatest(onResize);
  useLayoutEffect(() => {
    if (openId === undefined || !frame.current) return;
    const observer = new ResizeObserver(() => latest.current());
    for (const part of frame.current.children) observer.observe(part);
    return () => observer.disconnect();
  }, [frame, openId, latest]);
}

/** The editor's props and callbacks for one opening. */
function fieldOf(
  { session, news, typed, minWidth, isNumber, name, canFill }: OpenEditor,
  props: RefObject<EditingProps>,
  close: (after: AfterEdit, refocus: boolean) => void,
): Omit<CellEditorProps, 'frameRef' | 'ahead' | 'onStoring' | 'onClose' | 'onKeepMine'> {
  return {
    session,
    news,
    typed,
    minWidth,
    isNumber,
    label: `Edit ${name}`,
    fill: canFill ? (text) => props.current.editing!.fillSelection!(text) : null,
    onCopy: (text) => props.current.editing?.copyText(text),
    onLost: (message, text) => props.current.onLostText?.(message, text),
    onUnreadable(error) {
      close('stay', true);
      props.current.onError?.(error);
    },
  };
}

/** Ends the edit. Returns false past the last cell. */
function leave(grid: GridController, after: AfterEdit): boolean {
  const { isThere, below } = grid.cursor.endEdit();
  // A cursor that was put elsewhere while the text was being stored stays there.
  if (!isThere || after === 'stay') return true;
  if (after !== 'down') return grid.perform({ kind: after }) || after === 'previous';
  if (below) grid.selectRow(below);
  return true;
}

/** Follows the row of the open editor. */
function newsHandlers(
  controller: RefObject<GridController | null>,
  openRef: RefObject<OpenEditor | null>,
  at: RefObject<CellPosition>,
  look: () => void,
  tell: (news: EditNews | null) => void,
): Pick<CellEditing, 'rowsMoved' | 'rowsChanged'> {
  return {
    rowsMoved() {
      const row = controller.current?.cursor.editedRow;
      if (!openRef.current || !row || openRef.current.news?.kind === 'deleted') return;
      if (row.isGone) tell({ kind: 'deleted' });
      else at.current = { row: row.position, displayIndex: at.current.displayIndex };
    },
    rowsChanged() {
      look();
      const open = openRef.current;
      if (!controller.current || !open || open.news?.kind === 'deleted') return;
      const news = newsOf(controller.current, open, at.current.row);
      if (news !== undefined && news?.text !== open.news?.text) tell(news);
    },
  };
}

/** Height that a list of suggestions can have. */
const LIST_HEIGHT = 245;

function moveTo(frame: HTMLElement, cell: { x: number; y: number }, grid: { width: number; height: number }): void {
  const [text, beside] = frame.children as unknown as [HTMLElement, HTMLElement];
  const isList = beside.querySelector('[role=listbox]') !== null;
  const { x, y, shift, isAbove, room } = placeEditor(cell, grid, sizeOf(text), {
    width: beside.offsetWidth,
    height: isList ? LIST_HEIGHT : beside.offsetHeight,
  });
  frame.style.transform = `translate(${x}px, ${y}px)`;
  beside.classList.toggle('grid-editor-above', isAbove);
  beside.style.left = `${shift}px`;
  beside.style.setProperty('--room', `${room}px`);
}

const sizeOf = ({ offsetWidth, offsetHeight }: HTMLElement) => ({ width: offsetWidth, height: offsetHeight });

/** Null while the row is still being read; a sentence if the cell cannot be edited. */
function openAt(
  grid: GridController,
  editing: GridEditing,
  position: CellPosition,
  typed: string | null,
): OpenEditor | string | null {
  const column = grid.layout.columns[position.displayIndex];
  if (column === undefined || position.row >= grid.bounds.rows) return null;
  const cell = grid.cell(position.row, column);
  if (position.row !== grid.draftPosition && (!cell || !grid.isReady(position.row))) return null;
  const session = editing.begin({ row: position.row, column, cell });
  if (typeof session === 'string') return session;
  const name = grid.source.columns[column]?.name ?? '';
  const minWidth = grid.boxOf(position).width;
  const isNumber =
    cell !== null && displayCell(cell.rows, cell.index, column + grid.source.hiddenColumns).style === 'number';
  const canFill =
    cell !== null &&
    editing.fillSelection !== undefined &&
    !session.isShownForm &&
    !isSingleCell(grid.selection) &&
    !selectsWholeRows(grid.selection);
  return { id: ++lastId, session, column, cell, name, typed, news: null, minWidth, isNumber, canFill };
}

/** Keeps the typed text, to be stored over the current value; a sentence if that is not possible. */
function rebased(open: OpenEditor, editing: GridEditing, row: number): OpenEditor | string | null {
  if (open.news?.kind !== 'changed') return null;
  const { cell } = open.news;
  const session = editing.begin({ row, column: open.column, cell });
  return typeof session === 'string' ? session : { ...open, session, cell, news: null };
}

/** Changes by others to the cell; undefined while unknown: the row is not loaded, or is still being searched for. */
function newsOf(
  grid: GridController,
  { cell, column, session }: OpenEditor,
  row: number,
): ChangedNews | null | undefined {
  const now = cell && grid.cell(row, column);
  if (!now) return undefined;
  const { keyColumns, hiddenColumns } = grid.source;
  if (keyText(cell, keyColumns) !== keyText(now, keyColumns)) return undefined;
  const packed = column + hiddenColumns;
  if (sameCell(cell, now, packed) || session.beganWith?.(now)) return null;
  const { text, cut } = displayCell(
    now.rows,
    now.index,
    packed,
    session.isShownForm ? grid.shownColumns[column] : undefined,
  );
  return { kind: 'changed', text: cut || text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT)}…` : text, cell: now };
}

export function focusGrid(layer: RefObject<HTMLElement | null>): void {
  layer.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
}

// Where the editor of a cell is: its text over the cell, and the list or message that belongs to it below or above the text.
interface Size {
  readonly width: number;
  readonly height: number;
}

interface EditorPlace {
  /** Place of the text, in pixels of the grid's box. */
  readonly x: number;
  readonly y: number;
  /** How far what is beside the text begins to the right of it; negative to the left. */
  readonly shift: number;
  readonly isAbove: boolean;
  /** Height that there is for what is beside the text. */
  readonly room: number;
}

/**
 * The text stays on its cell. Only a text that is larger than its cell moves, as far as it has to for the grid to show all of it.
 * @param beside of what is below or above the text. `height` is how high it can become, so that it does not change sides while it grows
 */
export function placeEditor(
  cell: { readonly x: number; readonly y: number },
  grid: Size,
  text: Size,
  beside: Size,
): EditorPlace {
  const isVisible = cell.x < grid.width && cell.y < grid.height;
  const over = (width: number): number => (isVisible && cell.x > 0 ? Math.max(0, cell.x - 1 + width - grid.width) : 0);
  const x = cell.x - 1 - over(text.width);
  const y = isVisible ? Math.min(cell.y - 1, Math.max(0, grid.height - text.height)) : cell.y - 1;
  const below = grid.height - y - text.height;
  const isAbove = isVisible && beside.height > below && y > below;
  return { x, y, shift: over(text.width) - over(beside.width), isAbove, room: Math.max(0, isAbove ? y : below) };
}
