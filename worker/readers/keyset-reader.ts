// Pages a table on a server, where each request is a round trip and each row that is read is paid for: by key, from the nearest row that is
// known. Nothing is counted or mapped in advance, so positions far from known rows are estimated; the rows are always right.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Connection } from '../engines/engine.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import { rowidRange, type RowidRange } from '../schema/row-estimate.ts';
import { keyCondition, type TableShape } from '../schema/table-shape.ts';
import type { Key, KeyOrder } from './key-order.ts';
import { KeyWalker } from './key-walker.ts';
import { PageTrail, guessRowid } from './page-trail.ts';
import { effectOnTable, layoutOf, type Effect, type Reader, type ReaderHost, type ReaderLayout } from './reader.ts';
import { yieldToOthers } from './slice.ts';

/** Rows that are skipped from a known one rather than estimating a position: the server reads them, too. */
const MAX_SKIP = 1000;

interface PageStart {
  /** Null: the first row of the table. */
  readonly key: Key | null;
  readonly skip: number;
  readonly exact: boolean;
}

interface Learned {
  readonly rows: PackedRows;
  readonly start: number;
  readonly count: number;
  readonly exact: boolean;
  /** The rows begin right after a row that was known. */
  readonly isAfterKnown: boolean;
}

const asRowid = ([rowid]: Key): number | bigint => rowid as number | bigint;

export class KeysetReader implements Reader {
  readonly title: string;
  readonly layout: ReaderLayout;
  readonly isByRowid: boolean;
  readonly #host: ReaderHost;
  readonly #shape: TableShape;
  readonly #order: KeyOrder;
  readonly #walker: KeyWalker;
  readonly #trail = new PageTrail<Key>();
  /** Range of the row ids; undefined until it is queried. */
  #range: RowidRange | null | undefined = undefined;
  #rows = 0;
  #isExact = false;

  constructor(host: ReaderHost, shape: TableShape, order: KeyOrder) {
    this.#host = host;
    this.#shape = shape;
    this.#order = order;
    this.#walker = new KeyWalker(shape, order);
    this.layout = layoutOf(shape);
    this.title = `Rows of ${shape.name}`;
    this.isByRowid = shape.key.kind === 'rowid';
  }

