// The commands that arrange a grid's columns by keyboard, for every feature with a grid.
import { visibleName } from '#shared/visible-text.ts';
import type { ColumnChange } from '../../grid/input/column-change.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { announce } from '../../ui/announcer.tsx';
import { formatCount } from '../../ui/format.ts';
import { useCommand } from '../commands/commands.ts';

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
