// The spatial reference system of a geometry column, as the tables that describe such columns say: those of GeoPackage, and of SpatiaLite.
import type { DatabaseId, FilterTerm, ResultColumn } from '#shared/protocol/index.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { client } from '../../connection/database-client.ts';
import { knownSchema } from '../../state/schema.ts';

const DESCRIPTIONS = [
  { table: 'gpkg_geometry_columns', of: 'table_name', column: 'column_name', srid: 'srs_id' },
  { table: 'geometry_columns', of: 'f_table_name', column: 'f_geometry_column', srid: 'srid' },
] as const;

/** Null for columns that are not described. */
export async function columnSrid(database: DatabaseId, { origin }: ResultColumn): Promise<number | null> {
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
