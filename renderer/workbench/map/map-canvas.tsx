// The canvas of a map, with its keys and its pointer.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from 'react';
import { onThemeChange, readTheme } from '../../grid/paint/theme.ts';
import { formatCount } from '../../ui/format.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { shapeAt } from './hit-test.ts';
import { MapPainter, type MapColors, type MapScene } from './map-painter.ts';
import { mapName } from './map-text.ts';
import type { MapReading } from './read-shapes.ts';
import type { MapControl } from './use-map-control.ts';

const PAN_STEP = 80;
const KEY_ZOOM = 1.5;
/** Pixels around the pointer in which a shape is found. */
const REACH = 6;
/** A smaller movement is a click. */
const DRAG_FROM = 4;
const PANS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-PAN_STEP, 0],
  ArrowRight: [PAN_STEP, 0],
  ArrowUp: [0, -PAN_STEP],
  ArrowDown: [0, PAN_STEP],
};

interface MapCanvasProps {
  readonly reading: MapReading;
  readonly control: MapControl;
  /** The current row of the grid. */
  readonly row: number | null;
  onRow(row: number): void;
}

export function MapCanvas({ reading, control, row, onRow }: MapCanvasProps): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hovered, setHovered] = useState(-1);
  const { shapes } = reading;
  const selected = row === null ? -1 : shapes.shapeOf(row);
  const shown = hovered >= 0 && hovered < shapes.count ? hovered : selected;
  usePainter(canvas, { reading, control, marked: [selected, hovered] });
  useWheel(canvas, control);
  useEffect(() => {
    if (selected >= 0) control.reveal(selected);
  }, [control, selected]);
  const pointer = usePointer(control, reading, setHovered, onRow);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = PANS[event.key];
    const step = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : null;
    if (pan) control.moveBy(...pan);
    else if (event.key === '+' || event.key === '=') control.zoomBy(KEY_ZOOM);
    else if (event.key === '-') control.zoomBy(1 / KEY_ZOOM);
    else if (event.key === '0') control.fit();
    else if (step) {
      const beside = shapes.rowBeside(row ?? -1, step);
      if (beside !== null) onRow(beside);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <canvas
        ref={canvas}
        className="inner-focus map-canvas"
        role="img"
        aria-label={`${mapName(reading)} Arrow keys move it, + and - zoom, Page Down and Page Up select the next and the previous row.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...pointer}
      />
      <output className="cut small figures picture-place" aria-label="Row on the map">
        {shown >= 0 ? `Row ${formatCount(shapes.rowOf(shown) + 1)}` : ''}
      </output>
    </>
  );
}

interface Painted extends Pick<MapCanvasProps, 'reading' | 'control'> {
  /** Shapes drawn over the others; −1 for none. */
  readonly marked: readonly number[];
}

/** Draws after each change of shapes, place, size, or theme. */
function usePainter(canvas: RefObject<HTMLCanvasElement | null>, { reading, control, marked }: Painted): void {
  const painter = useRef<MapPainter | null>(null);
  const coasts = useCoasts(reading);
  const scene = useMemo<MapScene>(() => ({ shapes: reading.shapes, coasts }), [reading, coasts]);
  const latest = useLatest(scene);
  useLayoutEffect(() => {
    const element = canvas.current!;
    const own = new MapPainter(element, latest.current, colorsOf(element));
    painter.current = own;
    const observer = new ResizeObserver(() =>
      control.resize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    control.listen((view, size) => own.setView(view, size));
    const stopListening = onThemeChange(() => own.setScene(latest.current, colorsOf(element)));
    return () => {
      observer.disconnect();
      stopListening();
      control.listen(null);
      own.dispose();
    };
  }, [canvas, control, latest]);
  useEffect(() => painter.current?.setScene(scene, colorsOf(canvas.current!)), [scene, canvas]);
  const [selected, hovered] = marked;
  useEffect(() => painter.current?.mark([selected!, hovered!]), [selected, hovered, scene]);
}

function colorsOf(element: Element): MapColors {
  const theme = readTheme(element);
  const { background, faint, accent, tints } = theme;
  return { background, coast: faint, area: accent, line: accent, point: accent, selected: tints.orange };
}

const NO_COASTS: readonly Float64Array[] = [];

/** Empty for coordinates that are on no globe, and until they are loaded. */
function useCoasts({ coordinates }: MapReading): readonly Float64Array[] {
  const [coasts, setCoasts] = useState(NO_COASTS);
  const isGlobal = coordinates !== null && coordinates !== 'plane';
  useEffect(() => {
    if (!isGlobal) return;
    let isGone = false;
    // Without them the shapes are where they are.
    import('./coastline.ts').then(
      ({ coastlines }) => !isGone && setCoasts(coastlines()),
      () => undefined,
    );
    return () => void (isGone = true);
  }, [isGlobal]);
  return isGlobal ? coasts : NO_COASTS;
}

/** React listens to wheels passively, and could not keep the page from scrolling. */
function useWheel(canvas: RefObject<HTMLCanvasElement | null>, control: MapControl): void {
  useEffect(() => {
    const element = canvas.current!;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
      control.zoomBy(Math.exp(-Math.max(-200, Math.min(200, lines)) / 300), placeOf(element, event));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas, control]);
}

/** From the middle of the canvas. */
function placeOf(element: Element, { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { right: clientX - left - width / 2, down: clientY - top - height / 2 };
}

interface MapPointer {
  onPointerDown(event: PointerEvent<HTMLCanvasElement>): void;
  onPointerMove(event: PointerEvent<HTMLCanvasElement>): void;
  onPointerUp(event: PointerEvent<HTMLCanvasElement>): void;
  onPointerCancel(): void;
  onPointerLeave(): void;
}

function usePointer(
  control: MapControl,
  { shapes }: MapReading,
  onHover: (shape: number) => void,
  onRow: (row: number) => void,
): MapPointer {
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const at = (event: PointerEvent<HTMLCanvasElement>): number => {
    const { right, down } = placeOf(event.currentTarget, event);
    const { x, y, scale } = control.view;
    return shapeAt(shapes, x + right / scale, y - down / scale, REACH / scale);
  };
  return {
    onPointerDown(event) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { x: event.clientX, y: event.clientY, moved: false };
    },
    onPointerMove(event) {
      const now = drag.current;
      if (!now) return onHover(at(event));
      const [dx, dy] = [now.x - event.clientX, now.y - event.clientY];
      if (!now.moved && Math.hypot(dx, dy) < DRAG_FROM) return;
      control.moveBy(dx, dy);
      [now.x, now.y, now.moved] = [event.clientX, event.clientY, true];
    },
    onPointerUp(event) {
      const ended = drag.current;
      drag.current = null;
      const shape = ended && !ended.moved ? at(event) : -1;
      if (shape >= 0) onRow(shapes.rowOf(shape));
    },
    onPointerCancel() {
      drag.current = null;
    },
    onPointerLeave: () => onHover(-1),
  };
}
