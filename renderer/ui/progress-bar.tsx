// The progress of a long task; indeterminate when the end is not known.
import type { ReactNode } from 'react';
import './progress-bar.css';

interface ProgressBarProps {
  readonly label: string;
  /** 0 … 1, or null when the end is not known. */
  readonly share: number | null;
}

export function ProgressBar({ label, share }: ProgressBarProps): ReactNode {
  const known =
    share === null ? {} : { 'aria-valuenow': Math.round(share * 100), 'aria-valuemin': 0, 'aria-valuemax': 100 };
  return (
    <div className="clip anchor progress-track" role="progressbar" aria-label={label} {...known}>
      {share === null ? (
        <div className="progress-fill progress-unknown" />
      ) : (
        <div className="progress-fill" style={{ transform: `scaleX(${Math.min(1, Math.max(0, share))})` }} />
      )}
    </div>
  );
}
