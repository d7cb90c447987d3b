// Compares the rows of a database with those of a copy of another one, table by table, and keeps the changes that would make them equal.
import { sameName } from '#shared/ddl/names.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ComparedTables, RowComparison, RowChoice } from '#shared/protocol/row-comparison.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { compareTable, ComparisonResult, storedColumns, tableNames } from '../library/source/compare-databases.ts';
import type { CompareStep, RowSink } from '../library/source/compare-databases.ts';
import { keyNames } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';
import { CollectedChanges, TableChanges, type ChosenChanges } from './collected-changes.ts';
import { compareTables, type DifferenceSink } from './compare-tables.ts';
import { pairTables, type NotCompared, type TablePair } from './table-pairs.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { WindowSession } from '../sessions/session.ts';

export interface ComparedRows {
  readonly comparison: Omit<RowComparison, 'id'>;
  readonly collected: CollectedChanges;
}

/** Changes that turn the rows of `mine` into those of `theirs`, a private copy. Pauses every few rows. */
export function* compareRowsOf(
  mine: Connection,
  theirs: Connection,
  tables: readonly ComparedTables[] | null,
): Generator<CompareStep, ComparedRows, undefined> {
  const result = new ComparisonResult();
  const collected = new CollectedChanges();
  const notes: string[] = [];
  const numbers: (number | null)[] = [];
  let tablesCompared = 0;
  for (const pair of tables ?? sameNamed(mine, theirs)) {
    const left = yield* comparePair(pair, mine, theirs, { result, collected, notes, numbers });
    if (left === null) tablesCompared++;
    else notes.push(`Rows of “${pair.from}” were not compared: ${left.why}`);
  }
  const { tables: counts, listed, rows } = result;
  const allNotes = [...notes, ...collected.notes];
  const { counts: changes } = collected;
  const comparison = { tables: counts, listed, rows, numbers, tablesCompared, notes: allNotes, changes };
  return { comparison, collected };
}

function sameNamed(mine: Connection, theirs: Connection): readonly ComparedTables[] {
  const there = tableNames(theirs);
  return tableNames(mine).flatMap((from) => {
    const to = there.find((name) => sameName(name, from));
    return to === undefined ? [] : [{ from, to, key: null }];
  });
}

interface Sinks {
  readonly notes: string[];
  readonly result: ComparisonResult;
  readonly collected: CollectedChanges;
  /** Numbers of the listed rows. */
  readonly numbers: (number | null)[];
}

/** Returns why the tables could not be compared, or null. */
function* comparePair(
  tables: ComparedTables,
  mine: Connection,
  theirs: Connection,
  { result, collected, notes, numbers }: Sinks,
): Generator<CompareStep, NotCompared | null, undefined> {
  try {
    const pair = pairTables(mine, theirs, tables);
    if ('why' in pair) return pair;
    const { from, columns } = pair;
    notes.push(...columnsLeftOut(pair));
    const changes = new TableChanges(pair, collected, greatestRowid(mine, pair));
    const shown = result.begin({ name: from.name, columns: columns.map((column) => column.from), shape: from });
    const both: DifferenceSink = {
      add(kind, key, before, after, rowid) {
        const number = collected.changes.length;
        shown.add(kind, key, before, after);
        changes.add(kind, key, before, after, rowid);
        if (result.rows.length > numbers.length) numbers.push(collected.changes.length > number ? number : null);
      },
    };
    const left = isByOwnKey(pair)
      ? yield* compareInRanges(pair, mine, theirs, both)
      : yield* compareTables(pair, mine, theirs, both);
    changes.end();
    return left;
  } catch (error) {
    if (error instanceof AppError && error.code === 'sql') return { why: error.message };
    throw error;
  }
}

function columnsLeftOut({ from, to, columns }: TablePair): readonly string[] {
  const here = storedColumns(from).filter((name) => !columns.some((column) => column.from === name));
  const there = storedColumns(to).filter((name) => !columns.some((column) => column.to === name));
  const left = [...here, ...there];
  return left.length === 0
    ? []
    : [`Columns of “${from.name}” that only one side has were not compared: ${left.join(', ')}.`];
}

/** Both have the same columns, and are compared by what SQLite itself orders their rows by: whole ranges are compared at once. */
function isByOwnKey({ from, to, key }: TablePair): boolean {
  const own = keyNames(from.key);
  const isKey = key === null || (key.length === own.length && key.every((column, at) => column.from === own[at]));
  const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join('\0') === other.join('\0');
  return (
    isKey && isSame(own, keyNames(to.key)) && isSame(storedColumns(from), storedColumns(to)) && from.name === to.name
  );
}

function* compareInRanges(
  { from }: TablePair,
  mine: Connection,
  theirs: Connection,
  sink: DifferenceSink,
): Generator<CompareStep, NotCompared | null, undefined> {
  const withRowid: RowSink = {
    add(kind, key, before, after) {
      sink.add(kind, key, before, after, from.key.kind === 'rowid' ? key[0]! : null);
    },
  };
  const why = yield* compareTable(() => withRowid, from.name, mine, theirs);
  return why === null ? null : { why };
}

function greatestRowid(mine: Connection, { from }: TablePair): bigint {
  if (from.key.kind !== 'rowid') return 0n;
  const max = mine.one(`SELECT max(${quoteName(from.key.name)}) FROM main.${quoteName(from.name)}`)![0] as Value;
  return typeof max === 'number' || typeof max === 'bigint' ? BigInt(max) : 0n;
}

// The comparisons of rows that a window may still apply or save, until it closes them or ends.

interface Kept {
  readonly database: DatabaseId;
  readonly collected: CollectedChanges;
}

/** Each may take 128 MB. A window that compares more forgets the oldest, which can be compared again. */
const MAX_KEPT = 4;

const kept = new WeakMap<WindowSession, Map<string, Kept>>();

/** Returns its id. */
export function keepComparison(window: WindowSession, comparison: Kept): string {
  const comparisons = kept.get(window) ?? new Map<string, Kept>();
  kept.set(window, comparisons);
  const id = crypto.randomUUID();
  comparisons.set(id, comparison);
  for (const oldest of [...comparisons.keys()].slice(0, -MAX_KEPT)) comparisons.delete(oldest);
  return id;
}

/** @throws AppError `not-found`; `too-big` */
export function changesOfComparison(
  window: WindowSession,
  database: DatabaseId,
  id: string,
  rows: RowChoice,
): ChosenChanges {
  const found = kept.get(window)?.get(id);
  if (found?.database !== database) throw AppError.notFound('This comparison no longer exists. Compare again.');
  if (!found.collected.isTooMany) return found.collected.chosen(rows);
  throw AppError.tooBig(
    'There are too many differences for a patch. Nothing was changed. Compare fewer tables at a time.',
  );
}

export function endComparison(window: WindowSession, id: string): void {
  kept.get(window)?.delete(id);
}
