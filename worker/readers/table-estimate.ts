// Estimates how many rows a table has, until the position map has counted them.
import { estimateRows, rowidRange } from '../schema/row-estimate.ts';
import type { TableShape } from '../schema/table-shape.ts';
import type { Connection } from '../engines/engine.ts';
import type { Key } from './key-order.ts';
import type { PositionMap } from './position-map.ts';
import { guessRows } from './rowid-guess.ts';

interface Estimate {
  rows: number;
  /** Range of row ids. */
  readonly range: { readonly min: number; readonly max: number } | null;
}

export class TableEstimate {
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
