// One conflict that `sidelite merge` has left in a table, and the changes of rows that decide it. Pure.
import { readExactRow, type ExactRow } from '#shared/exact-row.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { CONFLICTS } from '#shared/protocol/merge.ts';
import type { TableChange, Value } from '#shared/protocol/index.ts';

/** As the table of conflicts has it. Rows are JSON. */
export interface StoredConflict {
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
export function readConflict(stored: StoredConflict): ConflictEntry {
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

export const notWritten = (): AppError =>
  AppError.invalid(`This is not a conflict as “sidelite merge” writes it into the table ${CONFLICTS}.`);

/** Takes the conflict off the list. */
export const settled = ({ id }: Pick<ConflictEntry, 'id'>): TableChange => ({
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
export function takingTheirs(entry: ConflictEntry, rowKey: readonly Value[] | null): readonly TableChange[] {
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
