// The bar between editor and results: run, stop, the current run, an open transaction.
import { ChevronDown, ChevronsRight, Columns2, ListTree, Play } from 'lucide-react';
import { memo } from 'react';
import type { CommandId } from '#shared/commands.ts';
import type { DatabaseId, OpenTransaction } from '#shared/protocol/index.ts';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { RunBar, Running } from '../../ui/run-bar.tsx';
import type { TabFile } from '../../workbench/tabs/query.ts';
import { FileMenu } from './file-menu.tsx';
import { TransactionControl } from './transaction-control.tsx';
import type { QuerySession } from './query-session.ts';
import type { RunningQuery } from './query-view.ts';

const ICON = { size: 14, 'aria-hidden': true } as const;

interface QueryBarProps {
  readonly session: QuerySession;
  readonly database: DatabaseId;
  readonly file: TabFile | null;
  readonly running: RunningQuery | null;
  /** Changes of a dry run wait to be kept or discarded. */
  readonly isDryRun: boolean;
  readonly transaction: OpenTransaction | null;
  /** This window began the transaction. */
  readonly isMine: boolean;
}

export function QueryBar({ session, database, file, running, isDryRun, transaction, isMine }: QueryBarProps) {
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

const entry = (id: CommandId, label: string): MenuEntry => ({
  label,
  hint: commandKeyLabel(id),
  run: () => void runCommand(id),
});

function progressText({ progress }: RunningQuery): string {
  if (!progress) return 'Running';
  return progress.total ? `${progress.phase}, ${Math.floor((progress.done / progress.total) * 100)}%` : progress.phase;
}
