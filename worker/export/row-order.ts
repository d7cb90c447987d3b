// Rows of a table from one to another in a sort order, then of the key, as SQL: the order in which a grid shows them.
import type { SortTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { orderTerms } from '../readers/filter-sql.ts';
import type { OrderTerm } from '../readers/filter-sql.ts';
import { keyOrderOf } from '../readers/key-order.ts';
import type { Key, KeyOrder } from '../readers/key-order.ts';
import { keyCondition, keyNames } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';

/** A condition that can be combined with others, and its parameters. */
interface Bound {
  readonly sql: string;
  readonly params: readonly Value[];
}

export interface RowOrder {
  /** Whether the row with the key `one` is not after the other. */
  isInOrder(one: Key, other: Key): boolean;
  /** The row and all after it; null if it is gone. */
  atOrAfter(key: Key): Bound | null;
  /** The two rows and all between them; null if one is gone. */
  between(first: Key, last: Key): Bound | null;
}

/** Null where rows cannot be found by key, or where a server would read the whole table for it. */
export function rowOrderOf(connection: Connection, shape: TableShape, sort: readonly SortTerm[]): RowOrder | null {
  if (shape.kind !== 'table' || shape.key.kind === 'none') return null;
  if (sort.length > 0 && connection.isMetered === true) return null;
  return new KeyedOrder(connection, shape, orderTerms(shape, sort));
}

class KeyedOrder implements RowOrder {
  readonly #connection: Connection;
  readonly #shape: TableShape;
  readonly #terms: readonly OrderTerm[];
  readonly #key: KeyOrder;

  constructor(connection: Connection, shape: TableShape, terms: readonly OrderTerm[]) {
    this.#connection = connection;
    this.#shape = shape;
    this.#terms = terms;
    this.#key = keyOrderOf(connection, shape);
  }

  isInOrder(one: Key, other: Key): boolean {
    const after = this.atOrAfter(one);
    const sql = `SELECT 1 FROM ${this.#key.from} WHERE ${keyCondition(this.#shape.key)} AND ${after?.sql}`;
    return after === null || !this.#fits(other) || this.#connection.one(sql, [...other, ...after.params]) !== null;
  }

  atOrAfter(key: Key): Bound | null {
    const values = this.#valuesOf(key);
    return values && this.#bound(key, values, true);
  }

  between(first: Key, last: Key): Bound | null {
    const [from, to] = [this.#valuesOf(first), this.#valuesOf(last)];
    if (!from || !to) return null;
    const bounds = [this.#bound(first, from, true), this.#bound(last, to, false), ...this.#seek(from, to)];
    return { sql: bounds.map(({ sql }) => sql).join(' AND '), params: bounds.flatMap(({ params }) => params) };
  }

  /** What the table is sorted by in the row with this key; null if the row is gone. */
  #valuesOf(key: Key): readonly Value[] | null {
    if (!this.#fits(key)) return null;
    const columns = this.#terms.length === 0 ? '1' : this.#terms.map(({ name }) => name).join(', ');
    return this.#connection.one(`SELECT ${columns} FROM ${this.#key.from} WHERE ${keyCondition(this.#shape.key)}`, key);
  }

  /** False for a key from before the table was changed. */
  #fits(key: Key): boolean {
    return key.length === keyNames(this.#shape.key).length;
  }

  #bound(key: Key, values: readonly Value[], isAfter: boolean): Bound {
    const { atOrAfter, atOrBefore } = this.#key;
    const ofKey = isAfter ? atOrAfter : atOrBefore;
    return this.#terms.reduceRight<Bound>(
      (rest, { name, descending }, at) => beyond(name, values[at]!, isAfter !== descending, rest),
      { sql: `(${ofKey.sql})`, params: ofKey.params(key) },
    );
  }

  /** Limits of the first column, which follow from the others: SQLite can use an index for them. */
  #seek(from: readonly Value[], to: readonly Value[]): readonly Bound[] {
    const [term] = this.#terms;
    if (!term) return [];
    const limits = term.descending ? [to[0]!, from[0]!] : [from[0]!, to[0]!];
    // NULL is the smallest, and not greater than anything.
    return limits[0] === null ? [] : [{ sql: `${term.name} BETWEEN ? AND ?`, params: limits }];
  }
}

/**
 * Rows whose column is greater than `value`, or less, and those with this value that meet the condition `rest`. NULL is the smallest
 * (sqlite.org/datatype3.html#sort_order).
 */
function beyond(name: string, value: Value, isGreater: boolean, rest: Bound): Bound {
  const same = `(${name} IS ? AND ${rest.sql})`;
  if (value === null)
    return { sql: isGreater ? `(${name} IS NOT NULL OR ${same})` : same, params: [value, ...rest.params] };
  const strictly = isGreater ? `${name} > ?` : `${name} < ? OR ${name} IS NULL`;
  return { sql: `(${strictly} OR ${same})`, params: [value, value, ...rest.params] };
}
