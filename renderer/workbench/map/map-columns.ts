// Which columns of a table or result can be drawn on a map.
import { isLikelyGeometry, parseGeometry } from '#shared/geometry/parse.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { ResultColumn } from '#shared/protocol/index.ts';

/** One column of geometries, or two of numbers. Columns are counted in packed order. */
export type MapColumn =
  | { readonly kind: 'geometry'; readonly name: string; readonly column: number }
  | { readonly kind: 'degrees'; readonly name: string; readonly longitude: number; readonly latitude: number };

const GEOMETRY_TYPE =
  /^(?:multi)?(?:point|linestring|polygon|curve|surface)|^(?:geometry|geography|geomcollection|geometrycollection|geom)(?:$|[^a-z])/i;
const GEOMETRY_NAME = /(?:^|_)(?:geom|geometry|geography|wkb|ewkb|wkt|geojson|shape)(?:_|$)/i;
const LONGITUDE = /^(.*_)?(?:lon|lng|long|longitude)$/i;
const LATITUDE = /^(.*_)?(?:lat|latitude)$/i;

/** Whether names and declared types suggest a map: a button offers it. The values decide when it is shown. */
export function suggestMap(columns: readonly Pick<ResultColumn, 'name' | 'declaredType'>[]): boolean {
  return (
    columns.some(({ name, declaredType }) => GEOMETRY_TYPE.test(declaredType) || GEOMETRY_NAME.test(name)) ||
    degreesIn(columns, 0).length > 0
  );
}

/** @param rows the first rows: a column with a geometry in any of them is one of geometries, as one that is declared to be */
export function mapColumns(
  columns: readonly Pick<ResultColumn, 'name' | 'declaredType'>[],
  hiddenColumns: number,
  rows: PackedRowsReader,
): readonly MapColumn[] {
  const found = columns.flatMap(({ name, declaredType }, column): readonly MapColumn[] =>
    column >= hiddenColumns && (GEOMETRY_TYPE.test(declaredType) || holdsGeometry(rows, column))
      ? [{ kind: 'geometry', name, column }]
      : [],
  );
  return [...found, ...degreesIn(columns, hiddenColumns)];
}

function holdsGeometry(rows: PackedRowsReader, column: number): boolean {
  for (let row = 0; row < rows.rows.rowCount; row++) {
    const content = cellContent(rows, row, column);
    if (content === null) continue;
    if (rows.isPreview(row, column) ? isLikelyGeometry(content) : parseGeometry(content) !== null) return true;
  }
  return false;
}

/** The loaded bytes or text of a cell; null for other values. Bytes are those of the page, not a copy. */
export function cellContent(rows: PackedRowsReader, row: number, column: number): Uint8Array | string | null {
  const storageClass = rows.storageClass(row, column);
  if (storageClass === 'blob') return rows.bytes(row, column);
  return storageClass === 'text' ? rows.text(row, column) : null;
}

function degreesIn(columns: readonly Pick<ResultColumn, 'name'>[], hiddenColumns: number): readonly MapColumn[] {
  return columns.flatMap(({ name }, longitude): readonly MapColumn[] => {
    const before = longitude >= hiddenColumns ? LONGITUDE.exec(name) : null;
    if (!before) return [];
    const latitude = columns.findIndex(
      (other, at) =>
        at >= hiddenColumns &&
        (LATITUDE.exec(other.name)?.[1] ?? '') === (before[1] ?? '') &&
        LATITUDE.test(other.name),
    );
    return latitude < 0 ? [] : [{ kind: 'degrees', name: `${name}, ${columns[latitude]!.name}`, longitude, latitude }];
  });
}
