// Which rows the open transaction has touched, in order, up to a limit.
import type { Value } from '#shared/protocol/values.ts';
import type { ChangedKeys } from './engine.ts';

/** Whoever reads by key looks each of them up: beyond this, reading everything again is no slower. */
export const MAX_TOUCHED_ROWS = 10_000;

export class TouchedRows {
  #tables = new Uint32Array(256);
  #rowids = new BigInt64Array(256);
  /** By place in the log; only rows of WITHOUT ROWID tables are here. */
  readonly #primaryKeys = new Map<number, readonly Value[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** False when there is no room left. */
  addRowid(table: number, rowid: bigint): boolean {
    const place = this.#count;
    if (place > 0 && this.#tables[place - 1] === table && this.#rowids[place - 1] === rowid) return true;
    if (place === MAX_TOUCHED_ROWS) return false;
    if (place === this.#tables.length) this.#grow();
    this.#tables[place] = table;
    this.#rowids[place] = rowid;
    this.#count++;
    return true;
  }

  /** False when there is no room left. */
  addPrimaryKey(table: number, key: readonly Value[]): boolean {
    const place = this.#count;
    if (place === MAX_TOUCHED_ROWS) return false;
    if (place === this.#tables.length) this.#grow();
    this.#tables[place] = table;
    this.#primaryKeys.set(place, key);
    this.#count++;
    return true;
  }

  /** Forgets what came after the first `count`. */
  goBack(count: number): void {
    for (const place of this.#primaryKeys.keys()) if (place >= count) this.#primaryKeys.delete(place);
    this.#count = count;
  }

  rowidsOf(table: number): ChangedKeys {
    const places = this.#placesOf(table);
    const rowids = new BigInt64Array(places.length);
    for (let place = 0; place < places.length; place++) rowids[place] = this.#rowids[places[place]!]!;
    return { kind: 'rowid', rowids };
  }

  primaryKeysOf(table: number): ChangedKeys {
    return { kind: 'primary-key', keys: this.#placesOf(table).map((place) => this.#primaryKeys.get(place)!) };
  }

  #placesOf(table: number): number[] {
    const places: number[] = [];
    for (let place = 0; place < this.#count; place++) if (this.#tables[place] === table) places.push(place);
    return places;
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
