// Collects the keys of a sorted or filtered table: with one ordered statement, or a scan in bounded steps.
import { CellType, type PackedRows } from '#shared/packed-rows/format.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { estimateRows, rowidRange } from '../schema/row-estimate.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { orderTermSql, type OrderTerm, type Where } from './filter-sql.ts';
import { PackedKeyList, RowidList, type KeyList } from './key-list.ts';
import type { KeyOrder } from './key-order.ts';
import { sliceEnd } from './slice.ts';

const KEYS_PER_PACK = 8192;

export interface KeyQuery {
  readonly shape: TableShape;
  readonly order: KeyOrder;
  readonly where: Where;
  /** Columns to sort by before the key, which breaks ties. */
  readonly sort: readonly OrderTerm[];
}

export function whereClause(query: KeyQuery): string {
  return query.where.sql === null ? '' : ` WHERE ${query.where.sql}`;
}

export function orderClause(query: KeyQuery): string {
  return ` ORDER BY ${[...query.sort.map(orderTermSql), query.order.orderBy].join(', ')}`;
}

/** The statement for the first `count` keys of the order. */
export function topKeys(
  query: KeyQuery,
  count: number,
): { readonly sql: string; readonly params: KeyQuery['where']['params'] } {
  const sql = `SELECT ${query.order.keyList} FROM ${query.order.from}${whereClause(query)}${orderClause(query)} LIMIT ?`;
  return { sql, params: [...query.where.params, count] };
}

export function newKeyList(query: KeyQuery): KeyList {
  return query.shape.key.kind === 'rowid' ? new RowidList() : new PackedKeyList();
}

/** How many keys there will be; 0 where the filter decides that. */
export function estimateKeys(connection: Connection, query: KeyQuery): number {
  if (query.where.sql !== null) return 0;
  const { key, name } = query.shape;
  return estimateRows(connection, name, key.kind === 'rowid' ? key.name : null)?.count ?? 0;
}

export function collectTop(connection: Connection, query: KeyQuery, list: KeyList, count: number): void {
  const { sql, params } = topKeys(query, count);
  collectWhole(connection, sql, params, list);
}

/** Fills `list` in order; calls `grown` after each piece. */
export function* collectKeys(turn: Turn, query: KeyQuery, list: KeyList, grown: () => void): Generator<Pause, void> {
  const isMetered = turn.connection.isMetered === true;
  if (!isMetered && list instanceof RowidList && query.shape.key.kind === 'rowid') {
    const { name, key } = query.shape;
    const range = query.sort.length === 0 ? rowidRange(turn.connection, name, key.name) : null;
    if (range && Number.isSafeInteger(range.min) && Number.isSafeInteger(range.max))
      return yield* scanKeys(turn, query, range, list, grown);
    if (query.sort.length === 1 && (yield* numericKeys(turn, query, list))) return grown();
  }
  yield* orderedKeys(turn, query, list, grown);
}

/** Returns false, with nothing in `list`, when the column holds more than numbers or an index has the order already. */
function* numericKeys(turn: Turn, query: KeyQuery, list: RowidList): Generator<Pause, boolean> {
  const [term] = query.sort;
  const { keyList, from, orderBy } = query.order;
  const keysSql = `SELECT ${keyList} FROM ${from}${whereClause(query)}`;
  if (!term || !needsSorter(turn.connection, `${keysSql}${orderClause(query)}`, query.where.params)) return false;
  const statement = turn.connection.prepare(
    `SELECT ${keyList}, ${term.name} FROM ${from}${whereClause(query)} ORDER BY ${orderBy}`,
  );
  const order = new NumericOrder(term.descending);
  try {
    statement.bind(query.where.params);
    for (let more = true; more;) {
      const end = sliceEnd(turn);
      do {
        const writer = new PackedRowsWriter(2, { expectedRows: KEYS_PER_PACK });
        more = statement.pack(writer, { maxRows: KEYS_PER_PACK, deadlineMs: end });
        if (!order.append(writer.finish())) return false;
      } while (more && performance.now() < end);
      if (more) yield 'reading';
    }
  } finally {
    statement.finalize();
  }
  let end = sliceEnd(turn);
  for (const rowids of order.sorted()) {
    if (rowids) list.appendSafe(rowids);
    if (turn.stopRequested) throw AppError.stopped('Stopped. The order is not complete.');
    if (performance.now() < end) continue;
    yield 'between';
    end = sliceEnd(turn);
  }
  return true;
}

function needsSorter(connection: Connection, sql: string, params: Where['params']): boolean {
  return connection.all(`EXPLAIN QUERY PLAN ${sql}`, params).some((row) => String(row[3]).includes('TEMP B-TREE'));
}

function* orderedKeys(turn: Turn, query: KeyQuery, list: KeyList, grown: () => void): Generator<Pause, void> {
  const sql = `SELECT ${query.order.keyList} FROM ${query.order.from}${whereClause(query)}${orderClause(query)}`;
  const statement = turn.connection.prepare(sql);
  try {
    statement.bind(query.where.params);
    let end = sliceEnd(turn);
    for (;;) {
      const more = packInto(statement, list, end);
      grown();
      if (!more) return;
      if (performance.now() < end) continue;
      yield 'reading';
      end = sliceEnd(turn);
    }
  } finally {
    statement.finalize();
  }
}

