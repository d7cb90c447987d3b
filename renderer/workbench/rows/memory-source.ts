// A grid source for rows in memory: a preview, or records that were not imported.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Extent, RowsPage, Value } from '#shared/protocol/index.ts';
import type { CellReference, GridColumn, GridSource, GridSourceEvent } from '../../grid/grid-source.ts';
import { writeValue } from './write-value.ts';

export class MemorySource implements GridSource {
  readonly columns: readonly GridColumn[];
  readonly hiddenColumns = 0;
  readonly keyColumns = [];
  readonly #rowCount: number;
  readonly #valueAt: (row: number, column: number) => Value;
  readonly #listeners = new Set<(event: GridSourceEvent) => void>();

  constructor(columns: readonly GridColumn[], rowCount: number, valueAt: (row: number, column: number) => Value) {
    this.columns = columns;
    this.#rowCount = rowCount;
    this.#valueAt = valueAt;
  }

  get extent(): Extent {
    return { rows: this.#rowCount, exact: true };
  }

  async read(start: number, count: number): Promise<RowsPage> {
    const end = Math.min(start + count, this.#rowCount);
    const writer = new PackedRowsWriter(this.columns.length, { expectedRows: Math.max(1, end - start) });
    for (let row = start; row < end; row++)
      for (let column = 0; column < this.columns.length; column++) writeValue(writer, this.#valueAt(row, column));
    return { rows: writer.finish(), start, exactPosition: true, extent: this.extent };
  }

  /** Nothing to watch: only this source changes these rows. */
  async watch(): Promise<null> {
    return null;
  }

  locate(): null {
    return null;
  }

  async readWhole({ position, column }: CellReference): Promise<Value> {
    return this.#valueAt(position, column);
  }

  subscribe(listener: (event: GridSourceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener({ kind: 'changed' });
  }
}
