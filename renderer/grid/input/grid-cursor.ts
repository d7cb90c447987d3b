// The cursor: the selection, an open editor, the draft row. Each stays with its row when rows are added, removed or moved.
import type { WatchedRange } from '#shared/protocol/live.ts';
import type { GridSource } from '../grid-source.ts';
import type { CachedRow } from '../rows/row-cache.ts';
import { RowFollower } from '../rows/row-follower.ts';
import type { RowMoves } from '../rows/row-follower.ts';
import type { RangeChange } from '../rows/row-patch.ts';
import { FIRST_CELL, clampSelection, cornerRows, cursorOf, moveRows, moveColumns, selectCell } from './selection.ts';
import type { Bounds, Selection } from './selection.ts';

/** The space the cursor moves in. */
export interface CursorSpace {
  readonly bounds: Bounds;
  /** The draft row's position, or −1. */
  readonly draftPosition: number;
  row(position: number): CachedRow | null;
}

export class GridCursor {
  readonly #space: CursorSpace;
  readonly #onMoved: (moves: RowMoves) => void;
  #follower: RowFollower;
  #selection: Selection = FIRST_CELL;
  #editedRow: number | null = null;
  #draftWasAt = -1;

  constructor(space: CursorSpace, source: GridSource, onMoved: (moves: RowMoves) => void) {
    this.#space = space;
    this.#onMoved = onMoved;
    this.#follower = this.#createFollower(source);
  }

  dispose(): void {
    this.#follower.dispose();
  }

  get selection(): Selection {
    return this.#selection;
  }

  set selection(selection: Selection) {
    this.#selection = clampSelection(selection, this.#space.bounds);
    this.follow();
  }

  /** A different set of rows: only the position on screen is kept. */
  setSource(source: GridSource): void {
    this.#follower.dispose();
    this.#follower = this.#createFollower(source);
  }

  /** Sets the row of an open editor. */
  setEditedRow(row: number | null): void {
    this.#editedRow = row;
    this.follow();
  }

  /** The columns were rearranged: each corner stays with its column. */
  columnsMoved(before: readonly number[], after: readonly number[]): void {
    const displayColumns = new Map(after.map((column, displayIndex) => [column, displayIndex]));
    this.#selection = moveColumns(
      this.#selection,
      (displayIndex) => displayColumns.get(before[displayIndex] ?? -1) ?? 0,
    );
  }

  /** Remembers the rows under the cursor, as far as they are loaded. */
  follow(): void {
    const corners = cornerRows(this.#selection);
    this.#follower.follow(this.#editedRow === null ? corners : [...corners, this.#editedRow]);
  }

  /** The number of rows has changed. */
  extentChanged(): void {
    this.#followDraft();
    this.#selection = clampSelection(this.#selection, this.#space.bounds);
  }

  /** Rows of the watched range were added, removed or changed. */
  patched(change: RangeChange): void {
    this.#followDraft();
    this.#follower.patched(change);
  }

  /** Anything may have changed, except rows in `kept`, which are up to date. */
  changed(kept: WatchedRange | null): void {
    this.#follower.changed(kept);
  }

  #createFollower(source: GridSource): RowFollower {
    return new RowFollower({
      row: (position) => this.#space.row(position),
      locate: (row) => source.locate(row),
      onMoved: (moves) => {
        this.#selection = moveRows(this.#selection, (row) => moves.get(row) ?? row);
        if (this.#editedRow !== null) this.#editedRow = moves.get(this.#editedRow) ?? this.#editedRow;
        this.#onMoved(moves);
      },
    });
  }

  /** The draft row moves when the number of rows before it changes. */
  #followDraft(): void {
    const was = this.#draftWasAt;
    const now = this.#space.draftPosition;
    this.#draftWasAt = now;
    if (was < 0 || now < 0 || was === now) return;
    const { row, displayIndex } = cursorOf(this.#selection);
    if (row === was) this.#selection = selectCell({ row: now, displayIndex });
    if (this.#editedRow === was) this.#editedRow = now;
    this.#onMoved(new Map([[was, now]]));
  }
}
