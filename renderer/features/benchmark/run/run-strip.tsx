// Progress of the run: what is being measured, time left, pause and Stop.
import { Pause, Play, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { commandKeyLabel, useCommand } from '../../../workbench/commands/commands.ts';
import { Button } from '../../../ui/button.tsx';
import { formatElapsed } from '../../../ui/format.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { pauseRun, resumeRun, stopRun } from './run-store.ts';
import type { CurrentRun } from './run-store.ts';

const TICK_MS = 1_000;

export function RunStrip({ current }: { readonly current: CurrentRun }): ReactNode {
  const { progress, isPaused, isStopping, startedAtMs } = current;
  const nowMs = useNow(TICK_MS);
  useCommand('work.stop', stopRun, !isStopping);
  const left = progress?.secondsLeft;
  const time = isStopping
    ? 'stopping…'
    : isPaused
      ? 'paused'
      : [
          formatElapsed(nowMs - startedAtMs),
          left === null || left === undefined ? null : `about ${formatElapsed(left * 1000)} left`,
        ]
          .filter(Boolean)
          .join(', ');
  return (
    <div className="stack gap-6 ruled sunken bench-pad" role="group" aria-label="Run">
      <div className="row gap-8">
        <span className="cut fill-x">{progress?.text ?? 'Starting the engines…'}</span>
        <span className="note one-line figures">{time}</span>
        {isPaused ? (
          <Button size="small" onClick={resumeRun} disabled={isStopping}>
            <Play size={12} aria-hidden /> Resume
          </Button>
        ) : (
          <Button size="small" onClick={pauseRun} disabled={isStopping}>
            <Pause size={12} aria-hidden /> Pause
          </Button>
        )}
        <Button
          size="small"
          variant="danger"
          onClick={stopRun}
          disabled={isStopping}
          title={`Stop (${commandKeyLabel('work.stop')})`}
        >
          <Square size={11} aria-hidden /> Stop
        </Button>
      </div>
      <ProgressBar label="Benchmark" share={progress?.share ?? 0} />
      <p className="note">
        You can keep using the app, but using it or hiding its window affects the measurements. If you stop, the results
        so far are kept.
      </p>
    </div>
  );
}
