// Handles a few touched rows of a large sorted or filtered table: removes them from its list of keys and inserts them at their new
// position, instead of sorting everything again.
import type { Connection, TransactionChanges } from '../engines/engine.ts';
import type { Key } from './key-order.ts';
import type { RowidList } from './key-list.ts';
import { orderClause } from './key-source.ts';
import type { KeyQuery } from './key-source.ts';
import { changeOf } from './reader.ts';

/** Each costs about a millisecond in a list of a million; beyond this many, the list is sorted again. */
const MAX_TOUCHED = 24;
/** Filters whose result may depend on other rows, judged by the text; false positives are acceptable, misses are not. */
const LOOKS_AT_OTHER_ROWS = /\bselect\b|\bin\s*[^\s(]/i;

type Rowid = number | bigint;

export class TouchedKeys {
  readonly #query: KeyQuery;
  readonly #isPossible: boolean;
  readonly #rowids = new Set<Rowid>();

  constructor(query: KeyQuery) {
    this.#query = query;
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
    if (!this.#isPossible || schema || keys?.kind !== 'rowid' || keys.rowids.length > MAX_TOUCHED) return false;
    for (const rowid of keys.rowids) this.#rowids.add(BigInt.asIntN(53, rowid) === rowid ? Number(rowid) : rowid);
    return this.#rowids.size <= MAX_TOUCHED;
  }

  forget(): void {
    this.#rowids.clear();
  }

  /** @param isComplete false: the list is only the beginning of the order, and rows behind its end are left out */
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

  #search(connection: Connection, list: RowidList, rowid: Rowid): number {
    const { order } = this.#query;
    const first = `SELECT ${order.keyList} FROM ${order.from} WHERE ${order.keyList} IN (?, ?)${orderClause(this.#query)} LIMIT 1`;
    const comesBefore = (other: Key): boolean => connection.one(first, [rowid, other[0]!])?.[0] === rowid;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comesBefore(list.at(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
