// The map beside the rows of a table or result.
import { Maximize, Minus, Plus, X } from 'lucide-react';
import { useEffect, useMemo, useState, useLayoutEffect, useRef } from 'react';
import type { ReactNode, RefObject, KeyboardEvent, PointerEvent } from 'react';
import { toAppError, capabilitiesOf } from '#shared/protocol/index.ts';
import type { AppError, DatabaseId, ResultColumn, FilterTerm } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { GridSource } from '../../grid/grid-source.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { chooseMap, toggleMap, useMapRow, type MapChoice } from './map-state.ts';
import { COORDINATE_NAMES, mapNotes, mapName } from './map-text.ts';
import { COORDINATES, type Coordinates } from './projection.ts';
import { readShapes, type MapReading } from './read-shapes.ts';
import { useMapControl, type MapControl } from './use-map-control.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { client } from '../../connection/database-client.ts';
import { knownSchema } from '../../state/schema.ts';
import { onThemeChange, readTheme } from '../../grid/paint/theme.ts';
import { formatCount } from '../../ui/format.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { shapeAt } from './hit-test.ts';
import { MapPainter, type MapColors, type MapScene } from './map-painter.ts';
import './map.css';

export interface MapPaneProps {
  readonly tabId: string;
  readonly database: DatabaseId;
  readonly source: GridSource;
  /** In packed order. */
  readonly columns: readonly ResultColumn[];
  readonly grid: RefObject<GridHandle | null>;
  readonly choice: MapChoice;
}

const ICON = { size: 14, 'aria-hidden': true } as const;
const AUTOMATIC = 'automatic';
const ZOOM = 1.5;

export function MapPane({ tabId, database, source, columns, grid, choice }: MapPaneProps): ReactNode {
  const [attempt, setAttempt] = useState(0);
  const { reading, error } = useReading(database, source, columns, choice, attempt);
  const row = useMapRow(tabId);
  const control = useMapControl(reading);
  const close = (): void => {
    toggleMap(tabId, null);
    grid.current?.focus();
  };
  const isEmpty = reading?.isComplete === true && reading.shapes.count === 0;
  const notes = reading && !error ? mapNotes(reading, source.extent.exact ? source.extent.rows : null).join('. ') : '';
  return (
    <section className="stack full-height map-pane" aria-label="Map" data-pane>
      <div className="row wrap ruled-bar gap-6 map-bar" role="toolbar" aria-label="Map">
        {reading && <Choices reading={reading} choice={choice} onChoose={(map) => chooseMap(tabId, map)} />}
        <span className="row gap-2 push-end">
          <Zoom control={control} isDisabled={isEmpty} />
          <IconButton label="Hide map" onClick={close}>
            <X {...ICON} />
          </IconButton>
        </span>
      </div>
      <div className="fill anchor clip">
        {error && <Problem error={error} onRetry={() => setAttempt((count) => count + 1)} />}
        {!error && isEmpty && (
          <p className="dim map-empty" role="status">
            {emptyText(reading)}
          </p>
        )}
        {!error && !isEmpty && reading && (
          <MapCanvas reading={reading} control={control} row={row} onRow={(wanted) => grid.current?.goTo(wanted)} />
        )}
      </div>
      <p className="cut note fixed map-notes" role="status" title={notes}>
        {notes || '\u00a0'}
      </p>
    </section>
  );
}

interface ChoicesProps {
  readonly reading: MapReading;
  readonly choice: MapChoice;
  onChoose(choice: MapChoice): void;
}

/** What is drawn, and what its coordinates are. */
function Choices({ reading: { offered, column, coordinates }, choice, onChoose }: ChoicesProps): ReactNode {
  if (!column) return null;
  const others = COORDINATES.filter((each) => choice.coordinates !== null || each !== coordinates);
  return (
    <>
      <Select
        label="Column"
        value={column.name}
        options={offered.map(({ name }) => [name, visibleName(name)])}
        onChoose={(name) => onChoose({ column: name, coordinates: null })}
      />
      <Select<Coordinates | typeof AUTOMATIC>
        label="Coordinates"
        value={choice.coordinates ?? AUTOMATIC}
        options={[
          [AUTOMATIC, choice.coordinates === null && coordinates ? COORDINATE_NAMES[coordinates] : 'Automatic'],
          ...others.map((each) => [each, COORDINATE_NAMES[each]] as const),
        ]}
        onChoose={(chosen) => onChoose({ column: column.name, coordinates: chosen === AUTOMATIC ? null : chosen })}
      />
    </>
  );
}

