// Another window is measuring: which one, its progress, and the way there.
import { AppWindow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BenchElsewhere } from '#shared/bench/shell.ts';
import { shell } from '../../../connection/shell.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { Button } from '../../../ui/button.tsx';
import { formatElapsed } from '../../../ui/format.ts';

interface ElsewhereLineProps {
  readonly elsewhere: BenchElsewhere;
  /** A run of this window begins when that one is done. */
  readonly isWaiting: boolean;
}

export function ElsewhereLine({ elsewhere, isWaiting }: ElsewhereLineProps): ReactNode {
  const { windowTitle } = elsewhere;
  return (
    <div className="bench-elsewhere" role="status" aria-label="Other window">
      <span>
        <b>{windowTitle} is running a benchmark</b>
        {progressText(elsewhere)}.{' '}
        {isWaiting
          ? 'Your run starts as soon as it finishes.'
          : 'Two at once would disturb each other, so only one window can measure at a time.'}
      </span>
      <Button size="small" onClick={() => void shell.bench.showElsewhere().catch(notifyFailure)}>
        <AppWindow size={13} aria-hidden /> Go to {windowTitle}
      </Button>
    </div>
  );
}

function progressText({ progress }: BenchElsewhere): string {
  if (!progress) return '';
  const left = progress.secondsLeft === null ? '' : `, about ${formatElapsed(progress.secondsLeft * 1000)} left`;
  return `, ${Math.floor(progress.share * 100)}%${left}`;
}
