// The words of a map: what it shows, and what it does not show.
import type { Bounds } from '#shared/geometry/geometry.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { MAX_LATITUDE, mercatorY, type Coordinates } from './projection.ts';
import type { MapReading } from './read-shapes.ts';

export const COORDINATE_NAMES: Readonly<Record<Coordinates, string>> = {
  'longitude-latitude': 'Longitude, latitude (EPSG:4326)',
  'web-mercator': 'Web Mercator (EPSG:3857)',
  plane: 'As stored, unprojected',
};

/** Name of the picture, for those who do not see it. */
export function mapName({ column, shapes, coordinates }: MapReading): string {
  const system = coordinates && COORDINATE_NAMES[coordinates];
  return `Map of ${column?.name ?? ''}: ${plural(shapes.count, 'shape')}. ${system ?? ''}`.trim();
}

/** @param total rows of the table or result; null if their number is not known yet */
export function mapNotes(reading: MapReading, total: number | null): readonly string[] {
  const { shapes, rows, without, elsewhere, cut, coordinates, srid, isComplete } = reading;
  if (!isComplete) return [`Reading rows: ${formatCount(rows)}`];
  // “No rows” stands in the place of the map.
  if (rows === 0) return [];
  const notes = [cut === null ? plural(shapes.count, 'shape') : cutText(cut, rows, total)];
  if (without > 0) notes.push(`${plural(without, 'row')} without a geometry`);
  if (elsewhere > 0) notes.push(`${plural(elsewhere, 'row')} with another SRID not drawn`);
  if (coordinates === 'plane')
    notes.push(srid === null ? 'Unprojected: the SRID is not known' : `Unprojected: SRID ${srid}`);
  if (coordinates === 'longitude-latitude' && reachesEdge(shapes.bounds))
    notes.push(`Latitudes beyond ${Math.floor(MAX_LATITUDE)}° are drawn at the edge`);
  return notes;
}

const reachesEdge = (bounds: Bounds | null): boolean =>
  bounds !== null && (bounds.maxY >= mercatorY(MAX_LATITUDE) || bounds.minY <= mercatorY(-MAX_LATITUDE));

function cutText(cut: NonNullable<MapReading['cut']>, rows: number, total: number | null): string {
  const of = total === null ? '' : ` of ${formatCount(total)}`;
  const why = { rows: '', points: ': the most points that a map has', bytes: ': the most bytes that a map reads' }[cut];
  return `The first ${formatCount(rows)}${of} rows${why}`;
}
