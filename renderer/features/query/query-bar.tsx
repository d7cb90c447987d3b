// The bar between editor and results: run, stop, what is running, an open transaction.
import { ChevronDown, ChevronsRight, Columns2, Play } from 'lucide-react';
import type { CommandId } from '#shared/commands.ts';
import { commandKeyLabel, runCommand } from '../../client/commands.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { shareOf } from '../../ui/progress-text.ts';
import { RunBar, RunProgress } from '../../ui/run-bar.tsx';
import { useElapsed } from '../../ui/use-elapsed.ts';
import type { RunningQuery } from './query-view.ts';

const ICON = { size: 14, 'aria-hidden': true } as const;

interface QueryBarProps {
  readonly running: RunningQuery | null;
  /** Changes of a dry run wait to be kept or discarded. */
  readonly isDryRun: boolean;
  /** Who holds an open transaction: this window, or the name of another. */
  readonly transaction: { readonly mine: boolean; readonly windowTitle: string } | null;
  readonly onRun: () => void;
  readonly onRunAll: () => void;
  readonly onStop: () => void;
}

export function QueryBar({ running, isDryRun, transaction, onRun, onRunAll, onStop }: QueryBarProps) {
  const elapsedMs = useElapsed(running?.startedAtMs ?? null);
  const isBusy = running !== null || isDryRun;
  return (
    <RunBar label="Query">
      <Button
        size="small"
        look="primary"
        disabled={isBusy}
        onClick={onRun}
        title="Runs the selection, or the statement at the cursor"
      >
        <Play {...ICON} /> Run <kbd>{commandKeyLabel('query.run')}</kbd>
      </Button>
      <Button size="small" disabled={isBusy} onClick={onRunAll} title="Runs every statement from the top">
        <ChevronsRight {...ICON} /> Run all <kbd>{commandKeyLabel('query.runAll')}</kbd>
      </Button>
      <OtherWays isBusy={isBusy} />
      {running && elapsedMs !== null && (
        <RunProgress
          text={progressText(running)}
          share={shareOf(running.progress)}
          elapsedMs={elapsedMs}
          stopping={running.stopping}
          stopTitle={`Stop (${commandKeyLabel('work.stop')})`}
          onStop={onStop}
        />
      )}
      {transaction && !isDryRun && (
        <span className="query-badge">
          {transaction.mine
            ? 'Transaction open: COMMIT or ROLLBACK ends it'
            : `${transaction.windowTitle} holds a transaction`}
        </span>
      )}
    </RunBar>
  );
}

/** Trying what would change, and both engines on the same text. */
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
        ]}
      />
      <IconButton
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
