// The rows of a table or view as a grid shows them, as one statement.
import { AppError } from '#shared/protocol/errors.ts';
import { primaryKeyOf } from '#shared/primary-key.ts';
import type { ExportSource, RowInterval } from '#shared/protocol/export.ts';
import type { SortTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, TableRows } from '../engines/engine.ts';
import type { BoundSql } from '../engines/guarded-write.ts';
import { orderTermSql, orderTerms, whereOf, type OrderTerm } from '../readers/filter-sql.ts';
import { keyOrderOf, sorts, type Key, type KeyOrder } from '../readers/key-order.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import { describeTable, keyNames, keyCondition, type TableShape } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { keySlicesOf, type ExportPart, SeenRows, type ReadPlaces } from './part.ts';
import type { ExportColumn, RowsHead, SchemaObject } from './rows-head.ts';

type TableSource = Extract<ExportSource, { readonly kind: 'table' }>;

/** @throws AppError `not-found`, `sql`, `invalid` */
export function tablePart(connection: Connection, source: TableSource, needsKey = false): ExportPart {
  const shape = describeTable(connection, source.table);
  const where = whereOf(connection, shape, source.filter ?? [], source.where);
  const key = needsKey ? lastingKey(shape) : [];
  const shown = chosenColumns(shape, source.columns);
  const seenKey = source.corners || source.seen ? keyNames(shape.key) : [];
  const names = [...new Set([...shown, ...key, ...seenKey])];
  const range = rangeOf(connection, shape, source);
  const conditions = [where.sql, range.condition].filter((sql) => sql !== null);
  const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const sql = `SELECT ${quoteNames(names)} FROM main.${quoteName(shape.name)}${filter}${orderOf(connection, shape, source)}${range.limit}`;
  const isPlain = where.sql === null && shape.kind === 'table';
  const rowidName = shape.key.kind === 'rowid' ? shape.key.name : null;
  const estimate = (): number | null => {
    if (source.rows) return source.rows.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    return isPlain ? (estimateRows(connection, shape.name, rowidName)?.count ?? null) : null;
  };
  return {
    kind: 'statement',
    head: headOf(connection, shape, shown, key),
    rows: {
      sql,
      params: [...where.params, ...range.params],
      keep: range.keep,
      seen:
        seenKey.length === 0
          ? undefined
          : new SeenRows(
              range,
              seenKey.map((name) => names.indexOf(name)),
            ),
      ...(isPlain &&
        !source.rows &&
        (source.sort ?? []).length === 0 && {
          scan: scanOf(connection, shape, names),
          slices: keySlicesOf(connection, shape, names),
        }),
      estimate,
    },
  };
}

/** Key that means the same row in a copy of the database, where VACUUM may have given other row ids. */
function lastingKey({ key, rowidColumn, columns }: TableShape): readonly string[] {
  if (key.kind !== 'rowid') return keyNames(key);
  if (rowidColumn !== null) return [rowidColumn];
  const declared = primaryKeyOf(columns);
  // Such a key may be NULL in several rows.
  return declared.length > 0 && declared.every(({ notNull }) => notNull)
    ? declared.map(({ name }) => name)
    : keyNames(key);
}

function chosenColumns(shape: TableShape, chosen: readonly (string | number)[] | undefined): readonly string[] {
  const all = shape.columns.map(({ name }) => name);
  if (!chosen) return all;
  for (const name of chosen)
    if (!all.includes(String(name)))
      throw AppError.notFound(`“${shape.name}” no longer has a column “${String(name)}”.`);
  return chosen.map(String);
}

function headOf(connection: Connection, shape: TableShape, shown: readonly string[], key: readonly string[]): RowsHead {
  const rest = key.filter((name) => !shown.includes(name));
  const places = new Map([...shown, ...rest].map((name, place) => [name, place]));
  const column = (name: string): ExportColumn => ({
    name,
    declaredType: shape.columns.find((candidate) => candidate.name === name)?.declaredType ?? '',
    place: places.get(name)!,
  });
  return {
    name: shape.name,
    columns: shown.map(column),
    generated: new Set(shape.columns.filter(({ generated }) => generated !== 'no').map(({ name }) => name)),
    key: key.length > 0 ? key.map(column) : null,
    ddl: shape.kind === 'table' ? definitionsOf(connection, shape.name) : null,
  };
}

function definitionsOf(connection: Connection, table: string): RowsHead['ddl'] {
  const rows = connection.all(
    "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL AND type <> 'view' ORDER BY type = 'trigger', type = 'index', rowid",
    [table],
  ) as [SchemaObject['type'], string, string, string][];
  const objects = rows.map(([type, name, owner, sql]): SchemaObject => ({ type, name, table: owner, sql }));
  return {
    before: objects.filter(({ type }) => type === 'table'),
    after: objects.filter(({ type }) => type !== 'table'),
  };
}

