// The conflicts that `sidelite merge` has left in a table: reads them, and makes the changes of rows that decide each.
import { readExactRow, type ExactRow } from '#shared/exact-row.ts';
import { AppError, CONFLICTS, type TableChange, type Value, type DatabaseId } from '#shared/protocol/index.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { client } from '../../connection/database-client.ts';

/** As the table of conflicts has it. Rows are JSON. */
interface StoredConflict {
  readonly id: Value;
  readonly table: string;
  readonly key: string | null;
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** Null: there was no such row. */
type Row = ExactRow | null;

export interface ConflictEntry {
  readonly id: Value;
  readonly table: string;
  /** Null: rows of the table are told apart by all their values. */
  readonly key: Row;
  readonly columns: readonly string[];
  readonly base: Row;
  readonly ours: Row;
  readonly theirs: Row;
}

/** @throws AppError `invalid` for rows in another form */
function readConflict(stored: StoredConflict): ConflictEntry {
  const row = (text: string | null): Row => {
    const read = text === null ? null : readExactRow(text);
    if (text !== null && read === null) throw notWritten();
    return read;
  };
  const [key, base, ours, theirs] = [stored.key, stored.base, stored.ours, stored.theirs].map(row) as [Row, Row, Row, Row]; // prettier-ignore
  const columns = (ours ?? theirs ?? base)?.columns ?? [];
  for (const each of [base, ours, theirs])
    if (each && each.columns.join('\0') !== columns.join('\0')) throw notWritten();
  return { id: stored.id, table: stored.table, key, columns, base, ours, theirs };
}

const notWritten = (): AppError =>
  AppError.invalid(`This is not a conflict as “sidelite merge” writes it into the table ${CONFLICTS}.`);

/** Takes the conflict off the list. */
const settled = ({ id }: Pick<ConflictEntry, 'id'>): TableChange => ({
  ...{ table: CONFLICTS, kind: 'delete', key: [id] },
});

/** Why the row of the other side cannot be taken here; null if that can be tried. */
export function whyNotTheirs({ key, ours, theirs }: ConflictEntry): string | null {
  if (ours === null && theirs === null) return 'Neither side has the row.';
  return ours !== null && key === null
    ? 'The table has no primary key that tells this row apart. Change the rows in the table.'
    : null;
}

/**
 * Gives the row what the other side changed in it, also where only that side did, if the row still is as it was when the two were merged.
 *
 * @param rowKey identifies the row for edits; null if the row does not exist
 */
function takingTheirs(entry: ConflictEntry, rowKey: readonly Value[] | null): readonly TableChange[] {
  const { table, ours, theirs } = entry;
  if (ours === null)
    return theirs === null ? [] : [{ table, kind: 'insert', set: valuesOf(theirs, [...theirs.columns.keys()]) }];
  if (rowKey === null) throw AppError.notFound(`The row no longer exists in “${table}”. Nothing was changed.`);
  if (theirs === null) {
    const base = valuesOf(ours, [...ours.columns.keys()]);
    // The first only compares.
    return [{ table, kind: 'update', key: rowKey, set: {}, base }, { table, kind: 'delete', key: rowKey }]; // prettier-ignore
  }
  const places = changedPlaces(entry, ours, theirs);
  return [{ table, kind: 'update', key: rowKey, set: valuesOf(theirs, places), base: valuesOf(ours, places) }];
}

function changedPlaces({ key, base }: ConflictEntry, ours: ExactRow, theirs: ExactRow): readonly number[] {
  const differs = (at: number, one: ExactRow, other: ExactRow): boolean => one.texts[at] !== other.texts[at];
  const all = [...ours.columns.keys()].filter(
    (at) => differs(at, ours, theirs) && key?.columns.includes(ours.columns[at]!) !== true,
  );
  const theirOwn = base && all.filter((at) => differs(at, base, theirs));
  return theirOwn && theirOwn.length > 0 ? theirOwn : all;
}

const valuesOf = ({ columns, values }: ExactRow, places: readonly number[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(places.map((at) => [columns[at]!, values[at]!]));

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
