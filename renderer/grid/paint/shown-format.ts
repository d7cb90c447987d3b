// The theme, the fonts, and the format of cells that a grid was last laid out for. Calls back when the page has changed them.
import { ROW_HEIGHT } from '../layout/geometry.ts';
import { cellFormat } from './cell-format.ts';
import { onThemeChange } from './theme.ts';

interface Listener {
  /** Colors or fonts may have changed. */
  onTheme(): void;
  /** Cells have other texts, or rows another height than `rowHeight`. Called before {@link onTheme}'s paint. */
  onFormat(rowHeight: number): void;
}

/** Returns a function that ends this. */
export function followFormat({ onTheme, onFormat }: Listener): () => void {
  let format = cellFormat;
  let rowHeight = ROW_HEIGHT;
  const changed = (): void => {
    const before = rowHeight;
    const isOther = format !== cellFormat || before !== ROW_HEIGHT;
    format = cellFormat;
    rowHeight = ROW_HEIGHT;
    onTheme();
    if (isOther) onFormat(before);
  };
  const stop = onThemeChange(changed);
  let isOver = false;
  void document.fonts.ready.then(() => !isOver && changed());
  return () => {
    isOver = true;
    stop();
  };
}
