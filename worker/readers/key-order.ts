// The order of a table's own key as SQL: walking forward from a key, back from it, and to it. This replaces OFFSET.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import { type KeyColumn, type TableShape, keyNames } from '../schema/table-shape.ts';

export type Key = readonly Value[];

export interface KeyOrder {
  readonly from: string;
  /** The key columns as a select list. */
  readonly keyList: string;
  readonly orderBy: string;
  readonly reverseOrderBy: string;
  readonly atOrAfter: Condition;
  readonly after: Condition;
  readonly before: Condition;
  readonly atOrBefore: Condition;
}

/** A WHERE condition on the key, and its parameters for one key. */
interface Condition {
  readonly sql: string;
  readonly params: (key: Key) => Key;
}

/** The table must have a key. */
export function keyOrderOf(connection: Connection, shape: TableShape): KeyOrder {
  const from = `main.${quoteName(shape.name)}`;
  const columns: readonly KeyColumn[] =
    shape.key.kind === 'primary-key'
      ? shape.key.columns
      : keyNames(shape.key).map((name) => ({ name, descending: false, collation: 'BINARY' }));
  const plain = orderOf(
    from,
    columns.map((column) => ({ sql: quoteName(column.name), descending: column.descending })),
  );
  if (shape.key.kind === 'rowid' || !sorts(connection, plain)) return plain;
  // The primary key has other collations than its columns. With explicit collations SQLite cannot use the later key columns in a range, so
  // they are named only here.
  return orderOf(
    from,
    columns.map((column) => ({
      sql: `${quoteName(column.name)} COLLATE ${quoteName(column.collation)}`,
      descending: column.descending,
    })),
    columns.map((column) => quoteName(column.name)).join(', '),
  );
}

/** Whether SQLite has to sort to follow this order, instead of walking the table's own tree. */
export function sorts(connection: Connection, order: KeyOrder): boolean {
  const plan = connection.all(
    `EXPLAIN QUERY PLAN SELECT ${order.keyList} FROM ${order.from} ORDER BY ${order.orderBy}`,
  );
  return plan.some((row) => String(row[3]).includes('TEMP B-TREE'));
}

interface OrderTerm {
  readonly sql: string;
  readonly descending: boolean;
}

function orderOf(
  from: string,
  terms: readonly OrderTerm[],
  keyList = terms.map((term) => term.sql).join(', '),
): KeyOrder {
  const direction = (reverse: boolean) =>
    terms.map((term) => (term.descending !== reverse ? `${term.sql} DESC` : term.sql)).join(', ');
  return {
    from,
    keyList,
    orderBy: direction(false),
    reverseOrderBy: direction(true),
    atOrAfter: comparison(terms, { after: true, orEqual: true }),
    after: comparison(terms, { after: true, orEqual: false }),
    before: comparison(terms, { after: false, orEqual: false }),
    atOrBefore: comparison(terms, { after: false, orEqual: true }),
  };
}

/** `key >= ?`, `key > ?`, `key < ?`, or `key <= ?` in the sense of the order. */
function comparison(
  terms: readonly OrderTerm[],
  { after, orEqual }: { readonly after: boolean; readonly orEqual: boolean },
): Condition {
  const strict = (term: OrderTerm) => (term.descending === after ? '<' : '>');
  const first = terms[0]!;
  if (terms.every((term) => term.descending === first.descending)) {
    // A single row value: SQLite seeks with all of it (sqlite.org/rowvalue.html#scrolling_window_queries).
    const list = terms.map((term) => term.sql).join(', ');
    const marks = terms.map(() => '?').join(', ');
    const operator = `${strict(first)}${orEqual ? '=' : ''}`;
    return {
      sql: terms.length === 1 ? `${list} ${operator} ?` : `(${list}) ${operator} (${marks})`,
      params: (key) => key,
    };
  }
  // Mixed directions: spelled out, with a bound on the first column alone that SQLite can seek by.
  const cases = terms.map((_, index) =>
    terms
      .slice(0, index + 1)
      .map((term, i) =>
        i < index
          ? `${term.sql} = ?`
          : `${term.sql} ${strict(term)}${orEqual && index === terms.length - 1 ? '=' : ''} ?`,
      )
      .join(' AND '),
  );
  return {
    sql: `${first.sql} ${strict(first)}= ? AND (${cases.map((text) => `(${text})`).join(' OR ')})`,
    params: (key) => [key[0]!, ...terms.flatMap((_, place) => key.slice(0, place + 1))],
  };
}
