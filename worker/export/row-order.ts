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

/** Rows between two, which are among them. */
export interface Between extends Bound {
  readonly firstKey: Key;
  readonly lastKey: Key;
}

export interface RowOrder {
  /** The row and all after it; null if it is known to be gone. */
  atOrAfter(key: Key): Bound | null;
  /** The two rows, whichever is first, and all between them; null if one is known to be gone. */
  between(one: Key, other: Key): Between | null;
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

  atOrAfter(key: Key): Bound | null {
    const values = this.#valuesOf(key);
    return values && this.#bound(key, values, true);
  }

  between(one: Key, other: Key): Between | null {
    const [ofOne, ofOther] = [this.#valuesOf(one), this.#valuesOf(other)];
    if (!ofOne || !ofOther) return null;
    const isInOrder = this.#meets(other, this.#bound(one, ofOne, true));
    const [firstKey, lastKey, from, to] = isInOrder ? [one, other, ofOne, ofOther] : [other, one, ofOther, ofOne];
    const bounds = [this.#bound(firstKey, from, true), this.#bound(lastKey, to, false), ...this.#seek(from, to)];
    const sql = bounds.map((bound) => bound.sql).join(' AND ');
    return { firstKey, lastKey, sql, params: bounds.flatMap(({ params }) => params) };
  }

  /** What the table is sorted by in the row with this key; null if the row is gone, or the key is from before the table was changed. */
  #valuesOf(key: Key): readonly Value[] | null {
    if (key.length !== keyNames(this.#shape.key).length) return null;
    if (this.#terms.length === 0) return [];
    const columns = this.#terms.map(({ name }) => name).join(', ');
    return this.#connection.one(`SELECT ${columns} FROM ${this.#key.from} WHERE ${keyCondition(this.#shape.key)}`, key);
  }

  #meets(key: Key, { sql, params }: Bound): boolean {
    const row = `SELECT 1 FROM ${this.#key.from} WHERE ${keyCondition(this.#shape.key)} AND ${sql}`;
    return this.#connection.one(row, [...key, ...params]) !== null;
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
