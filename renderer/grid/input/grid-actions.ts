// Performs a key's action: moves the cursor of a grid, or asks its owner for an editor or a menu.
import type { GridSurface } from '../grid-surface.ts';
import { moved } from './keyboard.ts';
import type { GridAction } from './keyboard.ts';
import { cursorOf } from './selection.ts';
import type { CellPosition } from './selection.ts';

export interface ActionHost {
  readonly grid: GridSurface;
  readonly pageRows: number;
  edit(position: CellPosition, text: string | null): void;
  askForMenu(): void;
}

/** Returns true if the grid handled the action. */
export function performAction(action: GridAction, { grid, pageRows, edit, askForMenu }: ActionHost): boolean {
  const before = grid.selection;
  if (action.kind === 'edit') {
    edit(cursorOf(before), action.text);
    return true;
  }
  if (action.kind === 'menu') {
    askForMenu();
    return true;
  }
  const after = moved(before, action, { ...grid.bounds, pageRows });
  if (!after) return false;
  grid.select(after);
  // Tab at the last cell and Escape with nothing to cancel belong to the element that contains the grid.
  const stays =
    cursorOf(after).row === cursorOf(before).row && cursorOf(after).displayIndex === cursorOf(before).displayIndex;
  const isNothing =
    action.kind === 'next' || action.kind === 'previous' || (action.kind === 'collapse' && before.ranges.length === 1);
  return !(stays && isNothing);
}
