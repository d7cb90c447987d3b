// The row being added in one tab: started by a command, stored when the cursor leaves it.
import { useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Value } from '#shared/protocol/values.ts';
import { notify, setTabStatus } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { EMPTY_DRAFT, filled, insertDraft, keepDraft, keptDraft, type Draft } from './draft.ts';
import { whyColumnIsFixed, whyRowsAreFixed } from '../../workbench/rows/edit-session.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export interface DraftControl {
  readonly draft: Draft | null;
  /** Shows an empty row at the end and moves the cursor there. */
  start(): void;
  /** Returns false when the row no longer exists, or is being stored. */
  fill(column: number, value: Value): boolean;
  /** Stores it now. Returns whether that worked. */
  store(): Promise<boolean>;
  /** Stores the row by `work`, together with others: until `work` has ended, leaving the row does not store the row once more. Rejects as `work` does. */
  storeBy<T>(work: () => Promise<T>): Promise<T>;
  discard(): void;
  /** Call on every move of the cursor: leaving the row stores it. */
  cursorMoved(grid: GridHandle): void;
}

export function useDraft(tabId: string, source: TableSource | null, grid: RefObject<GridHandle | null>): DraftControl {
  const [draft, setDraft] = useState(() => keptDraft(tabId));
  // The newest values, for handlers that run before the next render.
  const latest = useRef(draft);
  const wasInside = useRef(false);
  const storing = useRef<Promise<boolean> | null>(null);

  const put = (next: Draft | null): void => {
    latest.current = next;
    keepDraft(tabId, next);
    setDraft(next);
    setTabStatus(tabId, { unsaved: next !== null && next.values.size > 0 });
  };
  const control: DraftControl = {
    draft,
    start() {
      if (!source) return;
      const why = whyRowsAreFixed(source);
      if (why !== null) return notify({ tone: 'info', text: why });
      if (storing.current) return grid.current?.during(storing.current.then(control.start));
      if (!latest.current) flushSync(() => put(EMPTY_DRAFT));
      const handle = grid.current;
      if (!handle) return;
      const writable = handle.columns.filter((column) => whyColumnIsFixed(source, column) === null);
      handle.goTo(handle.draftPosition, writable.find((column) => !source.isNumberedBySqlite(column)) ?? writable[0]);
      handle.focus();
    },
    fill(column, value) {
      if (!source || !latest.current || storing.current) return false;
      put(filled(latest.current, source.columns[column]!.name, value));
      return true;
    },
    store() {
      if (!source || !latest.current) return Promise.resolve(false);
      storing.current ??= insertDraft(source, latest.current).then((outcome) => {
        storing.current = null;
        const isRefused = typeof outcome === 'string';
        if (latest.current) put(isRefused ? { ...latest.current, failure: outcome } : null);
        return !isRefused;
      });
      return storing.current;
    },
    storeBy: (work) => storedBy(storing, work, control.discard),
    discard() {
      put(null);
      grid.current?.focus();
    },
    cursorMoved(handle) {
      const isInside = handle.draftPosition >= 0 && handle.cursor.row === handle.draftPosition;
      const hasLeft = wasInside.current && !isInside;
      wasInside.current = isInside;
      if (!hasLeft || !latest.current) return;
      if (latest.current.values.size === 0) put(null);
      else void control.store();
    },
  };
  return control;
}

/** Until `work` has ended, the row counts as being stored; then the row is gone. */
async function storedBy<T>(
  storing: { current: Promise<boolean> | null },
  work: () => Promise<T>,
  discard: () => void,
): Promise<T> {
  const running = work();
  storing.current = running.then(
    () => true,
    () => false,
  );
  try {
    const result = await running;
    discard();
    return result;
  } finally {
    storing.current = null;
  }
}
