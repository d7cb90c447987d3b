// The run in progress, its progress and its results so far; or a run that could not be saved.
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import type { BenchChoice, Choose } from '../choice.ts';
import { ResultScreen } from '../results/result-screen.tsx';
import { titleOf } from '../runs/run-facts.ts';
import { RunStrip } from './run-strip.tsx';
import { keepResult, useRuns } from './run-store.ts';

interface CurrentResultProps {
  readonly choice: BenchChoice;
  readonly choose: Choose;
}

export function CurrentResult({ choice, choose }: CurrentResultProps): ReactNode {
  const { current, unkept } = useRuns();
  const result = current?.result ?? unkept;
  if (!result) return null;
  const strip = current && <RunStrip current={current} />;
  if (result.cells.length === 0) {
    return (
      <>
        {strip}
        <div className="center-message">
          <p>
            {current
              ? 'Measuring the first test. A cell appears as soon as all engines have finished it.'
              : 'The run was stopped before anything was measured.'}
          </p>
        </div>
      </>
    );
  }
  return (
    <ResultScreen
      result={result}
      title={titleOf(result)}
      choice={choice}
      choose={choose}
      rerun={{
        why: current ? 'A benchmark is running. Wait for it to finish, or stop it.' : 'This run is not kept yet.',
        cell: () => undefined,
      }}
      progress={strip}
      actions={
        unkept &&
        !current && (
          <Button
            size="small"
            variant="primary"
            onClick={() => void keepResult(unkept, { id: null, origin: null, title: titleOf(unkept) })}
          >
            Keep this run
          </Button>
        )
      }
    />
  );
}
