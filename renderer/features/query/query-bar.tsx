// The bar between editor and results: run, stop, what is running, an open transaction.
import { ChevronsRight, Play, Square } from 'lucide-react';
import { COMMANDS } from '#shared/commands.ts';
import type { CommandId } from '#shared/commands.ts';
import { keyLabel } from '../../client/key-map.ts';
import { Button } from '../../ui/button.tsx';
import { formatDuration } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { RunningQuery } from './query-view.ts';
import { useElapsed } from './use-elapsed.ts';

const ICON = { size: 14, 'aria-hidden': true } as const;

interface QueryBarProps {
  readonly running: RunningQuery | null;
  /** Who holds an open transaction: this window, or the name of another. */
  readonly transaction: { readonly mine: boolean; readonly windowTitle: string } | null;
  readonly onRun: () => void;
  readonly onRunAll: () => void;
  readonly onStop: () => void;
}

export function QueryBar({ running, transaction, onRun, onRunAll, onStop }: QueryBarProps) {
  const elapsedMs = useElapsed(running?.startedAtMs ?? null);
  const isBusy = running !== null;
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
      {transaction && (
        <span className={`query-badge ${transaction.mine ? '' : 'query-badge-other'}`}>
          {transaction.mine
            ? 'Transaction open: COMMIT or ROLLBACK ends it'
            : `${transaction.windowTitle} holds a transaction`}
        </span>
      )}
    </div>
  );
}

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
