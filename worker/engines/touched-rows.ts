// The rows that the open transaction has touched, in order, up to a limit.
import type { Value } from '#shared/protocol/values.ts';
import type { ChangedKeys } from './transaction-changes.ts';

/** A reader looks up each of them by key. Beyond this many, reading everything again is no slower. */
export const MAX_TOUCHED_ROWS = 10_000;

export class TouchedRows {
  #tables = new Uint32Array(256);
  #rowids = new BigInt64Array(256);
  /** Values by index in the log; only for rows of WITHOUT ROWID tables. */
  readonly #primaryKeys = new Map<number, readonly Value[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** False when there is no room left. */
  addRowid(table: number, rowid: bigint): boolean {
    const index = this.#count;
    if (index > 0 && this.#tables[index - 1] === table && this.#rowids[index - 1] === rowid) return true;
    if (index === MAX_TOUCHED_ROWS) return false;
    if (index === this.#tables.length) this.#grow();
    this.#tables[index] = table;
    this.#rowids[index] = rowid;
    this.#count++;
    return true;
  }

  /** False when there is no room left. */
  addPrimaryKey(table: number, key: readonly Value[]): boolean {
    const index = this.#count;
    if (index === MAX_TOUCHED_ROWS) return false;
    if (index === this.#tables.length) this.#grow();
    this.#tables[index] = table;
    this.#primaryKeys.set(index, key);
    this.#count++;
    return true;
  }

  /** Forgets what came after the first `count`. */
  goBack(count: number): void {
    for (const index of this.#primaryKeys.keys()) if (index >= count) this.#primaryKeys.delete(index);
    this.#count = count;
  }

  rowidsOf(table: number): ChangedKeys {
    const indexes = this.#indexesOf(table);
    const rowids = new BigInt64Array(indexes.length);
    for (let index = 0; index < indexes.length; index++) rowids[index] = this.#rowids[indexes[index]!]!;
    return { kind: 'rowid', rowids };
  }

  primaryKeysOf(table: number): ChangedKeys {
    return { kind: 'primary-key', keys: this.#indexesOf(table).map((index) => this.#primaryKeys.get(index)!) };
  }

  #indexesOf(table: number): number[] {
    const indexes: number[] = [];
    for (let index = 0; index < this.#count; index++) if (this.#tables[index] === table) indexes.push(index);
    return indexes;
  }

  #grow(): void {
    const length = Math.min(MAX_TOUCHED_ROWS, this.#tables.length * 4);
    const tables = new Uint32Array(length);
    const rowids = new BigInt64Array(length);
    tables.set(this.#tables);
    rowids.set(this.#rowids);
    this.#tables = tables;
    this.#rowids = rowids;
  }
}
