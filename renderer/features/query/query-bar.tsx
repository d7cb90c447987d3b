// The bar between editor and results: run, stop, what is running, an open transaction.
import { ChevronDown, ChevronsRight, Columns2, Play, Square } from 'lucide-react';
import { COMMANDS } from '#shared/commands.ts';
import type { CommandId } from '#shared/commands.ts';
import { runCommand } from '../../client/commands.ts';
import { keyLabel } from '../../client/key-map.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { RunningQuery } from './query-view.ts';
import { useElapsed } from '../../ui/use-elapsed.ts';

const ICON = { size: 14, 'aria-hidden': true } as const;

interface QueryBarProps {
  readonly running: RunningQuery | null;
  /** Changes of a dry run wait to be kept or discarded. */
  readonly isOnTrial: boolean;
  /** Who holds an open transaction: this window, or the name of another. */
  readonly transaction: { readonly mine: boolean; readonly windowTitle: string } | null;
  readonly onRun: () => void;
  readonly onRunAll: () => void;
  readonly onStop: () => void;
}

export function QueryBar({ running, isOnTrial, transaction, onRun, onRunAll, onStop }: QueryBarProps) {
  const elapsedMs = useElapsed(running?.startedAtMs ?? null);
  const isBusy = running !== null || isOnTrial;
  return (
    <div className="query-bar" role="toolbar" aria-label="Query">
      <Button
        size="small"
        look="primary"
        disabled={isBusy}
        onClick={onRun}
        title="Runs the selection, or the statement at the cursor"
      >
        <Play {...ICON} /> Run <kbd>{keyOf('query.run')}</kbd>
      </Button>
      <Button size="small" disabled={isBusy} onClick={onRunAll} title="Runs every statement from the top">
        <ChevronsRight {...ICON} /> Run all <kbd>{keyOf('query.runAll')}</kbd>
      </Button>
      <OtherWays isBusy={isBusy} />
      {running && elapsedMs !== null && (
        <>
          <Button
            size="small"
            look="danger"
            disabled={running.stopping}
            onClick={onStop}
            title={`Stop (${keyOf('work.stop')})`}
          >
            <Square {...ICON} /> {running.stopping ? 'Stopping' : 'Stop'}
          </Button>
          <span className="query-running" role="status">
            {progressText(running)}
            <span className="query-elapsed">{formatDuration(Math.floor(elapsedMs / 100) * 100)}</span>
          </span>
          <ProgressBar label="Query progress" share={progressShare(running)} />
        </>
      )}
      {transaction && !isOnTrial && (
        <span className={`query-badge ${transaction.mine ? '' : 'query-badge-other'}`}>
          {transaction.mine
            ? 'Transaction open: COMMIT or ROLLBACK ends it'
            : `${transaction.windowTitle} holds a transaction`}
        </span>
      )}
    </div>
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
        shortcut={keyOf('query.compare')}
        disabled={isBusy}
        onClick={() => void runCommand('query.compare')}
      >
        <Columns2 {...ICON} />
      </IconButton>
    </>
  );
}

const entry = (id: CommandId, label: string): MenuEntry => ({ label, hint: keyOf(id), run: () => void runCommand(id) });

function keyOf(id: CommandId): string {
  const command = COMMANDS.find((candidate) => candidate.id === id);
  return command && 'key' in command ? keyLabel(command.key) : '';
}

function progressText({ progress }: RunningQuery): string {
  if (!progress) return 'Running';
  return progress.total ? `${progress.phase}, ${Math.floor((progress.done / progress.total) * 100)}%` : progress.phase;
}

const progressShare = ({ progress }: RunningQuery): number | null =>
  progress?.total ? progress.done / progress.total : null;
