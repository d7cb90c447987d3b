// An SQL tab: the editor above, the results below.
import { useEffect, useRef, memo, useState, type ReactNode } from 'react';
import { ChevronDown, ChevronsRight, Columns2, ListTree, Play, FileText } from 'lucide-react';
import { capabilitiesOf, type DatabaseId, type OpenTransaction } from '#shared/protocol/index.ts';
import { quoteName } from '#shared/ddl/names.ts';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatMoment, formatTime, plural } from '../../ui/format.ts';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { RunBar, Running } from '../../ui/run-bar.tsx';
import { useCommand, commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { whyNotWithout } from '../../workbench/databases/no-transactions.ts';
import { EditorSplit } from '../../workbench/text/editor-split.tsx';
import type { QueryTab as Tab, TabFile, QueryTab } from '../../workbench/tabs/query.ts';
import { takeStart } from '../../workbench/text/start-requests.ts';
import { useStore } from '../../state/store.ts';
import { useOwnWindowId } from '../../connection/use-own-window-id.ts';
import { PaneBoundary } from '../../ui/pane-boundary.tsx';
import { ParameterStrip } from './parameter-strip.tsx';
import { querySessionOf, type QuerySession } from './query-session.ts';
import type { ShownWork } from '../../workbench/jobs.ts';
import { ResultsPanel } from './results-panel.tsx';
import type { CommandId } from '#shared/commands.ts';
import { encodingLabel, LINE_END_LABELS, asEdited } from '../../workbench/files/text-encoding.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LineDiff } from '../../ui/line-diff.tsx';
import type { FileProblem, SqlFileSession } from './sql-file-session.ts';
import './query.css';

// The transaction of this database, beside the buttons that run SQL: begin, pending changes, commit, roll back, savepoints.

interface TransactionControlProps {
  readonly session: QuerySession;
  readonly database: DatabaseId;
  readonly isBusy: boolean;
  readonly transaction: OpenTransaction | null;
  readonly isMine: boolean;
}

const TransactionControl = memo(function TransactionControl({
  session,
  database,
  isBusy,
  transaction,
  isMine,
}: TransactionControlProps): ReactNode {
  if (!transaction)
    return (
      <span className="row gap-6 shrink-x push-end">
        <Button
          size="small"
          disabled={isBusy}
          why={whyNotWithout(database, 'transaction')}
          title={`Begins a transaction. Until you commit it or roll it back, other windows can read but not write${limitOf(database)}`}
          onClick={() => session.control('BEGIN')}
        >
          Begin
        </Button>
      </span>
    );
  return isMine && !transaction.isUnderReview ? (
    <OwnTransaction session={session} database={database} isBusy={isBusy} transaction={transaction} />
  ) : (
    <span className="row gap-6 shrink-x push-end">
      <Badge transaction={transaction} isMine={isMine} />
    </span>
  );
});

/** A transaction that is ended elsewhere: in another window, or where its changes are listed to be kept or discarded. */
function Badge({ transaction, isMine }: Pick<OwnProps, 'transaction'> & { readonly isMine: boolean }): ReactNode {
  const pending = pendingLabel(transaction);
  return isMine ? (
    <span
      className="query-badge"
      title={`${pending}. These changes are kept or discarded where they are listed. Until then, nothing else is written to this database.`}
    >
      {plural(transaction.changes, 'change')} to keep or discard
    </span>
  ) : (
    <span
      className="query-badge"
      title={`${pending}. What it changed is visible here but not committed. This window can read now, and write when that transaction ends.`}
    >
      {transaction.windowTitle} has an open transaction
    </span>
  );
}

/** `sqld` does so after 5 seconds. */
const limitOf = (database: DatabaseId): string =>
  capabilitiesOf(database).lastingTransactions
    ? ''
    : '. If another client waits to write, the server rolls it back after a few seconds';

interface OwnProps extends Pick<TransactionControlProps, 'session' | 'database' | 'isBusy'> {
  readonly transaction: OpenTransaction;
}

function OwnTransaction({ session, database, isBusy, transaction }: OwnProps): ReactNode {
  return (
    <span className="row gap-6 shrink-x push-end" role="group" aria-label="Transaction">
      <span
        className="query-badge"
        title={`Transaction open since ${formatMoment(transaction.sinceMs)}. Its changes are visible in all windows but not saved yet. Closing this window rolls them back${limitOf(database)}.`}
      >
        {pendingLabel(transaction)}
      </span>
      <Menu
        align="end"
        trigger={
          <IconButton label="Savepoints" disabled={isBusy}>
            <ChevronDown size={14} aria-hidden />
          </IconButton>
        }
        entries={savepointEntries(transaction.savepoints, (sql) => session.control(sql))}
      />
      <Button size="small" variant="primary" disabled={isBusy} onClick={() => session.control('COMMIT')}>
        Commit
      </Button>
      <Button size="small" variant="danger" disabled={isBusy} onClick={() => session.control('ROLLBACK')}>
        Roll back
      </Button>
    </span>
  );
}

/** “3 changes since 14:02, savepoints a and b” */
function pendingLabel({ changes, sinceMs, savepoints }: OpenTransaction): string {
  const names = savepoints.map((name) => `“${visibleName(name)}”`).join(', ');
  const what = changes === 0 ? 'Transaction open' : `${plural(changes, 'change')} pending`;
  return `${what} since ${formatTime(sinceMs)}${names && `, ${savepoints.length === 1 ? 'savepoint' : 'savepoints'} ${names}`}`;
}

function savepointEntries(savepoints: readonly string[], run: (sql: string) => void): readonly MenuEntry[] {
  const next = freeName(savepoints);
  return [
    { label: `Set savepoint “${next}”`, run: () => run(`SAVEPOINT ${next}`) },
    ...[...savepoints].reverse().flatMap((name): readonly MenuEntry[] => [
      'separator',
      {
        label: `Roll back to “${visibleName(name)}”`,
        run: () => run(`ROLLBACK TO ${quoteName(name)}`),
        danger: true,
      },
      { label: `Release “${visibleName(name)}”`, run: () => run(`RELEASE ${quoteName(name)}`) },
    ]),
  ];
}

function freeName(taken: readonly string[]): string {
  for (let number = 1; ; number++) if (!taken.includes(`savepoint_${number}`)) return `savepoint_${number}`;
}

interface QueryTabProps {
  readonly tab: Tab;
  /** The changes of a dry run; replaces the results until they are kept or discarded. */
  readonly dryRun: ReactNode;
}

export function QueryTab({ tab, dryRun }: QueryTabProps) {
  const session = querySessionOf(tab);
  const view = session.useView();
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const transaction = useStore(({ openDatabases }) => openDatabases[tab.database]?.transaction ?? null);
  const windowId = useOwnWindowId();

  const wasDryRun = useRef(false);
  useEffect(() => {
    // The button that ended it is gone: work continues with the text.
    if (wasDryRun.current && !dryRun && document.activeElement === document.body) session.editor.focus();
    wasDryRun.current = Boolean(dryRun);
  }, [session, dryRun]);

  useEffect(() => {
    if (takeStart(tab.id)) session.runAll();
  }, [session, tab.id]);

  const isIdle = view.running === null && !dryRun;
  const runHere = (): void => void session.runHere();
  const runAll = (): void => session.runAll();
  const stop = (): void => session.stop();
  useCommand('query.run', runHere, isActive && isIdle);
  useCommand('query.runAll', runAll, isActive && isIdle);
  useCommand('query.dryRun', () => void session.dryRun('here'), isActive && isIdle);
  useCommand('query.dryRunAll', () => void session.dryRun('all'), isActive && isIdle);
  useCommand('query.explain', () => void session.plans.explain(), isActive && isIdle);
  useCommand('query.findIndexes', () => void session.plans.findIndexes(), isActive && isIdle);
  useCommand('query.saveFile', () => void session.file.save(), isActive);
  useCommand('query.saveFileAs', () => void session.file.saveAs(), isActive);
  useCommand('work.stop', stop, isActive && view.running !== null);

  const parameters = <ParameterStrip tab={tab} session={session} asked={view.asked} />;
  return (
    <EditorSplit tab={tab} editor={session.editor} underText={parameters}>
      <QueryBar
        session={session}
        database={tab.database}
        file={tab.file}
        running={view.running}
        isDryRun={Boolean(dryRun)}
        transaction={transaction}
        isMine={transaction?.windowId === windowId}
      />
      <PaneBoundary name="The results" of={view.shown}>
        {dryRun || (
          <ResultsPanel
            tab={tab}
            session={session}
            results={view.results}
            messages={view.messages}
            plan={view.plan}
            part={view.shown}
            compared={view.compared}
            isRunning={view.running !== null}
          />
        )}
      </PaneBoundary>
      {/* Comes by itself: above, it would push everything down. */}
      <FileProblemBar tab={tab} session={session.file} />
    </EditorSplit>
  );
}

// The bar between editor and results: run, stop, the current run, an open transaction.

const ICON = { size: 14, 'aria-hidden': true } as const;

interface QueryBarProps {
  readonly session: QuerySession;
  readonly database: DatabaseId;
  readonly file: TabFile | null;
  readonly running: ShownWork | null;
  /** Changes of a dry run wait to be kept or discarded. */
  readonly isDryRun: boolean;
  readonly transaction: OpenTransaction | null;
  /** This window began the transaction. */
  readonly isMine: boolean;
}

function QueryBar({ session, database, file, running, isDryRun, transaction, isMine }: QueryBarProps) {
  return (
    <RunBar label="Query">
      <RunButtons session={session} isBusy={running !== null || isDryRun} />
      <FileMenu file={file} />
      {running && (
        <Running
          work={running}
          text={progressText(running)}
          stopTitle={`Stop (${commandKeyLabel('work.stop')})`}
          onStop={() => session.stop()}
          meanwhile={null}
        />
      )}
      {!isDryRun && (
        <TransactionControl
          session={session}
          database={database}
          isBusy={running !== null}
          transaction={transaction}
          isMine={isMine}
        />
      )}
    </RunBar>
  );
}

/** Memoized: the clock of a run ticks ten times a second, and these do not change. */
const RunButtons = memo(function RunButtons({
  session,
  isBusy,
}: {
  readonly session: QuerySession;
  readonly isBusy: boolean;
}) {
  return (
    <>
      <Button
        size="small"
        variant="primary"
        disabled={isBusy}
        onClick={() => void session.runHere()}
        title="Runs the selection, or the statement at the cursor"
      >
        <Play {...ICON} /> Run <kbd>{commandKeyLabel('query.run')}</kbd>
      </Button>
      <Button size="small" disabled={isBusy} onClick={() => session.runAll()} title="Runs every statement from the top">
        <ChevronsRight {...ICON} /> <span className="query-all">Run all</span>{' '}
        <kbd>{commandKeyLabel('query.runAll')}</kbd>
      </Button>
      <OtherWays isBusy={isBusy} />
    </>
  );
});

/** Menu of the other ways to run, and buttons for two of them where there is room. */
function OtherWays({ isBusy }: { readonly isBusy: boolean }) {
  return (
    <>
      <Menu
        trigger={
          <IconButton label="More ways to run" disabled={isBusy}>
            <ChevronDown {...ICON} />
          </IconButton>
        }
        entries={[
          { heading: 'See what would change, then keep or discard it' },
          entry('query.dryRun', 'Dry run of statement or selection'),
          entry('query.dryRunAll', 'Dry run of all'),
          { heading: 'See how SQLite runs it' },
          entry('query.explain', 'Explain query plan'),
          entry('query.compare', 'Compare on both engines'),
        ]}
      />
      <IconButton
        className="query-optional"
        label="Explain query plan"
        shortcut={commandKeyLabel('query.explain')}
        disabled={isBusy}
        onClick={() => void runCommand('query.explain')}
      >
        <ListTree {...ICON} />
      </IconButton>
      <IconButton
        className="query-optional"
        label="Compare on both engines"
        shortcut={commandKeyLabel('query.compare')}
        disabled={isBusy}
        onClick={() => void runCommand('query.compare')}
      >
        <Columns2 {...ICON} />
      </IconButton>
    </>
  );
}

function progressText({ progress }: ShownWork): string {
  if (!progress) return 'Running';
  return progress.total ? `${progress.phase}, ${Math.floor((progress.done / progress.total) * 100)}%` : progress.phase;
}

function FileMenu({ file }: { readonly file: TabFile | null }): ReactNode {
  const about: readonly MenuEntry[] = file
    ? [
        { heading: visibleText(file.displayPath) },
        { heading: `${encodingLabel(file.encoding)}, ${LINE_END_LABELS[file.lineEnds]}` },
      ]
    : [{ heading: 'This tab is not saved to a file' }];
  return (
    <Menu
      trigger={
        <IconButton label="File">
          <FileText size={14} aria-hidden />
        </IconButton>
      }
      entries={[
        ...about,
        entry('query.saveFile', 'Save'),
        entry('query.saveFileAs', 'Save as…'),
        'separator',
        entry('query.openFile', 'Open SQL file…'),
      ]}
    />
  );
}

/** Runs a command, and names its keys. */
const entry = (id: CommandId, label: string): MenuEntry => ({
  label,
  hint: commandKeyLabel(id),
  run: () => void runCommand(id),
});

function FileProblemBar({ tab, session }: { readonly tab: QueryTab; readonly session: SqlFileSession }): ReactNode {
  const { problem } = session.useProblem();
  const [comparing, setComparing] = useState(false);
  if (!problem) return null;
  const name = `“${visibleName(tab.file?.fileName ?? tab.title)}”`;
  const end = (act: () => void) => () => {
    setComparing(false);
    act();
  };
  const decisions = (
    <>
      <Button size="small" onClick={end(() => session.takeTheirs())}>
        Take theirs
      </Button>
      <Button size="small" onClick={end(() => session.keepMine())}>
        Keep mine
      </Button>
    </>
  );
  return (
    <div className="row warn-note gap-6 wrap fixed small file-problem" role="alert">
      {problem.kind === 'changed' ? (
        <>
          <span className="file-problem-text">{name} was changed by another program. Your changes here are kept.</span>
          <Button size="small" onClick={() => setComparing(true)}>
            Compare…
          </Button>
          {decisions}
        </>
      ) : (
        <>
          <span className="file-problem-text">{problem.why} Your text is kept in this tab.</span>
          <Button size="small" onClick={() => void session.save()}>
            Save
          </Button>
          <Button size="small" onClick={() => void session.saveAs()}>
            Save as…
          </Button>
        </>
      )}
      {comparing && problem.kind === 'changed' && (
        <Comparison name={name} problem={problem} session={session} onClose={() => setComparing(false)}>
          {decisions}
        </Comparison>
      )}
    </div>
  );
}

interface ComparisonProps {
  readonly name: string;
  readonly problem: Extract<FileProblem, { kind: 'changed' }>;
  readonly session: SqlFileSession;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Comparison({ name, problem, session, onClose, children }: ComparisonProps): ReactNode {
  return (
    <Dialog
      title={`${name}: mine and theirs`}
      wide
      onClose={onClose}
      footer={
        <>
          <Button size="small" onClick={onClose}>
            Decide later
          </Button>
          {children}
        </>
      }
    >
      <p className="file-problem-signs">− is the text in this tab, + is the file as the other program saved it.</p>
      <LineDiff
        before={session.text()}
        after={asEdited(problem.theirs.text)}
        label="Mine and theirs"
        words={['mine', 'theirs']}
        same="Both texts have the same lines."
        onlyChanges
      />
    </Dialog>
  );
}
