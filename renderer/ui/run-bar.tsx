// The bar of a tab with a text: the button that runs the text, and during a run Stop, the current step, and the progress.
import { Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { formatDuration } from './format.ts';
import { ProgressBar } from './progress-bar.tsx';
import { shareOf, type Amount } from './progress-text.ts';
import './run-bar.css';
import { useElapsed } from './use-elapsed.ts';

export function RunBar({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="row note ruled-bar clip gap-8 sunken run-bar" role="toolbar" aria-label={label}>
      {children}
    </div>
  );
}

interface RunProgressProps {
  readonly text: string;
  /** 0 … 1, or null when the end is not known. */
  readonly share: number | null;
  readonly elapsedMs: number;
  readonly stopping: boolean;
  readonly stopTitle: string;
  readonly onStop: () => void;
}

export function RunProgress({ text, share, elapsedMs, stopping, stopTitle, onStop }: RunProgressProps): ReactNode {
  return (
    <>
      <Button size="small" variant="danger" disabled={stopping} onClick={onStop} title={stopTitle}>
        <Square size={14} aria-hidden /> {stopping ? 'Stopping' : 'Stop'}
      </Button>
      {/* The text is last: it becomes longer and shorter all the time, and moves nothing. */}
      <ProgressBar label="Progress" share={share} />
      <span className="fill-x gap-10 figures run-progress" role="status">
        <span className="text-color run-progress-elapsed">{formatDuration(Math.floor(elapsedMs / 100) * 100)}</span>
        <span className="run-progress-text">{text}</span>
      </span>
    </>
  );
}

interface RunningProps extends Pick<RunProgressProps, 'text' | 'stopTitle' | 'onStop'> {
  readonly work: {
    readonly startedAtMs: number | null;
    readonly progress?: Pick<Amount, 'done' | 'total'> | null;
    readonly stopping?: boolean;
  };
  /** Shown until the work has taken long enough to be worth showing. Missing: its progress is shown at once. */
  readonly meanwhile?: ReactNode;
}

/** Progress of work that began at a moment, and so says itself how long it has been running. */
export function Running({ work, meanwhile, ...shown }: RunningProps): ReactNode {
  const elapsedMs = useElapsed(work.startedAtMs);
  if (elapsedMs === null && meanwhile !== undefined) return meanwhile;
  return (
    <RunProgress
      {...shown}
      share={shareOf(work.progress ?? null)}
      elapsedMs={elapsedMs ?? 0}
      stopping={work.stopping ?? false}
    />
  );
}
