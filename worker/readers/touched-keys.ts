// Handles a few touched rows of a large sorted or filtered table: removes them from its list of keys and inserts them at their new
// position, instead of sorting everything again.
import type { Connection } from '../engines/engine.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import { FEW_ROWS } from '../sessions/change-feed.ts';
import type { RowidList } from './key-list.ts';
import { orderClause, type KeyQuery } from './key-source.ts';
import { changeOf } from './reader.ts';

/** Filters whose result may depend on other rows, judged by the text; false positives are acceptable, misses are not. */
const LOOKS_AT_OTHER_ROWS = /\bselect\b|\bin\s*[^\s(]/i;

type Rowid = number | bigint;

export class TouchedKeys {
  readonly #query: KeyQuery;
  /** Places of the list that are checked together: on a server each check is a round trip. */
  readonly #together: number;
  readonly #isPossible: boolean;
  readonly #rowids = new Set<Rowid>();

  constructor(query: KeyQuery, isMetered = false) {
    this.#query = query;
    this.#together = isMetered ? 15 : 1;
    const { shape, where } = query;
    this.#isPossible =
      shape.kind === 'table' && shape.key.kind === 'rowid' && !LOOKS_AT_OTHER_ROWS.test(where.sql ?? '');
  }

  get isEmpty(): boolean {
    return this.#rowids.size === 0;
  }

  /** Returns false when the list has to be rebuilt. */
  note({ tables, schema }: TransactionChanges): boolean {
    const keys = tables && changeOf(tables, this.#query.shape.name)?.keys;
    if (!this.#isPossible || schema || keys?.kind !== 'rowid' || keys.rowids.length > FEW_ROWS) return false;
    for (const rowid of keys.rowids) this.#rowids.add(BigInt.asIntN(53, rowid) === rowid ? Number(rowid) : rowid);
    return this.#rowids.size <= FEW_ROWS;
  }

  forget(): void {
    this.#rowids.clear();
  }

  /** @param isComplete false: the list is only the beginning of the order, and rows after its end are left out */
  putBack(connection: Connection, list: RowidList, isComplete: boolean): void {
    if (this.isEmpty) return;
    // Remove all of them first: a misplaced row would mislead the search for others.
    for (const rowid of this.#rowids) list.remove(rowid);
    for (const rowid of this.#rowids) {
      if (!this.#belongs(connection, rowid)) continue;
      const position = this.#search(connection, list, rowid);
      if (isComplete || position < list.length) list.insert(position, rowid);
    }
    this.forget();
  }

  #belongs(connection: Connection, rowid: Rowid): boolean {
    const { order, where } = this.#query;
    const filter = where.sql === null ? '' : ` AND ${where.sql}`;
    const sql = `SELECT 1 FROM ${order.from} WHERE ${order.keyList} = ?${filter}`;
    return connection.one(sql, [rowid, ...where.params]) !== null;
  }

  /** Sorts the row among some of the list, evenly spread, and continues between the two that it belongs between. */
  #search(connection: Connection, list: RowidList, rowid: Rowid): number {
    const { order } = this.#query;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const count = Math.min(this.#together, high - low);
      const places = Array.from(
        { length: count },
        (_, at) => low + Math.floor(((at + 1) * (high - low)) / (count + 1)),
      );
      const keys = places.map((place) => list.at(place)[0]!);
      const among = `SELECT ${order.keyList} FROM ${order.from} WHERE ${order.keyList} IN (?, ${keys.map(() => '?').join(', ')})${orderClause(this.#query)}`;
      const sorted = connection.all(among, [rowid, ...keys]).map(([key]) => key);
      const after = new Set(sorted.slice(sorted.indexOf(rowid) + 1));
      const next = places.findIndex((_, at) => after.has(keys[at]!));
      if (next >= 0) high = places[next]!;
      if (next !== 0) low = places.at(next < 0 ? -1 : next - 1)! + 1;
    }
    return low;
  }
}
