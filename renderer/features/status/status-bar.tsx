// The line at the bottom: what is shown, how fast it came, which engine, how durable, and what is running.
import type { ReactNode } from 'react';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import type { DatabaseState, EngineInfo } from '#shared/protocol/index.ts';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { networkDriveText } from '../../workbench/databases/database-words.tsx';
import { useAwaitsFirstEdit } from '../../workbench/databases/first-edit.ts';
import type { TabStatus } from '../../state/slices/status.ts';
import { hasText } from '../../state/slices/tabs.ts';
import { activeTab, toggleTabMovesFocus, useStore } from '../../state/store.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { engineInfo } from '../../state/slices/connection.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { HeldState } from './held-state.tsx';
import { Measuring } from './measuring.tsx';
import { RunningWork } from './running-work.tsx';
import { ServerFacts } from './server-facts.tsx';
import { WalSize } from './wal-size.tsx';
import './status-bar.css';

/**
 * The rightmost never changes: what becomes longer or shorter by itself moves only what is left of it, and there is nothing to click there.
 *
 * @param source where the data of the current database lives
 */
export function StatusBar({ source }: { readonly source: ReactNode }): ReactNode {
  const status = useStore((state) =>
    state.activeTabId && !state.libraryVisible ? state.tabStatus[state.activeTabId] : undefined,
  );
  const database = useStore((state) =>
    state.currentDatabase ? (state.openDatabases[state.currentDatabase] ?? null) : null,
  );
  const connection = useStore((state) => connectionOf(state, database?.entry.id ?? null));
  const engine = useStore((state) => engineInfo(state, database?.entry.id ?? null));
  const can = database && capabilitiesOf(database.entry.id);
  const isIdle = useStore((state) => state.works.length === 0);
  return (
    <footer className="row note gap-16 status-bar" aria-label="Status" data-pane>
      {status && <TabFacts status={status} />}
      <span className="status-gap" />
      <RunningWork />
      <TabKey />
      <Measuring />
      {connection && <ServerFacts connection={connection} />}
      {can?.inPlace && <FileLocation state={database!} />}
      {(can?.sourceFile ?? true) && source}
      {database && <WriteState state={database} isIdle={isIdle} />}
      {can?.file && <WalSize state={database!} />}
      {can && can.durability !== 'fixed' && <DurabilityChoice state={database!} />}
      {engine && !connection && <EngineFacts engine={engine} />}
    </footer>
  );
}

function TabFacts({ status }: { readonly status: TabStatus }): ReactNode {
  const { rows, exact, firstRowsMs, timeMs, selectedSummary, message } = status;
  return (
    <>
      {(rows !== null || firstRowsMs !== null) && (
        <span className="status-item status-rows">
          {rows !== null && (
            <>
              {!exact && '~'}
              <b>{formatCount(rows)}</b> {rows === 1 ? 'row' : 'rows'}
            </>
          )}
        </span>
      )}
      {(firstRowsMs !== null || timeMs !== null) && (
        // Keeps its room: the first rows of a result are shown after its time is known.
        <span className="status-item status-optional status-first">
          {firstRowsMs !== null && (
            <>
              first rows <b>{formatDuration(firstRowsMs)}</b>
            </>
          )}
        </span>
      )}
      {timeMs !== null && (
        <span className="status-item status-optional status-time">
          time <b>{formatDuration(timeMs)}</b>
        </span>
      )}
      {selectedSummary && <span className="shrink-x clip status-message">{selectedSummary}</span>}
      {message && (
        <span className="shrink-x clip status-message" title={message}>
          {message}
        </span>
      )}
    </>
  );
}

/** Shown only while Tab moves the focus. */
function TabKey(): ReactNode {
  const isShown = useStore((state) => {
    const tab = activeTab(state);
    return state.tabMovesFocus && !state.libraryVisible && tab !== null && hasText(tab);
  });
  return (
    isShown && (
      <Tooltip
        text="In the SQL editor. Click to let Tab indent again"
        shortcut={commandKeyLabel('editor.tabMovesFocus')}
      >
        <button type="button" className="status-button" onClick={toggleTabMovesFocus}>
          Tab moves focus
        </button>
      </Tooltip>
    )
  );
}

function EngineFacts({ engine }: { readonly engine: EngineInfo }): ReactNode {
  const storage = engine.kind === 'wasm' ? 'wasm · OPFS' : 'native';
  return (
    <Tooltip text={`SQLite ${engine.sqliteVersion}\n${engine.sqliteSourceId}`}>
      <span className="status-item status-optional">
        {storage} · SQLite {engine.sqliteVersion}
      </span>
    </Tooltip>
  );
}

function FileLocation({ state }: { readonly state: DatabaseState }): ReactNode {
  const { entry, journalMode, asksBeforeWriting = false } = state;
  const isAwaited = useAwaitsFirstEdit(entry.id) && asksBeforeWriting;
  const path = entry.source?.displayPath ?? entry.name;
  const drive = entry.source?.networkDrive;
  const { temporary, plain } = capabilitiesOf(entry.id);
  if (temporary) return <RestoredFrom path={path} />;
  const lines = [
    `In place: ${path}`,
    `Journal: ${journalMode}`,
    isAwaited
      ? plain
        ? 'Your first edit asks once whether edits go into the file itself or into a library copy.'
        : 'Your first edit asks once whether to edit the file.'
      : 'Changes are in the file as soon as they are committed.',
  ];
  if (!plain) lines.push('The file is encrypted, and its history with the same key.');
  if (drive !== undefined) lines.push(networkDriveText(drive));
  const place = `${plain ? 'In place' : 'Encrypted, in place'}${drive === undefined ? '' : `, network drive (${drive})`}`;
  return (
    <Tooltip text={lines.join('\n')}>
      <span className="cut status-item status-place">
        {isAwaited ? (
          `${place}, read-only until your first edit`
        ) : (
          <>
            {place}: <bdi>{path}</bdi>
          </>
        )}
      </span>
    </Tooltip>
  );
}

function RestoredFrom({ path }: { readonly path: string }): ReactNode {
  return (
    <Tooltip text={`A temporary file, ${path}\nIt is removed when this database is closed.`}>
      <span className="cut status-item status-place">
        Temporary: <bdi>{path}</bdi>
      </span>
    </Tooltip>
  );
}

function DurabilityChoice({ state: { durability, journalMode } }: { readonly state: DatabaseState }): ReactNode {
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <button type="button" className="status-button" aria-label={`Durability: ${durability}`}>
          durability <b>{durability}</b>
        </button>
      }
      entries={[
        { heading: `Durability (journal: ${journalMode})` },
        {
          label: 'Full: on disk after each commit',
          checked: durability === 'full',
          run: () => void runCommand('database.durabilityFull'),
        },
        {
          label: 'Balanced: faster, less safe in a power loss',
          checked: durability === 'balanced',
          run: () => void runCommand('database.durabilityBalanced'),
        },
      ]}
    />
  );
}

function WriteState({
  state: { entry, transaction, writable, why },
  isIdle,
}: {
  readonly state: DatabaseState;
  readonly isIdle: boolean;
}): ReactNode {
  if (!writable) {
    return (
      <Tooltip text={why ?? 'This database is read-only.'}>
        <span className="warn status-item">read-only</span>
      </Tooltip>
    );
  }
  if (transaction) {
    const text = `open transaction: ${transaction.windowTitle}`;
    return (
      <Tooltip text={text}>
        <span className="warn status-pending">{text}</span>
      </Tooltip>
    );
  }
  return <HeldState database={entry.id} isIdle={isIdle} />;
}
