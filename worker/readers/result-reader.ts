// Pages the spooled rows of a statement: one consistent snapshot, readable while it still grows.
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { PAGE_BYTES } from './key-walker.ts';
import type { CellValue, Effect, Reader, ReaderHost, ReaderLayout } from './reader.ts';
import { Spool } from './spool.ts';

export class ResultReader implements Reader {
  readonly layout: ReaderLayout;
  readonly spool: Spool;
  readonly #host: ReaderHost;
  #ended = false;
  #disposed = false;

  constructor(host: ReaderHost, layout: ReaderLayout) {
    this.#host = host;
    this.layout = layout;
    this.spool = new Spool(layout.columns.length);
  }

  get extent(): Extent {
    return { rows: this.spool.rowCount, exact: this.#ended };
  }

  /** The window has closed it: whoever fills it may stop. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** More rows are there; with `ended` all that ever will be. */
  grew(ended: boolean): void {
    this.#ended = ended;
    if (!this.#disposed) this.#host.extentChanged();
  }

  async read(start: number, count: number): Promise<RowsPage> {
    return { rows: this.spool.read(start, count, PAGE_BYTES), start, exactPosition: true, extent: this.extent };
  }

  async find(): Promise<null> {
    return null;
  }

  valueAt(position: number, column: number): CellValue {
    return spooledValue(this.spool, position, column);
  }

  dependsOn(): Effect {
    return 'none';
  }

  invalidate(): void {}

  dispose(): void {
    this.#disposed = true;
    this.spool.dispose();
  }
}

export function spooledValue(spool: Spool, position: number, column: number): CellValue {
  if (position >= 0 && position < spool.rowCount && column >= 0 && column < spool.columnCount)
    return spool.cell(position, column);
  throw new AppError({ code: 'not-found', message: 'That cell is not in the result (any more).' });
}
