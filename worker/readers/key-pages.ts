// Pages of a table by the keys of their rows: one statement for each key or, where each statement costs a round trip, one for the page.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { keyCondition, keyNames } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import type { Key } from './key-order.ts';
import type { KeyQuery } from './key-source.ts';
import { pageColumns } from './key-walker.ts';
import { packPage, PAGE_BYTES } from './pack-page.ts';

export class KeyPages {
  readonly #query: KeyQuery;
  readonly #columns: readonly string[];
  readonly #isMetered: boolean;

  constructor(query: KeyQuery, isMetered: boolean) {
    this.#query = query;
    this.#columns = pageColumns(query.shape);
    this.#isMetered = isMetered;
  }

  /** Returns the rows of `keys`, in this order. */
  read(connection: Connection, keys: readonly Key[]): PackedRows {
    if (this.#isMetered) return this.#readTogether(connection, keys);
    const { order, shape } = this.#query;
    const tail = `FROM ${order.from} WHERE ${keyCondition(shape.key)}`;
    return packPage(connection, { columns: this.#columns, tail, bindings: keys, rows: keys.length });
  }

  #readTogether(connection: Connection, keys: readonly Key[]): PackedRows {
    const names = keyNames(this.#query.shape.key);
    const wanted = names.map((_, at) => `sidelite_k${at}`);
    const places = `(${['?', ...wanted.map(() => '?')].join(', ')})`;
    const values =
      keys.length === 0
        ? `SELECT ${['NULL', ...wanted.map(() => 'NULL')].join(', ')} WHERE 0`
        : `VALUES ${keys.map(() => places).join(', ')}`;
    const same = names.map((name, at) => `t.${quoteName(name)} = wanted.sidelite_k${at}`).join(' AND ');
    const sql = `WITH wanted(sidelite_place, ${wanted.join(', ')}) AS (${values})
      SELECT ${quoteNames(this.#columns)} FROM wanted CROSS JOIN ${this.#query.order.from} AS t ON ${same} ORDER BY wanted.sidelite_place`;
    return pack(
      connection,
      sql,
      keys.flatMap((key, place) => [place, ...key]),
      keys.length,
    );
  }
}

/** Sends one request to a server, which itself reports what is too long for it. */
function pack(connection: Connection, sql: string, params: readonly Value[], expectedRows: number): PackedRows {
  const statement = connection.prepare(sql);
  try {
    const writer = new PackedRowsWriter(statement.columnCount, { expectedRows: Math.max(1, expectedRows) });
    statement.bind(params);
    statement.pack(writer, { maxRows: Infinity, maxBytes: PAGE_BYTES });
    return writer.finish();
  } finally {
    statement.finalize();
  }
}
