// Reads the row that a foreign key refers to, for the peek card.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { DatabaseId, Value } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import type { ParentRow } from '../../../workbench/relations/foreign-keys.ts';

/** More columns than a card has room for are not shown. */
const SHOWN_COLUMNS = 12;

export interface PeekedRow {
  readonly cells: readonly { readonly column: string; readonly value: Value; readonly isCut: boolean }[];
  readonly moreColumns: number;
}

/** Null if there is no such row. */
export async function readPeek(database: DatabaseId, { table, terms }: ParentRow): Promise<PeekedRow | null> {
  const info = await client.call('rows.open', { database, table, sort: [], filter: terms });
  try {
    const page = await client.call('rows.read', { reader: info.reader, start: 0, count: 1 });
    if (page.rows.rowCount === 0) return null;
    const rows = new PackedRowsReader(page.rows);
    const columns = info.columns.slice(info.hiddenColumns);
    const cells = columns.slice(0, SHOWN_COLUMNS).map(({ name }, at) => ({
      column: name,
      value: rows.value(0, at + info.hiddenColumns),
      isCut: rows.isPreview(0, at + info.hiddenColumns),
    }));
    return { cells, moreColumns: columns.length - cells.length };
  } finally {
    client.call('rows.close', { reader: info.reader }).catch(() => undefined); // closed with the connection
  }
}
