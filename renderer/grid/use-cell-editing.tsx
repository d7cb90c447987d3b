// Opening, placing and closing the editor of the one cell that is being edited.
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import type { EditSession, GridEditing } from './cell-editing.ts';
import { CellEditor } from './cell-editor.tsx';
import type { AfterEdit } from './cell-editor.tsx';
import type { GridController } from './grid-controller.ts';
import type { CellPosition } from './selection.ts';

export interface ElementRefs {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly sizer: RefObject<HTMLDivElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
}

interface EditingProps {
  readonly editing?: GridEditing | null;
  onPastEnd?(): void;
  onError?(error: unknown): void;
  onRefused?(message: string): void;
  onLostText?(message: string, text: string): void;
}

interface OpenEditor {
  readonly position: CellPosition;
  readonly name: string;
  readonly session: EditSession;
  /** What was typed to begin with; null to edit the present value. */
  readonly typed: string | null;
  readonly minWidth: number;
}

export interface CellEditing {
  readonly editor: ReactElement | null;
  begin(position: CellPosition, typed: string | null): void;
  /** Puts the editor over its cell, wherever that was scrolled. */
  place(): void;
}

export function useCellEditing(
  controller: RefObject<GridController | null>,
  elements: ElementRefs,
  props: RefObject<EditingProps>,
): CellEditing {
  const [open, setOpen] = useState<OpenEditor | null>(null);
  const openRef = useLatest(open);
  const frame = useRef<HTMLDivElement>(null);

  const place = (): void => {
    if (!controller.current || !frame.current || !openRef.current) return;
    const box = controller.current.boxOf(openRef.current.position);
    moveTo(frame.current, box, controller.current.viewportSize);
  };
  const begin = (position: CellPosition, typed: string | null): void => {
    const grid = controller.current;
    if (!grid || !props.current.editing) return;
    // One that could not be stored is still open: what was typed there comes first.
    if (openRef.current) return frame.current?.querySelector('textarea')?.focus();
    const session = sessionAt(grid, props.current.editing, position);
    if (session === null) return;
    if (typeof session === 'string') return props.current.onRefused?.(session);
    grid.reveal(position);
    const name = grid.source.columns[grid.layout.columns[position.place] ?? 0]?.name ?? '';
    setOpen({ position, name, session, typed, minWidth: grid.boxOf(position).width });
  };
  const close = (after: AfterEdit, refocus: boolean): void => {
    setOpen(null);
    if (after === 'down') controller.current?.perform({ kind: 'step', direction: 'down', extend: false });
    else if (after !== 'stay' && !controller.current?.perform({ kind: after }) && after === 'next')
      props.current.onPastEnd?.();
    if (refocus) focusGrid(elements.layer);
  };
  useLayoutEffect(place);

  const editor = open && (
    <CellEditor
      key={`${open.position.row}:${open.position.place}`}
      session={open.session}
      typed={open.typed}
      minWidth={open.minWidth}
      label={`Edit ${open.name}`}
      frameRef={frame}
      onClose={close}
      onLost={(message, text) => props.current.onLostText?.(message, text)}
      onUnreadable={(error) => {
        close('stay', true);
        props.current.onError?.(error);
      }}
    />
  );
  return { editor, begin, place };
}

/** At the right and bottom edge it grows inward, so that the error sentence can be read; out of view it goes with its cell. */
function moveTo(frame: HTMLElement, cell: { x: number; y: number }, grid: { width: number; height: number }): void {
  const isVisible = cell.x < grid.width && cell.y < grid.height;
  const overRight = isVisible && cell.x > 0 ? Math.max(0, cell.x - 1 + frame.offsetWidth - grid.width) : 0;
  const overBottom = isVisible ? Math.max(0, cell.y - 1 + frame.offsetHeight - grid.height) : 0;
  frame.classList.toggle('grid-editor-from-right', overRight > 0);
  frame.classList.toggle('grid-editor-from-bottom', overBottom > 0);
  frame.style.transform = `translate(${cell.x - 1 - overRight}px, ${cell.y - 1 - overBottom}px)`;
}

/** Null while the row is still being read. */
function sessionAt(grid: GridController, editing: GridEditing, position: CellPosition): EditSession | string | null {
  const column = grid.layout.columns[position.place];
  if (column === undefined || position.row >= grid.bounds.rows) return null;
  const cell = grid.cell(position.row, column);
  if (!cell && position.row !== grid.draftPosition) return null;
  return editing.begin({ row: position.row, column, cell });
}

export function focusGrid(layer: RefObject<HTMLElement | null>): void {
  layer.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
}

/** The value of the last render, for handlers that outlive it. */
export function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}
