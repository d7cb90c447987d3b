// The keyboard of a diagram: moves between tables along relations, moves tables, and moves and zooms the picture.
import { useRef, type KeyboardEvent } from 'react';
import type { DiagramSession } from './diagram-session.ts';
import { nextIn, readingOrder, stepFrom, type Direction } from './walk.ts';

const PAN_STEP = 80;
const MOVE_STEP = 16;
export const ZOOM_STEP = 1.25;

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const STEPS: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

interface CanvasKeysOptions {
  readonly session: DiagramSession;
  readonly onOpen: (table: string) => void;
  readonly onMenu: () => void;
}

interface CanvasKeys {
  readonly isPanning: () => boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onKeyUp: (event: KeyboardEvent) => void;
  readonly onBlur: () => void;
}

export function useCanvasKeys({ session, onOpen, onMenu }: CanvasKeysOptions): CanvasKeys {
  const isSpaceDown = useRef(false);

  const onKeyDown = (event: KeyboardEvent): void => {
    const { cursor } = session.useView.getState();
    const direction = DIRECTIONS[event.key];
    if (event.key === ' ') isSpaceDown.current = true;
    else if (direction && !event.ctrlKey && !event.metaKey) arrow(session, direction, event);
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) onMenu();
    else if (event.altKey || (event.shiftKey && event.key !== '+')) return;
    else if (event.key === '+' || event.key === '=') session.camera.zoomTo(session.camera.zoom() * ZOOM_STEP);
    else if (event.key === '-') session.camera.zoomTo(session.camera.zoom() / ZOOM_STEP);
    else if (event.key === '0') session.fit();
    else if (event.ctrlKey || event.metaKey) return;
    else if (event.key === '1') session.camera.zoomTo(1);
    else if (event.key === 'Enter' && cursor !== null) onOpen(cursor);
    else if (event.key === 'Escape') session.goTo(null);
    else if (!inOrder(session, event.key)) return;
    event.preventDefault();
  };
  const onKeyUp = (event: KeyboardEvent): void => {
    if (event.key === ' ') isSpaceDown.current = false;
  };
  const onBlur = (): void => {
    isSpaceDown.current = false;
  };
  return { isPanning: () => isSpaceDown.current, onKeyDown, onKeyUp, onBlur };
}

function arrow(session: DiagramSession, direction: Direction, { altKey, shiftKey }: KeyboardEvent): void {
  const { placement, cursor } = session.useView.getState();
  const [dx, dy] = STEPS[direction];
  if (shiftKey) return session.camera.panBy(dx * PAN_STEP, dy * PAN_STEP);
  const node = placement?.nodes.find(({ name }) => name === cursor);
  if (!placement) return;
  if (!node) {
    const first = readingOrder(placement.nodes)[0];
    if (first) session.goTo(first.name);
  } else if (altKey) {
    session.move(node.name, { x: node.x + dx * MOVE_STEP, y: node.y + dy * MOVE_STEP });
    session.goTo(node.name);
    session.dropped();
  } else {
    const next = stepFrom(placement, node.name, direction);
    if (next !== null) session.goTo(next);
  }
}

/** Every table can be reached, even without relations. False: not such a key. */
function inOrder(session: DiagramSession, key: string): boolean {
  const { placement, cursor } = session.useView.getState();
  if (!placement) return false;
  const names = readingOrder(placement.nodes).map(({ name }) => name);
  const target = {
    Home: names[0] ?? null,
    End: names.at(-1) ?? null,
    PageDown: nextIn(names, cursor, 1),
    PageUp: nextIn(names, cursor, -1),
  }[key];
  if (target === undefined) return false;
  if (target !== null) session.goTo(target);
  return true;
}
