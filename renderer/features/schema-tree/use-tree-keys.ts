// The keyboard of the schema tree: a cursor that is scrolled into view, folding, opening, typing into the search.
import { useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import type { TreeRow } from './tree-rows.ts';

export const ROW_HEIGHT = 24;
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

export function useTreeKeys({ tree, rows, onOpen, onFold, onType, onAction }: TreeKeysOptions): TreeKeys {
  const [cursor, setCursor] = useState(1);
  const at = Math.min(cursor, rows.length - 1);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[at];
    const target = jumpOf(event.key, at, rows.length, tree.current);
    if (target !== null) {
      setCursor(target);
      scrollTo(tree.current, target);
    } else if (event.key === 'Enter' && row?.kind === 'heading') onFold(row);
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
  if (row.kind === 'heading') return row.folded;
  return row.kind === 'object' && row.unfolded !== null ? !row.unfolded : null;
}
