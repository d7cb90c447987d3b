// A diagram on screen: the picture, and a list of its tables that has the focus and that screen readers read.
import { memo, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MouseEvent, PointerEvent, ReactNode, RefObject } from 'react';
import { updateTab } from '../../state/store.ts';
import { ContextMenu, type MenuEntry } from '../../ui/menu.tsx';
import type { DiagramTab } from '../../workbench/tabs/diagram.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import { relationMenu, tableMenu } from './diagram-menu.ts';
import type { DiagramSession } from './diagram-session.ts';
import type { Graph, Size } from './graph.ts';
import type { Camera } from './camera.ts';
import { contains, grown, overlaps, routeBox, type Box } from './geometry.ts';
import { boundsOfPlacement, type PlacedEdge, type PlacedNode, type Placement } from './placement.ts';
import { measureText } from './measure-text.ts';
import { edgeShapes, pathOf, tableShapes, type Detail, type Shape } from './scene.ts';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { edgeAt, tableAt, useCanvasPointer } from './use-canvas-pointer.ts';
import type { DiagramView } from './view.ts';
import { readingOrder } from './walk.ts';
import { nodeLabels } from './relation-labels.ts';
import { plural } from '../../ui/format.ts';

/** Columns are drawn from this zoom on, and names alone from the next one on; smaller ones would be illegible. */
const COLUMNS_ZOOM = 0.38;
const NAMES_ZOOM = 0.09;

interface Drawn {
  readonly box: Box;
  readonly detail: Detail;
}

const drawnFor = (camera: Camera): Drawn => {
  const { view } = camera;
  return { box: grown(view, Math.max(view.width, view.height) / 2), detail: detailAt(camera.zoom()) };
};

const detailAt = (zoom: number): Detail => (zoom >= COLUMNS_ZOOM ? 'columns' : zoom >= NAMES_ZOOM ? 'names' : 'boxes');

interface CameraParts {
  readonly surface: RefObject<HTMLElement | null>;
  readonly world: RefObject<SVGGElement | null>;
}

