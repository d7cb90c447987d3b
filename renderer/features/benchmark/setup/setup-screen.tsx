// Setup of a run: suites and sizes, engines, profile and rounds, with the time it may take, and the button that starts it.
import { Play } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { referenceOf, engineOf } from '#shared/bench/engines.ts';
import { toAppError } from '#shared/protocol/index.ts';
import { APP_SUITES } from '../runner/app-suites/all.ts';
import { isDesktop } from '../../../connection/shell.ts';
import { useStore } from '../../../state/store.ts';
import { Button } from '../../../ui/button.tsx';
import { plural } from '../../../ui/format.ts';
import type { BenchChoice, BenchSetup, Choose } from '../choice.ts';
import { readFacts } from '../runs/run-facts.ts';
import { useRunLibrary } from '../runs/run-library.ts';
import { ElsewhereLine } from '../run/elsewhere.tsx';
import { startRunInTurn, stopWaiting, useRuns } from '../run/run-store.ts';
import type { Availability } from './availability.ts';
import { EngineChoice } from './engine-choice.tsx';
import { HowChoice } from './how-choice.tsx';
import { ownQuery } from './own-query.ts';
import { estimateSeconds, planOf, whyNotYet } from './plan.ts';
import { SuiteChoice } from './suite-choice.tsx';
import './setup-screen.css';

interface SetupScreenProps {
  readonly choice: BenchChoice;
  readonly choose: Choose;
}

export function SetupScreen({ choice, choose }: SetupScreenProps): ReactNode {
  const { setup } = choice;
  const database = useStore((state) => state.currentDatabase);
  const databaseName = useStore((state) => (database && state.openDatabases[database]?.entry.name) ?? null);
  const { refused, failure, current, waiting } = useRuns();
  const elsewhere = useStore((state) => state.measuringElsewhere);
  const runs = useRunLibrary((state) => state.runs);
  const availability: Availability = { isDesktop, appSuites: Object.keys(APP_SUITES), databaseName, refused };
  const change = (patch: Partial<BenchSetup>): void => choose({ setup: { ...setup, ...patch } });
  const plan = planOf(setup, availability);
  const why = current ? 'A benchmark is running.' : whyNotYet(setup, plan);
  const engines = new Set(plan.engines.flatMap((id) => [id, referenceOf(engineOf(id)!, plan.profile)]));
  const known = (runs ?? []).filter(({ origin }) => origin === null).map(({ facts }) => readFacts(facts));
  const time = timeText(estimateSeconds(setup, engines.size, plan.suites, known), setup.quick);
  const [refusal, setRefusal] = useState<string | null>(null);
  const begin = async (): Promise<void> => {
    setRefusal(null);
    try {
      const own = plan.suites.includes('own-query') && database ? await ownQuery(database, setup.sql) : null;
      if (elsewhere === null) choose({ screen: 'result', run: null, against: null, suite: null });
      startRunInTurn({ plan, own });
    } catch (thrown) {
      setRefusal(toAppError(thrown).message);
    }
  };
  return (
    <form
      className="bench-setup"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === null) void begin();
      }}
    >
      <div className="bench-setup-columns">
        <div>
          <SuiteChoice setup={setup} change={change} availability={availability} />
          <HowChoice setup={setup} change={change} />
        </div>
        <EngineChoice setup={setup} change={change} availability={availability} />
      </div>
      <footer className="bench-setup-foot">
        <Problem text={refusal ?? (failure && `The last run failed: ${failure}`)} />
        {elsewhere && <ElsewhereLine elsewhere={elsewhere} isWaiting={waiting !== null} />}
        <div className="bench-setup-summary">
          <span role="status">
            {why ?? `${plural(plan.suites.length, 'suite')} on ${plural(engines.size, 'engine')}${time}`}
          </span>
          <small>Close other programs and plug in the machine: both affect the results.</small>
        </div>
        <Begin why={why} isWaiting={waiting !== null} comesAfter={elsewhere !== null} />
      </footer>
    </form>
  );
}

function Problem({ text }: { readonly text: string | null }): ReactNode {
  return (
    text !== null && (
      <p className="bench-setup-failure" role="alert">
        {text}
      </p>
    )
  );
}

interface BeginProps {
  readonly why: string | null;
  readonly isWaiting: boolean;
  /** Another window has to finish first. */
  readonly comesAfter: boolean;
}

function Begin({ why, isWaiting, comesAfter }: BeginProps): ReactNode {
  if (isWaiting) return <Button onClick={stopWaiting}>Stop waiting</Button>;
  return (
    <Button type="submit" variant="primary" disabled={why !== null}>
      <Play size={13} aria-hidden /> {comesAfter ? 'Run when it finishes' : 'Run'}
    </Button>
  );
}

function timeText(seconds: number | null, quick: boolean): string {
  if (seconds === null) return '; how long it takes is known after a first run';
  const minutes = Math.round(seconds / 60);
  const about = `, about ${minutes < 1 ? 'half a minute' : plural(minutes, 'minute')}`;
  return quick ? `${about} at most` : about;
}
