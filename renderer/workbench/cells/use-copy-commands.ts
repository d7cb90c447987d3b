// Copies the selection of a grid, with and without the names of its columns.
import type { GridHandle } from '../../grid/grid-handle.ts';
import { useCommand } from '../commands/commands.ts';
import { copyCells } from './copy-cells.ts';

/** @param gridOf the grid that has, or had last, the focus */
export function useCopyCommands(gridOf: () => GridHandle | null, isActive: boolean): void {
  const copy = (withHeaders: boolean): void => {
    const grid = gridOf();
    if (grid) void copyCells(grid, withHeaders);
  };
  useCommand('grid.copy', () => copy(false), isActive);
  useCommand('grid.copyWithHeaders', () => copy(true), isActive);
}
