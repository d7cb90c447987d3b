// Reads the table of conflicts, and decides a conflict: the row and its entry in the list change in one step of the history.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { AppError, CONFLICTS, type DatabaseId, type Value } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notWritten, readConflict, settled, takingTheirs } from './conflict-entry.ts';
import type { ConflictEntry, StoredConflict } from './conflict-entry.ts';

/** As many as one request reads: the next ones come when some of these are decided. */
const LISTED = 2000;
const MAX_ROW_BYTES = 16 * 2 ** 20;

export interface ListedConflict {
  readonly id: Value;
  readonly table: string;
  readonly kind: string;
  /** Its beginning, if it is long. */
  readonly key: string;
  readonly message: string;
}

export interface ConflictList {
  readonly listed: readonly ListedConflict[];
  readonly total: number;
}

/** @throws AppError `invalid` for a table of another form, and as `rows.open` */
export async function listConflicts(database: DatabaseId): Promise<ConflictList> {
  const { reader, columns } = await client.call('rows.open', { database, table: CONFLICTS, sort: [], filter: [] });
  try {
    const { rows, extent } = await client.call('rows.read', { reader, start: 0, count: LISTED });
    const read = new PackedRowsReader(rows);
    const place = (name: string): number => {
      const found = columns.findIndex((column) => column.name === name);
      if (found < 0) throw notWritten();
      return found;
    };
    const id = place('id');
    const [table, kind, key, message] = [place('table'), place('kind'), place('key'), place('message')];
    const listed = Array.from({ length: rows.rowCount }, (_, row) => ({
      id: read.value(row, id),
      table: read.text(row, table),
      kind: read.text(row, kind),
      key: read.text(row, key),
      message: read.text(row, message),
    }));
    return { listed, total: Math.max(extent.rows, listed.length) };
  } finally {
    void client.call('rows.close', { reader });
  }
}

/** @throws AppError `too-big`, `invalid`, and as `cell.read` */
export async function wholeConflict(database: DatabaseId, { id, table }: ListedConflict): Promise<ConflictEntry> {
  const read = async (column: string): Promise<string | null> => {
    const cell = { table: CONFLICTS, key: [id], column };
    const { value, sizeBytes } = await client.call('cell.read', { database, cell, maxBytes: MAX_ROW_BYTES });
    if (sizeBytes > MAX_ROW_BYTES)
      throw AppError.tooBig('The rows of this conflict are too large to be shown. Change the row in its table.');
    if (value !== null && typeof value !== 'string') throw notWritten();
    return value;
  };
  const [key, base, ours, theirs] = await Promise.all(['key', 'base', 'ours', 'theirs'].map(read));
  const stored = { id, table, key, base, ours, theirs } as StoredConflict;
  return readConflict(stored);
}

/** @throws AppError as `edit.applyAll`, `not-found` where the row is gone; nothing is changed then */
export async function decide(database: DatabaseId, entry: ConflictEntry, choice: 'mine' | 'theirs'): Promise<void> {
  const { table, key, ours } = entry;
  const taken =
    choice === 'mine' ? [] : takingTheirs(entry, ours && key && (await rowKeyOf(database, { table, by: key })));
  const title = `${choice === 'mine' ? 'Keep mine' : 'Take theirs'} in ${table}`;
  await client.call('edit.applyAll', { database, title, changes: [...taken, settled(entry)] });
}

async function rowKeyOf(
  database: DatabaseId,
  { table, by }: { readonly table: string; readonly by: NonNullable<ConflictEntry['key']> },
): Promise<readonly Value[] | null> {
  return client.call('edit.findKey', { database, table, by: by.columns, values: by.values });
}
