// The strip above the grid: filters as chips, the raw condition, the sort order.
import { ListFilter, Plus, X } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { ReactNode } from 'react';
import type { AppError } from '#shared/protocol/errors.ts';
import { visibleName } from '#shared/visible-text.ts';
import { isFilterGroup } from '#shared/protocol/rows.ts';
import type { FilterEntry, FilterTerm, SortTerm } from '#shared/protocol/rows.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { IconButton } from '../../ui/button.tsx';
import { FilterForm } from './filter-form.tsx';
import type { FilterColumn } from '../../workbench/filter/filter-form-rows.ts';
import { FilterChips } from '../../workbench/filter/filter-chips.tsx';
import { FilterField } from './filter-field.tsx';
import { entriesOf, withEntries } from './filter-entries.ts';
import { entryColumns, termLabel } from '../../workbench/filter/filter-labels.ts';
import { SavedFilters } from './saved-filters.tsx';
import { WhereField } from './where-field.tsx';

interface FilterBarProps {
  readonly tab: TableTab;
  readonly view: TableView;
  readonly columns: readonly FilterColumn[];
  readonly error: AppError | null;
  /** The filter being edited: its index, `new`, or null. */
  readonly editing: number | 'new' | null;
  /** Column a new filter starts with. */
  readonly currentColumn: string;
  readonly isRowShown: boolean;
  /** Filters are applied as the user types. */
  readonly isQuick: boolean;
  onEditing(editing: number | 'new' | null): void;
  onChange(change: Partial<TableView>): void;
  onLeave(): void;
}

export function FilterBar(props: FilterBarProps): ReactNode {
  const { tab, view, error, editing, onChange, onEditing, onLeave } = props;
  const [isWhereOpen, setWhereOpen] = useState(view.where !== '');
  const close = (): void => {
    onEditing(null);
    onLeave();
  };
  return (
    <div className="filter-bar">
      <div className="filter-line">
        <FilterRowParts {...props} />
        {view.filter.length > 0 && (
          <FilterChips>
            {view.filter.map((entry, position) => (
              <Chip
                key={position}
                entry={entry}
                isEdited={editing === position}
                onEdit={() => onEditing(position)}
                onRemove={() => onChange({ filter: view.filter.filter((other) => other !== entry) })}
              />
            ))}
          </FilterChips>
        )}
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
        <SavedFilters tab={tab} onChange={onChange} onLeave={onLeave} />
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

/** The switch of the filter row, and its field for any column. */
function FilterRowParts({ view, isRowShown, isQuick, onChange, onLeave }: FilterBarProps): ReactNode {
  return (
    <>
      <IconButton
        label="Filter row"
        shortcut={commandKeyLabel('grid.filterRow')}
        aria-pressed={isRowShown}
        onClick={() => runCommand('grid.filterRow')}
      >
        <ListFilter size={14} />
      </IconButton>
      {isRowShown && (
        <div className="filter-any">
          <FilterField
            column={ANY_COLUMN}
            isQuick={isQuick}
            entries={entriesOf(view.filter, null)}
            onApply={(entries) => onChange({ filter: withEntries(view.filter, null, entries) })}
            onLeave={onLeave}
          />
        </div>
      )}
    </>
  );
}

const ANY_COLUMN = { name: null, declaredType: '' };

interface FilterEditorProps extends FilterBarProps {
  readonly editing: number | 'new';
  onClose(): void;
}

function FilterEditor({ view, columns, editing, currentColumn, onChange, onClose }: FilterEditorProps): ReactNode {
  const apply = (entry: FilterEntry): void => {
    const filter =
      editing === 'new'
        ? [...view.filter, entry]
        : view.filter.map((other, position) => (position === editing ? entry : other));
    onChange({ filter });
    onClose();
  };
  const initial: FilterEntry =
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
  readonly entry: FilterEntry;
  readonly isEdited: boolean;
  onEdit(): void;
  onRemove(): void;
}

function Chip({ entry, isEdited, onEdit, onRemove }: ChipProps): ReactNode {
  const any = isFilterGroup(entry) ? entry.any : [[entry]];
  return (
    <span className="filter-chip" data-editing={isEdited || undefined}>
      <button type="button" className="filter-chip-text" onClick={onEdit}>
        {any.map((terms, at) => (
          <Fragment key={at}>
            {at > 0 && ' or '}
            {terms.map((term, each) => (
              <TermText key={each} term={term} isFirst={each === 0} />
            ))}
          </Fragment>
        ))}
      </button>
      <button
        type="button"
        className="filter-chip-remove"
        aria-label={`Remove filter on ${entryColumns(entry)}`}
        onClick={onRemove}
      >
        <X size={12} />
      </button>
    </span>
  );
}

function TermText({ term, isFirst }: { readonly term: FilterTerm; readonly isFirst: boolean }): ReactNode {
  const { column, operator, value } = termLabel(term);
  return (
    <>
      {!isFirst && ' and '}
      {column} <i>{operator}</i> {value}
    </>
  );
}

function SortLabel({ sort, onClear }: { readonly sort: readonly SortTerm[]; onClear(): void }): ReactNode {
  if (sort.length === 0) return null;
  const words = sort.map(({ column, descending }) => visibleName(column) + (descending ? ' ↓' : '')).join(', ');
  return (
    <span className="filter-sort">
      <span title={words}>Sort: {words}</span>
      <IconButton label="Clear sort order" onClick={onClear}>
        <X size={12} />
      </IconButton>
    </span>
  );
}
