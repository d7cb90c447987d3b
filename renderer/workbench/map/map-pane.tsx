// The map beside the rows of a table or result.
import { Maximize, Minus, Plus, X } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode, type RefObject } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { AppError, DatabaseId, ResultColumn } from '#shared/protocol/index.ts';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { GridSource } from '../../grid/grid-source.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { columnSrid } from './column-srid.ts';
import { MapCanvas } from './map-canvas.tsx';
import { chooseMap, toggleMap, useMapRow, type MapChoice } from './map-state.ts';
import { COORDINATE_NAMES, mapNotes } from './map-text.ts';
import { COORDINATES, type Coordinates } from './projection.ts';
import { readShapes, type MapReading } from './read-shapes.ts';
import { useMapControl, type MapControl } from './use-map-control.ts';
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
      <p className="selectable map-problem">{error.message}</p>
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
