// The strip above the grid: filters as chips, the raw condition, the sort order.
import { Bookmark, BookmarkPlus, ListFilter, Plus, X } from 'lucide-react';
import { Fragment, useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react';
import type { AppError } from '#shared/protocol/errors.ts';
import { visibleName } from '#shared/visible-text.ts';
import { isFilterGroup, type FilterEntry, type FilterTerm, type SortTerm } from '#shared/protocol/rows.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { commandKeyLabel, runCommand, useCommand } from '../../workbench/commands/commands.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConditionRow } from '../../workbench/filter/filter-condition-row.tsx';
import { entryFrom, rowsOf, type FilterColumn, type FormRow } from '../../workbench/filter/filter-form-rows.ts';
import { FilterChips } from '../../workbench/filter/filter-chips.tsx';
import { FilterField } from './filter-field.tsx';
import { entriesOf, withEntries } from './filter-entries.ts';
import { entryColumns, termLabel } from '../../workbench/filter/filter-labels.ts';
import { deleteFilter, saveFilter, useSavedFilters } from '../../state/saved-filters.ts';
import { notify, useStore } from '../../state/store.ts';
import { Menu } from '../../ui/menu.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { sameEntries } from '../../workbench/filter/filter-text.ts';

interface WhereFieldProps {
  readonly where: string;
  /** Error of the last attempt to open the table with this condition. */
  readonly error: AppError | null;
  onApply(where: string): void;
  onClose(): void;
}

/** The raw WHERE condition: applied with Enter; an error points to its position. */
function WhereField({ where, error, onApply, onClose }: WhereFieldProps): ReactNode {
  const [text, setText] = useState(where);
  const [shown, setShown] = useState(where);
  if (shown !== where) {
    setShown(where); // it was changed from elsewhere, by “Clear filter”
    setText(where);
  }
  const field = useRef<HTMLInputElement>(null);
  const offset = error?.sqlite?.offset ?? -1;
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (offset >= 0) field.current?.setSelectionRange(offset, Math.max(offset + 1, wordEnd(where, offset)));
  }, [offset, where, error]);
  return (
    <div className="where">
      <label className="row gap-8 where-line">
        <span className="where-keyword">WHERE</span>
        <TextField
          ref={field}
          className="where-text"
          placeholder="price > 10 AND name LIKE 'A%'"
          aria-label="WHERE condition"
          aria-invalid={error !== null}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onApply(text);
            else if (event.key === 'Escape') onClose();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </label>
      {error && (
        <p className="wrap small break-words error where-error" role="alert">
          {error.message}
          {offset >= 0 && where !== '' && (
            <code>
              {where.slice(Math.max(0, offset - 30), offset)}
              <mark>{where.slice(offset, wordEnd(where, offset)) || ' '}</mark>
              {where.slice(wordEnd(where, offset), offset + 60)}
            </code>
          )}
        </p>
      )}
    </div>
  );
}

const wordEnd = (text: string, offset: number): number =>
  offset + (/^(?:\w+|\W)/.exec(text.slice(offset))?.[0].length ?? 0);

interface FilterBarProps {
  readonly tab: TableTab;
  readonly view: TableView;
  readonly columns: readonly FilterColumn[];
  readonly error: AppError | null;
  /** The filter being edited: its index, `new`, or null. */
  readonly editing: number | 'new' | null;
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
    <div className="dim ruled anchor">
      <div className="row gap-8 filter-line">
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
        <div className="anchor filter-any">
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
    <span className="row-inline fixed text-color filter-chip" data-editing={isEdited || undefined}>
      <button type="button" className="cut shrink-x full-height filter-chip-text" onClick={onEdit}>
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
        className="row-inline fixed faint filter-chip-remove"
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
    <span className="row-inline gap-2 fixed push-end filter-sort">
      <span title={words}>Sort: {words}</span>
      <IconButton label="Clear sort order" onClick={onClear}>
        <X size={12} />
      </IconButton>
    </span>
  );
}

interface FilterFormProps {
  readonly columns: readonly FilterColumn[];
  readonly initial: FilterEntry;
  readonly isNew: boolean;
  onApply(entry: FilterEntry): void;
  onCancel(): void;
}

