// Pages a table in the order of its own key, by key and never by OFFSET from the start. A sparse position map, built in the background,
// gives exact positions; beyond its reach, positions in rowid tables are estimated, but the rows are right.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { NO_ROWS, type PackedRows } from '#shared/packed-rows/format.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableChanges, TransactionChanges } from '../engines/transaction-changes.ts';
import { estimateRows, rowidRange } from '../schema/row-estimate.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { keyCondition, type TableShape } from '../schema/table-shape.ts';
import { Freshness } from './freshness.ts';
import type { Key, KeyOrder } from './key-order.ts';
import { KeyWalker } from './key-walker.ts';
import { PageTrail, guessRowid, guessRows } from './page-trail.ts';
import { PositionMap, STRIDE } from './position-map.ts';
import type { ReadSet } from './read-set.ts';
import { changeOf, effectOnTable, layoutOf } from './reader.ts';
import type { Effect, Reader, ReaderHost, ReaderLayout } from './reader.ts';
import { yieldToOthers, sliceEnd } from './slice.ts';

/** How long a page read may work on the map: enough to map small tables completely at once. */
const MAP_MS_PER_READ = 2;
/** A background slice, the longest that a page requested in the meantime waits. */
const MAP_SLICE_MS = 4;
/** A series of changes leads to one rebuild of the map. */
const REMAP_DELAY_MS = 150;
/** Most touched rows that are looked up one by one: after a larger commit, rebuilding the map costs about as much. */
const MAX_FOLLOWED_ROWS = 1000;
/** Most parts of the map that are counted before a page, which takes a few milliseconds. */
const MAX_UNCOUNTED_PARTS = 16;

interface Location {
  readonly key: Key;
  readonly skip: number;
  readonly exact: boolean;
}

export class TableReader implements Reader {
  readonly title: string;
  readonly layout: ReaderLayout;
  readonly isByRowid: boolean;
  readonly #host: ReaderHost;
  readonly #shape: TableShape;
  readonly #order: KeyOrder;
  readonly #walker: KeyWalker;
  readonly #reads: ReadSet | null;
  readonly #trail = new PageTrail<Key>();
  #map = new PositionMap<Key>();
  /** The complete map from before the last change, nearly right until the new one is built. */
  #formerMap: PositionMap<Key> | null = null;
  readonly #estimate: TableEstimate;
  /** The number of rows before the last change, until there is a better one: a table must not seem empty in between. */
  #formerRows = 0;
  /** Freshness of the map, which a change may overtake while it is built in the background. */
  readonly #mapping = new Freshness();
  /** The map counted rows of an open transaction, whose commit will name rows that it already holds. */
  #holdsUncommitted = false;
  /** The window shows rows at estimated positions. It is asked to page again once the map has exact ones. */
  #answeredInexactly = false;
  #disposed = false;

  /** @param reads for anything but a plain table, whose rows may come from other tables */
  constructor(host: ReaderHost, shape: TableShape, order: KeyOrder, reads: ReadSet | null) {
    this.#host = host;
    this.#shape = shape;
    this.#estimate = new TableEstimate(shape);
    this.#order = order;
    this.#walker = new KeyWalker(shape, order);
    this.#reads = reads;
    this.layout = layoutOf(shape);
    this.title = `Rows of ${shape.name}`;
    this.isByRowid = shape.key.kind === 'rowid' && reads === null;
  }

