// The first screen: ways to start, and recently used databases.
import { FilePlus2, FolderOpen, Import, Server, Sparkles } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import type { CommandId } from '#shared/commands.ts';
import { capabilitiesOf, type LibraryEntry } from '#shared/protocol/index.ts';
import type { SettingValues } from '#shared/settings/definitions.ts';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { useFocusHandedOn } from '../../workbench/commands/use-focus-handed-on.ts';
import { isDesktop } from '../../connection/shell.ts';
import { useSetting } from '../../state/settings.ts';
import { useStore } from '../../state/store.ts';
import { formatBytes, formatWhen } from '../../ui/format.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import { libraryMenu } from './actions.ts';
import { wordsOf } from '../../workbench/databases/database-words.tsx';
import { EntryName, useLocationOf } from './entry-location.tsx';
import { showFromLibrary } from './opening.ts';
import './library.css';

const RECENT_SHOWN = 8;

export function Welcome(): ReactNode {
  const entries = useStore((state) => state.entries);
  const recent = [...(entries ?? [])].sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs).slice(0, RECENT_SHOWN);
  const element = useRef<HTMLDivElement>(null);
  useFocusHandedOn(element);
  return (
    <div ref={element} className="centered full-height scroll welcome" data-pane>
      <div className="welcome-content">
        <h1>Sidelite</h1>
        <p className="welcome-lead">Browse, edit, and query SQLite databases. Drop a file anywhere in this window.</p>
        <Actions />
        <div className="ruled welcome-recent">
          <h2>Recent databases</h2>
          {entries && entries.length > 0 && (
            <button type="button" className="link-button" onClick={() => runCommand('library.show')}>
              Show library ({entries.length})
            </button>
          )}
        </div>
        {recent.map((entry) => (
          <RecentRow key={entry.id} entry={entry} />
        ))}
        {entries?.length === 0 && (
          <p className="dim welcome-empty">Nothing here yet. What you open is kept in the library.</p>
        )}
      </div>
    </div>
  );
}

const OPENED: Readonly<Record<SettingValues['openFiles'], string>> = {
  'first-edit': 'Read-only until you decide where edits go',
  ask: 'As a copy in the library, or in place',
  copy: 'A copy is added to the library; the file stays as it is',
  'in-place': 'Changes go into the file itself',
};

function Actions(): ReactNode {
  const opening = useSetting('openFiles');
  return (
    <div className="gap-10 welcome-actions">
      <Action
        command="file.open"
        icon={<FolderOpen size={18} />}
        title="Open file…"
        text={isDesktop ? OPENED[opening] : OPENED.copy}
      />
      {isDesktop && (
        <Action
          command="file.connect"
          icon={<Server size={18} />}
          title="Connect…"
          text="A database on a libSQL server or Turso"
        />
      )}
      <Action
        command="file.import"
        icon={<Import size={18} />}
        title="Import…"
        text="CSV, JSON, or Excel: rows become a table"
      />
      <Action
        command="file.newDatabase"
        icon={<FilePlus2 size={18} />}
        title="New database"
        text="Empty, ready for your tables"
      />
      <Action
        command="file.sampleDatabase"
        icon={<Sparkles size={18} />}
        title="Sample database"
        text="A shop with 100,000 rows to try things out"
      />
    </div>
  );
}

interface ActionProps {
  readonly command: CommandId;
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
}

function Action({ command, icon, title, text }: ActionProps): ReactNode {
  const key = commandKeyLabel(command);
  return (
    <button type="button" className="stack gap-2 welcome-action" onClick={() => runCommand(command)}>
      {icon}
      <strong>
        {title}
        {key && <kbd>{key}</kbd>}
      </strong>
      <span>{text}</span>
    </button>
  );
}

function RecentRow({ entry }: { readonly entry: LibraryEntry }): ReactNode {
  const place = useLocationOf(entry);
  return (
    <ContextMenu entriesAt={() => libraryMenu(entry)}>
      <button
        type="button"
        className="gap-8 full-width hover-row recent-row"
        onClick={() => void showFromLibrary(entry.id)}
      >
        {wordsOf(entry.id).icon}
        <span className="recent-name">
          <EntryName {...entry} />
        </span>
        <span title={place}>{place}</span>
        <span className="recent-number">{capabilitiesOf(entry.id).file ? formatBytes(entry.sizeBytes) : ''}</span>
        <span className="recent-number">{formatWhen(entry.lastUsedAtMs)}</span>
      </button>
    </ContextMenu>
  );
}
