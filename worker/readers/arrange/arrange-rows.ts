// Determines which rows of a result are shown, and in which order: computed from its kept rows, in slices, with progress and Stop.
import type { ResultArrangement, ResultSortTerm, ResultFilterTerm } from '#shared/protocol/arrange.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import { sliceEnd } from '../slice.ts';
import type { KeptRows } from './arranged-rows.ts';
import { CellBuffers, compareCells } from '#shared/packed-rows/compare-cells.ts';
import { TestedPage, cellTest, type CellTest } from '#shared/cell-test.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';

/** The texts of the sorted columns are in memory while they are compared. */
const MAX_KEY_BYTES = 256 * 1024 * 1024;

/**
 * Returns the positions of the shown rows in the spool, in the order in which they are shown.
 *
 * @throws AppError `stopped`; `full` if the values to sort by need too much memory; `invalid` for a column that does not exist
 */
export function* arrangeRows(
  turn: Turn,
  spool: KeptRows,
  arrangement: ResultArrangement,
): Generator<Pause, Uint32Array> {
  const { sort, filter } = arrangement;
  checkColumns([...sort, ...filter], spool.columnCount);
  let progress: Progress = { phase: 'Filtering', done: 0, total: spool.rowCount, unit: 'rows' };
  turn.measureBy(() => progress);
  const pause = (): Generator<Pause, void> => pauseOf(turn, spool);
  try {
    const kept = yield* filtered(turn, spool, new RowFilter(filter, spool.columnCount), pause, (done) => {
      progress = { ...progress, done };
    });
    if (sort.length === 0) return kept;
    const keys = yield* keysOf(turn, spool, kept, sort, pause);
    const total = kept.length * passesOf(kept.length);
    const order = yield* sortRows(turn, kept.length, comparison(keys, sort), pause, (moved) => {
      progress = {
        phase: 'Sorting',
        done: Math.floor((moved / total) * kept.length),
        total: kept.length,
        unit: 'rows',
      };
    });
    return order.map((index) => kept[index]!);
  } finally {
    turn.measureBy(null);
  }
}

function checkColumns(terms: readonly { readonly column: number | null }[], columnCount: number): void {
  const isThere = (column: number | null): boolean =>
    column === null || (Number.isInteger(column) && column >= 0 && column < columnCount);
  if (terms.every(({ column }) => isThere(column))) return;
  throw AppError.invalid('The result does not have this column. Clear its filter and sort order.');
}

function* pauseOf(turn: Turn, spool: KeptRows): Generator<Pause, void> {
  if (turn.stopRequested) throw AppError.stopped('Stopped. The rows are shown as before.');
  yield 'between';
  if (spool.disposed) throw AppError.notFound('These rows are no longer kept.');
}

type Pauses = () => Generator<Pause, void>;

function* filtered(
  turn: Turn,
  spool: KeptRows,
  filter: RowFilter,
  pause: Pauses,
  report: (done: number) => void,
): Generator<Pause, Uint32Array> {
  const { rowCount } = spool;
  if (filter.isEmpty) return countUp(rowCount);
  const kept: number[] = [];
  let end = sliceEnd(turn);
  for (let row = 0; row < rowCount;) {
    const { start, rows } = spool.chunkWith(row);
    filter.collect(rows, start, kept);
    report((row = start + rows.rowCount));
    if (performance.now() < end) continue;
    yield* pause();
    end = sliceEnd(turn);
  }
  return Uint32Array.from(kept);
}

/** The sorted columns of the kept rows, one packed column for each term. */
function* keysOf(
  turn: Turn,
  spool: KeptRows,
  kept: Uint32Array,
  sort: readonly ResultSortTerm[],
  pause: Pauses,
): Generator<Pause, CellBuffers> {
  const writer = new PackedRowsWriter(sort.length, {
    expectedRows: Math.max(1, kept.length),
    previewBytes: Infinity,
  });
  let end = sliceEnd(turn);
  for (let index = 0; index < kept.length;) {
    const { start, rows } = spool.chunkWith(kept[index]!);
    const cells = new PackedRowsReader(rows);
    for (; index < kept.length && kept[index]! < start + rows.rowCount; index++)
      for (const { column } of sort) writer.copy(cells, kept[index]! - start, column);
    if (writer.sizeBytes > MAX_KEY_BYTES)
      throw AppError.full(
        'The values of this column are too long to sort here. The rows are shown as before. Add ORDER BY to the statement.',
      );
    if (performance.now() < end) continue;
    yield* pause();
    end = sliceEnd(turn);
  }
  return new CellBuffers(writer.finish());
}