/** The order of the grid: the sort, then the key, so that a position means the same row here and there. */
function orderOf(connection: Connection, shape: TableShape, source: TableSource): string {
  const order = shape.key.kind === 'none' ? null : keyOrderOf(connection, shape);
  const byKey = order && !(shape.kind === 'virtual' && sorts(connection, order)) ? [order.orderBy] : [];
  const terms = [...orderTerms(shape, source.sort ?? []).map(orderTermSql), ...byKey];
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}

function scanOf(connection: Connection, shape: TableShape, names: readonly string[]): TableRows | undefined {
  if (shape.key.kind === 'none') return undefined;
  const { from, orderBy } = keyOrderOf(connection, shape);
  return { from, columns: names.map(quoteName), orderBy };
}

interface RowRange extends ReadPlaces {
  /** On the key; null: rows are counted. */
  readonly condition: string | null;
  readonly limit: string;
  /** For the condition, then for the limit. */
  readonly params: readonly Value[];
  readonly keep: readonly RowInterval[] | null;
}

type Requested = Pick<Extract<ExportSource, { readonly kind: 'table' }>, 'rows' | 'corners' | 'seen' | 'sort'>;

/**
 * The part of a table's statement that selects its rows from the first requested one to the last: by key where the user sees these rows.
 * Others may have added rows before them, the grid estimates positions of rows that are not counted, and OFFSET reads every row before.
 */
function rangeOf(connection: Connection, shape: TableShape, requested: Requested): RowRange {
  const { rows, corners, seen = [], sort = [] } = requested;
  if (!rows) return { seen: [], lastKey: null, condition: null, limit: '', params: [], keep: null };
  const order = rowOrderOf(connection, shape, sort);
  const between = corners && order?.between(...corners);
  if (between) {
    const { firstKey, lastKey, sql, params } = between;
    return { seen: [{ position: 0, key: firstKey }], lastKey, condition: sql, limit: '', params, keep: null };
  }
  const [first, last] = [rows[0]?.first ?? 0, rows.at(-1)?.last ?? -1];
  const atCorners = corners?.map((key, at) => ({ position: at === 0 ? first : last, key })) ?? [];
  const counted = {
    seen: [...atCorners, ...seen].map(({ position, key }) => ({ position: position - first, key })),
    lastKey: null,
    keep: rows.map((interval) => ({ first: interval.first - first, last: interval.last - first })),
  };
  const firstKey = seen.find(({ position }) => position === first)?.key;
  const from = firstKey && order?.atOrAfter(firstKey);
  const count = last - first + 1;
  if (!from) return { ...counted, condition: null, limit: ' LIMIT ? OFFSET ?', params: [count, first] };
  return { ...counted, condition: from.sql, limit: ' LIMIT ?', params: [...from.params, count] };
}

// Rows of a table from one to another in a sort order, then of the key, as SQL: the order in which a grid shows them.

/** Rows between two, which are among them. */
interface Between extends BoundSql {
  readonly firstKey: Key;
  readonly lastKey: Key;
}

interface RowOrder {
  /** The row and all after it; null if it is known to be gone. */
  atOrAfter(key: Key): BoundSql | null;
  /** The two rows, whichever is first, and all between them; null if one is known to be gone. */
  between(one: Key, other: Key): Between | null;
}

/** Null where rows cannot be found by key, or where a server would read the whole table for it. */
function rowOrderOf(connection: Connection, shape: TableShape, sort: readonly SortTerm[]): RowOrder | null {
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

  atOrAfter(key: Key): BoundSql | null {
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

  #meets(key: Key, { sql, params }: BoundSql): boolean {
    const row = `SELECT 1 FROM ${this.#key.from} WHERE ${keyCondition(this.#shape.key)} AND ${sql}`;
    return this.#connection.one(row, [...key, ...params]) !== null;
  }

  #bound(key: Key, values: readonly Value[], isAfter: boolean): BoundSql {
    const { atOrAfter, atOrBefore } = this.#key;
    const ofKey = isAfter ? atOrAfter : atOrBefore;
    return this.#terms.reduceRight<BoundSql>(
      (rest, { name, descending }, at) => beyond(name, values[at]!, isAfter !== descending, rest),
      { sql: `(${ofKey.sql})`, params: ofKey.params(key) },
    );
  }

  /** Limits of the first column, which follow from the others: SQLite can use an index for them. */
  #seek(from: readonly Value[], to: readonly Value[]): readonly BoundSql[] {
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
function beyond(name: string, value: Value, isGreater: boolean, rest: BoundSql): BoundSql {
  const same = `(${name} IS ? AND ${rest.sql})`;
  if (value === null)
    return { sql: isGreater ? `(${name} IS NOT NULL OR ${same})` : same, params: [value, ...rest.params] };
  const strictly = isGreater ? `${name} > ?` : `${name} < ? OR ${name} IS NULL`;
  return { sql: `(${strictly} OR ${same})`, params: [value, value, ...rest.params] };
}