  get extent(): Extent {
    if (this.#map.rows !== null) return { rows: this.#map.rows, exact: this.#map.isExact && !this.#mapping.isOutdated };
    const known = this.#formerMap?.rows ?? this.#estimate.rows ?? this.#formerRows;
    return { rows: Math.max(this.#map.reach, known), exact: false };
  }

  noteChanges(changes: TransactionChanges): Effect | null {
    if (this.#reads) {
      if (!this.#reads.touchedBy(changes)) return null;
      this.#forgetPositions();
      return { kind: 'rows', keys: null };
    }
    const effect = effectOnTable(changes, this.#shape.name);
    if (effect?.kind === 'rows' && !this.#follow(changes.tables && changeOf(changes.tables, this.#shape.name)))
      this.#forgetPositions();
    return effect;
  }

  /** Keeps the map exact through a change that names its rows. Returns false when it cannot. */
  #follow(change: TableChanges | null): boolean {
    const keys = change?.keys;
    if (!this.isByRowid || this.#holdsUncommitted || keys?.kind !== 'rowid') return false;
    if (keys.rowids.length > MAX_FOLLOWED_ROWS) return false;
    const { inserted, updated, deleted, moved } = change!;
    const by = updated || moved || inserted === deleted ? 0 : inserted ? 1 : -1;
    for (const rowid of new Set(keys.rowids)) {
      const key = BigInt.asIntN(53, rowid) === rowid ? Number(rowid) : rowid;
      this.#map.change([key], by, ([anchor]) => (anchor as number | bigint) <= key);
    }
    this.#trail.clear();
    this.#formerRows = this.extent.rows;
    if (this.#map.rows === null) this.#estimate.forget();
    else if (this.#map.isCrowded) return false;
    if (this.#map.uncountedParts > MAX_UNCOUNTED_PARTS) return false;
    this.#host.extentChanged();
    return true;
  }

  #forgetPositions(): void {
    this.#formerRows = this.extent.rows;
    this.#trail.clear();
    this.#estimate.forget();
    if (this.#mapping.run) return this.#mapping.expire();
    if (this.#map.rows !== null) this.#formerMap = this.#map;
    this.#map = new PositionMap();
    this.#holdsUncommitted = false;
  }

  dispose(): void {
    this.#disposed = true;
  }

  open(): Promise<void> {
    return this.#enqueue(({ connection }) => this.#look(connection));
  }

  /** Works on the map for a moment, so that the extent of a small table is exact from the start. */
  #look(connection: Connection): void {
    this.#catchUp(connection);
    this.#mapFor(connection, performance.now() + MAP_MS_PER_READ);
    this.#estimate.improve(connection, this.#map);
  }

  /** Counts the parts of the map where rows were inserted or deleted, and splits those that have grown large. */
  #catchUp(connection: Connection): void {
    if (!this.#map.isExact && !connection.autocommit) this.#holdsUncommitted = true;
    for (let part = this.#map.nextUncounted(); part; part = this.#map.nextUncounted())
      this.#map.setCount(part, this.#walker.countBetween(connection, part.key, part.end, -1));
    for (let part = this.#map.nextLarge(); part; part = this.#map.nextLarge())
      this.#map.split(part, this.#walker.keyAfter(connection, part.key, STRIDE)!);
  }

  async read(start: number, count: number): Promise<RowsPage> {
    const page = await this.#enqueue((turn) => this.#readPage(turn, start, count));
    void this.#mapInBackground();
    return page;
  }

  *#readPage(turn: Turn, start: number, count: number): Generator<Pause, RowsPage> {
    const { connection } = turn;
    this.#look(connection);
    const jumps = this.#shape.key.kind !== 'rowid';
    while (jumps && this.#map.rows === null && this.#map.reach <= start) {
      // A position cannot be estimated from keys of several columns, so walk there.
      this.#mapFor(connection, sliceEnd(turn));
      if (this.#map.rows === null && this.#map.reach <= start) yield 'between';
    }
    const location = this.#locate(connection, start);
    const rows = location ? this.#walker.page(connection, location.key, location.skip, count) : NO_ROWS;
    if (location) this.#remember(rows, start, location.exact);
    const exactPosition = location?.exact ?? this.extent.exact;
    if (!exactPosition) this.#answeredInexactly = true;
    return { rows, start, exactPosition, extent: this.extent };
  }

  /** Finds the position by the first method that can: the map, recently read rows, the former map, from the end, or interpolation. */
  #locate(connection: Connection, position: number): Location | null {
    if (this.#map.rows !== null && position >= this.#map.rows) return null;
    const mapped = this.#map.seek(position);
    const near = this.#trail.nearest(position, STRIDE);
    const exact = !this.#mapping.isOutdated;
    if (mapped && !(near?.exact && near.position <= position && position - near.position < mapped.skip))
      return { ...mapped, exact };
    if (near && near.position <= position) return { key: near.key, skip: position - near.position, exact: near.exact };
    if (near) {
      const key = this.#walker.keyBefore(connection, near.key, near.position - position);
      if (key) return { key, skip: 0, exact: near.exact };
    }
    const former = this.#formerMap?.seek(position);
    if (former) return { ...former, exact: false };
    return this.#guess(connection, position);
  }

  #guess(connection: Connection, position: number): Location | null {
    const { rows } = this.extent;
    const fromEnd = rows - position - 1;
    if (fromEnd < 0) return null;
    if (fromEnd < STRIDE) {
      const key = this.#walker.lastKey(connection, fromEnd);
      if (key) return { key, skip: 0, exact: false };
    }
    const { range } = this.#estimate;
    const last = this.#map.lastAnchor;
    if (!range || !last) return null;
    const known = { position: last.position, rowid: Number(last.key[0]), maxRowid: range.max, rows };
    return { key: [guessRowid(position, known)], skip: 0, exact: false };
  }

  #remember(rows: PackedRows, start: number, exact: boolean): void {
    const key = this.layout.key.columns;
    if (rows.rowCount === 0 || key.length === 0) return;
    const cells = new PackedRowsReader(rows);
    const holdsPreview = key.some((column) => cells.isPreview(0, column) || cells.isPreview(rows.rowCount - 1, column));
    if (holdsPreview) return;
    for (const row of [0, rows.rowCount - 1]) {
      this.#trail.add({ position: start + row, key: key.map((column) => cells.value(row, column)), exact });
    }
  }

  async find(key: Key): Promise<number | null> {
    const position = await this.#enqueue((turn) => this.#findPosition(turn, key));
    void this.#mapInBackground();
    return position;
  }

  *#findPosition(turn: Turn, key: Key): Generator<Pause, number | null> {
    const { connection } = turn;
    const here = `SELECT 1 FROM ${this.#order.from} WHERE ${keyCondition(this.#shape.key)}`;
    if (!connection.one(here, key)) return null;
    const notAfter = (anchor: Key): boolean =>
      connection.one(`${here} AND (${this.#order.atOrAfter.sql})`, [
        ...key,
        ...this.#order.atOrAfter.params(anchor),
      ]) !== null;
    for (;;) {
      this.#catchUp(connection);
      const last = this.#map.lastAnchor;
      if (this.#map.rows !== null || (last && !notAfter(last.key))) break;
      this.#mapFor(connection, sliceEnd(turn));
      yield 'between';
    }
    const anchor = this.#map.anchorNotAfter(notAfter);
    if (!anchor) return null;
    return anchor.position + this.#walker.countBetween(connection, anchor.key, key, -1);
  }

  #mapFor(connection: Connection, untilMs: number): void {
    if (this.#map.rows === null && !connection.autocommit) this.#holdsUncommitted = true;
    // The first key alone is no indication, however long a busy machine took to find it.
    if (this.#map.lastAnchor === null) this.#walker.extendMap(connection, this.#map);
    while (this.#map.rows === null && this.#walker.extendMap(connection, this.#map) && performance.now() < untilMs);
    if (this.#map.rows !== null) this.#formerMap = null;
  }

  /** Runs only while a window reads: after a change it waits for the next page request. */
  async #mapInBackground(): Promise<void> {
    if (this.#mapping.run || this.#map.rows !== null) return;
    await this.#mapping.start(this.#mapping.isOutdated ? 'waiting' : 'reading', () => this.#mapAll());
    if (this.#mapping.isOutdated) await this.#mapAgain();
    else if (this.#answeredInexactly && this.#map.rows !== null && !this.#disposed) {
      this.#answeredInexactly = false;
      this.#host.rowsChanged();
    }
  }

  async #mapAll(): Promise<void> {
    try {
      for (await yieldToOthers(); this.#map.rows === null && !this.#disposed; await yieldToOthers()) {
        await this.#enqueue((turn) => this.#mapFor(turn.connection, sliceEnd(turn, MAP_SLICE_MS)));
        this.#host.extentChanged();
      }
    } catch {
      // Stopped, closed or damaged: the next read tries again and reports when the table cannot be read.
    }
  }

  async #mapAgain(): Promise<void> {
    await yieldToOthers(REMAP_DELAY_MS);
    this.#mapping.renew();
    this.#forgetPositions();
    if (!this.#disposed) await this.#mapInBackground();
  }

  #enqueue<T>(body: (turn: Turn) => T | Generator<Pause, T, undefined>): Promise<T> {
    const { database, window } = this.#host;
    return database.enqueue({ window, kind: 'read', title: this.title, rowsOf: this.#shape.name, body });
  }
}

interface Estimate {
  rows: number;
  /** Range of row ids. */
  readonly range: { readonly min: number; readonly max: number } | null;
}

/** Estimates how many rows a table has, until the position map has counted them. */
class TableEstimate {
  readonly #shape: TableShape;
  #estimate: Estimate | null = null;

  constructor(shape: TableShape) {
    this.#shape = shape;
  }

  get rows(): number | undefined {
    return this.#estimate?.rows;
  }

  get range(): Estimate['range'] {
    return this.#estimate?.range ?? null;
  }

  forget(): void {
    this.#estimate = null;
  }

  /** The more of a table with row ids is mapped, the better. */
  improve(connection: Connection, map: PositionMap<Key>): void {
    if (map.rows !== null) return;
    const { key, name } = this.#shape;
    const rowid = key.kind === 'rowid' ? key.name : null;
    this.#estimate ??= {
      rows: estimateRows(connection, name, rowid)?.count ?? (rowid === null ? map.reach + 1 : 0),
      range: rowid === null ? null : rowidRange(connection, name, rowid),
    };
    const { range } = this.#estimate;
    const last = map.lastAnchor;
    if (range && last && last.position > 0)
      this.#estimate.rows = guessRows(last.position, Number(last.key[0]), range.min, range.max);
  }
}
