// A run on screen: the one in progress, one that could not be saved, or a saved one, by itself or compared with another.
import type { ReactNode } from 'react';
import { useStore } from '../../../state/store.ts';
import { Button } from '../../../ui/button.tsx';
import { formatWhen } from '../../../ui/format.ts';
import { Menu } from '../../../ui/menu.tsx';
import type { Choose, ScreenProps } from '../choice.ts';
import { ResultScreen } from '../results/result-screen.tsx';
import { rerunOf } from '../run/rerun.ts';
import { RunStrip } from '../run/run-strip.tsx';
import { keepResult, useRuns } from '../run/run-store.ts';
import { CompareScreen } from './compare-screen.tsx';
import { titleOf } from './run-facts.ts';
import { useRun, useRunLibrary } from './run-library.ts';
import { compareEntries } from './runs-screen.tsx';

export function CurrentResult({ choice, choose }: ScreenProps): ReactNode {
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

export function KeptResult({ id, choice, choose }: ScreenProps & { readonly id: string }): ReactNode {
  const { run, result, error } = useRun(id);
  const other = useRun(choice.against);
  const runs = useRunLibrary((state) => state.runs) ?? [];
  const current = useRuns((state) => state.current);
  const elsewhere = useStore((state) => state.measuringElsewhere);
  const failed = error ?? (choice.against === null ? null : other.error);
  if (failed !== null) return <Message text={failed} choose={choose} />;
  if (!run || !result) return <div className="bench-body" />;
  if (choice.against !== null) {
    if (!other.run || !other.result) return <div className="bench-body" />;
    return (
      <CompareScreen
        before={{ title: other.run.title, when: formatWhen(other.run.savedAtMs), result: other.result }}
        now={{ title: run.title, when: formatWhen(run.savedAtMs), result }}
        choice={choice}
        choose={choose}
      />
    );
  }
  const entries = compareEntries(run, runs, choose).filter((entry) => entry !== 'separator');
  return (
    <ResultScreen
      key={id}
      result={result}
      title={run.title}
      choice={choice}
      choose={choose}
      rerun={rerunOf(run, result, current ? 'here' : elsewhere)}
      progress={current?.again === id && <RunStrip current={current} />}
      actions={
        entries.length > 0 && <Menu align="end" entries={entries} trigger={<Button size="small">Compare</Button>} />
      }
    />
  );
}

function Message({ text, choose }: { readonly text: string; readonly choose: Choose }): ReactNode {
  return (
    <div className="center-message">
      <h2>This run cannot be shown</h2>
      <p>{text}</p>
      <Button onClick={() => choose({ screen: 'runs', run: null, against: null })}>Kept runs</Button>
    </div>
  );
}
