// The named filters of a table: a menu of them, and a field that names the current one.
import { Bookmark, BookmarkPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useCommand } from '../../workbench/commands/commands.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { deleteFilter, saveFilter, useSavedFilters } from '../../state/saved-filters.ts';
import { notify, useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { sameEntries } from '../../workbench/filter/filter-text.ts';

interface SavedFiltersProps {
  readonly tab: TableTab;
  onChange(change: Partial<TableView>): void;
  onLeave(): void;
}

export function SavedFilters({ tab, onChange, onLeave }: SavedFiltersProps): ReactNode {
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

interface NameFormProps {
  onSave(name: string): void;
  onCancel(): void;
}

function NameForm({ onSave, onCancel }: NameFormProps): ReactNode {
  const [name, setName] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') onSave(name.trim());
  };
  return (
    <form
      className="filter-form"
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