/** The form behind “+ filter” and behind a chip: one condition, or several joined by “and” and “or”, where “and” binds tighter. */
function FilterForm({ columns, initial, isNew, onApply, onCancel }: FilterFormProps): ReactNode {
  const [rows, setRows] = useState(() => rowsOf(initial, columns));
  const [problem, setProblem] = useState<string | null>(null);
  const form = useFormFocus(rows.length, isNew);
  const apply = (): void => {
    const entry = entryFrom(rows, columns);
    if ('problem' in entry) setProblem(entry.problem);
    else onApply(entry);
  };
  const set = (changed: readonly FormRow[]): void => {
    setProblem(null);
    setRows(changed);
  };
  const add = (joiner: 'and' | 'or'): void => set([...rows, { ...rows.at(-1)!, joiner, text: '', to: '' }]);
  return (
    <form
      ref={form}
      className="row-inline gap-5 filter-form"
      data-rows={rows.length > 1 || undefined}
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      {rows.map((row, at) => (
        <ConditionRow
          key={at}
          row={row}
          isFirst={at === 0}
          columns={columns}
          onChange={(patch) => set(rows.map((each) => (each === row ? { ...row, ...patch } : each)))}
          onRemove={rows.length === 1 ? null : () => set(rows.filter((_row, each) => each !== at))}
        />
      ))}
      <FormButtons isNew={isNew} onAdd={add} onCancel={onCancel} />
      {problem && (
        <span className="small error filter-form-problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}

/** Moves the focus to the field to fill in: at first, and when a condition was added. */
function useFormFocus(rowCount: number, isNew: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(isNew ? 'input' : 'select')?.focus();
  }, [isNew]);
  const hadRows = useRef(rowCount);
  useEffect(() => {
    if (rowCount > hadRows.current) [...form.current!.querySelectorAll('input')].at(-1)?.focus();
    hadRows.current = rowCount;
  }, [rowCount]);
  return form;
}

interface FormButtonsProps {
  readonly isNew: boolean;
  readonly onAdd: (joiner: 'and' | 'or') => void;
  readonly onCancel: () => void;
}

function FormButtons({ isNew, onAdd, onCancel }: FormButtonsProps): ReactNode {
  return (
    <span className="row-inline wrap gap-5">
      <Button size="small" onClick={() => onAdd('and')}>
        And…
      </Button>
      <Button size="small" onClick={() => onAdd('or')}>
        Or…
      </Button>
      <Button size="small" variant="primary" type="submit">
        {isNew ? 'Add' : 'Apply'}
      </Button>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </span>
  );
}

/** The named filters of a table: a menu of them, and a field that names the current one. */
function SavedFilters({ tab, onChange, onLeave }: Pick<FilterBarProps, 'tab' | 'onChange' | 'onLeave'>): ReactNode {
  const { database, table, view } = tab;
  const saved = useSavedFilters(database, table);
  const [isNaming, setNaming] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const isFiltered = view.filter.length > 0 || view.where !== '';
  useCommand('grid.saveFilter', () => setNaming(true), isActive && isFiltered);
  useCommand('grid.savedFilters', () => trigger.current?.click(), isActive && saved.length > 0);
  const shown = saved.find(({ filter, where }) => where === view.where && sameEntries(filter, view.filter));
  return (
    <>
      {saved.length > 0 && (
        <Menu
          trigger={
            <button ref={trigger} type="button" className="filter-add" aria-label="Saved filters" title="Saved filters">
              <Bookmark size={12} aria-hidden /> {shown?.name ?? 'Saved'}
            </button>
          }
          entries={[
            ...saved.map(({ name, filter, where }) => ({
              label: name,
              checked: name === shown?.name,
              run: () => onChange({ filter, where }),
            })),
            'separator' as const,
            {
              submenu: 'Delete',
              entries: saved.map(({ name }) => ({ label: name, run: () => deleteFilter(database, table, name) })),
            },
          ]}
        />
      )}
      {isFiltered && !shown && !isNaming && (
        <IconButton label="Save filter" onClick={() => setNaming(true)}>
          <BookmarkPlus size={14} aria-hidden />
        </IconButton>
      )}
      {isNaming && (
        <NameForm
          onSave={(name) => {
            const isKept = saveFilter(database, table, { name, filter: view.filter, where: view.where });
            if (!isKept) notify({ tone: 'error', text: 'No more filters can be saved. Delete some first.' });
            setNaming(false);
            onLeave();
          }}
          onCancel={() => {
            setNaming(false);
            onLeave();
          }}
        />
      )}
    </>
  );
}

function NameForm({ onSave, onCancel }: { onSave(name: string): void; onCancel(): void }): ReactNode {
  const [name, setName] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') onSave(name.trim());
  };
  return (
    <form
      className="row-inline gap-5 filter-form"
      aria-label="Save filter"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <TextField
        className="small-field filter-value"
        aria-label="Name of the filter"
        placeholder="Name"
        maxLength={100}
        value={name}
        // The button that opened it is gone.
        ref={(field) => field?.focus()}
        onChange={({ target }) => setName(target.value)}
      />
      <Button size="small" variant="primary" type="submit">
        Save
      </Button>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
