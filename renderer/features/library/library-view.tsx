// The library: every database Sidelite keeps, and what can be done with it.
import { Database, Ellipsis, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { LibraryEntry } from '#shared/protocol/index.ts';
import { runCommand } from '../../client/commands.ts';
import { showLibrary, useStore } from '../../client/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatBytes, formatWhen, plural } from '../../ui/format.ts';
import { ContextMenu, Menu } from '../../ui/menu.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { deleteDatabase, libraryMenu, renameDatabase } from './actions.ts';
import { showFromLibrary } from './opening.ts';
import './library-view.css';

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
  return (
    <section
      className="library"
      aria-label="Library"
      onKeyDown={(event) => event.key === 'Escape' && showLibrary(false)}
    >
      <div className="library-head">
        <h1>Library</h1>
        <span className="library-total">
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
        <Button onClick={() => runCommand('file.newDatabase')}>New database</Button>
        <IconButton label="Close library" shortcut="Esc" onClick={() => showLibrary(false)}>
          <X size={15} />
        </IconButton>
      </div>
      <div className="library-scroll">
        <table ref={table} className="library-table">
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
              <th style={{ width: 48 }} aria-label="Actions" />
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <LibraryRow key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && (
          <p className="library-empty">
            {entries.length === 0
              ? 'The library is empty. Open a file or create a database.'
              : `No database matches “${filter}”.`}
          </p>
        )}
      </div>
    </section>
  );
}

function LibraryRow({ entry }: { readonly entry: LibraryEntry }): ReactNode {
  const isOpen = useStore((state) => state.openDatabases[entry.id] !== undefined);
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter') void showFromLibrary(entry.id);
    else if (event.key === 'F2') void renameDatabase(entry);
    else if (event.key === 'Delete') void deleteDatabase(entry);
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
          <span className="library-name">
            <Database size={15} />
            <span>{entry.name}</span>
            {isOpen && <i className="library-open-mark" role="img" aria-label="Open in this window" />}
          </span>
        </td>
        <td className="library-number">{formatBytes(entry.sizeBytes)}</td>
        <td title={entry.source?.displayPath}>{entry.source?.displayPath ?? 'made in Sidelite'}</td>
        <td title={new Date(entry.lastUsedAtMs).toLocaleString()}>{formatWhen(entry.lastUsedAtMs)}</td>
        <td className="library-optional">{entry.durability}</td>
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