/** A filter that matches few rows runs long without a row at which to pause. Split into ranges of row ids, the scan always pauses soon. */
function* scanKeys(
  turn: Turn,
  query: KeyQuery,
  range: { min: number; max: number },
  list: KeyList,
  grown: () => void,
): Generator<Pause, void> {
  const key = query.order.keyList;
  const filter = query.where.sql === null ? '' : ` AND ${query.where.sql}`;
  const sql = `SELECT ${key} FROM ${query.order.from} WHERE ${key} BETWEEN ? AND ?${filter}${orderClause(query)}`;
  let width = 10_000;
  let end = sliceEnd(turn);
  for (let low = range.min; low <= range.max;) {
    const high = Math.min(range.max, low + width - 1);
    const started = performance.now();
    collectWhole(turn.connection, sql, [low, high, ...query.where.params], list);
    grown();
    low = high + 1;
    const tookMs = performance.now() - started;
    if (tookMs < 3) width = Math.min(width * 2, Number.MAX_SAFE_INTEGER / 4);
    else if (tookMs > 10) width = Math.max(1000, Math.floor(width / 2));
    if (performance.now() < end) continue;
    yield 'between';
    end = sliceEnd(turn);
  }
}

function collectWhole(connection: Connection, sql: string, params: KeyQuery['where']['params'], list: KeyList): void {
  const statement = connection.prepare(sql);
  try {
    statement.bind(params);
    while (packInto(statement, list, Infinity));
  } finally {
    statement.finalize();
  }
}

function packInto(statement: ReturnType<Connection['prepare']>, list: KeyList, deadlineMs: number): boolean {
  const writer = new PackedRowsWriter(statement.columnCount, { expectedRows: KEYS_PER_PACK, previewBytes: Infinity });
  const more = statement.pack(writer, { maxRows: KEYS_PER_PACK, deadlineMs });
  list.append(writer.finish());
  return more;
}

const CHUNK = 65_536;
const DIGITS = 65_536;
const SIGN = 0x8000_0000;

/**
 * Puts rows in the order of a numeric column: a radix sort in passes of some ten milliseconds each, because SQLite's own sorter would block
 * the thread until everything is sorted. Stable: equal values keep their order.
 */
export class NumericOrder {
  readonly #descending: boolean;
  /** The keys as pairs of 32-bit words. */
  #low = new Uint32Array(CHUNK);
  #high = new Uint32Array(CHUNK);
  #rowids = new Float64Array(CHUNK);
  #length = 0;

  constructor(descending: boolean) {
    this.#descending = descending;
  }

  /** Appends rows of (row id, value). Returns false when a value is neither NULL nor a number that a double represents exactly. */
  append({ types, slots, rowCount }: PackedRows): boolean {
    const floats = new Float64Array(slots);
    const words = new Uint32Array(slots);
    const flip = this.#descending ? 0xffff_ffff : 0;
    while (this.#length + rowCount > this.#rowids.length) this.#grow();
    for (let cell = 0; cell < rowCount * 2; cell += 2) {
      const type = types[cell + 1]!;
      if (type > CellType.real || type === CellType.bigInteger || types[cell] !== CellType.integer) return false;
      const row = this.#length++;
      this.#rowids[row] = floats[cell]!;
      let low = 0;
      let high = 0; // NULL sorts below every number
      if (type !== CellType.null) {
        low = words[cell * 2 + 2]!;
        high = words[cell * 2 + 3]!;
        // Maps the bits of a double so that they sort like its value; −0 and 0 are equal.
        if (high === SIGN && low === 0) high = SIGN;
        else if (high >= SIGN) [low, high] = [~low, ~high];
        else high |= SIGN;
      }
      this.#low[row] = low ^ flip;
      this.#high[row] = high ^ flip;
    }
    return true;
  }

  /** Yields null after each pass, then the row ids in order, a chunk at a time. */
  *sorted(): Generator<Float64Array | null> {
    let from = new Uint32Array(this.#length);
    for (let i = 0; i < from.length; i++) from[i] = i;
    let to = new Uint32Array(this.#length);
    for (const [words, shift] of [
      [this.#low, 0],
      [this.#low, 16],
      [this.#high, 0],
      [this.#high, 16],
    ] as const) {
      if (sortByDigit(words, shift, from, to)) [from, to] = [to, from];
      yield null;
    }
    for (let start = 0; start < this.#length; start += CHUNK) {
      const chunk = new Float64Array(Math.min(CHUNK, this.#length - start));
      for (let i = 0; i < chunk.length; i++) chunk[i] = this.#rowids[from[start + i]!]!;
      yield chunk;
    }
  }

  #grow(): void {
    const length = this.#rowids.length * 2;
    const [low, high, rowids] = [new Uint32Array(length), new Uint32Array(length), new Float64Array(length)];
    low.set(this.#low);
    high.set(this.#high);
    rowids.set(this.#rowids);
    [this.#low, this.#high, this.#rowids] = [low, high, rowids];
  }
}

/** Makes a pass over 16 bits of the keys. Returns false when all keys have the same bits there, so nothing was moved. */
function sortByDigit(words: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array): boolean {
  const starts = new Uint32Array(DIGITS + 1);
  for (let row = 0; row < from.length; row++) starts[((words[row]! >>> shift) & 0xffff) + 1]!++;
  if (starts.includes(from.length)) return false;
  for (let digit = 1; digit <= DIGITS; digit++) starts[digit]! += starts[digit - 1]!;
  for (let i = 0; i < from.length; i++) {
    const row = from[i]!;
    to[starts[(words[row]! >>> shift) & 0xffff]!++] = row;
  }
  return true;
}
