// The library: every database in Sidelite, and its actions.
import { X, Ellipsis } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { capabilitiesOf, type LibraryEntry } from '#shared/protocol/index.ts';
import { ContextMenu, Menu } from '../../ui/menu.tsx';
import { runCommand } from '../../workbench/commands/commands.ts';
import { useFocusHandedOn } from '../../workbench/commands/use-focus-handed-on.ts';
import { wordsOf } from '../../workbench/databases/database-words.tsx';
import { openSettings } from '../../workbench/tabs/settings.ts';
import { isDesktop } from '../../connection/shell.ts';
import { showLibrary, useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatBytes, plural, formatMoment, formatWhen } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import { deleteDatabase, libraryMenu, renameDatabase } from './actions.ts';
import { EntryName, useLocationOf } from './entry-location.tsx';
import { showFromLibrary } from './opening.ts';
import './library.css';

export function LibraryView(): ReactNode {
  const entries = useStore((state) => state.entries) ?? [];
  const [filter, setFilter] = useState('');
  const table = useRef<HTMLTableElement>(null);
  const shown = entries.filter(({ name, source }) =>
    `${name} ${source?.displayPath ?? ''}`.toLowerCase().includes(filter.toLowerCase()),
  );
  const totalBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const onFilterKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const [first] = shown;
    if (event.key === 'Enter' && first) void showFromLibrary(first.id);
    else if (event.key === 'ArrowDown') table.current?.querySelector<HTMLElement>('tbody tr')?.focus();
    else return;
    event.preventDefault();
  };
  const element = useRef<HTMLElement>(null);
  useFocusHandedOn(element);
  return (
    <section
      ref={element}
      className="stack shrink-x full-height library"
      aria-label="Library"
      data-pane
      onKeyDown={(event) => event.key === 'Escape' && showLibrary(false)}
    >
      <div className="row gap-8 library-head">
        <h1>Library</h1>
        <span className="cut shrink-x">
          {plural(entries.length, 'database')}, {formatBytes(totalBytes)}
        </span>
        <TextField
          autoFocus
          placeholder="Find a database"
          aria-label="Find a database"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={onFilterKey}
        />
        <Button onClick={() => runCommand('file.open')}>Open file…</Button>
        {isDesktop && <Button onClick={() => openSettings({ at: 'openFiles' })}>How files open…</Button>}
        {isDesktop && <Button onClick={() => runCommand('file.connect')}>Connect…</Button>}
        <Button onClick={() => runCommand('file.newDatabase')}>New database</Button>
        <IconButton label="Close library" shortcut="Esc" onClick={() => showLibrary(false)}>
          <X size={15} />
        </IconButton>
      </div>
      <NotKept />
      <div className="fill scroll">
        <LibraryTable table={table} entries={shown} />
        {shown.length === 0 && (
          <p className="dim library-empty">
            {entries.length === 0
              ? 'The library is empty. Open a file or create a database.'
              : `No database matches “${filter}”.`}
          </p>
        )}
      </div>
    </section>
  );
}

/** Shown in a plain browser that did not agree to keep the library. */
function NotKept(): ReactNode {
  const isKept = useStore((state) => state.isKeptByBrowser);
  if (isKept !== false) return null;
  return (
    <p className="warn-note library-warning" role="note">
      The browser may delete this library when disk space runs low. Export what you want to keep.
    </p>
  );
}

// The databases of the library as a table with keyboard and menu.

interface LibraryTableProps {
  readonly table: RefObject<HTMLTableElement | null>;
  readonly entries: readonly LibraryEntry[];
}

function LibraryTable({ table, entries }: LibraryTableProps): ReactNode {
  return (
    <table ref={table} className="full-width library-table">
      <thead>
        <tr>
          <th>Name</th>
          <th className="library-number" style={{ width: 92 }}>
            Size
          </th>
          <th>Source</th>
          <th style={{ width: 120 }}>Last used</th>
          <th className="library-optional" style={{ width: 96 }}>
            Durability
          </th>
          <th style={{ width: 48 }}>
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <LibraryRow key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

function LibraryRow({ entry }: { readonly entry: LibraryEntry }): ReactNode {
  const isOpen = useStore((state) => state.openDatabases[entry.id] !== undefined);
  const can = capabilitiesOf(entry.id);
  const { icon, place } = wordsOf(entry.id);
  const location = useLocationOf(entry);
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter') void showFromLibrary(entry.id);
    else if (event.key === 'F2' && can.managed) void renameDatabase(entry);
    else if (event.key === 'Delete' && can.managed) void deleteDatabase(entry);
    else if (event.key === 'ArrowDown') (event.currentTarget.nextElementSibling as HTMLElement | null)?.focus();
    else if (event.key === 'ArrowUp') (event.currentTarget.previousElementSibling as HTMLElement | null)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ContextMenu entriesAt={() => libraryMenu(entry)}>
      <tr
        tabIndex={0}
        aria-label={entry.name}
        onDoubleClick={() => void showFromLibrary(entry.id)}
        onKeyDown={onKeyDown}
      >
        <td>
          <span className="row gap-8 text-color library-name">
            {icon}
            <EntryName {...entry} />
            {isOpen && <i className="fixed library-open-mark" role="img" aria-label="Open in this window" />}
          </span>
        </td>
        <td className="library-number">{can.file ? formatBytes(entry.sizeBytes) : ''}</td>
        <td title={location}>
          {place !== null && <span className="tiny library-kind">{place}</span>}
          {location}
        </td>
        <td title={formatMoment(entry.lastUsedAtMs)}>{formatWhen(entry.lastUsedAtMs)}</td>
        <td className="library-optional">{can.durability === 'fixed' ? '' : entry.durability}</td>
        <td>
          <Menu
            align="end"
            entries={libraryMenu(entry)}
            trigger={
              <button type="button" className="icon-button" aria-label={`Actions for ${entry.name}`}>
                <Ellipsis size={15} />
              </button>
            }
          />
        </td>
      </tr>
    </ContextMenu>
  );
}
