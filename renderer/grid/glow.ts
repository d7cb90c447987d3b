// Cells whose value has just changed glow for a moment, so that people see that what they look at is live.
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { displayCell } from './cell-display.ts';
import { PAGE_ROWS } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';

const GLOW_MS = 700;

interface Replaced {
  readonly rows: PackedRowsReader;
  readonly atMs: number;
}

export class Glow {
  readonly #replaced = new Map<number, Replaced>();
  readonly #hiddenColumns: number;

  constructor(hiddenColumns: number) {
    this.#hiddenColumns = hiddenColumns;
  }

  /** A page was read again: `before` is what it held until now. */
  note(page: number, before: PackedRowsReader, nowMs: number): void {
    this.#replaced.set(page, { rows: before, atMs: nowMs });
  }

  /** Whether another frame is needed. What has faded is forgotten. */
  isGlowing(nowMs: number): boolean {
    for (const [page, { atMs }] of this.#replaced) if (nowMs - atMs >= GLOW_MS) this.#replaced.delete(page);
    return this.#replaced.size > 0;
  }

  /** The row as it was, with how much of the glow is left (0 to 1); null for rows that are another now. */
  before(
    position: number,
    now: CachedRow,
    nowMs: number,
  ): { readonly row: CachedRow; readonly strength: number } | null {
    const replaced = this.#replaced.get(Math.floor(position / PAGE_ROWS));
    const index = position % PAGE_ROWS;
    if (!replaced || this.#hiddenColumns === 0 || index >= replaced.rows.rows.rowCount) return null;
    const row: CachedRow = { rows: replaced.rows, index };
    const strength = Math.min(1, Math.max(0, 1 - (nowMs - replaced.atMs) / GLOW_MS));
    for (let column = 0; column < this.#hiddenColumns; column++) if (differs(row, now, column)) return null;
    return { row, strength };
  }
}

/** By what is shown: the whole of a long value is not here. */
export function differs(before: CachedRow, now: CachedRow, packedColumn: number): boolean {
  const then = displayCell(before.rows, before.index, packedColumn);
  const shown = displayCell(now.rows, now.index, packedColumn);
  return then.text !== shown.text || then.style !== shown.style;
}
