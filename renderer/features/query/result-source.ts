// The rows of one result, for the grid: a reader in the worker that may still be filling, and may be replaced by a newer one.
import type { DatabaseId, Extent, ReaderId, ReaderInfo, RowsPage, Value } from '#shared/protocol/index.ts';
import { client } from '../../client/database-client.ts';
import type { CellReference, GridColumn, GridSource, GridSourceEvent } from '../../grid/grid-source.ts';

export class ResultSource implements GridSource {
  readonly database: DatabaseId;
  readonly columns: readonly GridColumn[];
  readonly hiddenColumns: number;
  readonly keyColumns = [];
  #info: ReaderInfo;
  #extent: Extent;
  readonly #listeners = new Set<(event: GridSourceEvent) => void>();

  constructor(database: DatabaseId, info: ReaderInfo) {
    this.database = database;
    this.#info = info;
    this.#extent = info.extent;
    this.hiddenColumns = info.hiddenColumns;
    this.columns = info.columns
      .slice(info.hiddenColumns)
      .map(({ name, declaredType }) => ({ name, typeLabel: declaredType.toLowerCase() }));
  }

  get info(): ReaderInfo {
    return this.#info;
  }

  get reader(): ReaderId {
    return this.#info.reader;
  }

  get extent(): Extent {
    return this.#extent;
  }

  read(start: number, count: number): Promise<RowsPage> {
    return client.call('rows.read', { reader: this.reader, start, count });
  }

  watch(): Promise<null> {
    return Promise.resolve(null);
  }

  locate(): null {
    return null;
  }

  async readWhole({ position, column }: CellReference): Promise<Value> {
    const { value } = await client.call('cell.readAt', {
      reader: this.reader,
      position,
      column: column + this.hiddenColumns,
    });
    return value;
  }

  subscribe(listener: (event: GridSourceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** More rows are there, or the last one is. */
  grow(extent: Extent): void {
    if (extent.rows === this.#extent.rows && extent.exact === this.#extent.exact) return;
    this.#extent = extent;
    this.#tell({ kind: 'extent' });
  }

  /** Shows the rows of `info` from now on, in place: scroll position and selection stay. The former reader is let go. */
  replace(info: ReaderInfo, extent: Extent): void {
    this.close();
    this.#info = info;
    this.#extent = extent;
    this.#tell({ kind: 'changed' });
  }

  /** True when `info` has the same columns, so that it can {@link replace} this one. */
  fits(info: ReaderInfo): boolean {
    const name = (columns: ReaderInfo['columns']): string =>
      JSON.stringify(columns.map((column) => [column.name, column.declaredType]));
    return name(info.columns) === name(this.#info.columns);
  }

  close(): void {
    closeReader(this.reader);
  }

  #tell(event: GridSourceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** Lets go of rows nobody looks at any more. A connection that was lost has let go already. */
export function closeReader(reader: ReaderId): void {
  client.call('rows.close', { reader }).catch(() => undefined);
}
