// Where the editor of a cell is: its text over the cell, and the list or message that belongs to it below or above the text.

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface EditorPlace {
  /** Place of the text, in pixels of the grid's box. */
  readonly x: number;
  readonly y: number;
  /** How far what is beside the text begins to the right of it; negative to the left. */
  readonly shift: number;
  readonly isAbove: boolean;
  /** Height that there is for what is beside the text. */
  readonly room: number;
}

/**
 * The text stays on its cell. Only a text that is larger than its cell moves, as far as it has to for the grid to show all of it.
 * @param beside of what is below or above the text. `height` is how high it can become, so that it does not change sides while it grows
 */
export function placeEditor(
  cell: { readonly x: number; readonly y: number },
  grid: Size,
  text: Size,
  beside: Size,
): EditorPlace {
  const isVisible = cell.x < grid.width && cell.y < grid.height;
  const over = (width: number): number => (isVisible && cell.x > 0 ? Math.max(0, cell.x - 1 + width - grid.width) : 0);
  const x = cell.x - 1 - over(text.width);
  const y = isVisible ? Math.min(cell.y - 1, Math.max(0, grid.height - text.height)) : cell.y - 1;
  const below = grid.height - y - text.height;
  const isAbove = isVisible && beside.height > below && y > below;
  return { x, y, shift: over(text.width) - over(beside.width), isAbove, room: Math.max(0, isAbove ? y : below) };
}
