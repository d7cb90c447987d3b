// A diagram on screen: the picture, and a list of its tables that has the focus and that screen readers read.
import { useCallback, useId, useMemo, useRef } from 'react';
import type { MouseEvent, ReactNode, RefObject } from 'react';
import { updateTab } from '../../state/store.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import type { DiagramTab } from '../../workbench/tabs/diagram.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import { relationMenu, tableMenu } from './diagram-menu.ts';
import type { DiagramSession } from './diagram-session.ts';
import type { Graph, Size } from './graph.ts';
import { Minimap } from './minimap.tsx';
import { Picture } from './picture.tsx';
import type { Placement } from './placement.ts';
import { useCamera } from './use-camera.ts';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { edgeAt, tableAt, useCanvasPointer } from './use-canvas-pointer.ts';
import type { DiagramView } from './view.ts';
import { readingOrder } from './walk.ts';
import { nodeLabels } from './relation-labels.ts';
import { plural } from '../../ui/format.ts';

const MINIMAP_FROM = 6;

interface DiagramCanvasProps {
  readonly session: DiagramSession;
  readonly tab: DiagramTab;
  readonly view: DiagramView;
  readonly graph: Graph;
  readonly placement: Placement;
  readonly matches: ReadonlySet<string> | null;
}

export function DiagramCanvas({ session, tab, view, graph, placement, matches }: DiagramCanvasProps): ReactNode {
  const surface = useRef<HTMLDivElement>(null);
  const world = useRef<SVGGElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const onResize = useCallback((size: Size) => session.resize(size), [session]);
  const { box, detail } = useCamera(session.camera, { surface, world }, onResize);
  const open = (table: string): void => {
    openTable(tab.database, table);
    focusContent();
  };
  const fold = (table: string): void => updateTab<DiagramTab>(tab.id, { expanded: toggled(tab.expanded, table) });
  const { isPanning, ...keys } = useCanvasKeys({ session, onOpen: open, onMenu: () => askAtCursor(surface.current) });
  const pointer = useCanvasPointer(session, isPanning, fold);

  const entriesAt = (event: MouseEvent): readonly MenuEntry[] => menuAt(event, { session, tab, graph, fold });
  /** Keeps the focus in the list: the picture itself cannot have it. */
  const onMouseDown = (event: MouseEvent): void => {
    event.preventDefault();
    list.current?.focus({ preventScroll: true });
  };
  return (
    <ContextMenu entriesAt={entriesAt}>
      <div
        ref={surface}
        className="diagram-surface"
        onMouseDown={onMouseDown}
        onDoubleClick={(event) => {
          // The pointer was captured: the target of the event is the surface.
          const name = tableAt(document.elementFromPoint(event.clientX, event.clientY));
          if (name !== null) open(name);
        }}
        {...pointer}
      >
        <svg className="diagram-picture" aria-hidden>
          <g ref={world}>
            <Picture
              placement={placement}
              box={box}
              detail={detail}
              cursor={view.cursor}
              selected={view.selected}
              matches={matches}
            />
          </g>
        </svg>
        <TableOptions list={list} graph={graph} placement={placement} cursor={view.cursor} keys={keys} />
        {placement.nodes.length >= MINIMAP_FROM && <Minimap camera={session.camera} placement={placement} />}
      </div>
    </ContextMenu>
  );
}

interface MenuPosition {
  readonly session: DiagramSession;
  readonly tab: DiagramTab;
  readonly graph: Graph;
  readonly fold: (table: string) => void;
}

function menuAt({ target }: MouseEvent, { session, tab, graph, fold }: MenuPosition): readonly MenuEntry[] {
  const name = tableAt(target);
  const node = graph.nodes.find((each) => each.name === name);
  if (node) {
    session.goTo(node.name, null);
    return tableMenu(tab.database, node, fold);
  }
  const edge = graph.edges.find(({ id }) => id === edgeAt(target));
  if (!edge) return [];
  session.select(edge.id);
  return relationMenu(tab.database, edge.relation, {
    count: () => session.count(edge.relation),
    goTo: (table) => session.goTo(table),
  });
}

interface TableOptionsProps {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly graph: Graph;
  readonly placement: Placement;
  readonly cursor: string | null;
  readonly keys: Omit<ReturnType<typeof useCanvasKeys>, 'isPanning'>;
}

function TableOptions({ list, graph, placement, cursor, keys }: TableOptionsProps): ReactNode {
  const prefix = useId();
  const labels = useMemo(() => nodeLabels(graph), [graph]);
  const names = useMemo(() => readingOrder(placement.nodes).map(({ name }) => name), [placement]);
  const at = cursor === null ? -1 : names.indexOf(cursor);
  return (
    <div
      ref={list}
      className="diagram-focus diagram-options"
      role="listbox"
      aria-label={`Diagram: ${plural(graph.nodes.length, 'table')}, ${plural(graph.edges.length, 'relation')}`}
      aria-description="Arrow keys follow relations, Page Up and Page Down go through all tables, Alt and arrow keys move a table, Enter opens it."
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `${prefix}-${at}`}
      {...keys}
    >
      {names.map((name, index) => (
        <div
          key={name}
          className="visually-hidden"
          id={`${prefix}-${index}`}
          role="option"
          aria-selected={index === at}
        >
          {labels.get(name)}
        </div>
      ))}
    </div>
  );
}

/** Imitates a click of the pointer, so that the menu opens beside the table. */
function askAtCursor(surface: HTMLElement | null): void {
  const table = surface?.querySelector('.diagram-table.diagram-on');
  if (!table) return;
  const { left, top, width } = table.getBoundingClientRect();
  table.dispatchEvent(
    new window.MouseEvent('contextmenu', {
      bubbles: true,
      cancelable: true,
      clientX: left + width / 2,
      clientY: top + 14,
    }),
  );
}

const toggled = (names: readonly string[], name: string): readonly string[] =>
  names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
