// Pages a sorted or filtered table: collects the first keys at once, then all keys in order, and keeps them as a list; pages are point
// lookups by key. Positions are exact; so is the number of rows, once the list is complete.
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Connection, TransactionChanges } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import { KeyPages } from './key-pages.ts';
import { PackedKeyList, RowidList } from './key-list.ts';
import type { KeyList } from './key-list.ts';
import type { Key } from './key-order.ts';
import { collectKeys, collectTop } from './key-source.ts';
import type { KeyQuery } from './key-source.ts';
import type { ReadSet } from './read-set.ts';
import { effectOnTable, layoutOf } from './reader.ts';
import type { Effect, Reader, ReaderHost, ReaderLayout } from './reader.ts';
import { yieldToOthers } from './slice.ts';
import { TouchedKeys } from './touched-keys.ts';

/** A sorted table shows this many rows at once: keeping only the first few costs a fraction of sorting all. */
const TOP_ROWS = 2000;
/** Up to about this many rows, the complete order is computed without a request, because that takes only a moment. */
const SMALL_TABLE_ROWS = 200_000;
/** A list that was built this fast is rebuilt before the page is returned, a slower one afterwards. */
const QUICK_MS = 50;
const REBUILD_DELAY_MS = 250;
/** After a slow build the reader rests this many times as long, to leave the worker to other work. */
const REST_FACTOR = 2;
/** How long a page waits for the list to reach it before it is returned with the rows that exist. */
const PATIENCE_MS = 250;

interface Cost {
  /** Only the first rows are looked for until more are asked for. */
  readonly isMetered: boolean;
  /** The order may cost the whole table. */
  readonly isCostly: boolean;
}

export class SortedReader implements Reader {
  readonly title: string;
  readonly layout: ReaderLayout;
  readonly #host: ReaderHost;
  readonly #query: KeyQuery;
  readonly #orderReads: ReadSet;
  readonly #pages: KeyPages;
  readonly #isMetered: boolean;
  readonly #isCostly: boolean;
  /** The keys that pages are read by. */
  #list: KeyList | null = null;
  #complete = false;
  #stale = false;
  /** Rows to move to their new position before the next page. */
  readonly #touched: TouchedKeys;
  /** Whether the window has asked for more than the top. */
  #wantsAll: boolean;
  /** How many keys are read at once from the top. */
  #topRows = TOP_ROWS;
  #estimate = 0;
  #building: Promise<void> | null = null;
  /** A new order is due, but only after a rest. */
  #isResting = false;
  #buildMs = 0;
  #failure: unknown = null;
  #waiting: (() => void)[] = [];
  #answeredShort = false;
  #disposed = false;

  /**
   * @param orderReads what filter and order read, including other tables
   * @param cost of rows on a server
   */
  constructor(host: ReaderHost, query: KeyQuery, orderReads: ReadSet, { isMetered, isCostly }: Cost) {
    this.#isMetered = isMetered;
    this.#isCostly = isCostly;
    this.#host = host;
    this.#query = query;
    this.#orderReads = orderReads;
    this.#touched = new TouchedKeys(query, isMetered);
    this.#pages = new KeyPages(query, isMetered);
    // Without a sort order the list grows in order, so its beginning is the top.
    this.#wantsAll = query.sort.length === 0 && !isMetered;
    this.layout = layoutOf(query.shape);
    this.title = `Sorted rows of ${query.shape.name}`;
  }

