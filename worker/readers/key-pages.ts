// Pages of a table by the keys of their rows: one statement for each key or, where each statement costs a round trip, one for the page.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import type { Connection } from '../engines/engine.ts';
import { keyCondition, keyNames } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';
import type { Key } from './key-order.ts';
import type { KeyQuery } from './key-source.ts';
import { PAGE_BYTES, selectList } from './key-walker.ts';

export class KeyPages {
  readonly #query: KeyQuery;
  readonly #columns: string;
  readonly #isMetered: boolean;

  constructor(query: KeyQuery, isMetered: boolean) {
    this.#query = query;
    this.#columns = selectList(query.shape);
    this.#isMetered = isMetered;
  }

  /** Returns the rows of `keys`, in this order. */
  read(connection: Connection, keys: readonly Key[]): PackedRows {
    if (this.#isMetered) return this.#readTogether(connection, keys);
    const { order, shape } = this.#query;
    return pack(
      connection,
      `SELECT ${this.#columns} FROM ${order.from} WHERE ${keyCondition(shape.key)}`,
      keys,
      keys.length,
    );
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
      SELECT ${this.#columns} FROM wanted CROSS JOIN ${this.#query.order.from} AS t ON ${same} ORDER BY wanted.sidelite_place`;
    return pack(connection, sql, [keys.flatMap((key, place) => [place, ...key])], keys.length);
  }
}

/** Packs all rows of `sql` for each of `bindings` into one page. */
function pack(connection: Connection, sql: string, bindings: readonly Key[], expectedRows: number): PackedRows {
  const statement = connection.prepare(sql);
  try {
    const writer = new PackedRowsWriter(statement.columnCount, { expectedRows: Math.max(1, expectedRows) });
    for (const params of bindings) {
      statement.bind(params);
      statement.pack(writer, { maxRows: Infinity, maxBytes: PAGE_BYTES });
      statement.reset();
      if (writer.sizeBytes >= PAGE_BYTES) break;
    }
    return writer.finish();
  } finally {
    statement.finalize();
  }
}
