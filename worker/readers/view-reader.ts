// Pages a view, or a virtual table that cannot be walked by key: its rows are spooled, and spooled again after a change.
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { TransactionChanges } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { sameValue } from '../sql/same-value.ts';
import { fillSpool } from './fill-spool.ts';
import type { Key } from './key-order.ts';
import { PAGE_BYTES } from './key-walker.ts';
import type { ReadSet } from './read-set.ts';
import type { CellValue, Effect, Reader, ReaderHost, ReaderLayout } from './reader.ts';
import { spooledValue } from './result-reader.ts';
import { breathe } from './slice.ts';
import { Spool } from './spool.ts';

const RESPOOL_DELAY_MS = 150;

export interface ViewQuery {
  readonly title: string;
  readonly sql: string;
  readonly params: readonly Value[];
  readonly reads: ReadSet;
}

export class ViewReader implements Reader {
  readonly layout: ReaderLayout;
  readonly #host: ReaderHost;
  readonly #query: ViewQuery;
  /** The rows that are shown: old ones stay until the new are complete. */
  #shown: Spool;
  #complete = false;
  /** Why the rows that are shown are not all: told to whoever asks for those that are missing. */
  #failure: unknown = null;
  #stale = false;
  #filling = false;
  #disposed = false;

  constructor(host: ReaderHost, layout: ReaderLayout, query: ViewQuery) {
    this.#host = host;
    this.#query = query;
    this.layout = layout;
    this.#shown = new Spool(layout.columns.length);
  }

  get extent(): Extent {
    return { rows: this.#shown.rowCount, exact: this.#complete && !this.#stale };
  }

  dependsOn(changes: TransactionChanges): Effect {
    return this.#query.reads.touchedBy(changes) ? 'rows' : 'none';
  }

  invalidate(): void {
    this.#stale = true;
  }

  dispose(): void {
    this.#disposed = true;
    this.#shown.dispose();
  }

  /** Starts spooling. Resolves with the first rows; the rest follows. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fill(this.#shown, () => {
        this.#host.extentChanged();
        resolve();
      }).then(
        () => {
          this.#complete = true;
          if (!this.#disposed) this.#host.extentChanged();
          resolve();
        },
        (error: unknown) => {
          this.#failure = error;
          reject(error);
        },
      );
    });
  }

  async read(start: number, count: number): Promise<RowsPage> {
    if (this.#stale) void this.#refresh();
    else if (this.#failure && start + count > this.#shown.rowCount) throw this.#failure;
    return { rows: this.#shown.read(start, count, PAGE_BYTES), start, exactPosition: true, extent: this.extent };
  }

  async find(key: Key): Promise<number | null> {
    const columns = this.layout.key.columns;
    if (columns.length === 0) return null;
    for (let row = 0; row < this.#shown.rowCount; row++) {
      if (columns.every((column, place) => sameValue(this.#shown.cell(row, column).value, key[place] ?? null)))
        return row;
    }
    return null;
  }

  valueAt(position: number, column: number): CellValue {
    return spooledValue(this.#shown, position, column);
  }

  async #refresh(): Promise<void> {
    if (this.#filling) return;
    this.#filling = true;
    await breathe(RESPOOL_DELAY_MS);
    const fresh = new Spool(this.layout.columns.length);
    try {
      if (this.#disposed) return;
      this.#stale = false;
      await this.#fill(fresh, () => undefined);
    } catch {
      // The view may be broken by now: the old rows stay, and the window hears of the schema change.
      fresh.dispose();
      return;
    } finally {
      this.#filling = false;
    }
    if (this.#disposed) return fresh.dispose();
    this.#shown.dispose();
    this.#shown = fresh;
    this.#complete = true;
    this.#failure = null;
    this.#host.rowsChanged();
    this.#host.extentChanged();
  }

  #fill(spool: Spool, grown: () => void): Promise<void> {
    const { database, window } = this.#host;
    return database.enqueue({
      window,
      kind: 'read',
      pausesReading: true,
      title: this.#query.title,
      body: (turn) => this.#run(turn, spool, grown),
    });
  }

  *#run(turn: Turn, spool: Spool, grown: () => void): Generator<Pause, void> {
    const statement = turn.connection.prepare(this.#query.sql);
    try {
      statement.bind(this.#query.params);
      for (const pause of fillSpool(turn, statement, spool, grown)) {
        if (this.#disposed) return spool.dispose();
        yield pause;
      }
    } finally {
      statement.finalize();
    }
  }
}
