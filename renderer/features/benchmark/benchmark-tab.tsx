// The tab that measures engines and shows what came of it: a run to set up, a result, the runs that are kept.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { notifyFailure } from '../../client/databases.ts';
import type { BenchmarkTab as Tab } from '../../client/slices/tabs.ts';
import { useStore } from '../../client/store.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { readChoice, useChoose } from './choice.ts';
import type { BenchChoice, Choose } from './choice.ts';
import type { Rerun } from './results/result-screen.tsx';
import { ResultScreen } from './results/result-screen.tsx';
import { CompareScreen } from './runs/compare-screen.tsx';
import { refreshRuns, useRunLibrary } from './runs/run-library.ts';
import { compareEntries, RunsScreen } from './runs/runs-screen.tsx';
import { useRun } from './runs/use-run.ts';
import { Segments } from './segments.tsx';
import './benchmark.css';

export function BenchmarkTab({ tab }: { readonly tab: Tab }): ReactNode {
  const choice = readChoice(tab.choice);
  const choose = useChoose(tab);
  const isConnected = useStore((state) => state.connection.status === 'connected');
  useEffect(() => {
    if (isConnected) void refreshRuns().catch(notifyFailure);
  }, [isConnected]);
  return (
    <div className="bench">
      <Heading choice={choice} choose={choose} />
      {choice.screen === 'result' && choice.run !== null ? (
        <KeptRun id={choice.run} choice={choice} choose={choose} />
      ) : (
        <RunsScreen choice={choice} choose={choose} />
      )}
    </div>
  );
}

interface PartProps {
  readonly choice: BenchChoice;
  readonly choose: Choose;
}

function Heading({ choice, choose }: PartProps): ReactNode {
  const { run } = useRun(choice.run);
  const screens = [
    ...(choice.run === null ? [] : [{ id: 'result' as const, label: 'Result' }]),
    { id: 'runs' as const, label: 'Kept runs' },
  ];
  const shown = choice.screen === 'result' && choice.run !== null ? 'result' : 'runs';
  return (
    <div className="bench-bar bench-heading">
      <Segments label="Benchmark" value={shown} options={screens} onChange={(screen) => choose({ screen })} />
      {shown === 'result' && run && (
        <>
          <b className="bench-title">{run.title}</b>
          {run.origin !== null && <span className="bench-origin">imported from {run.origin}</span>}
        </>
      )}
    </div>
  );
}

const NOT_HERE: Rerun = { why: 'It cannot be measured again', cell: () => undefined };

function KeptRun({ id, choice, choose }: PartProps & { readonly id: string }): ReactNode {
  const { run, result, error } = useRun(id);
  const other = useRun(choice.against);
  const runs = useRunLibrary((state) => state.runs) ?? [];
  if (error !== null) return <Message text={error} choose={choose} />;
  if (!run || !result) return <div className="bench-body" />;
  if (choice.against !== null && other.error !== null) return <Message text={other.error} choose={choose} />;
  if (choice.against !== null) {
    if (!other.run || !other.result) return <div className="bench-body" />;
    return (
      <CompareScreen
        before={{ title: other.run.title, result: other.result }}
        now={{ title: run.title, result }}
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
      rerun={NOT_HERE}
      actions={
        entries.length > 0 && <Menu align="end" entries={entries} trigger={<Button size="small">Compare</Button>} />
      }
    />
  );
}

function Message({ text, choose }: { readonly text: string; readonly choose: Choose }): ReactNode {
  return (
    <div className="center-message">
      <h1>This run cannot be shown</h1>
      <p>{text}</p>
      <Button onClick={() => choose({ screen: 'runs', run: null, against: null })}>Kept runs</Button>
    </div>
  );
}
