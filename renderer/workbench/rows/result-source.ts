// A grid source for one result: a reader in the worker that may still be filling, and may be live.
import type {
  DatabaseId,
  Extent,
  ReaderId,
  ReaderInfo,
  RowsPage,
  Value,
  WatchedRange,
} from '#shared/protocol/index.ts';
import { isDateType } from '../../grid/paint/special-display.ts';
import { client } from '../../connection/database-client.ts';
import { OwnEdits } from './own-edits.ts';
import type { CellReference, GridColumn, GridSource, GridSourceEvent } from '../../grid/grid-source.ts';

export class ResultSource implements GridSource {
  readonly database: DatabaseId;
  readonly info: ReaderInfo;
  readonly columns: readonly GridColumn[];
  readonly hiddenColumns: number;
  readonly keyColumns: readonly number[];
  readonly ownEdits = new OwnEdits();
  #extent: Extent;
  #isClosed = false;
  readonly #listeners = new Set<(event: GridSourceEvent) => void>();
  readonly #stopListening: readonly (() => void)[];

  constructor(database: DatabaseId, info: ReaderInfo) {
    this.database = database;
    this.info = info;
    this.#extent = info.extent;
    this.hiddenColumns = info.hiddenColumns;
    this.keyColumns = info.key.columns;
    this.columns = info.columns.slice(info.hiddenColumns).map(({ name, declaredType }) => ({
      name,
      typeLabel: declaredType.toLowerCase(),
      holdsDates: isDateType(declaredType),
    }));
    this.#stopListening = [
      client.on('rows.changed', ({ reader }) => reader === info.reader && this.#tell({ kind: 'changed' })),
      client.on(
        'rows.extentChanged',
        ({ reader, rows, exact }) => reader === info.reader && this.grow({ rows, exact }),
      ),
      client.on('rows.patched', (patch) => {
        if (patch.reader !== info.reader) return;
        this.#extent = patch.extent;
        this.#tell({ kind: 'patched', patch });
      }),
    ];
  }

  get reader(): ReaderId {
    return this.info.reader;
  }

  get extent(): Extent {
    return this.#extent;
  }

  read(start: number, count: number): Promise<RowsPage> {
    return client.call('rows.read', { reader: this.reader, start, count });
  }

  /** While the query is still finding rows, there is nothing to keep up to date. */
  async watch(range: WatchedRange | null): Promise<{ readonly watch: number; readonly page: RowsPage } | null> {
    if (this.#isClosed || !this.#extent.exact) return null;
    return client.call('rows.watch', { reader: this.reader, range });
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

  /** Notes that more rows are available, or the last row. */
  grow(extent: Extent): void {
    if (extent.rows === this.#extent.rows && extent.exact === this.#extent.exact) return;
    this.#extent = extent;
    this.#tell({ kind: 'extent' });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stop of this.#stopListening) stop();
    client.call('rows.close', { reader: this.reader }).catch(() => undefined); // after a lost connection the reader is already closed
  }

  #tell(event: GridSourceEvent): void {
    if (event.kind !== 'extent') this.ownEdits.forget();
    for (const listener of this.#listeners) listener(event);
  }
}
