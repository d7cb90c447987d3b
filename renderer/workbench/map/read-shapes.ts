// Reads the rows of a grid for a map: page by page, up to a limit of rows, points, and bytes, each of which the map names.
import { MAX_GEOMETRY_BYTES, factsOf, type Geometry } from '#shared/geometry/geometry.ts';
import { parseGeometry } from '#shared/geometry/parse.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { ResultColumn, RowsPage } from '#shared/protocol/index.ts';
import { WHOLE_TABLE_ROWS } from '#shared/protocol/rows.ts';
import type { CellReference, GridSource } from '../../grid/grid-source.ts';
import { cellContent, mapColumns, type MapColumn } from './map-columns.ts';
import { MapShapes, MAX_POINTS } from './map-shapes.ts';
import type { MapChoice } from './map-state.ts';
import { coordinatesOf, type Coordinates } from './projection.ts';

/** Rows of a table or result: their source, and the columns with their types. */
export interface MapRows {
  readonly source: GridSource;
  readonly columns: readonly ResultColumn[];
  /** False where reading rows costs: only as many are read as a table shows unasked. */
  readonly freeReads: boolean;
}

export interface MapReading {
  readonly offered: readonly MapColumn[];
  readonly column: MapColumn | null;
  readonly shapes: MapShapes;
  /** What the coordinates are; null until the first one is known. */
  readonly coordinates: Coordinates | null;
  readonly srid: number | null;
  readonly rows: number;
  /** Rows without anything to draw: NULL, empty, or no geometry. */
  readonly without: number;
  /** Rows whose coordinates are of another system. */
  readonly elsewhere: number;
  /** Why not all rows were read; null if they were. */
  readonly cut: 'rows' | 'points' | 'bytes' | null;
  readonly isComplete: boolean;
}

export const MAX_MAP_ROWS = 100_000;
const PAGE_ROWS = 1000;
/** Values that are too long for a page are read one by one, up to so many bytes together. */
const MAX_LONG_BYTES = 128 * 1024 * 1024;
/** Longer texts are no numbers. */
const MAX_NUMBER_CHARS = 40;

/** A map that grows is drawn anew each time. */
const SHOWN_ROWS = 10_000;

/**
 * Yields after the first page, and then after every {@link SHOWN_ROWS} rows.
 * @param sridOf looks a column up in the tables that describe geometry columns
 */
export async function* readShapes(
  { source, columns, freeReads }: MapRows,
  choice: MapChoice,
  sridOf: (column: ResultColumn) => Promise<number | null>,
): AsyncGenerator<MapReading> {
  let reader: ShapeReader | null = null;
  const most = freeReads ? MAX_MAP_ROWS : WHOLE_TABLE_ROWS;
  const readPage = (start: number): Promise<RowsPage> => source.read(start, Math.min(PAGE_ROWS, most - start));
  let next = readPage(0);
  let shown = 0;
  for (let start = 0; ;) {
    const page = await next;
    const end = start + page.rows.rowCount;
    const isEnd = page.rows.rowCount === 0 || end >= most || (page.extent.exact && end >= page.extent.rows);
    // Read while this page is decoded.
    if (!isEnd) next = readPage(end);
    next.catch(() => undefined); // a failure is met when the page is awaited, unless it is no longer needed
    const rows = new PackedRowsReader(page.rows);
    if (!reader) {
      const offered = mapColumns(columns, source.hiddenColumns, rows);
      const column = offered.find(({ name }) => name === choice.column) ?? offered[0] ?? null;
      const declared = column?.kind === 'geometry' ? await sridOf(columns[column.column]!) : null;
      // Coordinates are chosen for a column: another result may not have it.
      const isChosen = choice.column === null || column?.name === choice.column;
      reader = new ShapeReader(source, offered, column, isChosen ? choice.coordinates : null, declared);
    }
    await reader.read(rows, start);
    start = end;
    if (end >= most && !(page.extent.exact && end >= page.extent.rows)) reader.cut ??= 'rows';
    const isComplete = isEnd || reader.cut !== null || reader.column === null;
    if (!isComplete && shown > 0 && end - shown < SHOWN_ROWS) continue;
    shown = end;
    yield reader.state(end, isComplete);
    if (isComplete) return;
  }
}

