// Reads a whole table in bounded steps: slices of row ids, which grow while they are fast, or row by row where there are none.
import type { Value } from '#shared/protocol/values.ts';
import type { Statement } from '../engines/engine.ts';
import type { Where } from '../readers/filter-sql.ts';
import type { Scan } from '../readers/scan.ts';
import { rowidRange } from '../schema/row-estimate.ts';
import type { TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';

/** Widths of slices, in row ids, and the times that adjust them. */
interface Pace {
  readonly least: number;
  readonly most: number;
  /** A slice that takes less is followed by a wider one. */
  readonly fastMs: number;
  /** A slice that takes more is followed by a narrower one. */
  readonly slowMs: number;
}

/** A statement of the native engine cannot be stopped, and a generated column or a condition may take long for one row. */
const NEAR: Pace = { least: 1, most: Number.MAX_SAFE_INTEGER / 4, fastMs: 3, slowMs: 10 };
/** A slice on a server is a round trip, for which Stop does not wait. Rows of a wider one could exceed the size of a reply. */
const ON_SERVER: Pace = { least: 1000, most: 16_000, fastMs: 500, slowMs: 2000 };

interface TableScan {
  readonly shape: TableShape;
  /** Select list for a slice: may group and aggregate. */
  readonly slice: string;
  /** Select list for a single row. */
  readonly row: string;
  /** Parameters of `slice` and `row`; those of the WHERE follow them. */
  readonly params?: readonly Value[];
  readonly where: Where;
  /** WHERE used when there are no slices; default `where`. */
  readonly rowWhere?: Where;
  /** Clause after the WHERE of a slice. */
  readonly groupBy?: string;
  readonly take: (row: Statement) => void;
  /** Reports progress from 0 to 1; null when it is not known. */
  readonly at: (share: number | null) => void;
  /** Called after each slice; true ends the scan. */
  readonly isDone?: () => boolean;
}

export function* scanTable(scan: Scan, table: TableScan): Generator<Pause, void> {
  const { shape } = table;
  const range = shape.key.kind === 'rowid' ? rowidRange(scan.connection, shape.name, shape.key.name) : null;
  const hasSlices = shape.kind === 'table' && shape.key.kind === 'rowid';
  if (hasSlices && !range) return;
  if (hasSlices && Number.isSafeInteger(range!.min) && Number.isSafeInteger(range!.max))
    return yield* scanSlices(scan, table, range!);
  const { params = [], where, rowWhere = where, row, take, at, isDone } = table;
  const condition = rowWhere.sql === null ? '' : ` WHERE ${rowWhere.sql}`;
  const sql = `SELECT ${row} FROM main.${quoteName(shape.name)}${condition}`;
  at(null);
  yield* scan.rows(sql, [...params, ...rowWhere.params], take, isDone);
}

function* scanSlices(
  scan: Scan,
  { shape, slice, params = [], where, groupBy = '', take, at, isDone }: TableScan,
  { min, max }: { readonly min: number; readonly max: number },
): Generator<Pause, void> {
  const rowid = quoteName(shape.key.kind === 'rowid' ? shape.key.name : '');
  const condition = where.sql === null ? '' : ` AND ${where.sql}`;
  const from = `FROM main.${quoteName(shape.name)} WHERE ${rowid} BETWEEN ? AND ?`;
  const sql = `SELECT ${slice} ${from}${condition}${groupBy}`;
  const statement = scan.connection.prepare(sql);
  const { least, most, fastMs, slowMs } = scan.connection.isMetered === true ? ON_SERVER : NEAR;
  let width = least;
  try {
    for (let low = min; low <= max;) {
      const high = Math.min(max, low + width - 1);
      const startedMs = performance.now();
      statement.bind([...params, low, high, ...where.params]);
      while (statement.step()) take(statement);
      statement.reset();
      low = high + 1;
      const tookMs = performance.now() - startedMs;
      if (tookMs < fastMs) width = Math.min(width * 2, most);
      else if (tookMs > slowMs) width = Math.max(least, Math.floor(width / 2));
      at((low - min) / (max - min + 1));
      if (isDone?.()) return;
      yield* scan.pause();
    }
  } finally {
    statement.finalize();
  }
}
