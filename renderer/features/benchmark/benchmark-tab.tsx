// The tab that measures engines and shows the results: the setup of a run, a result, the saved runs.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { notifyFailure } from '../../state/databases.ts';
import type { BenchmarkTab as Tab } from '../../workbench/tabs/benchmark.ts';
import { useStore } from '../../state/store.ts';
import { ChoiceRow } from '../../ui/choice-row.tsx';
import { readChoice, useChoose } from './choice.ts';
import type { BenchChoice, ScreenProps } from './choice.ts';
import { useRuns } from './run/run-store.ts';
import { refreshRuns, useRunLibrary } from './runs/run-library.ts';
import { RunsScreen } from './runs/runs-screen.tsx';
import { CurrentResult, KeptResult } from './runs/shown-result.tsx';
import { SetupScreen } from './setup/setup-screen.tsx';
import './benchmark.css';
import './results/results.css';

export function BenchmarkTab({ tab }: { readonly tab: Tab }): ReactNode {
  const choice = readChoice(tab.choice);
  const choose = useChoose(tab);
  const isConnected = useStore((state) => state.connection.status === 'connected');
  useEffect(() => {
    if (isConnected) void refreshRuns().catch(notifyFailure);
  }, [isConnected]);
  const hasCurrent = useRuns(({ current, unkept }) => current !== null || unkept !== null);
  const hasResult = choice.run !== null || hasCurrent;
  const screen = choice.screen === 'result' && !hasResult ? 'setup' : choice.screen;
  return (
    <div className="tab-page bench">
      <Heading choice={choice} choose={choose} screen={screen} hasResult={hasResult} />
      {screen === 'setup' && <SetupScreen choice={choice} choose={choose} />}
      {screen === 'runs' && <RunsScreen choice={choice} choose={choose} />}
      {screen === 'result' &&
        (choice.run === null ? (
          <CurrentResult choice={choice} choose={choose} />
        ) : (
          <KeptResult id={choice.run} choice={choice} choose={choose} />
        ))}
    </div>
  );
}

interface HeadingProps extends ScreenProps {
  readonly screen: BenchChoice['screen'];
  readonly hasResult: boolean;
}

function Heading({ choice, choose, screen, hasResult }: HeadingProps): ReactNode {
  const run = useRunLibrary(({ runs }) => runs?.find(({ id }) => id === choice.run) ?? null);
  const count = useRunLibrary(({ runs }) => runs?.length ?? 0);
  const current = useRuns((state) => state.current);
  const waiting = useRuns((state) => state.waiting);
  const isNotHere = current !== null && (screen !== 'result' || choice.run !== current.again);
  const screens = [
    { id: 'setup' as const, label: 'New run' },
    ...(hasResult ? [{ id: 'result' as const, label: 'Result' }] : []),
    { id: 'runs' as const, label: count > 0 ? `Kept runs (${count})` : 'Kept runs' },
  ];
  return (
    <div className="row gap-8 ruled-bar sunken bench-bar">
      <ChoiceRow
        role="radio"
        label="Benchmark"
        choices={screens}
        chosen={screen}
        onChoose={(next) => choose({ screen: next })}
      />
      {screen === 'result' && run && (
        <>
          <b className="cut shrink-x">{run.title}</b>
          {run.origin !== null && <span className="cut note">imported from {run.origin}</span>}
        </>
      )}
      <span className="fill-x" />
      {waiting && screen !== 'setup' && <span className="tiny warn-note bench-badge">waiting for another window</span>}
      {isNotHere && (
        <button
          type="button"
          className="tiny accent one-line bench-badge bench-running"
          onClick={() => choose({ screen: 'result', run: current.again, against: null })}
        >
          running, {Math.round((current.progress?.share ?? 0) * 100)}%
        </button>
      )}
    </div>
  );
}
