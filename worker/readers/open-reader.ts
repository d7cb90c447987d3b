// Chooses how to page a table, view or virtual table, depending on its kind and on the requested order and filter.
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { FilterEntry, SortTerm, Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { describeTable, keyCondition, keyNames, type TableShape } from '../schema/table-shape.ts';
import { describeEditable } from '../schema/view-key.ts';
import { orderTermSql, orderTerms, whereOf, type OrderTerm, type Where } from './filter-sql.ts';
import { Freshness } from './freshness.ts';
import { RowidList, type KeyList } from './key-list.ts';
import { KeysetReader } from './keyset-reader.ts';
import { keyOrderOf, sorts, type Key } from './key-order.ts';
import { orderClause, whereClause, collectKeys, collectTop, estimateKeys, newKeyList } from './key-source.ts';
import type { KeyQuery } from './key-source.ts';
import { pageColumns } from './key-walker.ts';
import { packPage, PAGE_BYTES } from './pack-page.ts';
import { assertServed } from './scan-cost.ts';
import { ReadSet } from './read-set.ts';
import { layoutOf, effectOnTable, type Reader, type ReaderHost, type Effect, type ReaderLayout } from './reader.ts';
import { yieldToOthers } from './slice.ts';
import { SpooledReader, type SpooledOptions } from './spooled-reader.ts';
import { TableReader } from './table-reader.ts';
import { TouchedKeys } from './touched-keys.ts';

export interface OpenRequest {
  readonly table: string;
  readonly sort: readonly SortTerm[];
  readonly filter: readonly FilterEntry[];
  readonly where?: string;
  /** Same as in `rows.open`. */
  readonly mayScan?: boolean;
}

/** Creates the reader once its host is known. */
type ReaderPlan = (host: ReaderHost) => Reader;

export function planReader(connection: Connection, request: OpenRequest): ReaderPlan {
  const shape = describeTable(connection, request.table);
  const where = whereOf(connection, shape, request.filter, request.where);
  const sort = orderTerms(shape, request.sort);
  const order = shape.key.kind === 'none' ? null : keyOrderOf(connection, shape);
  if (!order || (shape.kind === 'virtual' && sorts(connection, order))) return viewPlan(connection, shape, where, sort);
  if (sort.length === 0 && where.sql === null) {
    if (connection.isMetered === true && shape.kind === 'table') return (host) => new KeysetReader(host, shape, order);
    const reads = shape.kind === 'table' ? null : new ReadSet(connection, `SELECT * FROM ${order.from}`);
    return (host) => new TableReader(host, shape, order, reads);
  }
  const query = { shape, order, where, sort };
  const reads = new ReadSet(connection, `SELECT 1 FROM ${order.from}${whereClause(query)}${orderClause(query)}`);
  const isMetered = connection.isMetered === true;
  const isCostly = isMetered && request.mayScan === true;
  if (isMetered && !isCostly) assertServed(connection, query);
  return (host) => new SortedReader(host, query, reads, { isMetered, isCostly });
}

function viewPlan(connection: Connection, shape: TableShape, where: Where, sort: readonly OrderTerm[]): ReaderPlan {
  const filter = where.sql === null ? '' : ` WHERE ${where.sql}`;
  const order = sort.length === 0 ? '' : ` ORDER BY ${sort.map(orderTermSql).join(', ')}`;
  const sql = `SELECT ${quoteNames(pageColumns(shape))} FROM main.${quoteName(shape.name)}${filter}${order}`;
  const options: SpooledOptions = {
    title: `Rows of ${shape.name}`,
    rowsOf: shape.name,
    query: { sql, params: where.params, reads: new ReadSet(connection, sql) },
    state: 'live',
    limitMs: null,
    // The window has no command to rerun a view.
    whenStopped: 'failed',
  };
  const layout = layoutOf(describeEditable(connection, shape.name));
  return (host) => new SpooledReader(host, layout, options);
}

/** A list that was built this fast is rebuilt before the page is returned, a slower one afterward. */
const QUICK_MS = 50;
const REBUILD_DELAY_MS = 250;
/** After a slow build the reader rests this many times as long, to leave the worker to other work. */
const REST_FACTOR = 2;
/** How long a page waits for the list to reach it before it is returned with the rows that exist. */
const TIMEOUT_MS = 250;

/**
 * The keys that pages are read by:
 *
 *   none ── the first ones of the order are read ──▶ top ── the other keys are requested and read ──▶ all
 *
 * `all` becomes `top` again if a new order is read only as far as needed. Without a sort order, the list grows in order while it is
 * `top`. Any of them becomes `closed` with the reader.
 */
type Keys =
  | { readonly kind: 'none' | 'closed'; readonly list: null }
  | { readonly kind: 'top' | 'all'; readonly list: KeyList };

/**
 * Pages a sorted or filtered table: collects the first keys at once, then all keys in order, and keeps them as a list; pages are point
 * lookups by key. Positions are exact; so is the number of rows, once the list is complete.
 */
class SortedReader implements Reader {
  readonly title: string;
  readonly layout: ReaderLayout;
  readonly #host: ReaderHost;
  readonly #query: KeyQuery;
  readonly #orderReads: ReadSet;
  readonly #pages: KeyPages;
  readonly #cost: Cost;
  #keys: Keys = { kind: 'none', list: null };
  /** Freshness of the key order; its runs are the builds of the list. */
  readonly #freshness = new Freshness();
  /** Rows to move to their new position before the next page. */
  readonly #touched: TouchedKeys;
  readonly #wanted: WantedKeys;
  #estimate = 0;
  /** A new order is due, but only when this rest ends. */
  #rest: Promise<void> | null = null;
  #buildMs = 0;
  #failure: unknown = null;
  #waiting: (() => void)[] = [];
  #answeredShort = false;

  /**
   * @param orderReads what filter and order read, including other tables
   * @param cost of rows on a server
   */
  constructor(host: ReaderHost, query: KeyQuery, orderReads: ReadSet, cost: Cost) {
    this.#cost = cost;
    this.#host = host;
    this.#query = query;
    this.#orderReads = orderReads;
    this.#touched = new TouchedKeys(query, cost.isMetered);
    this.#pages = new KeyPages(query, cost.isMetered);
    this.#wanted = new WantedKeys(cost, this.#growsInOrder ? 'all' : 'top');
    this.layout = layoutOf(query.shape);
    this.title = `Sorted rows of ${query.shape.name}`;
  }

  get extent(): Extent {
    const known = this.#keys.list?.length ?? 0;
    return this.#keys.kind === 'all'
      ? { rows: known, exact: this.#isExact }
      : { rows: Math.max(known, this.#estimate), exact: false };
  }

  get tables(): readonly string[] {
    return [this.#query.shape.name];
  }

  noteChanges(changes: TransactionChanges): Effect | null {
    const effect = effectOnTable(changes, this.#query.shape.name);
    const isOrderTouched = this.#orderReads.touchedBy(changes) || effect?.kind === 'rows';
    // The list only holds keys, so pages read current values anyway.
    if (!isOrderTouched) return effect;
    if (this.#keys.list && !this.#freshness.isOutdated && this.#touched.note(changes))
      return { kind: 'rows', keys: null };
    // Any rows may have changed. The window decides whether the order is worth its price again; until then pages show values as they are.
    if (this.#cost.isCostly && this.#keys.list) return { kind: 'values', keys: null };
    this.#freshness.expire();
    return { kind: 'rows', keys: null };
  }

  dispose(): void {
    this.#keys = { kind: 'closed', list: null };
    this.#wake();
  }

  async read(start: number, count: number): Promise<RowsPage> {
    // A build that was already running may have begun before the change.
    while (this.#freshness.isOutdated && this.#buildMs <= QUICK_MS && !this.#isClosed) {
      await this.#build();
      if (this.#failure) break;
    }
    if (this.#freshness.isOutdated) void this.#rebuildLater();
    await this.#reach(start + count);
    if (this.#isStopped && start >= (this.#keys.list?.length ?? 0)) throw this.#failure;
    return this.#enqueue((turn) => this.#pageByKeys(turn.connection, start, count));
  }

  async find(key: Key): Promise<number | null> {
    this.#wanted.all();
    while ((this.#keys.kind !== 'all' || this.#freshness.isOutdated) && !this.#failure && !this.#isClosed)
      await this.#build();
    await this.#enqueue(({ connection }) => this.#catchUp(connection));
    return this.#keys.list?.find(key) ?? null;
  }

  get #isClosed(): boolean {
    return this.#keys.kind === 'closed';
  }

  /** No more keys will be read. */
  get #isAtEnd(): boolean {
    return this.#keys.kind === 'all' || this.#isClosed;
  }

  /** The user stopped the reading: nothing but a change of the table, or reopening it, starts it again. */
  get #isStopped(): boolean {
    return this.#failure !== null && toAppError(this.#failure).code === 'stopped' && !this.#freshness.isOutdated;
  }

  /** Without a sort order, the beginning of the list is the top. */
  get #growsInOrder(): boolean {
    return this.#query.sort.length === 0 && !this.#cost.isMetered;
  }

  get #isExact(): boolean {
    return !this.#freshness.isOutdated && this.#touched.isEmpty;
  }

  #catchUp(connection: Connection): void {
    const { kind, list } = this.#keys;
    const isSettled = !this.#freshness.isOutdated && !this.#freshness.run;
    if (this.#touched.isEmpty || !isSettled || !(list instanceof RowidList)) return;
    const { length } = list;
    this.#touched.putBack(connection, list, kind === 'all');
    if (list.length !== length) this.#host.extentChanged();
  }

  #pageByKeys(connection: Connection, start: number, count: number): RowsPage {
    this.#catchUp(connection);
    const { kind, list } = this.#keys;
    const end = Math.min(start + count, list?.length ?? 0);
    const keys: Key[] = [];
    for (let position = start; position < end; position++) keys.push(list!.at(position));
    const rows = this.#pages.read(connection, keys);
    if (kind !== 'all' && end < start + count) this.#answeredShort = true;
    return { rows, start, exactPosition: this.#isExact, extent: this.extent };
  }

  #holds(length: number): boolean {
    return this.#isAtEnd || (this.#keys.list?.length ?? 0) >= length;
  }

  /** Resolves once the list has `length` keys or is complete, or after TIMEOUT_MS with fewer. Throws the error of the build. */
  async #reach(length: number): Promise<void> {
    const grows = !this.#isAtEnd && this.#wanted.reach(length, this.#keys.list);
    if (this.#isStopped) return;
    if (this.#holds(length)) return void (grows && this.#build());
    void this.#build();
    const deadline = performance.now() + TIMEOUT_MS;
    const timer = setTimeout(() => this.#wake(), TIMEOUT_MS + 1);
    const mayAnswerLess = (): boolean => this.#keys.list !== null && performance.now() >= deadline;
    while (!this.#holds(length) && this.#freshness.run && !mayAnswerLess())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    clearTimeout(timer);
    if (this.#failure && !this.#isStopped) throw this.#failure;
  }

  #build(): Promise<void> {
    if (this.#freshness.run) return this.#freshness.run;
    const isRebuild = this.#freshness.isOutdated;
    return this.#freshness.start('reading', () => this.#fill(isRebuild)).finally(() => this.#wake());
  }

  async #fill(isRebuild: boolean): Promise<void> {
    const hasTop = this.#keys.list !== null && !isRebuild && !this.#wanted.isBeyond(this.#keys.list);
    // Old rows stay until the new order is complete; without a sort the list itself grows from the top.
    const skipsTop = hasTop || this.#growsInOrder || (this.#keys.kind === 'all' && this.#wanted.areAll);
    this.#failure = null;
    const startedMs = performance.now();
    try {
      let complete = !skipsTop && (await this.#fillTop());
      // More was requested in the meantime.
      while (!skipsTop && !complete && this.#keys.list && this.#keys.list.length < this.#wanted.topRows)
        complete = await this.#fillTop();
      if (!complete && this.#wanted.areAll && !this.#isClosed) await this.#fillAll();
    } catch (error) {
      this.#failure = error;
      if (this.#keys.kind === 'all') this.#freshness.expire();
      else this.#freshness.renew();
      if (this.#isStopped && this.#answeredShort) this.#host.rowsChanged();
      return;
    }
    this.#buildMs = performance.now() - startedMs;
    if (this.#isClosed) return;
    this.#host.extentChanged();
    const hasMore = this.#keys.kind === 'all' || this.#wanted.hasGrown;
    if ((this.#answeredShort && hasMore) || !this.#touched.isEmpty) this.#host.rowsChanged();
    this.#answeredShort = false;
  }

  #keep(kind: 'top' | 'all', list: KeyList): void {
    if (!this.#isClosed) this.#keys = { kind, list };
  }

  /** Reads the first rows of the order with a sort that keeps only them. Returns whether these are all rows. */
  async #fillTop(): Promise<boolean> {
    const [top, count] = [newKeyList(this.#query), this.#wanted.topRows];
    await this.#enqueue(({ connection }) => {
      this.#touched.forget();
      if (!this.#cost.isMetered) this.#estimate = estimateKeys(connection, this.#query);
      collectTop(connection, this.#query, top, count);
    });
    const isAll = top.length < count;
    this.#keep(isAll ? 'all' : 'top', top);
    this.#wanted.allIfSmall(this.#estimate);
    this.#wake();
    // A full sort blocks for long, so the first page is sent before it begins.
    await yieldToOthers();
    return isAll;
  }

  async #fillAll(): Promise<void> {
    const list = newKeyList(this.#query);
    const growsInOrder = this.#keys.kind === 'none';
    if (growsInOrder) this.#keep('top', list);
    await this.#enqueue(
      (turn) =>
        this.#collect(turn, list, () => {
          if (!growsInOrder || this.#isClosed) return;
          this.#wake();
          this.#host.extentChanged();
        }),
      true,
    );
    this.#keep('all', list);
  }

  *#collect(turn: Turn, list: KeyList, grown: () => void): Generator<Pause, void> {
    this.#touched.forget();
    for (const pause of collectKeys(turn, this.#query, list, grown)) {
      if (this.#isClosed) return;
      yield pause;
    }
  }

  async #rebuildLater(): Promise<void> {
    if (this.#rest) return;
    this.#rest = this.#restAfterBuild();
    await this.#rest;
    this.#rest = null;
    if (this.#isClosed || !this.#freshness.isOutdated) return;
    await this.#build();
    if (!this.#failure) this.#host.rowsChanged();
  }

  async #restAfterBuild(): Promise<void> {
    await this.#freshness.run;
    await yieldToOthers(Math.max(REBUILD_DELAY_MS, this.#buildMs * REST_FACTOR));
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #enqueue<T>(body: (turn: Turn) => T | Generator<Pause, T, undefined>, pausesReading = false): Promise<T> {
    const { database, window } = this.#host;
    const rowsOf = this.#query.shape.name;
    return database.enqueue({ window, kind: 'read', pausesReading, title: this.title, rowsOf, body });
  }
}

/**
 * Pages of a table by the keys of their rows: one statement for each key or, where each statement costs a round trip, one for the page.
 */
class KeyPages {
  readonly #query: KeyQuery;
  readonly #columns: readonly string[];
  readonly #isMetered: boolean;

  constructor(query: KeyQuery, isMetered: boolean) {
    this.#query = query;
    this.#columns = pageColumns(query.shape);
    this.#isMetered = isMetered;
  }

  /** Returns the rows of `keys`, in this order. */
  read(connection: Connection, keys: readonly Key[]): PackedRows {
    if (this.#isMetered) return this.#readTogether(connection, keys);
    const { order, shape } = this.#query;
    const tail = `FROM ${order.from} WHERE ${keyCondition(shape.key)}`;
    return packPage(connection, { columns: this.#columns, tail, bindings: keys, rows: keys.length });
  }

  #readTogether(connection: Connection, keys: readonly Key[]): PackedRows {
    const names = keyNames(this.#query.shape.key);
    const wanted = names.map((_, at) => `sidelite_k${at}`);
    const places = `(${['?', ...wanted.map(() => '?')].join(', ')})`;
    const values =
      keys.length === 0
        ? `SELECT ${['NULL', ...wanted.map(() => 'NULL')].join(', ')} WHERE 0`
        : `VALUES ${keys.map(() => places).join(', ')}`;
    const same = names.map((name, at) => `t.${quoteName(name)} = wanted.sidelite_k${at}`).join(' AND ');
    const sql = `WITH wanted(sidelite_place, ${wanted.join(', ')}) AS (${values})
      SELECT ${quoteNames(this.#columns)} FROM wanted CROSS JOIN ${this.#query.order.from} AS t ON ${same} ORDER BY wanted.sidelite_place`;
    return pack(
      connection,
      sql,
      keys.flatMap((key, place) => [place, ...key]),
      keys.length,
    );
  }
}

/** Sends one request to a server, which itself reports what is too long for it. */
function pack(connection: Connection, sql: string, params: readonly Value[], expectedRows: number): PackedRows {
  const statement = connection.prepare(sql);
  try {
    const writer = new PackedRowsWriter(statement.columnCount, { expectedRows: Math.max(1, expectedRows) });
    statement.bind(params);
    statement.pack(writer, { maxRows: Infinity, maxBytes: PAGE_BYTES });
    return writer.finish();
  } finally {
    statement.finalize();
  }
}

/** A sorted table shows this many rows at once: keeping only the first few costs a fraction of sorting all. */
const TOP_ROWS = 2000;
/** Up to about this many rows, the complete order is computed without a request, because that takes only a moment. */
const SMALL_TABLE_ROWS = 200_000;

interface Cost {
  /** Keys beyond the first rows are read only when requested. */
  readonly isMetered: boolean;
  /** The order may cost the whole table. */
  readonly isCostly: boolean;
}

/**
 * How much of the order of a sorted or filtered table is needed, and on a server how far its beginning has been requested.
 *
 *   top ── more is asked for, or the table is small ──▶ all
 */
class WantedKeys {
  readonly #cost: Cost;
  #kind: 'top' | 'all';
  #topRows = TOP_ROWS;

  constructor(cost: Cost, kind: 'top' | 'all') {
    this.#cost = cost;
    this.#kind = kind;
  }

  get areAll(): boolean {
    return this.#kind === 'all';
  }

  /** How many keys are read at once from the top. */
  get topRows(): number {
    return this.#topRows;
  }

  /** Pages beyond the first top have been requested. */
  get hasGrown(): boolean {
    return this.#topRows > TOP_ROWS;
  }

  /** The top must be read further than `list` reaches. */
  isBeyond(list: KeyList | null): boolean {
    return this.#topRows > Math.max(list?.length ?? 0, TOP_ROWS);
  }

  all(): void {
    this.#kind = 'all';
  }

  /** There is no estimate with a filter: only the complete list shows how many rows there are. */
  allIfSmall(estimate: number): void {
    if (estimate <= SMALL_TABLE_ROWS && !this.#cost.isMetered) this.#kind = 'all';
  }

  /**
   * Requests a page that ends at `length`. On a server, an order that an index serves is read only as far as needed: twice as far each
   * time, and not all keys of the table. Returns whether more of it must be read.
   */
  reach(length: number, list: KeyList | null): boolean {
    const { isMetered, isCostly } = this.#cost;
    const grows = isMetered && !isCostly && !this.areAll && length >= Math.max(list?.length ?? 0, TOP_ROWS);
    if (grows) this.#topRows = Math.max(this.isBeyond(list) ? this.#topRows : 2 * this.#topRows, length);
    // The top shrinks when rows leave it.
    else if (length > (list?.length ?? TOP_ROWS)) this.#kind = 'all';
    return grows;
  }
}