class ShapeReader {
  readonly column: MapColumn | null;
  cut: MapReading['cut'] = null;
  readonly #source: GridSource;
  readonly #offered: readonly MapColumn[];
  readonly #shapes = new MapShapes();
  readonly #chosen: Coordinates | null;
  readonly #declared: number | null;
  #coordinates: Coordinates | null;
  #srid: number | null = null;
  #without = 0;
  #elsewhere = 0;
  #longBytes = 0;

  constructor(
    source: GridSource,
    offered: readonly MapColumn[],
    column: MapColumn | null,
    chosen: Coordinates | null,
    declared: number | null,
  ) {
    this.#source = source;
    this.#offered = offered;
    this.column = column;
    this.#chosen = chosen;
    this.#declared = declared;
    this.#coordinates = column?.kind === 'degrees' ? (chosen ?? 'longitude-latitude') : chosen;
  }

  async read(rows: PackedRowsReader, start: number): Promise<void> {
    const { column } = this;
    for (let index = 0; column && this.cut === null && index < rows.rows.rowCount; index++) {
      const row = start + index;
      if (column.kind === 'degrees') this.#addPoint(row, rows, index, column);
      else if (rows.isPreview(index, column.column)) await this.#addLong(row, rows, index, column.column);
      else this.#add(row, parseGeometry(cellContent(rows, index, column.column)));
    }
  }

  state(rows: number, isComplete: boolean): MapReading {
    return {
      offered: this.#offered,
      column: this.column,
      shapes: this.#shapes,
      coordinates: this.#coordinates,
      srid: this.#srid,
      rows,
      without: this.#without,
      elsewhere: this.#elsewhere,
      cut: this.cut,
      isComplete,
    };
  }

  async #addLong(position: number, rows: PackedRowsReader, index: number, packed: number): Promise<void> {
    const bytes = rows.sizeBytes(index, packed);
    if (bytes > MAX_GEOMETRY_BYTES) return this.#add(position, null);
    this.#longBytes += bytes;
    if (this.#longBytes > MAX_LONG_BYTES) {
      this.cut = 'bytes';
      return;
    }
    const cell: CellReference = { position, rows, index, column: packed - this.#source.hiddenColumns };
    this.#add(position, parseGeometry(await this.#source.readWhole(cell)));
  }

  #add(row: number, geometry: Geometry | null): void {
    if (!geometry) {
      this.#without++;
      return;
    }
    const srid = geometry.srid ?? this.#declared;
    // The first geometry decides; another system would have to be projected to it.
    if (this.#coordinates === null || (this.#shapes.count === 0 && this.#chosen === null)) {
      this.#coordinates = this.#chosen ?? coordinatesOf(srid);
      this.#srid = srid;
    }
    const own = this.#chosen ?? coordinatesOf(srid);
    const isPlane = own === 'plane' || this.#coordinates === 'plane';
    if (isPlane && this.#chosen === null && srid !== this.#srid) {
      this.#elsewhere++;
      return;
    }
    if (this.#shapes.points + factsOf(geometry.shape).points > MAX_POINTS) this.cut = 'points';
    else if (!this.#shapes.add(row, geometry.shape, own)) this.#without++;
  }

  #addPoint(
    row: number,
    rows: PackedRowsReader,
    index: number,
    { longitude, latitude }: Extract<MapColumn, { kind: 'degrees' }>,
  ): void {
    const point = Float64Array.of(numberIn(rows, index, longitude), numberIn(rows, index, latitude));
    const isAdded = this.#shapes.add(
      row,
      { type: 'Point', axes: 'XY', lines: [point], members: [] },
      this.#coordinates!,
    );
    if (!isAdded) this.#without++;
  }
}

function numberIn(rows: PackedRowsReader, index: number, column: number): number {
  const storageClass = rows.storageClass(index, column);
  if (storageClass === 'integer' || storageClass === 'real') return rows.number(index, column);
  if (storageClass !== 'text' || rows.sizeBytes(index, column) > MAX_NUMBER_CHARS) return NaN;
  const text = rows.text(index, column).trim();
  return text === '' ? NaN : Number(text);
}
