// The commands that hide, freeze, and list the columns of a grid, and the list itself, for every feature that keeps an arrangement.
import { useState, type ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { withHidden } from '../../grid/layout/arrange-columns.ts';
import { fullOrder, type GridView } from '../../grid/layout/geometry.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural, formatCount } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useCommand } from '../commands/commands.ts';
import './columns.css';

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

// The list of a grid's columns: which columns are shown, and how many stay at the left.

interface ColumnDialogProps {
  /** Columns of the source, in its order. */
  readonly names: readonly string[];
  readonly view: GridView;
  onChange(view: GridView): void;
  onClose(): void;
}

const MATCH_FIELD_FROM = 12;

function ColumnDialog({ names, view, onChange, onClose }: ColumnDialogProps): ReactNode {
  const [wanted, setWanted] = useState('');
  const order = fullOrder(names.length, view);
  const hidden = new Set(view.hidden);
  const columns = order.filter((column) => !hidden.has(column));
  const change = (gone: readonly number[]): void => {
    const next = withHidden(names.length, view, { columns }, gone);
    if (next) onChange(next);
  };
  const listed = order.filter((column) => visibleName(names[column]!).toLowerCase().includes(wanted.toLowerCase()));
  return (
    <Dialog
      title="Columns"
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => change([])}>Show all</Button>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {names.length >= MATCH_FIELD_FROM && (
        <TextField
          className="column-search"
          aria-label="Find column"
          placeholder="Find column"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      )}
      <div className="stack gap-2 column-list" role="group" aria-label="Shown columns">
        {listed.map((column) => (
          <CheckBox
            key={column}
            label={visibleName(names[column]!)}
            checked={!hidden.has(column)}
            disabled={!hidden.has(column) && columns.length === 1}
            onChange={(isShown) =>
              change(isShown ? view.hidden.filter((each) => each !== column) : [...view.hidden, column])
            }
          />
        ))}
      </div>
      <p className="note column-note" role="status">
        {formatCount(columns.length)} of {formatCount(names.length)} shown. At least one column must be shown.
      </p>
    </Dialog>
  );
}
