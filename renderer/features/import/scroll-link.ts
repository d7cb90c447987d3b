// Scrolls the content above a grid sideways together with the grid.
import type { GridCompanion, PairedGrid } from '../../grid/companion.ts';

export class ScrollLink {
  #grid: PairedGrid | null = null;
  #listener: ((left: number) => void) | null = null;

  readonly companion: GridCompanion = {
    join: (grid) => {
      this.#grid = grid;
      this.#tell();
    },
    scrolled: () => this.#tell(),
    selected: () => undefined,
    rowsChanged: () => undefined,
    differenceAt: () => null,
  };

  follow(listener: (left: number) => void): () => void {
    this.#listener = listener;
    this.#tell();
    return () => void (this.#listener = null);
  }

  scrollBy(pixels: number): void {
    const at = this.#grid?.scrolledTo;
    if (at) this.#grid?.scrollTo({ top: at.top, left: at.left + pixels });
  }

  #tell(): void {
    this.#listener?.(this.#grid?.scrolledTo.left ?? 0);
  }
}