function Zoom({ control, isDisabled }: { readonly control: MapControl; readonly isDisabled: boolean }): ReactNode {
  return (
    <>
      <IconButton label="Zoom in" shortcut="+" disabled={isDisabled} onClick={() => control.zoomBy(ZOOM)}>
        <Plus {...ICON} />
      </IconButton>
      <IconButton label="Zoom out" shortcut="-" disabled={isDisabled} onClick={() => control.zoomBy(1 / ZOOM)}>
        <Minus {...ICON} />
      </IconButton>
      <IconButton label="Show all shapes" shortcut="0" disabled={isDisabled} onClick={control.fit}>
        <Maximize {...ICON} />
      </IconButton>
    </>
  );
}

function emptyText({ column, rows }: MapReading): string {
  if (rows === 0) return 'There are no rows to draw.';
  if (!column)
    return 'No column has geometries: neither blobs of GeoPackage or SpatiaLite, nor WKB, WKT, or GeoJSON. Two columns of numbers are drawn if they are named longitude and latitude.';
  return `No row has a geometry in “${visibleName(column.name)}” that can be drawn.`;
}

function Problem({ error, onRetry }: { readonly error: AppError; readonly onRetry: () => void }): ReactNode {
  return (
    <div className="stack gap-10 map-empty" role="alert">
      <p className="error selectable">{error.message}</p>
      <div>
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  );
}

interface ReadingState {
  readonly reading: MapReading | null;
  readonly error: AppError | null;
}

/** Reads when the map is shown, when another column is chosen, and again when rows have changed. The previous map stays until then. */
function useReading(
  database: DatabaseId,
  source: GridSource,
  columns: readonly ResultColumn[],
  choice: MapChoice,
  attempt: number,
): ReadingState {
  const [state, setState] = useState<ReadingState>({ reading: null, error: null });
  const rows = useMemo(
    () => ({ source, columns, freeReads: capabilitiesOf(database).freeReads }),
    [source, columns, database],
  );
  useEffect(() => {
    let [isGone, isReading, isOld, isFirst] = [false, false, false, true];
    const read = async (): Promise<void> => {
      isReading = true;
      isOld = false;
      try {
        for await (const reading of readShapes(rows, choice, (column) => columnSrid(database, column))) {
          if (isGone) return;
          // What is read again replaces the map only when it is complete.
          if (isFirst || reading.isComplete) setState({ reading, error: null });
        }
        isFirst = false;
      } catch (thrown) {
        if (!isGone) setState({ reading: null, error: toAppError(thrown) });
      }
      isReading = false;
      if (isOld && !isGone) await read();
    };
    const stopListening = source.subscribe(({ kind }) => {
      if (kind !== 'changed' && kind !== 'patched') return;
      isOld = true;
      if (!isReading) void read();
    });
    void read();
    return () => {
      isGone = true;
      stopListening();
    };
  }, [rows, choice, attempt, database, source]);
  return state;
}

const DESCRIPTIONS = [
  { table: 'gpkg_geometry_columns', of: 'table_name', column: 'column_name', srid: 'srs_id' },
  { table: 'geometry_columns', of: 'f_table_name', column: 'f_geometry_column', srid: 'srid' },
] as const;

/** Null for columns that are not described. */
async function columnSrid(database: DatabaseId, { origin }: ResultColumn): Promise<number | null> {
  if (!origin) return null;
  const schema = await knownSchema(database);
  const names = new Set(schema?.objects.map(({ name }) => name.toLowerCase()));
  for (const description of DESCRIPTIONS) {
    const srid = names.has(description.table) ? await described(database, description, origin) : null;
    if (srid !== null) return srid;
  }
  return null;
}

/** @param origin its names may be written in other letters there */
async function described(
  database: DatabaseId,
  { table, of, column, srid }: (typeof DESCRIPTIONS)[number],
  origin: NonNullable<ResultColumn['origin']>,
): Promise<number | null> {
  const term = (name: string, value: string): FilterTerm => ({
    column: name,
    operator: 'in',
    value: null,
    values: [value, value.toLowerCase()],
  });
  const filter = [term(of, origin.table), term(column, origin.column)];
  const { reader, columns } = await client.call('rows.open', { database, table, sort: [], filter });
  try {
    const { rows } = await client.call('rows.read', { reader, start: 0, count: 1 });
    const at = columns.findIndex(({ name }) => name.toLowerCase() === srid);
    const cells = new PackedRowsReader(rows);
    if (rows.rowCount === 0 || at < 0 || cells.storageClass(0, at) !== 'integer') return null;
    return cells.number(0, at);
  } finally {
    void client.call('rows.close', { reader }).catch(() => undefined);
  }
}

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

function MapCanvas({ reading, control, row, onRow }: MapCanvasProps): ReactNode {
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
        className="full-height full-width inner-focus map-canvas"
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