function comparison(keys: CellBuffers, sort: readonly ResultSortTerm[]): (a: number, b: number) => number {
  const signs = sort.map(({ descending }) => (descending ? -1 : 1));
  const count = signs.length;
  return (a, b) => {
    for (let term = 0; term < count; term++) {
      const order = compareCells(keys, a * count + term, keys, b * count + term);
      if (order !== 0) return order * signs[term]!;
    }
    return 0;
  };
}

/** Finds the rows of a page that match the filter of a result: a table's filter comparisons, on values that were already read. */
class RowFilter {
  readonly #terms: readonly { readonly columns: readonly number[]; readonly test: CellTest }[];

  /** @throws AppError `invalid` for an operator that does not exist, or a value that cannot be searched for */
  constructor(filter: readonly ResultFilterTerm[], columnCount: number) {
    this.#terms = filter.map((term) => ({ columns: columnsOf(term, columnCount), test: cellTest(term) }));
  }

  get isEmpty(): boolean {
    return this.#terms.length === 0;
  }

  /** Appends the matching rows of a page, counted from `start`. */
  collect(rows: PackedRows, start: number, into: number[]): void {
    const page = new TestedPage(rows);
    for (let row = 0; row < rows.rowCount; row++) {
      if (this.#terms.every(({ columns, test }) => columns.some((column) => test(page, row, column))))
        into.push(start + row);
    }
  }
}

function columnsOf({ column }: ResultFilterTerm, columnCount: number): readonly number[] {
  return column === null ? Array.from({ length: columnCount }, (_, index) => index) : [column];
}

// Sorts row numbers in slices, because one call of the built-in sort over a million rows would block the worker for seconds. Stable.

/** Rows sorted in one call: about a millisecond. */
const RUN_ROWS = 1024;
/** Rows merged between two checks of the clock. */
const CLOCK_ROWS = 2048;

/**
 * Returns 0 … `count` − 1 in order.
 *
 * @param compare may return 0: then the lower number comes first
 * @param report gets the number of rows moved so far, of `count` in each of {@link passesOf} passes
 */
function* sortRows(
  turn: Turn,
  count: number,
  compare: (a: number, b: number) => number,
  pause: () => Generator<Pause, void>,
  report: (moved: number) => void,
): Generator<Pause, Uint32Array> {
  const inOrder = (a: number, b: number): number => compare(a, b) || a - b;
  let from = countUp(count);
  let into = new Uint32Array(count);
  let end = sliceEnd(turn);
  let moved = 0;
  for (let start = 0; start < count; start += RUN_ROWS) {
    from.subarray(start, start + RUN_ROWS).sort(inOrder);
    report((moved = Math.min(count, start + RUN_ROWS)));
    if (performance.now() < end) continue;
    yield* pause();
    end = sliceEnd(turn);
  }
  for (let width = RUN_ROWS; width < count; width *= 2) {
    for (let start = 0; start < count; start += width * 2) {
      const middle = Math.min(start + width, count);
      const last = Math.min(start + width * 2, count);
      let [left, right] = [start, middle];
      for (let at = start; at < last; at++) {
        const takesLeft = left < middle && (right >= last || inOrder(from[left]!, from[right]!) <= 0);
        into[at] = takesLeft ? from[left++]! : from[right++]!;
        if (at % CLOCK_ROWS !== 0 || performance.now() < end) continue;
        report(moved + at);
        yield* pause();
        end = sliceEnd(turn);
      }
    }
    moved += count;
    [from, into] = [into, from];
  }
  return from;
}

/** How often every row is moved. */
const passesOf = (count: number): number => 1 + Math.max(0, Math.ceil(Math.log2(count / RUN_ROWS)));

/** 0 … `count` − 1. */
function countUp(count: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(count);
  for (let index = 0; index < count; index++) numbers[index] = index;
  return numbers;
}
