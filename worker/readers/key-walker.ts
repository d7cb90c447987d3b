// Reads keys and pages of one table in key order; the SQL side of the position map.
import type { PackedRows } from '#shared/packed-rows/format.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { type TableShape, keyNames, leadsWithRowid } from '../schema/table-shape.ts';
import type { Key, KeyOrder } from './key-order.ts';
import { packPage } from './pack-page.ts';
import { STRIDE, type PositionMap } from './position-map.ts';

export class KeyWalker {
  readonly #order: KeyOrder;
  readonly #columns: readonly string[];
  readonly #ordered: string;

  constructor(shape: TableShape, order: KeyOrder) {
    this.#order = order;
    this.#columns = pageColumns(shape);
    this.#ordered = `ORDER BY ${order.orderBy} LIMIT ? OFFSET ?`;
  }

  firstKey(connection: Connection): Key | null {
    const { keyList, from, orderBy } = this.#order;
    return connection.one(`SELECT ${keyList} FROM ${from} ORDER BY ${orderBy} LIMIT 1`);
  }

  lastKey(connection: Connection, fromEnd: number): Key | null {
    const { keyList, from, reverseOrderBy } = this.#order;
    return connection.one(`SELECT ${keyList} FROM ${from} ORDER BY ${reverseOrderBy} LIMIT 1 OFFSET ?`, [fromEnd]);
  }

  /** The key `skip` rows after the first one at or after `key`. */
  keyAfter(connection: Connection, key: Key, skip: number): Key | null {
    const { keyList, from, atOrAfter, orderBy } = this.#order;
    const sql = `SELECT ${keyList} FROM ${from} WHERE ${atOrAfter.sql} ORDER BY ${orderBy} LIMIT 1 OFFSET ?`;
    return connection.one(sql, [...atOrAfter.params(key), skip]);
  }

  keyBefore(connection: Connection, key: Key, distance: number): Key | null {
    const { keyList, from, before, reverseOrderBy } = this.#order;
    const sql = `SELECT ${keyList} FROM ${from} WHERE ${before.sql} ORDER BY ${reverseOrderBy} LIMIT 1 OFFSET ?`;
    return connection.one(sql, [...before.params(key), distance - 1]);
  }

  /** Rows from `low` on, or from the first, and before `high`, at most `limit`. */
  countBetween(connection: Connection, low: Key | null, high: Key | null, limit: number): number {
    const { from, atOrAfter, before, orderBy } = this.#order;
    const bounds = [low && { ...atOrAfter, key: low }, high && { ...before, key: high }].filter(
      (bound) => bound !== null,
    );
    const where = bounds.length === 0 ? '' : ` WHERE ${bounds.map(({ sql }) => sql).join(' AND ')}`;
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${from}${where} ORDER BY ${orderBy} LIMIT ?)`;
    return Number(connection.one(sql, [...bounds.flatMap(({ params, key }) => params(key)), limit])![0]);
  }

  page(connection: Connection, key: Key, skip: number, count: number): PackedRows {
    const { sql, params } = this.#order.atOrAfter;
    return this.#pageWhere(connection, ` WHERE ${sql}`, params(key), skip, count);
  }

  /** Reads from the first row after `key`, whether or not a row with that key still exists. */
  pageAfter(connection: Connection, key: Key, skip: number, count: number): PackedRows {
    const { sql, params } = this.#order.after;
    return this.#pageWhere(connection, ` WHERE ${sql}`, params(key), skip, count);
  }

  /** Reads from the first row of the table. */
  firstPage(connection: Connection, skip: number, count: number): PackedRows {
    return this.#pageWhere(connection, '', [], skip, count);
  }

  #pageWhere(connection: Connection, where: string, params: readonly Value[], skip: number, count: number): PackedRows {
    const tail = `FROM ${this.#order.from}${where} ${this.#ordered}`;
    return packPage(connection, { columns: this.#columns, tail, bindings: [[...params, count, skip]], rows: count });
  }

  /** Builds one slice of `map`. Returns false once it is complete. */
  extendMap(connection: Connection, map: PositionMap<Key>): boolean {
    const last = map.lastAnchor;
    const next = last ? this.keyAfter(connection, last.key, STRIDE) : this.firstKey(connection);
    if (next) map.extend(next);
    else map.finish(last ? this.countBetween(connection, last.key, null, STRIDE) : 0);
    return next !== null;
  }
}

/** All columns of a page of this table, in the order of its layout. */
export function pageColumns(shape: TableShape): readonly string[] {
  const names = shape.columns.map((column) => column.name);
  return leadsWithRowid(shape) ? [...keyNames(shape.key), ...names] : names;
}
