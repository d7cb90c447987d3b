// Shows the real grid for a suite of the window: the user sees it being measured, and cannot get in its way.
import { createRef } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { Grid } from '../../../../grid/grid.tsx';
import type { GridHandle } from '../../../../grid/grid-handle.ts';
import { HEADER_HEIGHT, PLAIN_VIEW, ROW_HEIGHT } from '../../../../grid/layout/geometry.ts';
import type { GridSource } from '../../../../grid/grid-source.ts';
import './grid-stage.css';

export interface ShownGrid {
  readonly grid: GridHandle;
  readonly scroller: HTMLElement;
  /** Every row on screen has been read: the frame that begins now paints it. */
  isFull(): boolean;
}

export class GridStage {
  readonly #caption: string;
  #element: HTMLElement | null = null;
  #root: Root | null = null;

  constructor(caption: string) {
    this.#caption = caption;
  }

  show(source: GridSource): ShownGrid {
    this.hide();
    this.#element ??= this.#make();
    const host = this.#element.lastElementChild as HTMLElement;
    const ref = createRef<GridHandle>();
    let failure: unknown = null;
    this.#root = createRoot(host);
    flushSync(() =>
      this.#root!.render(
        <Grid
          ref={ref}
          source={source}
          view={PLAIN_VIEW}
          sort={[]}
          label="Rows being measured"
          onError={(error) => (failure = error)}
        />,
      ),
    );
    // Counts only rows that are not cut off.
    const visibleRows = Math.floor((host.clientHeight - HEADER_HEIGHT) / ROW_HEIGHT);
    return {
      grid: ref.current!,
      scroller: host.querySelector<HTMLElement>('.grid-scroller')!,
      isFull() {
        if (failure !== null) throw failure;
        const grid = ref.current!;
        const first = grid.topRow;
        const last = Math.min(first + visibleRows, source.extent.rows) - 1;
        for (let row = first; row <= last; row++) if (!grid.cell(row, 0)) return false;
        return last >= first || source.extent.exact;
      },
    };
  }

  /** Removes the grid, but keeps the stage. */
  hide(): void {
    this.#root?.unmount();
    this.#root = null;
  }

  end(): void {
    this.hide();
    this.#element?.remove();
    this.#element = null;
  }

  #make(): HTMLElement {
    const element = document.createElement('section');
    element.className = 'stack clip bench-stage';
    element.setAttribute('aria-label', this.#caption);
    const caption = document.createElement('p');
    caption.textContent = this.#caption;
    element.append(caption, document.createElement('div'));
    document.body.append(element);
    return element;
  }
}
