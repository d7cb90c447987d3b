// The pages of rows that a hidden table begins with when it is shown again, as long as their rows have not changed.
import type { RowsPage } from '#shared/protocol/index.ts';
import { PAGE_ROWS } from '../../grid/rows/row-cache.ts';

/** More than a screen of rows. */
const KEPT = 3;
/** A page of a very wide table is read again. */
const MAX_PAGE_BYTES = 1024 * 1024;

export class RecentPages {
  /** Pages in order of reading. */
  readonly #pages = new Map<number, RowsPage>();
  readonly #offered = new Set<number>();
  #version = 0;

  /** Increases whenever pages read before may be outdated. */
  get version(): number {
    return this.#version;
  }

  /** @param version when the page was requested */
  note(page: RowsPage, version: number): void {
    const { start, rows } = page;
    this.#pages.delete(start);
    if (version !== this.#version || sizeOf(rows) > MAX_PAGE_BYTES) return;
    this.#pages.set(start, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > KEPT) this.#pages.delete(oldest!);
  }

  /** Allows each page to be taken once instead of being read. */
  offer(): void {
    for (const start of this.#pages.keys()) this.#offered.add(start);
  }

  take(start: number): RowsPage | null {
    return this.#offered.delete(start) ? (this.#pages.get(start) ?? null) : null;
  }

  rowsChanged(): void {
    this.#version++;
    this.#pages.clear();
    this.#offered.clear();
  }

  /** Rows at estimated positions may belong elsewhere, and the last page may be longer. */
  extentChanged(): void {
    for (const [start, { exactPosition, rows }] of this.#pages)
      if (!exactPosition || rows.rowCount < PAGE_ROWS) this.#pages.delete(start);
  }
}

const sizeOf = ({ types, slots, heap }: RowsPage['rows']): number => types.length + slots.byteLength + heap.length;
