// Counts the values of a column, in slices of the table.
import { lastWhere } from '#shared/binary-search.ts';
import { MAX_DISTINCT, MAX_TOP_VALUES } from '#shared/protocol/explore.ts';
import type {
  ColumnProfile,
  ColumnProfileChunk,
  ValueSearch,
  HistogramBucket,
  ValueCount,
} from '#shared/protocol/explore.ts';
import type { FilterEntry } from '#shared/protocol/rows.ts';
import { isReal, isRawText, type StorageClass, type Value } from '#shared/protocol/values.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { conditionOf } from '../readers/filter-condition.ts';
import { whereOf, type Where } from '../readers/filter-sql.ts';
import { assertMayReadAll } from '../readers/scan-cost.ts';
import type { Scan } from '../readers/scan.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
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

const BUCKETS = 20;

/** Rows that have the same value, or one row. */
interface CountedRows {
  readonly storage: StorageClass;
  /** Cut if `isCut`. */
  readonly value: Value;
  readonly isCut: boolean;
  readonly rows: number;
  /** Lengths of the values in these rows; null for NULL and numbers. */
  readonly lengths: { readonly least: number; readonly greatest: number; readonly total: number } | null;
}

/** Values of a column while its rows are read: counted value by value, up to a limit. */
class ColumnCounts {
  readonly #values = new Map<string | number | bigint, { value: Value; rows: number }>();
  readonly #classes = { null: 0, integer: 0, real: 0, text: 0, blob: 0 };
  #isExact = true;
  #least: Value = null;
  #greatest: Value = null;
  #numbers = 0;
  #sum = 0;
  #lengths: { least: number; greatest: number; total: number; rows: number } | null = null;

