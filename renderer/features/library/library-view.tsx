// The library: every database in Sidelite, and its actions.
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { runCommand } from '../../workbench/commands/commands.ts';
import { useFocusHandedOn } from '../../workbench/commands/use-focus-handed-on.ts';
import { openSettings } from '../../workbench/tabs/settings.ts';
import { isDesktop } from '../../connection/shell.ts';
import { showLibrary, useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import { LibraryTable } from './library-table.tsx';
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
  const element = useRef<HTMLElement>(null);
  useFocusHandedOn(element);
  return (
    <section
      ref={element}
      className="library"
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
