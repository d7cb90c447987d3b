// The line at the bottom: what is shown, how fast it came, which engine, how durable, and what is running.
import { useEffect, useState, type ReactNode } from 'react';
import { capabilitiesOf, D1_LIMITS, isD1 } from '#shared/protocol/index.ts';
import type {
  DatabaseState,
  EngineInfo,
  DatabaseId,
  RemoteConnection,
  DatabaseFile,
  Work,
} from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { amountText, shareOf, timeLeftText } from '../../ui/progress-text.ts';
import { useNow } from '../../ui/use-now.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';
import { commandKeyLabel, runCommand, useCommand } from '../../workbench/commands/commands.ts';
import { ColorDot } from '../../workbench/databases/color-dot.tsx';
import { networkDriveText } from '../../workbench/databases/database-words.tsx';
import { useAwaitsFirstEdit } from '../../workbench/databases/first-edit.ts';
import type { TabStatus } from '../../state/slices/status.ts';
import { hasText } from '../../state/slices/tabs.ts';
import { activeTab, toggleTabMovesFocus, useStore } from '../../state/store.ts';
import { formatCount, formatDuration, plural, formatBytes, formatMoment } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { engineInfo } from '../../state/slices/connection.ts';
import { connectionOf, type RowsTouched } from '../../state/slices/remote.ts';
import { useHeld } from '../../workbench/held/held-store.ts';
import { isUnresponsive } from '../../workbench/unresponsive-work.ts';
import { offerRestart } from './engine-restart.ts';
import './status-bar.css';

/**
 * The rightmost never changes: what becomes longer or shorter by itself moves only what is left of it, and there is nothing to click there.
 *
 * @param source where the data of the current database lives
 * @param proposals those of assistants; always of the same width
 */
