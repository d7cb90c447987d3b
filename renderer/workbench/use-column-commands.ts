// The commands that arrange the columns of a grid by keyboard, for every feature that shows one.
import { visibleName } from '#shared/visible-text.ts';
import type { ColumnChange } from '../grid/input/column-change.ts';
import type { GridHandle } from '../grid/grid.tsx';
import { announce } from '../ui/announcer.tsx';
import { formatCount } from '../ui/format.ts';
import { useCommand } from './commands.ts';

/** @param grid which one is meant now */
export function useColumnCommands(grid: () => GridHandle | null, isActive: boolean): void {
  const change = (kind: ColumnChange) => (): void => {
    const column = grid()?.changeColumn(kind);
    if (!column) return;
    const isMove = kind === 'move-left' || kind === 'move-right';
    const what = isMove
      ? `column ${formatCount(column.displayIndex + 1)} of ${formatCount(column.count)}`
      : `${formatCount(column.widthPixels)} pixels wide`;
    announce(`${visibleName(column.name)}, ${what}`);
  };
  useCommand('grid.moveColumnLeft', change('move-left'), isActive);
  useCommand('grid.moveColumnRight', change('move-right'), isActive);
  useCommand('grid.narrowColumn', change('narrow'), isActive);
  useCommand('grid.widenColumn', change('widen'), isActive);
  useCommand('grid.fitColumn', change('fit'), isActive);
}
