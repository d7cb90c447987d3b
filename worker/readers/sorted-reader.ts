// Pages a table in any order or filtered: the first page by LIMIT at once, then every key in order, kept as a list;
// pages are point lookups by key. Positions and the number of rows are exact once the list is complete.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Connection, TransactionChanges } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { keyCondition } from '../sql/table-shape.ts';
import { PackedKeyList, RowidList } from './key-list.ts';
import type { KeyList } from './key-list.ts';
import type { Key } from './key-order.ts';
import { collectKeys, orderClause, whereClause } from './key-source.ts';
import type { KeyQuery } from './key-source.ts';
import { PAGE_BYTES, selectList } from './key-walker.ts';
import { layoutOf, touches } from './reader.ts';
import type { Reader, ReaderHost, ReaderLayout } from './reader.ts';
import { breathe } from './slice.ts';

/** The first page that a sorted table shows before its key list is there. */
const FIRST_ROWS = 2000;
/** A list that was made this fast is made again before a page is answered; a slower one after it. */
const QUICK_MS = 50;
const REBUILD_DELAY_MS = 250;
/** How long a page waits for the list to reach it before it answers with what is there. */
const PATIENCE_MS = 250;

export class SortedReader implements Reader {
  readonly layout: ReaderLayout;
  readonly #host: ReaderHost;
  readonly #query: KeyQuery;
  readonly #tables: ReadonlySet<string>;
  readonly #columns: string;
  #list: KeyList | null = null;
  #complete = false;
  #stale = false;
  #building: Promise<void> | null = null;
  #buildMs = 0;
  #failure: unknown = null;
  #waiting: (() => void)[] = [];
  #answeredShort = false;
  #disposed = false;

  /** @param tables what the query reads: a filter may look into other tables too */
  constructor(host: ReaderHost, query: KeyQuery, tables: ReadonlySet<string>) {
    this.#host = host;
    this.#query = query;
    this.#tables = tables;
    this.#columns = selectList(query.shape);
    this.layout = layoutOf(query.shape);
  }

  get extent(): Extent {
    return { rows: this.#list?.length ?? 0, exact: this.#complete && !this.#stale };
  }

  dependsOn(changes: TransactionChanges): boolean {
    return touches(this.#tables, changes);
  }

  invalidate(): void {
    this.#stale = true;
  }

  dispose(): void {
    this.#disposed = true;
    this.#list = null;
    this.#wake();
  }

  async read(start: number, count: number): Promise<RowsPage> {
    if (this.#stale && this.#buildMs <= QUICK_MS && !this.#building) await this.#build();
    else if (this.#stale) void this.#rebuildLater();
    if (!this.#list && this.#query.sort.length > 0 && start + count <= FIRST_ROWS) return this.#firstPage(start, count);
    if (!this.#complete) await this.#reach(start + count);
    return this.#enqueue((turn) => this.#pageByKeys(turn.connection, start, count));
  }

  async find(key: Key): Promise<number | null> {
    if (!this.#complete || this.#stale) await this.#build();
    return this.#list?.find(key) ?? null;
  }

  async #firstPage(start: number, count: number): Promise<RowsPage> {
    const sql = `SELECT ${this.#columns} FROM ${this.#query.order.from}${whereClause(this.#query)}${orderClause(this.#query)} LIMIT ? OFFSET ?`;
    const rows = await this.#enqueue(({ connection }) => pack(connection, sql, [[...this.#query.where.params, count, start]], count));
    void this.#build();
    const known = start + rows.rowCount;
    const extent = rows.rowCount < count && (rows.rowCount > 0 || start === 0) ? { rows: known, exact: true } : { rows: known + 1, exact: false };
    return { rows, start, exactPosition: true, extent: this.#complete ? this.extent : extent };
  }

  #pageByKeys(connection: Connection, start: number, count: number): RowsPage {
    const list = this.#list;
    const end = Math.min(start + count, list?.length ?? 0);
    const keys: Key[] = [];
    for (let position = start; position < end; position++) keys.push(list!.at(position));
    const sql = `SELECT ${this.#columns} FROM ${this.#query.order.from} WHERE ${keyCondition(this.#query.shape.key)}`;
    const rows = pack(connection, sql, keys, keys.length);
    if (!this.#complete && end < start + count) this.#answeredShort = true;
    return { rows, start, exactPosition: !this.#stale, extent: this.extent };
  }

  /** Resolves once the list is `length` long or complete, or after a moment with less. Throws what building it threw. */
  async #reach(length: number): Promise<void> {
    void this.#build();
    const patience = performance.now() + PATIENCE_MS;
    const timer = setTimeout(() => this.#wake(), PATIENCE_MS + 1);
    while (!this.#complete && !this.#disposed && (this.#list?.length ?? 0) < length && performance.now() < patience) {
      if (this.#failure) break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    clearTimeout(timer);
    if (this.#failure) throw this.#failure;
  }

  #build(): Promise<void> {
    this.#building ??= this.#fill().finally(() => (this.#building = null));
    return this.#building;
  }

  async #fill(): Promise<void> {
    if (this.#complete && !this.#stale) return;
    const list = this.#query.shape.key.kind === 'rowid' ? new RowidList() : new PackedKeyList();
    const first = !this.#complete;
    if (first) this.#list = list;
    this.#failure = null;
    this.#stale = false;
    const grown = (): void => {
      if (this.#disposed || !first) return;
      this.#wake();
      this.#host.extentChanged();
    };
    const startedMs = performance.now();
    try {
      await this.#enqueue((turn) => this.#collect(turn, list, grown));
    } catch (error) {
      this.#failure = error;
      this.#stale = true;
      this.#wake();
      return;
    }
    this.#buildMs = performance.now() - startedMs;
    if (this.#disposed) return;
    this.#list = list;
    this.#complete = true;
    this.#wake();
    this.#host.extentChanged();
    if (this.#answeredShort) this.#host.rowsChanged();
    this.#answeredShort = false;
  }

  *#collect(turn: Turn, list: KeyList, grown: () => void): Generator<Pause, void> {
    for (const pause of collectKeys(turn, this.#query, list, grown)) {
      if (this.#disposed) return;
      yield pause;
    }
  }

  async #rebuildLater(): Promise<void> {
    if (this.#building) return;
    this.#building = breathe(Math.max(REBUILD_DELAY_MS, this.#buildMs))
      .then(() => this.#fill())
      .finally(() => (this.#building = null));
    await this.#building;
    if (!this.#disposed) this.#host.rowsChanged();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #enqueue<T>(body: (turn: Turn) => T | Generator<Pause, T, undefined>): Promise<T> {
    const { database, window } = this.#host;
    return database.enqueue({ window, kind: 'read', title: `Sorted rows of ${this.#query.shape.name}`, body });
  }
}

/** All rows of `sql` for each of `bindings`, in one page. */
function pack(connection: Connection, sql: string, bindings: readonly Key[], expectedRows: number): PackedRows {
  const statement = connection.prepare(sql);
  try {
    const writer = new PackedRowsWriter(statement.columnCount, { expectedRows: Math.max(1, expectedRows) });
    for (const params of bindings) {
      statement.bind(params);
      statement.pack(writer, { maxRows: Infinity, maxBytes: PAGE_BYTES });
      statement.reset();
      if (writer.sizeBytes >= PAGE_BYTES) break;
    }
    return writer.finish();
  } finally {
    statement.finalize();
  }
}
