// The cursor: the selection, an open editor, the draft row. Each stays with its row when rows are added, removed or moved.
import type { WatchedRange } from '#shared/protocol/live.ts';
import type { GridSource } from '../grid-source.ts';
import type { CachedRow } from '../rows/row-cache.ts';
import { RowFollower } from '../rows/row-follower.ts';
import type { FollowedRow } from '../rows/row-follower.ts';
import type { RangeChange } from '../rows/row-patch.ts';
import { keyText } from '../rows/same-cell.ts';
import { FIRST_CELL, clampSelection, cornersOf, cursorOf, placeRows, moveColumns, selectCell } from './selection.ts';
import type { Bounds, Selection } from './selection.ts';

/** The rows and columns in which the cursor moves. */
interface CursorSpace {
  readonly bounds: Bounds;
  /** The draft row's position, or −1. */
  readonly draftPosition: number;
  row(position: number): CachedRow | null;
}

interface CursorEvents {
  /** Rows under the cursor have moved, or are gone. */
  onMoved(): void;
  /** The place of the cursor is known once `search` resolves. */
  onSearch(search: Promise<void>): void;
}

/** An open editor. */
interface Edit {
  row: FollowedRow;
  /** The row below when Enter was pressed; null if there was none, undefined before. */
  below: FollowedRow | null | undefined;
  /** {@link GridCursor.#timesPut} when the editor was opened. */
  readonly began: number;
}

export class GridCursor {
  readonly #space: CursorSpace;
  readonly #events: CursorEvents;
  #follower: RowFollower;
  #selection: Selection = FIRST_CELL;
  /** The rows of the corners of the selection, in their order. */
  #corners: readonly FollowedRow[] = [];
  #edit: Edit | null = null;
  #draftWasAt = -1;
  /** How often the user has put the cursor somewhere. */
  #timesPut = 0;

  constructor(space: CursorSpace, source: GridSource, events: CursorEvents) {
    this.#space = space;
    this.#events = events;
    this.#follower = this.#createFollower(source);
    this.#place(FIRST_CELL, []);
  }

  dispose(): void {
    this.#follower.dispose();
  }

  get selection(): Selection {
    return this.#selection;
  }

  /**
   * @param isPointed the new corners are the rows that are visible there. Otherwise a row that is being located remains a corner if its
   *   position does.
   */
  put(selection: Selection, isPointed: boolean): void {
    this.#timesPut++;
    this.#place(clampSelection(selection, this.#space.bounds), isPointed ? [] : this.#activeCorners);
  }

  /** A different set of rows: only the position on screen is kept. */
  setSource(source: GridSource): void {
    this.#follower.dispose();
    this.#follower = this.#createFollower(source);
    this.#corners = cornersOf(this.#selection).map(({ row }) => this.#follower.at(row));
    if (this.#edit) this.#edit = { ...this.#edit, row: this.#follower.at(this.#edit.row.position), below: undefined };
    this.follow();
  }

  /** Whether the row of the current cell is the one that is loaded at its position. */
  get isLoaded(): boolean {
    const [row] = this.#activeCorners;
    return !row || this.#follower.isLoaded(row);
  }

  beginEdit(position: number): void {
    const row = this.#activeCorners.find((corner) => corner.position === position) ?? this.#follower.at(position);
    this.#edit = { row, below: undefined, began: this.#timesPut };
    this.follow();
  }

  /** The row of the open editor. */
  get editedRow(): FollowedRow | null {
    return this.#edit?.row ?? null;
  }

  /** Enter was pressed in the open editor: the cursor goes to the row that is below the editor now when the text has been stored. */
  noteRowBelow(): void {
    if (!this.#edit) return;
    this.#edit.below = this.#rowBelow(this.#edit.row.position);
    this.follow();
  }

  /**
   * The editor has closed. `isThere` is false if the user has put the cursor elsewhere while the text was being stored; `below` is the row
   * for {@link putOn}.
   */
  endEdit(): { readonly isThere: boolean; readonly below: FollowedRow | null } {
    const edit = this.#edit;
    this.#edit = null;
    if (!edit) return { isThere: false, below: null };
    const below = edit.below === undefined ? this.#rowBelow(edit.row.position) : edit.below;
    this.follow();
    return { isThere: edit.began === this.#timesPut, below };
  }

  /** Puts the cursor on a row, in the same column. */
  putOn(row: FollowedRow): void {
    const { displayIndex } = cursorOf(this.#selection);
    this.#timesPut++;
    this.#place(selectCell({ row: row.position, displayIndex }), [row]);
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
    const edited = this.#edit ? [this.#edit.row, this.#edit.below] : [];
    this.#follower.follow([...this.#corners, ...edited].filter((row) => row !== null && row !== undefined));
  }

  /** The number of rows has changed. */
  extentChanged(): void {
    this.#followDraft();
    const fitting = clampSelection(this.#selection, this.#space.bounds);
    if (fitting !== this.#selection) this.#place(fitting, this.#corners);
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

  /**
   * Corners that `selection` has in common with the one before stay with their rows; `known` are the rows at which the other corners can
   * be.
   */
  #place(selection: Selection, known: readonly FollowedRow[]): void {
    const before = cornersOf(this.#selection);
    const [corners, rows] = [cornersOf(selection), this.#corners];
    const at = new Map(before.map((corner, index) => [corner, rows[index]]));
    this.#selection = selection;
    this.#corners = corners.map((corner) => {
      const row =
        at.get(corner) ?? known.find(({ position }) => position === corner.row) ?? this.#follower.at(corner.row);
      at.set(corner, row);
      return row;
    });
    this.follow();
  }

  /** Rows at the corners of the selection, in their order: also where other rows have taken their places since. */
  get corners(): readonly FollowedRow[] {
    return this.#corners;
  }

  get #activeCorners(): readonly FollowedRow[] {
    return this.#corners.slice(-2);
  }

  #rowBelow(position: number): FollowedRow | null {
    return position + 1 < this.#space.bounds.rows ? this.#follower.at(position + 1) : null;
  }

  #createFollower(source: GridSource): RowFollower {
    return new RowFollower({
      row: (position) => this.#space.row(position),
      isSame: (a, b) => keyText(a, source.keyColumns) === keyText(b, source.keyColumns),
      locate: (row) => source.locate(row),
      onMoved: () => {
        this.#selection = placeRows(
          this.#selection,
          this.#corners.map(({ position }) => position),
        );
        this.#events.onMoved();
      },
      onSearch: (search) => this.#events.onSearch(search),
    });
  }

  /** The draft row moves when the number of rows before it changes. */
  #followDraft(): void {
    const was = this.#draftWasAt;
    const now = this.#space.draftPosition;
    this.#draftWasAt = now;
    if (was < 0 || now < 0 || was === now) return;
    const { row, displayIndex } = cursorOf(this.#selection);
    if (row === was) this.#place(selectCell({ row: now, displayIndex }), []);
    if (this.#edit?.row.position === was) this.#edit.row = this.#follower.at(now);
    if (this.#edit?.below?.position === was) this.#edit.below = this.#follower.at(now);
    this.follow();
    this.#events.onMoved();
  }
}
