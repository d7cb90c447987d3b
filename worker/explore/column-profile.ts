// Counts the values of a column, in slices of the table.
import type { ColumnProfile, ColumnProfileChunk, ValueSearch } from '#shared/protocol/explore.ts';
import type { FilterEntry } from '#shared/protocol/rows.ts';
import { isReal } from '#shared/protocol/values.ts';
import type { StorageClass } from '#shared/protocol/values.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { conditionOf } from '../readers/filter-condition.ts';
import { whereOf } from '../readers/filter-sql.ts';
import type { Where } from '../readers/filter-sql.ts';
import { assertMayReadAll } from '../readers/scan-cost.ts';
import type { Scan } from '../readers/scan.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { ColumnCounts } from './column-counts.ts';
import { namedCondition } from './parent-names.ts';
import { scanTable } from './table-scan.ts';

/** Longer values are not distinguished: only their beginnings are read. */
const COMPARED_LENGTH = 1000;
const FIRST_REPORT_MS = 50;
const REPORT_EVERY_MS = 300;

export interface ProfileRequest {
  readonly table: string;
  readonly column: string;
  readonly filter: readonly FilterEntry[];
  readonly where?: string;
  readonly search?: ValueSearch;
  /** Allows scanning on a server, where each row that is read is paid for. */
  readonly mayScan?: boolean;
}

export function* profileColumn(
  scan: Scan,
  request: ProfileRequest,
  report: (chunk: ColumnProfileChunk) => void,
): Generator<Pause, ColumnProfile> {
  const { connection } = scan;
  const shape = describeTable(connection, request.table);
  if (!shape.columns.some(({ name }) => name === request.column))
    throw AppError.notFound(`“${shape.name}” has no column “${request.column}”.`);
  if (request.mayScan !== true)
    assertMayReadAll(connection, shape, 'To count the values of a column, every row has to be read.');
  const where = searchedRows(connection, shape, request);
  const rowid = shape.key.kind === 'rowid' && shape.kind === 'table' ? shape.key.name : null;
  const total = shape.kind === 'view' ? null : (estimateRows(connection, shape.name, rowid)?.count ?? null);
  const counts = new ColumnCounts();
  let nextReportMs = performance.now() + FIRST_REPORT_MS;
  const at = (share: number | null): void => {
    const done = share === null || total === null ? counts.rows : Math.round(share * total);
    const progress = { phase: `Counting ${request.column}`, done, total, unit: 'rows' } as const;
    scan.tell(progress);
    if (performance.now() < nextReportMs) return;
    const startedMs = performance.now();
    report({ progress, profile: counts.profile(false) });
    // Ordering 200,000 values takes a while: reports never take more than a small part of the time.
    nextReportMs = performance.now() + Math.max(REPORT_EVERY_MS, (performance.now() - startedMs) * 10);
  };
  let taken = 0;
  const take = (row: Statement): void => {
    counts.add(countedRows(row));
    if (rowid === null && ++taken % 256 === 0) at(null);
  };
  const value = quoteName(request.column);
  const isLong = `(typeof(${value}) IN ('text', 'blob') AND octet_length(${value}) > ${COMPARED_LENGTH})`;
  const short = `iif(${isLong}, substr(${value}, 1, ${COMPARED_LENGTH}), ${value}) COLLATE BINARY`;
  const length = `iif(typeof(${value}) IN ('text', 'blob'), length(${value}), NULL)`;
  yield* scanTable(scan, {
    shape,
    where,
    slice: `typeof(${value}), ${isLong}, ${short}, count(*), min(${length}), max(${length}), total(${length})`,
    groupBy: ' GROUP BY 1, 2, 3',
    row: `typeof(${value}), ${isLong}, ${short}, 1, ${length}, ${length}, ${length}`,
    take,
    at,
  });
  return counts.profile(true);
}

function searchedRows(connection: Connection, shape: TableShape, request: ProfileRequest): Where {
  const { column, filter, search } = request;
  const rows = whereOf(connection, shape, filter, request.where);
  if (!search) return rows;
  const contains = conditionOf(shape, { column, operator: 'contains', value: search.text });
  const named = search.reference && namedCondition(connection, shape.name, search.reference, search.text);
  const conditions = [contains, ...(named ? [named] : [])];
  const found = `(${conditions.map(({ sql }) => sql).join(' OR ')})`;
  return {
    sql: rows.sql === null ? found : `${found} AND ${rows.sql}`,
    params: [...conditions.flatMap(({ params }) => params), ...rows.params],
  };
}

function countedRows(row: Statement): Parameters<ColumnCounts['add']>[0] {
  const [least, greatest, total] = [row.value(4), row.value(5), row.value(6)];
  return {
    storage: row.value(0) as StorageClass,
    isCut: row.value(1) === 1,
    value: row.value(2),
    rows: Number(row.value(3)),
    lengths:
      least === null
        ? null
        : { least: Number(least), greatest: Number(greatest), total: isReal(total) ? total.real : Number(total) },
  };
}