function useCamera(camera: Camera, { surface, world }: CameraParts, onResize: (size: Size) => void): Drawn {
  const [drawn, setDrawn] = useState(() => drawnFor(camera));

  useLayoutEffect(() => {
    let frame: number | null = null;
    const paint = (): void => {
      frame = null;
      const { x, y, zoom } = camera.state();
      world.current?.setAttribute('transform', `scale(${zoom}) translate(${-x} ${-y})`);
      setDrawn((before) => {
        const now = drawnFor(camera);
        const isEnough = contains(before.box, camera.view) && before.box.width < now.box.width * 3;
        return isEnough && before.detail === now.detail ? before : now;
      });
    };
    const soon = (): void => {
      frame ??= requestAnimationFrame(paint);
    };
    paint();
    const off = camera.subscribe(soon);
    return () => {
      off();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [camera, world]);

  useLayoutEffect(() => {
    const element = surface.current!;
    const measure = (): void => onResize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [surface, onResize]);

  useEffect(() => {
    const element = surface.current!;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const [dx, dy] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      if (!event.ctrlKey && !event.metaKey) return camera.panBy(dx * unit, dy * unit);
      const { left, top } = element.getBoundingClientRect();
      const factor = Math.exp(-Math.max(-60, Math.min(60, event.deltaY * unit)) / 240);
      camera.zoomTo(camera.zoom() * factor, { x: event.clientX - left, y: event.clientY - top });
    };
    // React's own listener is passive: it could not keep the page from zooming.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [camera, surface]);

  return drawn;
}

const color = (ink: string): string => `var(--${ink})`;

interface ShapesProps {
  readonly shapes: readonly Shape[];
  /** Lines keep their width, however small the picture is. */
  readonly hairlines?: boolean;
}

function Shapes({ shapes, hairlines = false }: ShapesProps): ReactNode {
  const effect = hairlines ? 'non-scaling-stroke' : undefined;
  return shapes.map((shape, index) => {
    switch (shape.kind) {
      case 'rect': {
        const { x, y, width, height, fill, stroke, radius } = shape;
        const line = stroke ? color(stroke) : undefined;
        const place = { x, y, width, height, rx: radius };
        return <rect key={index} {...place} fill={color(fill)} stroke={line} vectorEffect={effect} />;
      }
      case 'path': {
        const dash = shape.dashed ? '5 4' : undefined;
        const style = { fill: 'none', stroke: color(shape.ink), strokeWidth: 1.3, strokeDasharray: dash };
        return <path key={index} d={shape.d} {...style} vectorEffect={effect} />;
      }
      case 'text': {
        const { x, y, ink, size, bold, align, text } = shape;
        const style = { fill: color(ink), fontSize: size, fontWeight: bold ? 600 : undefined, textAnchor: align };
        return (
          <text key={index} x={x} y={y} {...style}>
            {text}
          </text>
        );
      }
    }
  });
}

interface PictureProps {
  readonly placement: Placement;
  /** The part that has to be rendered. */
  readonly box: Box;
  readonly detail: Detail;
  readonly cursor: string | null;
  readonly selected: string | null;
  /** Tables that match the search; null: no search. */
  readonly matches: ReadonlySet<string> | null;
}

/** The visible tables and lines of a diagram, as SVG. */
const Picture = memo(({ placement, box, detail, cursor, selected, matches }: PictureProps): ReactNode => {
  const edges = placement.edges.filter(({ route }) => overlaps(routeBox(route), box, 20));
  const nodes = placement.nodes.filter((node) => overlaps(node, box));
  return (
    <>
      {edges.map((edge) => {
        const { table, target } = edge.relation;
        const isOn = edge.id === selected || (selected === null && (table === cursor || target === cursor));
        const isDim = matches !== null && !matches.has(table) && !matches.has(target);
        return <EdgeSvg key={edge.id} edge={edge} detail={detail} variant={isOn ? 'on' : isDim ? 'dim' : 'plain'} />;
      })}
      {nodes.map((node) => {
        const isDim = matches !== null && !matches.has(node.name);
        const variant = node.name === cursor ? 'on' : isDim ? 'dim' : 'plain';
        return <TableSvg key={node.name} node={node} detail={detail} variant={variant} />;
      })}
    </>
  );
});

type Variant = 'plain' | 'on' | 'dim';

interface TableSvgProps {
  readonly node: PlacedNode;
  readonly detail: Detail;
  readonly variant: Variant;
}

const TableSvg = memo(({ node, detail, variant }: TableSvgProps): ReactNode => (
  <g
    className={`diagram-table diagram-${variant}`}
    transform={`translate(${node.x} ${node.y})`}
    data-diagram-table={node.name}
  >
    <Shapes shapes={tableShapes(node, detail, measureText)} hairlines={detail !== 'columns'} />
  </g>
));

interface EdgeSvgProps {
  readonly edge: PlacedEdge;
  readonly detail: Detail;
  readonly variant: Variant;
}

const EdgeSvg = memo(({ edge, detail, variant }: EdgeSvgProps): ReactNode => {
  return (
    <g className={`diagram-edge diagram-${variant}`} data-diagram-edge={edge.id} data-origin={edge.relation.origin}>
      {detail === 'columns' && <path className="diagram-edge-reach" d={pathOf(edge.route)} />}
      <Shapes shapes={edgeShapes(edge, detail)} hairlines={detail !== 'columns'} />
    </g>
  );
});

const WIDTH = 168;
const HEIGHT = 112;

/** The whole diagram in a corner, with a frame around the visible part. For the pointer: the keyboard moves from table to table. */
function Minimap({ camera, placement }: { readonly camera: Camera; readonly placement: Placement }): ReactNode {
  const map = useRef<SVGSVGElement>(null);
  const frame = useRef<SVGRectElement>(null);
  const bounds = boundsOfPlacement(placement);
  const box = grown(bounds, Math.max(bounds.width, bounds.height) * 0.05 + 1);

  useEffect(() => {
    const paint = (): void => {
      // Hide the map if everything is on screen: it would only be in the way.
      map.current?.classList.toggle('diagram-minimap-off', contains(camera.view, boundsOfPlacement(placement)));
      const { x, y, width, height } = camera.view;
      for (const [name, value] of Object.entries({ x, y, width, height }))
        frame.current?.setAttribute(name, String(value));
    };
    paint();
    return camera.subscribe(paint);
  }, [camera, placement]);

  const goThere = (event: PointerEvent<SVGSVGElement>): void => {
    event.stopPropagation();
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const scale = Math.min(WIDTH / box.width, HEIGHT / box.height);
    const x = box.x + (event.clientX - left - (WIDTH - box.width * scale) / 2) / scale;
    const y = box.y + (event.clientY - top - (HEIGHT - box.height * scale) / 2) / scale;
    camera.center({ x, y, width: 0, height: 0 });
  };
  return (
    <svg
      ref={map}
      className="diagram-minimap"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      aria-hidden
      onPointerDown={goThere}
      onPointerMove={goThere}
    >
      {placement.nodes.map(({ name, x, y, width, height }) => (
        <rect key={name} x={x} y={y} width={width} height={height} />
      ))}
      <rect ref={frame} className="diagram-minimap-view" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

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
        className="fill sunken clip diagram-surface"
        onMouseDown={onMouseDown}
        onDoubleClick={(event) => {
          // The pointer was captured: the target of the event is the surface.
          const name = tableAt(document.elementFromPoint(event.clientX, event.clientY));
          if (name !== null) open(name);
        }}
        {...pointer}
      >
        <svg className="full-width full-height diagram-picture" aria-hidden>
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
      className="clip diagram-focus diagram-options"
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
