// Finds the ranges of row ids in which two tables differ at all: rows that are the same to the last bit are never decoded.
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';

const ROWS_A_RANGE = 2048;
const BYTES_A_RANGE = 4 << 20;
const FIRST = -(2n ** 63n);
const LAST = 2n ** 63n - 1n;

export interface RowidRange {
  readonly from: bigint;
  readonly to: bigint;
  /** Rows of `theirs` in it. */
  readonly rows: number;
  readonly isSame: boolean;
}

/** All ranges one after the other, none open between them. */
export function* compareRanges(
  { table, rowid, columns }: { readonly table: string; readonly rowid: string; readonly columns: readonly string[] },
  mine: Connection,
  theirs: Connection,
): Generator<RowidRange, void, undefined> {
  const key = quoteName(rowid);
  const sql = `SELECT ${quoteNames([rowid, ...columns])} FROM main.${quoteName(table)} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key}`;
  const width = columns.length + 1;
  let from = FIRST;
  for (;;) {
    const there = pack(theirs, sql, [from, LAST], { width, maxRows: ROWS_A_RANGE, maxBytes: BYTES_A_RANGE });
    const { rowCount } = there.rows;
    const last = there.more ? new PackedRowsReader(there.rows).value(rowCount - 1, 0) : LAST;
    const to = BigInt(last as number | bigint);
    // Reads at most one row more than `theirs` has: that alone would be a difference.
    const here = pack(mine, sql, [from, to], { width, maxRows: rowCount + 1, maxBytes: there.sizeBytes + 1 });
    yield { from, to, rows: rowCount, isSame: sameRows(here.rows, there.rows) };
    if (to >= LAST) return;
    from = to + 1n;
  }
}

interface PackLimits {
  readonly width: number;
  readonly maxRows: number;
  readonly maxBytes: number;
}

function pack(
  connection: Connection,
  sql: string,
  params: readonly Value[],
  { width, maxRows, maxBytes }: PackLimits,
): { readonly rows: PackedRows; readonly sizeBytes: number; readonly more: boolean } {
  const statement = connection.prepare(sql);
  const writer = new PackedRowsWriter(width, { previewBytes: Infinity });
  try {
    statement.bind(params.map(plain));
    const more = statement.pack(writer, { maxRows, maxBytes });
    const { sizeBytes } = writer;
    return { rows: writer.finish(), sizeBytes, more };
  } finally {
    statement.finalize();
  }
}

const plain = (value: Value): Value =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;

function sameRows(one: PackedRows, other: PackedRows): boolean {
  return (
    one.rowCount === other.rowCount &&
    sameBytes(one.types, other.types) &&
    sameBytes(new Uint8Array(one.slots), new Uint8Array(other.slots)) &&
    sameBytes(one.heap, other.heap)
  );
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
