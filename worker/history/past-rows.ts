// Finds rows as they were at an earlier position of the history without undoing anything; returns only rows that changed since.
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { openRowLog } from '../engines/row-log/reader.ts';
import type { LoggedTable } from '../engines/row-log/row-log.ts';
import type { Pause } from '../sessions/session.ts';
import { rowOfBytes } from '../sql/row-bytes.ts';
import { sameRow } from '../sql/same-value.ts';
import type { RowChangeLogged } from './differences.ts';
import type { History } from './history.ts';
import { MergeTarget } from './merge-target.ts';
import type { Way } from './known-marks.ts';
import { isHidden, type VirtualTables } from './virtual-tables.ts';

/** Rows between two checks of the clock: well below a millisecond of work. */
const CHANGES_A_STEP = 64;

/** Receives the rows, by table and key. Values are in the order of `columns`. */
export interface PastRows {
  /** Undefined: no entry. Null: there was no such row. */
  get(table: string, key: readonly Value[]): readonly Value[] | null | undefined;
  put(table: string, key: readonly Value[], row: readonly Value[] | null): void;
  /** Announces the columns of the rows that follow. */
  begin(table: string, columns: readonly string[]): void;
  /** The rows this table had then are unknown. */
  giveUp(table: string): void;
}

/** The copy of the whole database that is nearest to the place where `way` leads, and the steps from there on. */
export interface ShortWay {
  readonly copy: string | null;
  readonly steps: Way['steps'];
}

/** Null when a copy on the way is gone. */
export function shortWay({ past }: History, { isBack, steps }: Way): ShortWay | null {
  const last = steps.map(({ kind }) => kind).lastIndexOf('snapshot');
  if (last < 0) return { copy: null, steps };
  const copy = past.copyOf(steps[last]!.id, isBack ? 'before' : 'after');
  return copy && { copy: copy.file, steps: steps.slice(last + 1) };
}

/**
 * Puts the rows that changed on the way, as they were at its end.
 * @param from the database at its beginning
 */
export function* walk(
  { past: { store } }: History,
  { isBack }: Way,
  { steps }: ShortWay,
  from: Connection,
  rows: PastRows,
): Generator<Pause, void> {
  const targets = new Targets(from, rows);
  for (const { id } of steps) {
    const log = isBack ? store.undoLog(id) : store.redoLog(id);
    if (!log) fail('corrupt', 'A step of the history is damaged.');
    const virtual = store.virtualTables(id);
    let count = 0;
    for (const change of openRowLog(log).backwards()) {
      if (change.operation === 'sequence') continue;
      const target = targets.of(change.table, virtual);
      if (target) undo(change, target, rows);
      if (++count % CHANGES_A_STEP === 0) yield 'between';
    }
  }
}

/** How another file differed at a merge base. */
interface MergeBaseRow {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: readonly Value[];
  readonly row: readonly Value[] | null;
}

export function putMergeBaseRows(lists: Iterable<Uint8Array>, rows: PastRows): void {
  for (const bytes of lists) {
    const [table, width, isThere, ...values] = rowOfBytes(bytes);
    const columns = values.splice(0, Number(width)).map(String);
    rows.begin(String(table), columns);
    const row = isThere === 1 ? values.splice(values.length - columns.length) : null;
    rows.put(String(table), values, row);
  }
}

/** Flattens a row to values, for `rowBytes`. */
export function mergeBaseValues({ table, columns, key, row }: MergeBaseRow): Value[] {
  return [table, columns.length, row ? 1 : 0, ...columns, ...key, ...(row ?? [])];
}

class Targets {
  readonly #connection: Connection;
  readonly #rows: PastRows;
  readonly #known = new Map<string, MergeTarget | null>();

  constructor(connection: Connection, rows: PastRows) {
    this.#connection = connection;
    this.#rows = rows;
  }

  of(table: LoggedTable, virtual: VirtualTables): MergeTarget | null {
    const known = this.#known.get(table.name);
    if (known !== undefined) return known;
    const target = this.#find(table, virtual);
    this.#known.set(table.name, target);
    return target;
  }

  #find(table: LoggedTable, virtual: VirtualTables): MergeTarget | null {
    if (isHidden(table.name, virtual)) {
      const owner = virtual[table.name]?.owner;
      // FTS5 keeps its rows in one of these tables, and that one is not hidden.
      const isToldElsewhere =
        owner !== undefined && Object.values(virtual).some((part) => part.owner === owner && part.content);
      if (owner !== undefined && !isToldElsewhere) this.#rows.giveUp(owner);
      return null;
    }
    try {
      const target = new MergeTarget(this.#connection, table, virtual);
      this.#rows.begin(
        target.table,
        target.columns.map(({ name }) => name),
      );
      return target;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not-found')) throw error;
      this.#rows.giveUp(table.name);
      return null;
    }
  }
}

function undo(change: RowChangeLogged, target: MergeTarget, rows: PastRows): void {
  const { table } = target;
  switch (change.operation) {
    case 'insert':
      return rows.put(table, change.key, null);
    case 'delete':
      return rows.put(table, change.key, shown(target, change.before));
    case 'update': {
      const now = rows.get(table, change.keyAfter);
      const found = now === undefined ? target.read(change.keyAfter) : null;
      const row = now ? [...now] : found && shown(target, found);
      if (!row) return rows.giveUp(table);
      for (const [index, place] of change.columnIndexes.entries()) {
        const column = target.columns.findIndex((each) => each.place === place);
        if (column >= 0) row[column] = change.before[index]!;
      }
      const rowidColumn = change.table.key.kind === 'rowid' ? change.table.key.columnIndex : null;
      const rowidAt = target.columns.findIndex(({ place }) => place === rowidColumn);
      if (rowidColumn !== null && rowidAt >= 0) row[rowidAt] = change.keyBefore[0]!;
      if (!sameRow(change.keyAfter, change.keyBefore)) rows.put(table, change.keyAfter, null);
      rows.put(table, change.keyBefore, row);
    }
  }
}

function shown(target: MergeTarget, row: readonly (Value | undefined)[]): Value[] {
  return target.columns.map(({ place }) => row[place] as Value);
}
