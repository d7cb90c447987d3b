// Actions on the columns of a grid in the menu of a header, for every feature with a grid.
import { movedColumn, withHidden } from '../../grid/layout/arrange-columns.ts';
import { PLAIN_VIEW, type GridView } from '../../grid/layout/geometry.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import { commandItem } from '../commands/commands.ts';

interface ArrangedColumns {
  readonly grid: GridHandle;
  readonly view: GridView;
  /** Number of columns of the source, including hidden ones. */
  readonly count: number;
  onChange(view: GridView): void;
}

/** @param column of the source */
export function columnEntries({ grid, view, count, onChange }: ArrangedColumns, column: number): readonly MenuEntry[] {
  const shown = grid.columns;
  const displayIndex = shown.indexOf(column);
  const place = displayIndex + 1;
  return [
    {
      label: 'Hide column',
      run: () => {
        const next = withHidden(count, view, { columns: shown }, [...view.hidden, column]);
        if (next) onChange(next);
      },
      disabled: shown.length < 2,
    },
    place === view.frozen
      ? { label: 'Unfreeze columns', run: () => onChange({ ...view, frozen: 0 }) }
      : { label: 'Freeze up to this column', run: () => onChange({ ...view, frozen: place }) },
    {
      label: 'Move to the beginning',
      run: () => onChange(movedColumn(count, view, { columns: shown }, displayIndex, 0)),
      disabled: displayIndex === 0,
    },
    commandItem('grid.fitAllColumns'),
    commandItem('grid.columns'),
    { label: 'Reset columns', run: () => onChange(PLAIN_VIEW) },
  ];
}
