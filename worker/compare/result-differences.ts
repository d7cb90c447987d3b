// Differences between the rows of two results, found by sorting both by their key and going through them side by side.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { RowDifference, RowDifferencePage } from '#shared/protocol/history.ts';
import { MAX_LISTED_DIFFERENCES } from '#shared/protocol/result-comparison.ts';
import type { ComparedColumn, ResultDifferences } from '#shared/protocol/result-comparison.ts';
import { preview } from '../history/differences.ts';
import { arrangeRows } from '../readers/arrange/arrange-rows.ts';
import type { KeptRows } from '../readers/arrange/arranged-rows.ts';
import { CellBuffers, compareCells } from '#shared/packed-rows/compare-cells.ts';
import { sliceEnd } from '../readers/slice.ts';
import type { Pause, Turn } from '../sessions/session.ts';

/** Rows between two checks of the clock. */
const CLOCK_ROWS = 256;
/** Represents the row that one side does not have. */
const NONE = -1;

interface Compared {
  readonly before: KeptRows;
  readonly after: KeptRows;
  readonly columns: readonly ComparedColumn[];
  /** Places in `columns`; empty for pairs by position. */
  readonly key: readonly number[];
}

/** The positions of the rows that differ, and how many there are of each kind. */
export class FoundDifferences {
  readonly #compared: Compared;
  readonly #pairs: number[] = [];
  inserted = 0;
  updated = 0;
  deleted = 0;
  same = 0;
  repeated = 0;

  constructor(compared: Compared) {
    this.#compared = compared;
  }

  get counts(): ResultDifferences {
    const { inserted, updated, deleted, same, repeated } = this;
    return { inserted, updated, deleted, same, repeated, listed: this.#pairs.length / 2 };
  }

  /** One of its results has run again, or is closed. */
  get isGone(): boolean {
    const { before, after } = this.#compared;
    return before.disposed || after.disposed;
  }

  add(before: number, after: number): void {
    if (before === NONE) this.inserted++;
    else if (after === NONE) this.deleted++;
    else this.updated++;
    if (this.#pairs.length < MAX_LISTED_DIFFERENCES * 2) this.#pairs.push(before, after);
  }

  /** @throws AppError `not-found` */
  page(start: number, count: number): RowDifferencePage {
    if (this.isGone) fail('not-found', 'The rows have changed since they were compared. Compare again.');
    const total = this.#pairs.length / 2;
    const rows = Array.from({ length: Math.max(0, Math.min(count, total - start)) }, (_, index) =>
      this.#row(this.#pairs[(start + index) * 2]!, this.#pairs[(start + index) * 2 + 1]!),
    );
    return { rows, total };
  }

  #row(before: number, after: number): RowDifference {
    const { columns, key } = this.#compared;
    const kind = before === NONE ? 'inserted' : after === NONE ? 'deleted' : 'updated';
    const isSame = columns.map((column) => kind === 'updated' && !differs(this.#compared, column, before, after));
    const side = (rows: KeptRows, position: number, which: 'before' | 'after') =>
      position === NONE
        ? null
        : columns.map((column, index) => (isSame[index] ? undefined : valueAt(rows, position, column[which])));
    const [rows, position, which] =
      after === NONE
        ? ([this.#compared.before, before, 'before'] as const)
        : ([this.#compared.after, after, 'after'] as const);
    return {
      table: 'result',
      kind,
      key: key.length === 0 ? [position + 1] : key.map((place) => rows.cell(position, columns[place]![which]).value),
      name: null,
      columns: columns.map(({ name }) => name),
      before: side(this.#compared.before, before, 'before'),
      after: side(this.#compared.after, after, 'after'),
    };
  }
}

const valueAt = (rows: KeptRows, position: number, column: number) => preview(rows.cell(position, column).value);

/** @throws AppError `stopped`, `full`, `invalid`; `not-found` when rows were freed in the meantime */
export function* compareResults(turn: Turn, compared: Compared): Generator<Pause, FoundDifferences> {
  const { before, after, columns, key } = compared;
  const sorted = (rows: KeptRows, side: 'before' | 'after'): Generator<Pause, Uint32Array> =>
    arrangeRows(turn, rows, {
      sort: key.map((place) => ({ column: columns[place]![side], descending: false })),
      filter: [],
    });
  const left = yield* sorted(before, 'before');
  const right = yield* sorted(after, 'after');
  const found = new FoundDifferences(compared);
  const keys = key.map((place) => columns[place]!);
  let [i, j, end] = [0, 0, sliceEnd(turn)];
  const total = left.length + right.length;
  turn.measureBy(() => ({ phase: 'Comparing', done: i + j, total, unit: 'rows' }));
  try {
    for (let steps = 0; i < left.length || j < right.length; steps++) {
      const order = i === left.length ? 1 : j === right.length ? -1 : orderOf(compared, keys, left[i]!, right[j]!);
      // The row before it on the same side has the same key.
      if (key.length > 0 && order <= 0 && i > 0 && isRepeated(before, keys, 'before', left[i - 1]!, left[i]!))
        found.repeated++;
      if (key.length > 0 && order >= 0 && j > 0 && isRepeated(after, keys, 'after', right[j - 1]!, right[j]!))
        found.repeated++;
      if (order !== 0) found.add(order < 0 ? left[i]! : NONE, order > 0 ? right[j]! : NONE);
      else if (columns.some((column) => differs(compared, column, left[i]!, right[j]!))) found.add(left[i]!, right[j]!);
      else found.same++;
      if (order <= 0) i++;
      if (order >= 0) j++;
      if (steps % CLOCK_ROWS !== 0 || performance.now() < end) continue;
      if (turn.stopRequested) fail('stopped', 'Stopped. The results were not compared.');
      yield 'between';
      if (found.isGone) fail('not-found', 'These rows are no longer kept.');
      end = sliceEnd(turn);
    }
  } finally {
    turn.measureBy(null);
  }
  return found;
}

/** Rows without a key are paired in their order. */
function orderOf({ before, after }: Compared, keys: readonly ComparedColumn[], one: number, other: number): number {
  for (const column of keys) {
    const order = compareAt(before, one, column.before, after, other, column.after);
    if (order !== 0) return order;
  }
  return 0;
}

const isRepeated = (
  rows: KeptRows,
  keys: readonly ComparedColumn[],
  side: 'before' | 'after',
  one: number,
  other: number,
): boolean => keys.every((column) => compareAt(rows, one, column[side], rows, other, column[side]) === 0);

function differs({ before, after }: Compared, column: ComparedColumn, one: number, other: number): boolean {
  if (compareAt(before, one, column.before, after, other, column.after) !== 0) return true;
  return sizeAt(before, one, column.before) !== sizeAt(after, other, column.after);
}

function compareAt(a: KeptRows, one: number, columnA: number, b: KeptRows, other: number, columnB: number): number {
  const [x, y] = [a.place(one), b.place(other)];
  return compareCells(
    buffersOf(x.rows),
    x.row * x.rows.columnCount + columnA,
    buffersOf(y.rows),
    y.row * y.rows.columnCount + columnB,
  );
}

function sizeAt(rows: KeptRows, position: number, column: number): number {
  const { rows: packed, row } = rows.place(position);
  return new PackedRowsReader(packed).sizeBytes(row, column);
}

const buffers = new WeakMap<PackedRows, CellBuffers>();

function buffersOf(rows: PackedRows): CellBuffers {
  const known = buffers.get(rows);
  if (known) return known;
  const made = new CellBuffers(rows);
  buffers.set(rows, made);
  return made;
}
