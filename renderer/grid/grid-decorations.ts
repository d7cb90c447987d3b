// What a grid shows besides its rows: the sort order, the row being added, the focus, differences from another grid, and tints.
import type { CellTint, CellTints } from './cell-tints.ts';
import type { CellDifference, CellDifferences } from './companion.ts';
import type { DraftRow, SortColumn } from './paint/frame.ts';
import type { PaintState } from './paint/paint-loop.ts';
import type { CachedRow } from './rows/row-cache.ts';

/** `paint`: only the picture. `texts`: also the texts for screen readers. `extent`: there is one row more or less. */
export type DecorationChange = 'paint' | 'texts' | 'extent';

export class GridDecorations {
  /** State as the painter reads it. */
  readonly state: Readonly<PaintState>;
  readonly #state: PaintState = {
    sort: [],
    draft: null,
    focused: false,
    dropBefore: null,
    differenceAt: null,
    tints: null,
  };
  readonly #changed: (kind: DecorationChange) => void;

  constructor(changed: (kind: DecorationChange) => void) {
    this.state = this.#state;
    this.#changed = changed;
  }

  get sort(): readonly SortColumn[] {
    return this.#state.sort;
  }

  get draft(): DraftRow | null {
    return this.#state.draft;
  }

  setSort(sort: readonly SortColumn[]): void {
    this.#state.sort = sort;
    this.#changed('texts');
  }

  setDraft(draft: DraftRow | null): void {
    const appeared = (draft === null) !== (this.draft === null);
    this.#state.draft = draft;
    this.#changed(appeared ? 'extent' : 'texts');
  }

  setFocused(focused: boolean): void {
    if (focused === this.#state.focused) return;
    this.#state.focused = focused;
    this.#changed('paint');
  }

  /** Marks where a dragged header would be dropped: before this position. */
  setDrop(before: number | null): void {
    this.#state.dropBefore = before;
    this.#changed('paint');
  }

  /** Called for each cell that is painted. */
  setDifferences(differenceAt: CellDifferences): void {
    this.#state.differenceAt = differenceAt;
    this.#changed('texts');
  }

  setTints(tints: CellTints | null): void {
    if (tints === this.#state.tints) return;
    this.#state.tints = tints;
    this.#changed('texts');
  }

  /** How the cell differs from the companion's, if it does. */
  differenceAt(row: number, column: number): CellDifference | null {
    return this.#state.differenceAt?.(row, column) ?? null;
  }

  /** The color that the owner gives to the cell. */
  tintOf(row: CachedRow, column: number): CellTint | null {
    return this.#state.tints?.(row, column) ?? null;
  }
}
