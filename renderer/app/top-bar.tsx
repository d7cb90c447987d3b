// The bar at the top: brand, which database, the way to everything, and the switches of the panes.
import { ChevronsUpDown, History, Library, PanelLeft, PanelRight, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CommandId } from '#shared/commands.ts';
import { isDesktop } from '../connection/shell.ts';
import { commandKeyLabel, runCommand, useEnabledCommands } from '../workbench/commands/commands.ts';
import { wordsOf } from '../workbench/databases/database-words.tsx';
import { connectionOf } from '../state/slices/remote.ts';
import { useStore } from '../state/store.ts';
import { showFromLibrary } from '../features/library/opening.ts';
import { IconButton } from '../ui/button.tsx';
import { ConnectionDot } from '../workbench/databases/color-dot.tsx';
import { Menu } from '../ui/menu.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import './top-bar.css';

const RECENT_IN_MENU = 6;

export function TopBar(): ReactNode {
  return (
    <header className="gap-10 sunken ruled top-bar" data-pane>
      <div className="row gap-10 shrink-x">
        <span className="brand">Sidelite</span>
        <DatabaseSwitcher />
      </div>
      <button type="button" className="row gap-8 faint palette-field" onClick={() => runCommand('palette.show')}>
        <span>Go to anything, run any command</span>
        <kbd>{commandKeyLabel('palette.show')}</kbd>
      </button>
      <div className="row gap-10 shrink-x top-right">
        <CommandButton id="query.new" label="New SQL tab" name="SQL" icon={<SquareTerminal size={16} />} />
        <CommandButton id="library.show" label="Library" name="Library" icon={<Library size={16} />} />
        <CommandButton id="history.show" label="History" name="History" icon={<History size={16} />} />
        <CommandButton id="view.sidebar" label="Objects" name="Objects" icon={<PanelLeft size={16} />} />
        <CommandButton id="view.details" label="Details" name="Details" icon={<PanelRight size={16} />} />
      </div>
    </header>
  );
}

function CommandButton({
  id,
  label,
  name,
  icon,
}: {
  readonly id: CommandId;
  readonly label: string;
  readonly name: string;
  readonly icon: ReactNode;
}): ReactNode {
  const enabled = useEnabledCommands();
  return (
    <IconButton
      label={label}
      name={name}
      shortcut={commandKeyLabel(id)}
      disabled={!enabled.has(id)}
      onClick={() => runCommand(id)}
    >
      {icon}
    </IconButton>
  );
}

function DatabaseSwitcher(): ReactNode {
  const openDatabases = useStore((state) => state.openDatabases);
  const entries = useStore((state) => state.entries) ?? [];
  const current = useStore((state) => state.currentDatabase);
  const state = current ? openDatabases[current] : undefined;
  const name = state?.entry.name ?? 'No database';
  const connection = useStore((store) => connectionOf(store, current));
  const origin = state && wordsOf(state.entry.id).origin(state, connection);
  const open = Object.values(openDatabases);
  const recent = entries
    .filter(({ id }) => !openDatabases[id])
    .sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs)
    .slice(0, RECENT_IN_MENU);
  const menu: MenuEntry[] = [
    ...(open.length > 0 ? [{ heading: 'Open' }] : []),
    ...open.map(({ entry }) => ({
      label: entry.name,
      checked: entry.id === current,
      run: () => void showFromLibrary(entry.id),
    })),
    ...(recent.length > 0 ? [{ heading: 'Recent' }] : []),
    ...recent.map((entry) => ({ label: entry.name, run: () => void showFromLibrary(entry.id) })),
    ...(open.length + recent.length > 0 ? ['separator' as const] : []),
    commandEntry('file.open', 'Open file…'),
    ...(isDesktop
      ? [commandEntry('file.connect', 'Connect to server…'), commandEntry('file.openReplica', 'Open replica as of…')]
      : []),
    commandEntry('file.newDatabase', 'New database'),
    commandEntry('library.show', 'Library'),
  ];
  return (
    <Menu
      entries={menu}
      trigger={
        <button
          type="button"
          className="row shrink-x database-switcher"
          aria-label={['Database:', name, origin].filter(Boolean).join(' ')}
        >
          {state && connection ? (
            <ConnectionDot database={current} />
          ) : (
            <i className={state ? 'database-dot' : 'database-dot database-dot-off'} />
          )}
          <span className="cut database-name">{name}</span>
          {/* The words for screen readers: with a space between the two. */}
          {origin && ' '}
          {origin && <span className="cut faint shrink-x database-origin">{origin}</span>}
          <ChevronsUpDown size={13} />
        </button>
      }
    />
  );
}

function commandEntry(id: CommandId, label: string): MenuEntry {
  return { label, hint: commandKeyLabel(id), run: () => void runCommand(id) };
}
