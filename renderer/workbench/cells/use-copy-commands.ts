// Copies the selection of a grid: stored values, with and without the names of its columns, or what cells show.
import type { GridHandle } from '../../grid/grid-handle.ts';
import { useCommand } from '../commands/commands.ts';
import { copyCells, type CopiedForm } from './copy-cells.ts';

/** @param gridOf the grid that has, or had last, the focus */
export function useCopyCommands(gridOf: () => GridHandle | null, isActive: boolean): void {
  const copy = (form: CopiedForm) => (): void => {
    const grid = gridOf();
    if (grid) void copyCells(grid, form);
  };
  useCommand('grid.copy', copy({}), isActive);
  useCommand('grid.copyWithHeaders', copy({ withHeaders: true }), isActive);
  useCommand('grid.copyAsShown', copy({ asShown: true }), isActive);
}
