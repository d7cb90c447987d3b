// The list of a grid's columns: which columns are shown, and how many stay at the left.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { withHidden } from '../../grid/layout/arrange-columns.ts';
import { fullOrder } from '../../grid/layout/geometry.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import './column-dialog.css';

interface ColumnDialogProps {
  /** Columns of the source, in its order. */
  readonly names: readonly string[];
  readonly view: GridView;
  onChange(view: GridView): void;
  onClose(): void;
}

const MATCH_FIELD_FROM = 12;

export function ColumnDialog({ names, view, onChange, onClose }: ColumnDialogProps): ReactNode {
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
          <label key={column} className="form-check">
            <input
              type="checkbox"
              checked={!hidden.has(column)}
              disabled={!hidden.has(column) && columns.length === 1}
              onChange={({ target }) =>
                change(target.checked ? view.hidden.filter((each) => each !== column) : [...view.hidden, column])
              }
            />
            {visibleName(names[column]!)}
          </label>
        ))}
      </div>
      <p className="note column-note" role="status">
        {formatCount(columns.length)} of {formatCount(names.length)} shown. At least one column must be shown.
      </p>
    </Dialog>
  );
}