  add({ storage, value, isCut, rows, lengths }: CountedRows): void {
    this.#classes[storage] += rows;
    if (storage !== 'null') {
      if (this.#least === null || compareStored(value, this.#least) < 0) this.#least = value;
      if (this.#greatest === null || compareStored(value, this.#greatest) > 0) this.#greatest = value;
    }
    if (storage === 'integer' || storage === 'real') {
      this.#numbers += rows;
      this.#sum += numberOf(value)! * rows;
    }
    if (lengths) this.#addLengths(lengths, rows);
    if (isCut) this.#isExact = false;
    else this.#count(storage, value, rows);
  }

  get rows(): number {
    const { null: nulls, integer, real, text, blob } = this.#classes;
    return nulls + integer + real + text + blob;
  }

  /** @param isComplete whether all rows have been added: the histogram needs them */
  profile(isComplete: boolean): ColumnProfile {
    const lengths = this.#lengths;
    const distinct = this.#values.size - (this.#classes.null > 0 ? 1 : 0);
    return {
      rows: this.rows,
      classes: { ...this.#classes },
      distinct: { count: distinct, isExact: this.#isExact },
      top: firstOf(this.#values.values(), MAX_TOP_VALUES, byFrequency).map(({ value, rows }) => ({ value, rows })),
      least: this.#least,
      greatest: this.#greatest,
      mean: this.#numbers === 0 ? null : this.#sum / this.#numbers,
      lengths: lengths && { least: lengths.least, greatest: lengths.greatest, mean: lengths.total / lengths.rows },
      histogram: isComplete && this.#values.size < MAX_DISTINCT ? this.#histogram() : [],
    };
  }

  #count(storage: StorageClass, value: Value, rows: number): void {
    const key = keyOf(storage, value);
    const known = this.#values.get(key);
    if (known) known.rows += rows;
    else if (this.#values.size < MAX_DISTINCT) this.#values.set(key, { value, rows });
    else this.#isExact = false;
  }

  #addLengths({ least, greatest, total }: NonNullable<CountedRows['lengths']>, rows: number): void {
    const known = this.#lengths;
    if (!known) this.#lengths = { least, greatest, total, rows };
    else {
      known.least = Math.min(known.least, least);
      known.greatest = Math.max(known.greatest, greatest);
      known.total += total;
      known.rows += rows;
    }
  }

  #histogram(): readonly HistogramBucket[] {
    const numbers: { readonly at: number; readonly rows: number }[] = [];
    let [low, high] = [Infinity, -Infinity];
    for (const { value, rows } of this.#values.values()) {
      const at = numberOf(value);
      if (at === null || !Number.isFinite(at)) continue;
      numbers.push({ at, rows });
      low = Math.min(low, at);
      high = Math.max(high, at);
    }
    // Halved first: the distance of two finite numbers need not be finite.
    const width = (high / 2 - low / 2) / (BUCKETS / 2);
    if (!(low < high) || width === 0) return [];
    const counts = Array.from({ length: BUCKETS }, () => 0);
    for (const { at, rows } of numbers) {
      const bucket = Math.min(BUCKETS - 1, Math.floor((at / 2 - low / 2) / (width / 2)));
      counts[bucket] = counts[bucket]! + rows;
    }
    const edge = (index: number): number => (index === BUCKETS ? high : low + width * index);
    return counts.map((rows, index) => ({ from: edge(index), to: edge(index + 1), rows }));
  }
}

/** Frequent values first, and values of the same number of rows in SQLite's order. */
const byFrequency = (a: ValueCount, b: ValueCount): number => b.rows - a.rows || compareStored(a.value, b.value);

function numberOf(value: Value): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return isReal(value) ? value.real : null;
}

/** Different for different values of one storage class, and for those of different classes. */
function keyOf(storage: StorageClass, value: Value): string | number | bigint {
  if (storage === 'integer') return value as number | bigint;
  if (value instanceof Uint8Array) return `b${String(value)}`;
  if (isRawText(value)) return `x${String(value.textBytes)}`;
  if (isReal(value)) return `r${value.real}`;
  return storage === 'text' ? `t${value as string}` : `${storage[0]}${String(value)}`;
}

// The first few of many items in some order, without ordering them all: a report on 200,000 values must not hold up an edit.

/** @param count 1 or more. @returns at most as many items, in order */
export function firstOf<T>(items: Iterable<T>, count: number, order: (a: T, b: T) => number): readonly T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === count && order(item, first[count - 1]!) >= 0) continue;
    first.splice(placeOf(first, item, order), 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}

/** The place after equal items. */
const placeOf = <T>(ordered: readonly T[], item: T, order: (a: T, b: T) => number): number =>
  lastWhere(ordered.length, (index) => order(item, ordered[index]!) >= 0) + 1;

// The order of values in SQLite, with the collation BINARY (sqlite.org/datatype3.html#sort_order).

const encoder = new TextEncoder();

/** Negative if `a` comes first. NULL comes before numbers, numbers before texts, and texts before blobs. */
export function compareStored(a: Value, b: Value): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0 || a === null || b === null) return rank;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const [oneNumber, otherNumber] = [numeric(a), numeric(b)];
  if (oneNumber !== null && otherNumber !== null) return oneNumber < otherNumber ? -1 : oneNumber > otherNumber ? 1 : 0;
  return compareBytes(bytesOf(a), bytesOf(b));
}

function rankOf(value: Value): number {
  if (value === null) return 0;
  if (typeof value === 'number' || typeof value === 'bigint' || isReal(value)) return 1;
  return typeof value === 'string' || isRawText(value) ? 2 : 3;
}

const numeric = (value: Value): number | bigint | null =>
  typeof value === 'number' || typeof value === 'bigint' ? value : isReal(value) ? value.real : null;

/** SQLite compares the bytes of UTF-8. UTF-16 has the same order, except that surrogates come before U+E000 … U+FFFF. */
function compareTexts(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return codeRank(one) - codeRank(other);
  }
  return a.length - b.length;
}

const codeRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

function bytesOf(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return encoder.encode(value);
  return isRawText(value) ? value.textBytes : new Uint8Array();
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}
