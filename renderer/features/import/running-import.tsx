// An import, or the reading of a file, in progress: its progress, the time left, and Stop.
import type { ReactNode } from 'react';
import { amountText, shareOf, timeLeftText } from '../../ui/progress-text.ts';
import { RunProgress } from '../../ui/run-bar.tsx';
import { useElapsed } from '../../ui/use-elapsed.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import type { ShownWork } from '../../workbench/jobs.ts';

interface RunningImportProps {
  readonly running: ShownWork;
  readonly onStop: () => void;
}

export function RunningImport({ running, onStop }: RunningImportProps): ReactNode {
  const { progress, startedAtMs, stopping } = running;
  const elapsedMs = useElapsed(startedAtMs);
  const leftMs = useTimeLeft(progress, elapsedMs ?? 0);
  const parts = [
    progress?.phase ?? 'Importing',
    progress && amountText(progress),
    leftMs !== null && timeLeftText(leftMs),
  ];
  return (
    <RunProgress
      text={parts.filter(Boolean).join(' · ')}
      share={shareOf(progress)}
      elapsedMs={elapsedMs ?? 0}
      stopping={stopping}
      stopTitle={`Stop (${commandKeyLabel('work.stop') ?? ''})`}
      onStop={onStop}
    />
  );
}
