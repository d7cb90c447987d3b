// Setup of a run: suites and sizes, engines, profile and rounds, with the time it may take, and the button that starts it.
import { AppWindow, Play } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { referenceOf, engineOf } from '#shared/bench/engines.ts';
import type { OwnQuery } from '#shared/bench/protocol.ts';
import type { BenchElsewhere } from '#shared/bench/shell.ts';
import { AppError, toAppError } from '#shared/protocol/index.ts';
import { nextStatement } from '#shared/split-statements.ts';
import { APP_SUITES } from '../runner/app-suites/all.ts';
import { client } from '../../../connection/database-client.ts';
import { isDesktop, shell } from '../../../connection/shell.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { useStore } from '../../../state/store.ts';
import { Button } from '../../../ui/button.tsx';
import { formatElapsed, plural } from '../../../ui/format.ts';
import { runJob } from '../../../workbench/jobs.ts';
import type { BenchSetup, ScreenProps } from '../choice.ts';
import { readFacts } from '../runs/run-facts.ts';
import { useRunLibrary } from '../runs/run-library.ts';
import { startRunInTurn, stopWaiting, useRuns } from '../run/run-store.ts';
import { EngineChoice } from './engine-choice.tsx';
import { HowChoice } from './how-choice.tsx';
import { estimateSeconds, planOf, whyNotYet } from './plan.ts';
import type { Availability } from './plan.ts';
import { SuiteChoice } from './suite-choice.tsx';
import './setup-screen.css';

export function SetupScreen({ choice, choose }: ScreenProps): ReactNode {
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

interface ElsewhereLineProps {
  readonly elsewhere: BenchElsewhere;
  /** A run of this window begins when that one is done. */
  readonly isWaiting: boolean;
}

/** Another window is measuring: which one, its progress, and the way there. */
function ElsewhereLine({ elsewhere, isWaiting }: ElsewhereLineProps): ReactNode {
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

/** Checked before anything is copied. @throws AppError `invalid` with what is wrong with the SQL, `too-big` */
async function ownQuery(database: string, sql: string): Promise<OwnQuery> {
  if (nextStatement(sql, 0) === null) throw invalid('There is no statement in it, so there is nothing to measure.');
  const [problem] = await client.call('query.check', { database, sql });
  if (problem) throw invalid(`This SQL would fail on every engine: ${problem.message}`);
  const file = await runJob('Copying the database for the benchmark', (options) =>
    client.call('benchmark.databaseFile', { database }, options),
  );
  return { sql, file };
}

const invalid = (message: string): AppError => new AppError({ code: 'invalid', message });
