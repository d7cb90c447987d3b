// The commands of a library copy and its source, and the dialogs they open over the window.
import { useEffect, useState, useCallback, useMemo, type ReactNode, type ComponentType } from 'react';
import {
  capabilitiesOf,
  type LibraryEntry,
  type DatabaseFile,
  type DatabaseState,
  type RowDifferencePage,
  type SourceComparison,
  type TableCounts,
} from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import type { ShownComparison } from '../../state/slices/sources.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatBytes, formatCount, formatMoment, plural } from '../../ui/format.ts';
import { usePolled } from '../../ui/use-polled.ts';
import { Described } from '../../ui/described.tsx';
import { useCommand, commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { wordsOf } from '../../workbench/databases/database-words.tsx';
import { onSourceState } from '../../workbench/databases/sources.ts';
import { useStore, showComparison } from '../../state/store.ts';
import { mergeWithSource } from './merge-actions.ts';
import { MergeDialog } from './merge-dialog.tsx';
import {
  compareWithSource,
  reloadFromSource,
  saveToSource,
  showWhereItIs,
  tellOfChange,
  keepMine,
} from './source-actions.ts';
import { sourceLabels } from './source-labels.ts';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import './source.css';

export function Source({ Differences }: { readonly Differences: Differences }): ReactNode {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const database = useStore((state) =>
    state.currentDatabase ? (state.openDatabases[state.currentDatabase] ?? null) : null,
  );
  const comparison = useStore((state) => state.comparison);
  const merge = useStore((state) => state.merge);
  const [showsFile, setShowsFile] = useState(false);
  const entry = database?.entry ?? null;
  const on = (action: (entry: LibraryEntry) => Promise<void>) => () => void (entry && action(entry));
  const hasEntry = isConnected && entry !== null;
  const hasSource = hasEntry && capabilitiesOf(entry.id).sourceFile && entry.source?.locationId != null;

  useEffect(() => onSourceState(tellOfChange), []);
  useCommand('source.save', on(saveToSource), hasSource);
  useCommand('source.where', on(showWhereItIs), hasEntry && !hasSource);
  useCommand('source.compare', on(compareWithSource), hasSource);
  useCommand('source.merge', on(mergeWithSource), hasSource);
  useCommand('source.reload', on(reloadFromSource), hasSource);
  useCommand('database.file', () => setShowsFile(true), hasEntry);
  return (
    <>
      {showsFile && database && <FileDialog state={database} onClose={() => setShowsFile(false)} />}
      {comparison && <ComparisonDialog comparison={comparison} Differences={Differences} />}
      {merge && <MergeDialog key={merge.database} merge={merge} />}
    </>
  );
}

// Shows where a database is stored, how much of it is only in the WAL, and which other windows have it open.

const REFRESH_MS = 500;

function FileDialog({ state, onClose }: { readonly state: DatabaseState; readonly onClose: () => void }): ReactNode {
  const file = useFile(state.entry.id);
  const source = useStore(({ sources }) => sources[state.entry.id] ?? null);
  const { entry } = state;
  const address = useStore((store) => connectionOf(store, entry.id)?.address ?? '');
  const words = sourceLabels(source, entry.source?.fileName ?? '');
  return (
    <Dialog
      title={`Where “${entry.name}” lives`}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <dl className="figures flush file-facts">
        <Described name="Data">{wordsOf(entry.id).data(entry, address)}</Described>
        {capabilitiesOf(entry.id).sourceFile && (
          <Described name="Source">
            {entry.source ? `${entry.source.displayPath}\n${words.sentence}` : words.sentence}
            {source?.sameAtMs != null && `\nThey were last the same on ${formatMoment(source.sameAtMs)}.`}
          </Described>
        )}
        <FileFacts file={file} state={state} />
      </dl>
    </Dialog>
  );
}

interface FileFactsProps {
  /** Null until it is read: the facts have their places already, so that nothing moves. */
  readonly file: DatabaseFile | null;
  readonly state: DatabaseState;
}

function FileFacts({ file, state }: FileFactsProps): ReactNode {
  const windows = file?.windows.join(', ') ?? UNREAD;
  if (!capabilitiesOf(state.entry.id).file)
    return (
      <>
        <Described name="Durability">The server decides when a commit is on its disk.</Described>
        <Described name="Open in">{windows}</Described>
      </>
    );
  return (
    <>
      <Described name="File">{file ? sizeText(file, state.pageSize) : UNREAD}</Described>
      <Described name="WAL">{file ? walText(file) : UNREAD}</Described>
      <Described name="Checkpoint">{file ? checkpointText(file) : UNREAD}</Described>
      <Described name="Durability">
        {state.durability === 'full'
          ? 'full: on disk after each commit'
          : 'balanced: a power loss can lose the last commits'}
        {`, journal mode ${state.journalMode}`}
      </Described>
      <Described name="Open in">{windows}</Described>
      {state.transaction && (
        <Described name="Not saved yet">
          The open transaction in {state.transaction.windowTitle}, until COMMIT.
        </Described>
      )}
    </>
  );
}

const UNREAD = '…';

const sizeText = ({ sizeBytes }: DatabaseFile, pageSize: number): string =>
  `${formatBytes(sizeBytes)}, ${plural(Math.round(sizeBytes / Math.max(1, pageSize)), 'page')} of ${formatCount(pageSize)} bytes`;

const walText = ({ walSizeBytes, checkpointed }: DatabaseFile): string =>
  `${formatBytes(walSizeBytes)}${checkpointed ? ', everything is in the file' : ', the latest commits are only here'}`;

const checkpointText = ({ lastCheckpointAtMs }: DatabaseFile): string =>
  lastCheckpointAtMs === null ? 'none since it was opened' : formatMoment(lastCheckpointAtMs);

function useFile(database: string): DatabaseFile | null {
  const ask = useCallback(() => client.call('database.file', { database }), [database]);
  return usePolled(ask, REFRESH_MS);
}

/** Component that shows changed rows; passed in by the app, because it belongs to the history. */
type Differences = ComponentType<{
  readonly label: string;
  readonly tables: readonly TableCounts[];
  readonly read: (start: number, count: number) => Promise<RowDifferencePage>;
  readonly empty: string;
}>;

interface ComparisonDialogProps {
  readonly comparison: ShownComparison;
  readonly Differences: Differences;
}

function ComparisonDialog({ comparison: { database, result }, Differences }: ComparisonDialogProps): ReactNode {
  const entry = useStore((state) => state.openDatabases[database]?.entry);
  const close = (): void => showComparison(null);
  const isSame = result.tables.length === 0 && result.notes.length === 0;
  const rows = result.tables.reduce((sum, counts) => sum + rowsIn(counts), 0);
  if (!entry?.source) return null;
  return (
    <Dialog
      title={comparisonTitle(entry.source.fileName, result)}
      wide
      onClose={close}
      footer={
        isSame ? (
          <Button variant="primary" onClick={close}>
            OK
          </Button>
        ) : (
          <Answers entry={entry} onClose={close} />
        )
      }
    >
      {isSame ? (
        `All rows of ${plural(result.tablesCompared, 'table')} are the same, and so is the schema.`
      ) : (
        <div className="stack gap-8 comparison">
          {result.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
          {rows > 0 && (
            <>
              <p>
                <CountsLabel tables={result.tables} />
                {rows > result.rows.length && ` The first ${formatCount(result.rows.length)} rows are listed.`}
              </p>
              <Rows result={result} Differences={Differences} />
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** “The source notes.db differs in 12 rows of 2 tables”. */
function comparisonTitle(fileName: string, { tables, notes }: Pick<SourceComparison, 'tables' | 'notes'>): string {
  const rows = tables.reduce((sum, counts) => sum + rowsIn(counts), 0);
  if (rows > 0)
    return `${plural(rows, 'row')} in ${plural(tables.length, 'table')} ${rows === 1 ? 'differs' : 'differ'} from “${fileName}”`;
  return notes.length > 0 ? `No rows differ from “${fileName}”` : `This copy and “${fileName}” are the same`;
}

function CountsLabel({ tables }: { readonly tables: readonly TableCounts[] }): ReactNode {
  const sum = (of: (counts: TableCounts) => number): number => tables.reduce((total, counts) => total + of(counts), 0);
  return `From this copy to the file: ${formatCount(sum(({ inserted }) => inserted))} only in the file, ${formatCount(sum(({ updated }) => updated))} different, ${formatCount(sum(({ deleted }) => deleted))} only here.`;
}

function Rows({
  result,
  Differences,
}: {
  readonly result: SourceComparison;
  readonly Differences: Differences;
}): ReactNode {
  const read = useCallback(
    (start: number, count: number) =>
      Promise.resolve({ rows: result.rows.slice(start, start + count), total: result.rows.length }),
    [result],
  );
  const listed = useMemo(() => [...result.listed], [result]);
  return (
    <div className="comparison-rows">
      <Differences label="Rows that differ" tables={listed} read={read} empty="No rows differ." />
    </div>
  );
}

function Answers({ entry, onClose }: { readonly entry: LibraryEntry; readonly onClose: () => void }): ReactNode {
  const then = (action: (entry: LibraryEntry) => Promise<void>) => () => {
    onClose();
    void action(entry);
  };
  return (
    <>
      <Button onClick={then(mergeWithSource)}>Merge…</Button>
      <Button onClick={then(reloadFromSource)}>Reload from source…</Button>
      <Button onClick={then(saveToSource)}>Save to source</Button>
      <Button variant="primary" onClick={onClose}>
        Close
      </Button>
    </>
  );
}

const rowsIn = ({ inserted, updated, deleted }: TableCounts): number => inserted + updated + deleted;

export function SourceChip(): ReactNode {
  const database = useStore((state) =>
    state.currentDatabase ? (state.openDatabases[state.currentDatabase] ?? null) : null,
  );
  const source = useStore((state) => (state.currentDatabase ? (state.sources[state.currentDatabase] ?? null) : null));
  if (!database) return null;
  const { entry } = database;
  // About to be known: keeps its room, because work beside it has a button to stop it.
  if (entry.source?.locationId && !source) return <span className="fixed source-chip" />;
  const { label, tone, sentence } = sourceLabels(source, entry.source?.fileName ?? '');
  const isAsking = tone === 'warn' && (source?.disk === 'changed' || source?.disk === 'replaced');
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <button
          type="button"
          className="row-inline gap-6 status-button source-chip"
          data-tone={tone}
          title={sentence}
          aria-label={`Source: ${label}`}
        >
          <i />
          {label}
        </button>
      }
      entries={[
        { heading: entry.source?.displayPath ?? 'Created in Sidelite' },
        ...(entry.source?.locationId ? sourceEntries(entry, isAsking) : []),
        { label: 'Where this data lives…', run: () => void runCommand('database.file') },
      ]}
    />
  );
}

function sourceEntries(entry: LibraryEntry, isAsking: boolean): readonly MenuEntry[] {
  return [
    { label: 'Compare with source…', run: () => void runCommand('source.compare') },
    { label: 'Merge from source…', run: () => void runCommand('source.merge') },
    { label: 'Save to source', hint: commandKeyLabel('source.save'), run: () => void runCommand('source.save') },
    { label: 'Reload from source…', run: () => void runCommand('source.reload') },
    ...(isAsking ? [{ label: 'Keep mine until it changes again', run: () => void keepMine(entry) }] : []),
    { label: 'Reveal source file', run: () => void runCommand('database.revealSource') },
    'separator',
  ];
}
