// The commands that hide, freeze, and list the columns of a grid, and the list itself, for every feature that keeps an arrangement.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { withHidden } from '../../grid/layout/arrange-columns.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { announce } from '../../ui/announcer.tsx';
import { plural } from '../../ui/format.ts';
import { ColumnDialog } from './column-dialog.tsx';
import { useCommand } from '../commands/commands.ts';

interface ArrangedGrid {
  readonly grid: () => GridHandle | null;
  readonly names: readonly string[];
  readonly view: GridView;
  readonly isActive: boolean;
  onChange(view: GridView): void;
}

/** Returns the dialog with the list of columns while the dialog is open. */
export function useArrangedColumns({ grid, names, view, isActive, onChange }: ArrangedGrid): ReactNode {
  const [isListed, setListed] = useState(false);
  const hide = (): void => {
    const handle = grid();
    const column = handle?.cursor.column ?? -1;
    const next = handle && withHidden(names.length, view, { columns: handle.columns }, [...view.hidden, column]);
    if (!next) return;
    onChange(next);
    announce(`${visibleName(names[column] ?? '')} is hidden`);
  };
  const freeze = (): void => {
    const handle = grid();
    if (!handle) return;
    const place = handle.columns.indexOf(handle.cursor.column) + 1;
    const frozen = place === view.frozen ? 0 : place;
    onChange({ ...view, frozen });
    announce(frozen === 0 ? 'No columns are frozen' : `${plural(frozen, 'column is', 'columns are')} frozen`);
  };
  useCommand('grid.hideColumn', hide, isActive);
  useCommand('grid.freezeColumns', freeze, isActive);
  useCommand('grid.columns', () => setListed(true), isActive && names.length > 0);
  useCommand(
    'grid.fitAllColumns',
    () => {
      if (grid()?.changeColumn('fit-all')) announce('All columns fit their contents');
    },
    isActive,
  );
  if (!isListed) return null;
  const close = (): void => {
    setListed(false);
    grid()?.focus();
  };
  return <ColumnDialog names={names} view={view} onChange={onChange} onClose={close} />;
}
