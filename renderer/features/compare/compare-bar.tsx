// The bar between the text and the comparison: compare, stop, the current task, and which part is shown.
import { Columns2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import type { ComparePart } from '../../workbench/tabs/compare.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceRow } from '../../ui/choice-row.tsx';
import type { Choice } from '../../ui/choice-row.tsx';
import { amountText, shareOf } from '../../ui/progress-text.ts';
import { RunBar, RunProgress } from '../../ui/run-bar.tsx';
import { useElapsed } from '../../ui/use-elapsed.ts';
import type { CompareView, RunningCompare } from './compare-view.ts';

/** Anything shorter is over before a button can be pressed. */
const SHOWN_FROM_MS = 400;

const PARTS: readonly Choice<ComparePart>[] = [
  { id: 'rows', label: 'Rows' },
  { id: 'plans', label: 'Plans' },
  { id: 'times', label: 'Times' },
  { id: 'engines', label: 'Engines' },
];

interface CompareBarProps {
  readonly view: CompareView;
  readonly part: ComparePart;
  readonly onPart: (part: ComparePart) => void;
  readonly onCompare: () => void;
  readonly onStop: () => void;
}

export function CompareBar({ view, part, onPart, onCompare, onStop }: CompareBarProps): ReactNode {
  const { running } = view;
  const elapsedMs = useElapsed(running?.startedAtMs ?? null);
  const isShown = running !== null && elapsedMs !== null && elapsedMs >= SHOWN_FROM_MS;
  return (
    <RunBar label="Comparison">
      <Button
        size="small"
        variant="primary"
        disabled={running !== null}
        onClick={onCompare}
        title="Runs the selection, or all of the text, on both engines"
      >
        <Columns2 size={14} aria-hidden /> Compare <kbd>{commandKeyLabel('query.run')}</kbd>
      </Button>
      {isShown && (
        <RunProgress
          text={progressText(running)}
          share={shareOf(running.progress)}
          elapsedMs={elapsedMs}
          stopping={running.stopping}
          stopTitle={`Stop (${commandKeyLabel('work.stop')}). One step of the native engine cannot be interrupted: then the status bar offers to restart it.`}
          onStop={onStop}
        />
      )}
      <ChoiceRow
        className="part-tabs compare-parts"
        label="Parts of the comparison"
        choices={PARTS}
        chosen={part}
        onChoose={onPart}
      />
    </RunBar>
  );
}

const progressText = ({ title, progress }: RunningCompare): string =>
  progress ? `${title}, ${amountText(progress)}` : title;