  get extent(): Extent {
    return { rows: this.#rows, exact: this.#isExact };
  }

  get tables(): readonly string[] {
    return [this.#shape.name];
  }

  noteChanges(changes: TransactionChanges): Effect | null {
    const effect = effectOnTable(changes, this.#shape.name);
    if (effect?.kind !== 'rows') return effect;
    this.#trail.clear();
    this.#range = undefined;
    this.#isExact = false;
    return effect;
  }

  dispose(): void {
    this.#trail.clear();
  }

  async read(start: number, count: number): Promise<RowsPage> {
    const page = await this.#enqueue((connection) => this.#readPage(connection, start, count));
    void this.#estimateLater();
    return page;
  }

  /** Runs after the first page, which does not wait for it. Reads two rows at the ends of the row ids, whatever the size of the table. */
  async #estimateLater(): Promise<void> {
    if (this.#range !== undefined || this.#isExact) return;
    this.#range = null;
    const { key, name } = this.#shape;
    if (key.kind !== 'rowid') return;
    try {
      await yieldToOthers();
      this.#learnRange(await this.#enqueue((connection) => rowidRange(connection, name, key.name)));
    } catch {
      this.#range = undefined; // the next page tries again, and reports when the table cannot be read
    }
  }

  /** Counts the position from known rows nearby. Far from them it is estimated, and the page there begins with this row. */
  find(key: Key): Promise<number | null> {
    return this.#enqueue((connection) => {
      const here = `SELECT 1 FROM ${this.#order.from} WHERE ${keyCondition(this.#shape.key)}`;
      if (!connection.one(here, key)) return null;
      const from = this.#counted(connection, key) ?? { position: this.#estimated(connection, key), exact: false };
      this.#trail.add({ ...from, key });
      return from.position;
    });
  }

  /** Counts a few rows from a known one, which may be on screen: an estimate would then lead to another row. Null for more than a few. */
  #counted(connection: Connection, key: Key): { readonly position: number; readonly exact: boolean } | null {
    const { below, above } = this.isByRowid
      ? this.#trail.around((known) => asRowid(known) > asRowid(key))
      : { below: null, above: null };
    const isNear =
      !this.isByRowid ||
      (this.#isExact && this.#rows <= MAX_SKIP) ||
      (above?.position ?? Infinity) - (below?.position ?? 0) <= MAX_SKIP ||
      (below !== null && Number(asRowid(key)) - Number(asRowid(below.key)) <= MAX_SKIP);
    if (!isNear) return null;
    const rows = this.#walker.countBetween(connection, below?.key ?? null, key, MAX_SKIP + 1);
    return rows > MAX_SKIP ? null : { position: (below?.position ?? 0) + rows, exact: below?.exact ?? true };
  }

  #estimated(connection: Connection, key: Key): number {
    const { key: shapeKey, name } = this.#shape;
    if (!this.#range && shapeKey.kind === 'rowid') this.#learnRange(rowidRange(connection, name, shapeKey.name));
    const last = Math.max(0, this.#rows - 1);
    if (!this.#range || !this.isByRowid) return last;
    const { min, max } = this.#range;
    return Math.max(0, Math.min(last, Math.round(((Number(asRowid(key)) - min) / Math.max(1, max - min)) * last)));
  }

  #learnRange(range: RowidRange | null): void {
    if (range === null || this.#isExact) return;
    this.#range = range;
    this.#rows = Math.max(this.#rows, range.max - range.min + 1);
    this.#host.extentChanged();
  }

  #readPage(connection: Connection, start: number, count: number): RowsPage {
    const from = this.#startOf(connection, start);
    const rows = this.#rowsAt(connection, from, count);
    this.#learn({ rows, start, count, exact: from.exact, isAfterKnown: from.key !== null && from.skip === 1 });
    return { rows, start, exactPosition: from.exact, extent: this.extent };
  }

  /** Another client may have deleted the known row, which is then not skipped: the row after it would be. */
  #rowsAt(connection: Connection, { key, skip }: PageStart, count: number): PackedRows {
    if (key === null) return this.#walker.firstPage(connection, skip, count);
    if (skip === 0) return this.#walker.page(connection, key, 0, count);
    return this.#walker.pageAfter(connection, key, skip - 1, count);
  }

  #startOf(connection: Connection, start: number): PageStart {
    const near = this.#trail.nearest(start, MAX_SKIP);
    if (near && near.position <= start && near.position > 0)
      return { key: near.key, skip: start - near.position, exact: near.exact };
    if (start <= MAX_SKIP) return { key: null, skip: start, exact: true };
    if (near && near.position > start) {
      const key = this.#walker.keyBefore(connection, near.key, near.position - start);
      if (key) return { key, skip: 0, exact: near.exact };
    }
    const fromEnd = this.#rows - start - 1;
    if (fromEnd >= 0 && fromEnd < MAX_SKIP) {
      const key = this.#walker.lastKey(connection, fromEnd);
      if (key) return { key, skip: 0, exact: this.#isExact };
    }
    if (this.#range) {
      const known = { position: 0, rowid: this.#range.min, maxRowid: this.#range.max, rows: this.#rows };
      return { key: [guessRowid(start, known)], skip: 0, exact: false };
    }
    // Keys of several columns do not indicate positions.
    const before = this.#trail.nearest(start, Infinity);
    return before && before.position <= start
      ? { key: before.key, skip: start - before.position, exact: before.exact }
      : { key: null, skip: start, exact: true };
  }

  #learn({ rows, start, count, exact, isAfterKnown }: Learned): void {
    this.#remember(rows, start, exact);
    const end = start + rows.rowCount;
    // The position of a page past the last row is no count, unless the row before it is known.
    const isNear = rows.rowCount > 0 || start === 0 || isAfterKnown;
    if ((rows.rowCount < count && isNear) || this.#isLast(rows)) {
      this.#rows = end;
      this.#isExact = exact;
      return;
    }
    if (end >= this.#rows && !this.#isExact) this.#rows = end + (rows.rowCount === count ? count : 0);
  }

  /** Whether the last of these rows is the last of the table. */
  #isLast(rows: PackedRows): boolean {
    if (!this.#range || !this.isByRowid || rows.rowCount === 0) return false;
    const last = new PackedRowsReader(rows).value(rows.rowCount - 1, this.layout.key.columns[0]!);
    return Number(last) === this.#range.max;
  }

  #remember(rows: PackedRows, start: number, exact: boolean): void {
    const columns = this.layout.key.columns;
    if (rows.rowCount === 0 || columns.length === 0) return;
    const cells = new PackedRowsReader(rows);
    for (const row of [0, rows.rowCount - 1]) {
      if (columns.some((column) => cells.isPreview(row, column))) continue;
      this.#trail.add({ position: start + row, key: columns.map((column) => cells.value(row, column)), exact });
    }
  }

  #enqueue<T>(body: (connection: Connection) => T): Promise<T> {
    const { database, window } = this.#host;
    const { name } = this.#shape;
    return database.enqueue({
      window,
      kind: 'read',
      title: this.title,
      rowsOf: name,
      body: (turn) => body(turn.connection),
    });
  }
}