  get extent(): Extent {
    const known = this.#list?.length ?? 0;
    return this.#complete
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
    if (this.#list && !this.#stale && this.#touched.note(changes)) return { kind: 'rows', keys: null };
    // Any rows may have changed. The window decides whether the order is worth its price again; until then pages show values as they are.
    if (this.#isCostly && this.#list) return { kind: 'values', keys: null };
    this.#stale = true;
    return { kind: 'rows', keys: null };
  }

  dispose(): void {
    this.#disposed = true;
    this.#list = null;
    this.#wake();
  }

  async read(start: number, count: number): Promise<RowsPage> {
    // A build that was already running may have begun before the change.
    while (this.#stale && this.#buildMs <= QUICK_MS && !this.#disposed) {
      await this.#build();
      if (this.#failure) break;
    }
    if (this.#stale) void this.#rebuildLater();
    await this.#reach(start + count);
    return this.#enqueue((turn) => this.#pageByKeys(turn.connection, start, count));
  }

  async find(key: Key): Promise<number | null> {
    this.#wantsAll = true;
    while ((!this.#complete || this.#stale) && !this.#failure && !this.#disposed) await this.#build();
    await this.#enqueue(({ connection }) => this.#catchUp(connection));
    return this.#list?.find(key) ?? null;
  }

  get #isExact(): boolean {
    return !this.#stale && this.#touched.isEmpty;
  }

  #catchUp(connection: Connection): void {
    if (this.#touched.isEmpty || this.#stale || this.#building || !(this.#list instanceof RowidList)) return;
    const { length } = this.#list;
    this.#touched.putBack(connection, this.#list, this.#complete);
    if (this.#list.length !== length) this.#host.extentChanged();
  }

  #pageByKeys(connection: Connection, start: number, count: number): RowsPage {
    this.#catchUp(connection);
    const list = this.#list;
    const end = Math.min(start + count, list?.length ?? 0);
    const keys: Key[] = [];
    for (let position = start; position < end; position++) keys.push(list!.at(position));
    const rows = this.#pages.read(connection, keys);
    if (!this.#complete && end < start + count) this.#answeredShort = true;
    return { rows, start, exactPosition: this.#isExact, extent: this.extent };
  }

  #holds(length: number): boolean {
    return this.#complete || (this.#list?.length ?? 0) >= length;
  }

  /** Resolves once the list has `length` keys or is complete, or after PATIENCE_MS with fewer. Throws the error of the build. */
  async #reach(length: number): Promise<void> {
    const grows = this.#growsFor(length);
    if (this.#holds(length)) return void (grows && this.#build());
    // The top shrinks when rows leave it.
    if (!grows && length > (this.#list?.length ?? TOP_ROWS)) this.#wantsAll = true;
    void this.#build();
    const patience = performance.now() + PATIENCE_MS;
    const timer = setTimeout(() => this.#wake(), PATIENCE_MS + 1);
    const mayAnswerLess = (): boolean => this.#list !== null && performance.now() >= patience;
    while (!this.#holds(length) && this.#building && !mayAnswerLess())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    clearTimeout(timer);
    if (this.#failure) throw this.#failure;
  }

  /** An order that an index serves is read on a server as far as somebody looks: twice as far each time, and not all keys of the table. */
  #growsFor(length: number): boolean {
    if (!this.#isMetered || this.#isCostly || this.#wantsAll || this.#complete) return false;
    const known = Math.max(this.#list?.length ?? 0, TOP_ROWS);
    if (length < known) return false;
    const isGrowing = this.#topRows > known;
    this.#topRows = Math.max(isGrowing ? this.#topRows : 2 * this.#topRows, length);
    return true;
  }

  #build(): Promise<void> {
    this.#building ??= this.#fill().finally(() => {
      this.#building = null;
      this.#wake();
    });
    return this.#building;
  }

  async #fill(): Promise<void> {
    if (this.#complete && !this.#stale) return;
    const isGrowing = this.#topRows > Math.max(this.#list?.length ?? 0, TOP_ROWS);
    const hasTop = this.#list !== null && !this.#stale && !isGrowing;
    // Old rows stay until the new order is complete; without a sort the list itself grows from the top.
    const growsInOrder = this.#query.sort.length === 0 && !this.#isMetered;
    const skipsTop = hasTop || growsInOrder || (this.#complete && this.#wantsAll);
    this.#failure = null;
    this.#stale = false;
    const startedMs = performance.now();
    try {
      let complete = !skipsTop && (await this.#fillTop());
      // More was asked for meanwhile.
      while (!skipsTop && !complete && this.#list!.length < this.#topRows && !this.#disposed)
        complete = await this.#fillTop();
      if (!complete && this.#wantsAll && !this.#disposed) await this.#fillAll();
    } catch (error) {
      this.#failure = error;
      this.#stale = this.#complete;
      return;
    }
    this.#buildMs = performance.now() - startedMs;
    if (this.#disposed) return;
    this.#host.extentChanged();
    if ((this.#answeredShort && (this.#complete || this.#topRows > TOP_ROWS)) || !this.#touched.isEmpty)
      this.#host.rowsChanged();
    this.#answeredShort = false;
  }

  /** Reads the first rows of the order with a sort that keeps only them. Returns whether these are all rows. */
  async #fillTop(): Promise<boolean> {
    const [top, count] = [newKeyList(this.#query), this.#topRows];
    await this.#enqueue(({ connection }) => {
      this.#touched.forget();
      if (!this.#isMetered) this.#estimate = estimateOf(connection, this.#query);
      collectTop(connection, this.#query, top, count);
    });
    this.#list = top;
    this.#complete = top.length < count;
    // With a filter there is no estimate: only the complete list shows how many rows there are.
    if (this.#estimate <= SMALL_TABLE_ROWS && !this.#isMetered) this.#wantsAll = true;
    this.#wake();
    // A full sort blocks for long, so the first page is sent before it begins.
    await yieldToOthers();
    return this.#complete;
  }

  async #fillAll(): Promise<void> {
    const list = newKeyList(this.#query);
    const growsInOrder = !this.#list;
    if (growsInOrder) this.#list = list;
    await this.#enqueue(
      (turn) =>
        this.#collect(turn, list, () => {
          if (!growsInOrder || this.#disposed) return;
          this.#wake();
          this.#host.extentChanged();
        }),
      true,
    );
    this.#list = list;
    this.#complete = true;
  }

  *#collect(turn: Turn, list: KeyList, grown: () => void): Generator<Pause, void> {
    this.#touched.forget();
    for (const pause of collectKeys(turn, this.#query, list, grown)) {
      if (this.#disposed) return;
      yield pause;
    }
  }

  async #rebuildLater(): Promise<void> {
    if (this.#isResting) return;
    this.#isResting = true;
    await this.#building;
    await yieldToOthers(Math.max(REBUILD_DELAY_MS, this.#buildMs * REST_FACTOR));
    this.#isResting = false;
    if (this.#disposed || !this.#stale) return;
    await this.#build();
    if (!this.#failure) this.#host.rowsChanged();
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

function newKeyList(query: KeyQuery): KeyList {
  return query.shape.key.kind === 'rowid' ? new RowidList() : new PackedKeyList();
}

function estimateOf(connection: Connection, query: KeyQuery): number {
  if (query.where.sql !== null) return 0;
  const { key, name } = query.shape;
  return estimateRows(connection, name, key.kind === 'rowid' ? key.name : null)?.count ?? 0;
}
