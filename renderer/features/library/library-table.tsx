// The databases of the library as a table with keyboard and menu.
import { Ellipsis } from 'lucide-react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import type { LibraryEntry } from '#shared/protocol/index.ts';
import { useStore } from '../../state/store.ts';
import { formatBytes, formatMoment, formatWhen } from '../../ui/format.ts';
import { ContextMenu, Menu } from '../../ui/menu.tsx';
import { wordsOf } from '../../workbench/databases/database-words.tsx';
import { deleteDatabase, libraryMenu, renameDatabase } from './actions.ts';
import { EntryName, useLocationOf } from './entry-location.tsx';
import { showFromLibrary } from './opening.ts';

interface LibraryTableProps {
  readonly table: RefObject<HTMLTableElement | null>;
  readonly entries: readonly LibraryEntry[];
}

export function LibraryTable({ table, entries }: LibraryTableProps): ReactNode {
  return (
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
            {isOpen && <i className="library-open-mark" role="img" aria-label="Open in this window" />}
          </span>
        </td>
        <td className="library-number">{can.file ? formatBytes(entry.sizeBytes) : ''}</td>
        <td title={location}>
          {place !== null && <span className="library-kind">{place}</span>}
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
