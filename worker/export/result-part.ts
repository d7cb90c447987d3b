// The rows of a query: from a kept result, or from a statement that runs for the export.
import { AppError } from '#shared/protocol/errors.ts';
import type { ExportSource } from '#shared/protocol/export.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { Connection } from '../engines/engine.ts';
import { selectOf } from '../live/select.ts';
import type { KeptRows } from '../readers/arrange/arranged-rows.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import type { Reader } from '../readers/reader.ts';
import type { RowsHead } from './rows-head.ts';
import type { ExportPart } from './part.ts';

type ResultSource = Extract<ExportSource, { readonly kind: 'result' }>;

const RESULT_NAME = 'result';

/** @throws AppError `invalid` for anything but one statement that only reads; `sql` */
export function queryPart(connection: Connection, sql: string): ExportPart {
  return {
    kind: 'statement',
    head: headOf(columnsOf(connection, sql), null),
    rows: { sql, params: [], keep: null, estimate: () => null },
  };
}

/**
 * Uses the kept rows, because the user sees them; the query runs again only if a value was too long to be kept completely. @throws AppError
 * `unavailable`
 */
export function resultPart(connection: Connection, reader: Reader, source: ResultSource): ExportPart {
  if (!(reader instanceof SpooledReader) || !reader.extent.exact)
    throw AppError.unavailable('The rows of this result are still being read. Export the result when that is done.');
  const { rows: shown, layout } = reader;
  const head = headOf(layout.columns.slice(layout.hiddenColumns), source.columns, layout.hiddenColumns);
  const keep = source.rows ?? null;
  if (!holdsPreviews(shown)) return { kind: 'kept', head, rows: { shown, keep } };
  if (reader.isArranged)
    throw AppError.unavailable(
      'This result has values of more than 64 KB that are kept only in part, so its statement must run again, without your sort order and filter. Clear the sort order and the filter, and export again.',
    );
  const isSame = source.sql !== null && sameColumns(columnsOf(connection, source.sql), layout.columns);
  if (isSame) {
    const { params } = reader;
    return { kind: 'statement', head, rows: { sql: source.sql!, params, keep, estimate: () => shown.rowCount } };
  }
  throw AppError.unavailable(
    'This result has values of more than 64 KB that are kept only in part, and its statement also writes, so it is not run again. Select from the table and export that.',
  );
}

function columnsOf(connection: Connection, sql: string): readonly ResultColumn[] {
  const statement = connection.prepare(sql);
  try {
    if (selectOf(connection, statement, sql)) return statement.columns;
    throw AppError.invalid('Only the rows of a single SELECT can be exported. Nothing was run.');
  } finally {
    statement.finalize();
  }
}

const sameColumns = (a: readonly ResultColumn[], b: readonly ResultColumn[]): boolean =>
  a.length === b.length && a.every(({ name }, index) => name === b[index]!.name);

function holdsPreviews(kept: KeptRows): boolean {
  for (let row = 0; row < kept.rowCount;) {
    const { start, rows } = kept.chunkWith(row);
    if (rows.types.some((type) => type >= CellType.textPreview)) return true;
    row = start + rows.rowCount;
  }
  return false;
}

function headOf(columns: readonly ResultColumn[], chosen: ResultSource['columns'] | null, hidden = 0): RowsHead {
  const tables = new Set(columns.map(({ origin }) => origin?.table ?? null));
  const [only] = tables;
  const places = chosen?.map(Number) ?? columns.map((_, index) => index);
  return {
    name: tables.size === 1 && only ? only : RESULT_NAME,
    columns: places.map((place) => {
      const column = columns[place];
      if (!column) throw AppError.notFound('The result no longer has this column.');
      return { name: column.name, declaredType: column.declaredType, place: place + hidden };
    }),
    generated: new Set(),
    key: null,
    ddl: null,
  };
}
