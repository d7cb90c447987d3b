// The strip above the grid: filters as chips, the raw condition, the sort order.
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { AppError } from '#shared/protocol/errors.ts';
import { visibleName } from '#shared/visible-text.ts';
import { filterOperator } from '#shared/filter-operators.ts';
import type { FilterTerm, SortTerm } from '#shared/protocol/rows.ts';
import type { TableView } from '../../workbench/table-tabs.ts';
import { IconButton } from '../../ui/button.tsx';
import { FilterForm } from './filter-form.tsx';
import type { FilterColumn } from './filter-form.tsx';
import { filterValueLabel } from './filter-labels.ts';
import { WhereField } from './where-field.tsx';

interface FilterBarProps {
  readonly view: TableView;
  readonly columns: readonly FilterColumn[];
  readonly error: AppError | null;
  /** The filter that is being written: its place, `new`, or null. */
  readonly editing: number | 'new' | null;
  /** Column a new filter starts with. */
  readonly currentColumn: string;
  onEditing(editing: number | 'new' | null): void;
  onChange(change: Partial<TableView>): void;
  onLeave(): void;
}

export function FilterBar(props: FilterBarProps): ReactNode {
  const { view, error, editing, onChange, onEditing, onLeave } = props;
  const [isWhereOpen, setWhereOpen] = useState(view.where !== '');
  const close = (): void => {
    onEditing(null);
    onLeave();
  };
  return (
    <div className="filter-bar">
      <div className="filter-line">
        {view.filter.map((term, position) => (
          <Chip
            key={position}
            term={term}
            isEdited={editing === position}
            onEdit={() => onEditing(position)}
            onRemove={() => onChange({ filter: view.filter.filter((other) => other !== term) })}
          />
        ))}
        {editing === null ? (
          <button type="button" className="filter-add" onClick={() => onEditing('new')}>
            <Plus size={12} /> filter
          </button>
        ) : (
          <FilterEditor {...props} editing={editing} onClose={close} />
        )}
        <button
          type="button"
          className="filter-add"
          aria-pressed={isWhereOpen}
          onClick={() => setWhereOpen(!isWhereOpen)}
        >
          WHERE…
        </button>
        <SortLabel sort={view.sort} onClear={() => onChange({ sort: [] })} />
      </div>
      {(isWhereOpen || view.where !== '') && (
        <WhereField
          where={view.where}
          error={view.where !== '' ? error : null}
          onApply={(where) => onChange({ where: where.trim() })}
          onClose={() => {
            setWhereOpen(false);
            onChange({ where: '' });
            onLeave();
          }}
        />
      )}
    </div>
  );
}

interface FilterEditorProps extends FilterBarProps {
  readonly editing: number | 'new';
  onClose(): void;
}

function FilterEditor({ view, columns, editing, currentColumn, onChange, onClose }: FilterEditorProps): ReactNode {
  const apply = (term: FilterTerm): void => {
    const filter =
      editing === 'new'
        ? [...view.filter, term]
        : view.filter.map((other, position) => (position === editing ? term : other));
    onChange({ filter });
    onClose();
  };
  const initial: FilterTerm =
    typeof editing === 'number' && view.filter[editing]
      ? view.filter[editing]
      : { column: currentColumn || (columns[0]?.name ?? ''), operator: '=', value: '' };
  return (
    <FilterForm
      key={String(editing)}
      columns={columns}
      initial={initial}
      isNew={editing === 'new'}
      onApply={apply}
      onCancel={onClose}
    />
  );
}

interface ChipProps {
  readonly term: FilterTerm;
  readonly isEdited: boolean;
  onEdit(): void;
  onRemove(): void;
}

function Chip({ term, isEdited, onEdit, onRemove }: ChipProps): ReactNode {
  return (
    <span className="filter-chip" data-editing={isEdited || undefined}>
      <button type="button" className="filter-chip-text" onClick={onEdit}>
        {visibleName(term.column)} <i>{filterOperator(term.operator).label}</i> {filterValueLabel(term)}
      </button>
      <button
        type="button"
        className="filter-chip-remove"
        aria-label={`Remove filter on ${visibleName(term.column)}`}
        onClick={onRemove}
      >
        <X size={12} />
      </button>
    </span>
  );
}

function SortLabel({ sort, onClear }: { readonly sort: readonly SortTerm[]; onClear(): void }): ReactNode {
  if (sort.length === 0) return null;
  const words = sort.map(({ column, descending }) => visibleName(column) + (descending ? ' ↓' : '')).join(', ');
  return (
    <span className="filter-sort">
      <span title={words}>Sort: {words}</span>
      <IconButton label="Clear sorting" onClick={onClear}>
        <X size={12} />
      </IconButton>
    </span>
  );
}
