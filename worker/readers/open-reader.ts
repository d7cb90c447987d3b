// Chooses how to page a table, view or virtual table, depending on its kind and on the requested order and filter.
import type { FilterEntry, SortTerm } from '#shared/protocol/rows.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { describeEditable } from '../schema/view-key.ts';
import { orderTermSql, orderTerms, whereOf } from './filter-sql.ts';
import type { OrderTerm, Where } from './filter-sql.ts';
import { KeysetReader } from './keyset-reader.ts';
import { keyOrderOf, sorts } from './key-order.ts';
import { orderClause, whereClause } from './key-source.ts';
import { pageColumns } from './key-walker.ts';
import { assertServed } from './scan-cost.ts';
import { ReadSet } from './read-set.ts';
import { layoutOf } from './reader.ts';
import type { Reader, ReaderHost } from './reader.ts';
import { SortedReader } from './sorted-reader.ts';
import { SpooledReader } from './spooled-reader.ts';
import type { SpooledOptions } from './spooled-reader.ts';
import { TableReader } from './table-reader.ts';

export interface OpenRequest {
  readonly table: string;
  readonly sort: readonly SortTerm[];
  readonly filter: readonly FilterEntry[];
  readonly where?: string;
  /** Same as in `rows.open`. */
  readonly mayScan?: boolean;
}

/** Creates the reader once its host is known. */
export type ReaderPlan = (host: ReaderHost) => Reader;

export function planReader(connection: Connection, request: OpenRequest): ReaderPlan {
  const shape = describeTable(connection, request.table);
  const where = whereOf(connection, shape, request.filter, request.where);
  const sort = orderTerms(shape, request.sort);
  const order = shape.key.kind === 'none' ? null : keyOrderOf(connection, shape);
  if (!order || (shape.kind === 'virtual' && sorts(connection, order))) return viewPlan(connection, shape, where, sort);
  if (sort.length === 0 && where.sql === null) {
    if (connection.isMetered === true && shape.kind === 'table') return (host) => new KeysetReader(host, shape, order);
    const reads = shape.kind === 'table' ? null : new ReadSet(connection, `SELECT * FROM ${order.from}`);
    return (host) => new TableReader(host, shape, order, reads);
  }
  const query = { shape, order, where, sort };
  const reads = new ReadSet(connection, `SELECT 1 FROM ${order.from}${whereClause(query)}${orderClause(query)}`);
  const isMetered = connection.isMetered === true;
  const isCostly = isMetered && request.mayScan === true;
  if (isMetered && !isCostly) assertServed(connection, query);
  return (host) => new SortedReader(host, query, reads, { isMetered, isCostly });
}

function viewPlan(connection: Connection, shape: TableShape, where: Where, sort: readonly OrderTerm[]): ReaderPlan {
  const filter = where.sql === null ? '' : ` WHERE ${where.sql}`;
  const order = sort.length === 0 ? '' : ` ORDER BY ${sort.map(orderTermSql).join(', ')}`;
  const sql = `SELECT ${quoteNames(pageColumns(shape))} FROM main.${quoteName(shape.name)}${filter}${order}`;
  const options: SpooledOptions = {
    title: `Rows of ${shape.name}`,
    rowsOf: shape.name,
    query: { sql, params: where.params, reads: new ReadSet(connection, sql) },
    state: 'live',
    limitMs: null,
    // The window has no command to rerun a view.
    whenStopped: 'failed',
  };
  const layout = layoutOf(describeEditable(connection, shape.name));
  return (host) => new SpooledReader(host, layout, options);
}
