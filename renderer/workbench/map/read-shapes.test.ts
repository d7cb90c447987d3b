// Rows read for a map: which columns, whose coordinates, up to which limits, and what is said of the rest.
import { expect, test, vi } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { Value } from '#shared/protocol/index.ts';
import type { GridSource } from '../../grid/grid-source.ts';
import { MemorySource } from '../rows/memory-source.ts';
import { mapColumns, suggestMap } from './map-columns.ts';
import { mapName, mapNotes } from './map-text.ts';
import { MAX_MAP_ROWS, readShapes, type MapReading } from './read-shapes.ts';
import type { MapChoice } from './map-state.ts';

const FIRST: MapChoice = { column: null, coordinates: null };
const column = (name: string, declaredType = '') => ({ name, declaredType, origin: null });

const sourceOf = (width: number, count: number, row: (at: number) => readonly Value[]): MemorySource =>
  new MemorySource(
    Array.from({ length: width }, () => ({ name: '', typeLabel: '' })),
    count,
    (at, shown) => row(at)[shown]!,
  );

async function readAll(
  source: GridSource,
  names: readonly string[],
  { choice = FIRST, freeReads = true, srid = null as number | null } = {},
): Promise<MapReading> {
  const rows = { source, columns: names.map((name) => column(name)), freeReads };
  let last: MapReading | null = null;
  for await (const reading of readShapes(rows, choice, () => Promise.resolve(srid))) last = reading;
  return last!;
}

test('geometries and numbers named as degrees are found, whatever else is there', async () => {
  const values = [
    [1, null, 'POINT (1 2)', 8, 47],
    [2, 'x', 'y', 8, 47],
  ];
  const rows = new PackedRowsReader((await sourceOf(5, 2, (at) => values[at]!).read(0, 2)).rows);
  const columns = ['id', 'note', 'place', 'home_lon', 'home_lat'].map((name) => column(name));
  expect(mapColumns(columns, 0, rows).map(({ name }) => name)).toEqual(['place', 'home_lon, home_lat']);
  expect(mapColumns([column('id'), column('a', 'POLYGON'), ...columns.slice(2)], 0, rows)[0]).toMatchObject({
    name: 'a',
  });
  expect(mapColumns(columns, 3, rows).map(({ name }) => name)).toEqual(['home_lon, home_lat']);
  const suggested = (name: string, type = '') => suggestMap([column('id'), column(name, type)]);
  expect([suggested('geom'), suggested('x', 'MULTIPOLYGON'), suggested('x', 'POINTER'), suggested('shapes')]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect([suggestMap([column('lat'), column('lon')]), suggestMap([column('lat'), column('home_lon')])]).toEqual([
    true,
    false,
  ]);
});

test('a column says what its coordinates are, where its values do not', async () => {
  const source = sourceOf(1, 3, (at) => [at === 1 ? null : `POINT (${at} 50)`]);
  const plain = await readAll(source, ['place']);
  expect([plain.coordinates, plain.shapes.count, plain.without, plain.cut]).toEqual(['plane', 2, 1, null]);
  expect(mapNotes(plain, 3)).toEqual(['2 shapes', '1 row without a geometry', 'Unprojected: the SRID is not known']);
  const described = await readAll(source, ['place'], { srid: 4326 });
  expect([described.coordinates, described.shapes.bounds!.maxX > 1000]).toEqual(['longitude-latitude', true]);
  expect(mapName(described)).toBe('Map of place: 2 shapes. Longitude, latitude (EPSG:4326)');
  const chosen = await readAll(source, ['place'], {
    srid: 25_833,
    choice: { column: null, coordinates: 'web-mercator' },
  });
  expect([chosen.coordinates, chosen.shapes.bounds!.maxX]).toEqual(['web-mercator', 2]);
  // They were chosen for a column of another result.
  const other = await readAll(source, ['place'], { choice: { column: 'gone', coordinates: 'web-mercator' } });
  expect([other.column?.name, other.coordinates]).toEqual(['place', 'plane']);
  const empty = await readAll(
    sourceOf(1, 0, () => [null]),
    ['place'],
  );
  expect(mapNotes(empty, 0)).toEqual([]);
});

test('systems that can be drawn together are, and others are counted', async () => {
  const values = ['SRID=4326;POINT (1 50)', 'SRID=3857;POINT (5 5)', 'SRID=25833;POINT (9 9)'];
  const mixed = await readAll(
    sourceOf(1, 3, (at) => [values[at]!]),
    ['place'],
  );
  expect([mixed.shapes.count, mixed.elsewhere]).toEqual([2, 1]);
  const planes = ['SRID=25833;POINT (1 1)', 'SRID=25832;POINT (5 5)', 'SRID=4326;POINT (5 5)'];
  const plane = await readAll(
    sourceOf(1, 3, (at) => [planes[at]!]),
    ['place'],
  );
  expect([plane.coordinates, plane.srid, plane.shapes.count, plane.elsewhere]).toEqual(['plane', 25_833, 1, 2]);
  expect(mapNotes(plane, 3)).toContain('2 rows with another SRID not drawn');
});

test('numbers, also as text, become points; others are counted', async () => {
  const rows: readonly (readonly Value[])[] = [
    [8, 47.5],
    ['9', '48'],
    [null, 47],
    ['', ''],
    ['x', 1],
  ];
  const read = await readAll(
    sourceOf(2, 5, (at) => rows[at]!),
    ['longitude', 'latitude'],
  );
  expect([read.shapes.count, read.without, read.coordinates]).toEqual([2, 3, 'longitude-latitude']);
});

test('long values are read whole, and too long ones not at all', async () => {
  const long = `LINESTRING (${Array.from({ length: 500 }, (_, at) => `${at} ${at}`).join(', ')})`;
  const source = sourceOf(1, 3, (at) => [at === 1 ? long : `POINT (${at} 1)`]);
  const whole = vi.spyOn(source, 'readWhole');
  const read = await readAll(source, ['place']);
  expect([read.shapes.count, read.shapes.points, whole.mock.calls.length]).toEqual([3, 502, 1]);
});

test('the first hundred thousand rows, or fewer where they cost, and it says so', async () => {
  const source = sourceOf(1, MAX_MAP_ROWS + 5, () => ['POINT (1 1)']);
  const read = await readAll(source, ['place']);
  expect([read.rows, read.shapes.count, read.cut]).toEqual([MAX_MAP_ROWS, MAX_MAP_ROWS, 'rows']);
  expect(mapNotes(read, MAX_MAP_ROWS + 5)[0]).toBe('The first 100,000 of 100,005 rows');
  const metered = sourceOf(1, 5000, () => ['POINT (1 1)']);
  const reads = vi.spyOn(metered, 'read');
  expect((await readAll(metered, ['place'], { freeReads: false })).rows).toBe(1000);
  expect(reads.mock.calls).toEqual([[0, 1000]]);
});

test('no rows, and no geometries', async () => {
  const none = await readAll(
    sourceOf(1, 0, () => [null]),
    ['place'],
  );
  expect([none.rows, none.column, none.isComplete]).toEqual([0, null, true]);
  const other = sourceOf(1, 5000, () => ['x']);
  const reads = vi.spyOn(other, 'read');
  expect((await readAll(other, ['place'])).column).toBe(null);
  // The second page is on its way when the first one has none.
  expect(reads).toHaveBeenCalledTimes(2);
});