export function StatusBar({
  source,
  proposals,
}: {
  readonly source: ReactNode;
  readonly proposals: ReactNode;
}): ReactNode {
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
    <footer className="row note gap-16 clip sunken one-line figures status-bar" aria-label="Status" data-pane>
      {status && <TabFacts status={status} />}
      <span className="grow" />
      <RunningWork />
      <TabKey />
      <Measuring />
      {proposals}
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
        <span className="fixed status-rows">
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
        <span className="fixed status-optional status-first">
          {firstRowsMs !== null && (
            <>
              first rows <b>{formatDuration(firstRowsMs)}</b>
            </>
          )}
        </span>
      )}
      {timeMs !== null && (
        <span className="fixed status-optional status-time">
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
      <span className="fixed status-optional">
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
  if (temporary) return <TemporaryFrom path={path} isAwaited={isAwaited} />;
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
      <span className="cut fixed status-place">
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

function TemporaryFrom({ path, isAwaited }: { readonly path: string; readonly isAwaited: boolean }): ReactNode {
  const lines = [`A temporary file, ${path}`, 'It is removed when this database is closed.'];
  if (isAwaited) lines.push('It is read-only: your first edit makes a library copy.');
  return (
    <Tooltip text={lines.join('\n')}>
      <span className="cut fixed status-place">
        {isAwaited ? 'Temporary, read-only: ' : 'Temporary: '}
        <bdi>{path}</bdi>
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
        <span className="warn fixed">read-only</span>
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

// Says everywhere that the benchmark is measuring, because anything done in the meantime disturbs it.
function Measuring(): ReactNode {
  const here = useStore((state) => state.measuringHere);
  const elsewhere = useStore((state) => state.measuringElsewhere);
  if (here === null && elsewhere === null) return null;
  const share = here ?? elsewhere?.progress?.share ?? 0;
  const who = here === null ? elsewhere!.windowTitle : 'The benchmark in this window';
  return (
    <Tooltip text={`${who} is running. You can keep working, but that affects the measurements.`}>
      <button
        type="button"
        className="status-button status-measuring"
        onClick={() =>
          void (here === null ? shell.bench.showElsewhere().catch(notifyFailure) : runCommand('benchmark.show'))
        }
      >
        running, <b>{Math.floor(share * 100)}%</b>
      </button>
    </Tooltip>
  );
}

// Status bar item: whether each change is saved at once or held, and how many changes are held.

interface HeldStateProps {
  readonly database: DatabaseId;
  /** Nothing is running that may change data. */
  readonly isIdle: boolean;
}

function HeldState({ database, isIdle }: HeldStateProps): ReactNode {
  const isOn = useHeld((state) => state[database]?.isOn ?? false);
  const count = useHeld((state) => state[database]?.pending.length ?? 0);
  // Keeps its room: work comes and goes, and nothing beside it may move.
  if (!isOn && count === 0 && !isIdle) return <span className="status-pending" />;
  const label = count > 0 ? `${plural(count, 'change')} held` : isOn ? 'holding changes' : 'nothing pending';
  const turn = (): void => void runCommand('held.turn');
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <button
          type="button"
          className={`status-button status-pending${count > 0 ? ' warn' : ''}`}
          aria-label={`Changes: ${label}`}
        >
          {label}
        </button>
      }
      entries={[
        { heading: 'Changes to this database in tables and results' },
        { label: 'Save each change at once', checked: !isOn, run: () => isOn && turn() },
        {
          label: 'Hold changes until they are saved',
          hint: commandKeyLabel('held.save'),
          checked: isOn,
          run: () => !isOn && turn(),
        },
      ]}
    />
  );
}

// Status bar items for a database on a server: which connection, how careful, and what the requests cost.
function ServerFacts({ connection }: { readonly connection: RemoteConnection }): ReactNode {
  const { database, name, address, color, production } = connection;
  const engine = useStore((state) => state.processEngines[database]);
  const rows = useStore((state) => state.rowsTouched[database]);
  const lines = [address, 'Changes are on the server as soon as they are committed.'];
  if (isD1(address)) lines.push(`Cloudflare D1, experimental. ${D1_LIMITS}`);
  if (engine?.sqliteVersion) lines.push(`The server runs SQLite ${engine.sqliteVersion}.`);
  return (
    <>
      <Tooltip text={lines.join('\n')}>
        <span className="row-inline gap-6 shrink-x text-color fixed">
          <ColorDot color={color} />
          <bdi>{name}</bdi>
          {production && <span className="warn">production</span>}
        </span>
      </Tooltip>
      {rows && <RowCost rows={rows} />}
    </>
  );
}

function RowCost({ rows: { read, written, lastRead, lastWritten } }: { readonly rows: RowsTouched }): ReactNode {
  const last = `Last request: ${plural(lastRead, 'row')} read, ${formatCount(lastWritten)} written.`;
  const total = `Since the connection was opened, all windows: ${formatCount(read)} read, ${formatCount(written)} written.`;
  return (
    <Tooltip text={`${last}\n${total}\nCounted by the server, which may bill them.`}>
      <span className="fixed status-optional">
        rows read <b>{formatCount(lastRead)}</b> of {formatCount(read)}
        {written > 0 && (
          <>
            , written <b>{formatCount(lastWritten)}</b> of {formatCount(written)}
          </>
        )}
      </span>
    </Tooltip>
  );
}

/** Minimum time between two queries, however many commits there are. */
const ASK_EVERY_MS = 500;

function WalSize({ state: { entry, journalMode } }: { readonly state: DatabaseState }): ReactNode {
  const isWal = journalMode === 'wal';
  const file = useWal(entry.id, isWal);
  const size = file === null || file.checkpointed ? 'empty' : formatBytes(file.walSizeBytes);
  return (
    <Tooltip text={isWal ? asText(file) : `Journal mode ${journalMode}: every commit is in the file itself.`}>
      <button
        type="button"
        className="status-button status-optional status-wal"
        aria-label={isWal ? `WAL: ${size}` : `Journal: ${journalMode}`}
        onClick={() => void runCommand('database.file')}
      >
        {isWal ? 'WAL' : 'journal'} <b>{isWal ? size : journalMode}</b>
      </button>
    </Tooltip>
  );
}

function asText(file: DatabaseFile | null): string {
  if (file === null) return 'Journal mode wal.';
  const place = file.checkpointed
    ? 'Everything committed is in the database file; the WAL is empty.'
    : `The last commits (${formatBytes(file.walSizeBytes)}) are safe in the WAL but not in the database file yet.`;
  const last = file.lastCheckpointAtMs;
  return `${place}\n${last === null ? 'No checkpoint since it was opened.' : `Last checkpoint: ${formatMoment(last)}.`}`;
}

function useWal(database: DatabaseId, isWal: boolean): DatabaseFile | null {
  const [known, setKnown] = useState<{ readonly of: DatabaseId; readonly file: DatabaseFile } | null>(null);
  useEffect(() => {
    if (!isWal) return undefined;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isCurrent = true;
    const askSoon = (): void => {
      timer ??= setTimeout(() => {
        client.call('database.file', { database }).then(take, () => (timer = null));
      }, ASK_EVERY_MS);
    };
    const take = (file: DatabaseFile): void => {
      timer = null;
      if (!isCurrent) return;
      setKnown({ of: database, file });
      // A checkpoint sends no event, so poll.
      if (!file.checkpointed) askSoon();
    };
    askSoon();
    const off = client.on('database.changed', (changed) => {
      if (changed.database === database) askSoon();
    });
    return () => {
      isCurrent = false;
      off();
      if (timer) clearTimeout(timer);
    };
  }, [database, isWal]);
  return known?.of === database ? known.file : null;
}

// The worker's current task, what it is for, how long it has run and how far it is, and the way to stop it.

const SHOWN_AFTER_MS = 400;
const TICK_MS = 100;

/** Work that everything else waits for comes first. */
function RunningWork(): ReactNode {
  const works = useStore((state) => state.works);
  const holding = works.find(({ holdsSinceMs }) => holdsSinceMs !== null);
  const work = holding ?? works.find(({ stopAskedAtMs }) => stopAskedAtMs !== null) ?? works[0] ?? null;
  useCommand('work.stop', () => work && stopWork(work), work !== null);
  return work && <WorkItem key={work.id} work={work} others={works.filter((other) => other !== work)} />;
}

function WorkItem({ work, others }: { readonly work: Work; readonly others: readonly Work[] }): ReactNode {
  // Use the wall clock: the worker's `performance.now` has a different origin.
  const now = useNow(TICK_MS, Date.now);
  const elapsedMs = Math.max(0, now - work.startedAtMs);
  const leftMs = useTimeLeft(work.progress, now);
  if (elapsedMs < SHOWN_AFTER_MS) return null;
  const { progress, stopAskedAtMs, waitingFor } = work;
  const title = waitingFor === null ? work.title : `Waiting for ${waitingFor}`;
  return (
    <span className="row gap-8 shrink-x clip text-color status-work" role="status">
      <i className="fixed status-pulse" />
      <Tooltip
        text={`${title}\n${waitingFor === null ? '' : `It has the file locked. ${work.title} continues when it is done.\n`}${work.databaseName}, for ${work.windowTitle}`}
      >
        <span className="clip status-work-title">{title}</span>
      </Tooltip>
      {/* What comes later takes its room from the title. */}
      {others.length > 0 && <Others works={others} />}
      <span className="fixed status-optional status-amount">{progress && amountText(progress)}</span>
      <span className="fixed status-optional status-left">{leftMs !== null && timeLeftText(leftMs)}</span>
      <span className="fixed status-work-progress">
        {shareOf(progress) !== null && <ProgressBar label={work.title} share={shareOf(progress)} />}
      </span>
      <span className="fixed status-elapsed">{formatDuration(elapsedMs)}</span>
      {isUnresponsive(work, [work, ...others], now) ? (
        <Button size="small" variant="danger" className="status-stop" onClick={() => void offerRestart(work)}>
          Restart engine…
        </Button>
      ) : (
        <Button
          size="small"
          className="status-stop"
          disabled={stopAskedAtMs !== null}
          title={commandKeyLabel('work.stop')}
          // Keep the focus: what is being stopped may be the storing of an open cell.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => stopWork(work)}
        >
          {stopAskedAtMs === null ? 'Stop' : 'Stopping…'}
        </Button>
      )}
    </span>
  );
}

function Others({ works }: { readonly works: readonly Work[] }): ReactNode {
  const entries = works.map((work) => ({
    label: `Stop ${work.title}`,
    disabled: work.stopAskedAtMs !== null,
    run: () => stopWork(work),
  }));
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <button type="button" className="status-button status-others">
          {works.length} more
        </button>
      }
      entries={entries}
    />
  );
}

function stopWork(work: Work): void {
  client.stopWork(work).catch(notifyFailure);
}
