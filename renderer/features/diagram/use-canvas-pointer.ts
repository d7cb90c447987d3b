// The pointer on a diagram: drags tables, drags the picture, chooses tables and lines.
import { useRef, type PointerEvent } from 'react';
import type { DiagramSession } from './diagram-session.ts';
import { HEADER_HEIGHT, ROW_HEIGHT } from './graph.ts';

/** A smaller movement is a click. */
const DRAG_FROM = 4;

type Drag =
  | { readonly kind: 'pan'; readonly onEdge: boolean; x: number; y: number; moved: boolean }
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly startX: number;
      readonly startY: number;
      readonly fromX: number;
      readonly fromY: number;
      moved: boolean;
    };

interface CanvasPointer {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel: () => void;
}

export const tableAt = (target: EventTarget | null): string | null =>
  target instanceof Element
    ? (target.closest<SVGElement>('[data-diagram-table]')?.dataset['diagramTable'] ?? null)
    : null;

export const edgeAt = (target: EventTarget | null): string | null =>
  target instanceof Element
    ? (target.closest<SVGElement>('[data-diagram-edge]')?.dataset['diagramEdge'] ?? null)
    : null;

/** @param isPanning whether the space bar is held, so that every drag moves the picture */
export function useCanvasPointer(
  session: DiagramSession,
  isPanning: () => boolean,
  onFold: (table: string) => void,
): CanvasPointer {
  const drag = useRef<Drag | null>(null);

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button > 1) return;
    const name = tableAt(event.target);
    event.currentTarget.setPointerCapture(event.pointerId);
    const node = session.useView.getState().placement?.nodes.find((each) => each.name === name);
    if (!node || event.button === 1 || isPanning()) {
      const edge = edgeAt(event.target);
      drag.current = { kind: 'pan', onEdge: edge !== null, x: event.clientX, y: event.clientY, moved: false };
      if (edge !== null && event.button === 0) session.select(edge);
      return;
    }
    session.goTo(node.name, null);
    const start = { startX: event.clientX, startY: event.clientY, fromX: node.x, fromY: node.y };
    drag.current = { kind: 'table', name: node.name, ...start, moved: false };
  };

  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const now = drag.current;
    if (!now) return;
    if (now.kind === 'pan') {
      const [dx, dy] = [now.x - event.clientX, now.y - event.clientY];
      if (!now.moved && Math.hypot(dx, dy) < DRAG_FROM) return;
      session.camera.panBy(dx, dy);
      [now.x, now.y, now.moved] = [event.clientX, event.clientY, true];
      return;
    }
    const [dx, dy] = [event.clientX - now.startX, event.clientY - now.startY];
    if (!now.moved && Math.hypot(dx, dy) < DRAG_FROM) return;
    now.moved = true;
    const zoom = session.camera.zoom();
    session.move(now.name, { x: Math.round(now.fromX + dx / zoom), y: Math.round(now.fromY + dy / zoom) });
  };

  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    const ended = drag.current;
    drag.current = null;
    if (!ended) return;
    if (ended.kind === 'pan') {
      if (!ended.moved && !ended.onEdge && !isPanning()) session.goTo(null, null);
    } else if (ended.moved) session.dropped();
    else if (isFoldLine(session, ended.name, event)) onFold(ended.name);
  };

  const onPointerCancel = (): void => {
    if (drag.current?.kind === 'table' && drag.current.moved) session.dropped();
    drag.current = null;
  };
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel };
}

function isFoldLine(session: DiagramSession, name: string, event: PointerEvent<HTMLElement>): boolean {
  const node = session.useView.getState().placement?.nodes.find((each) => each.name === name);
  if (!node?.folds) return false;
  const { y, zoom } = session.camera.state();
  const inTable = (event.clientY - event.currentTarget.getBoundingClientRect().top) / zoom + y - node.y;
  return inTable >= HEADER_HEIGHT + node.rows.length * ROW_HEIGHT;
}
