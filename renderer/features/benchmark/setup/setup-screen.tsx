// Setup of a run: suites and sizes, engines, profile and rounds, with the time it may take, and the button that starts it.
import { AppWindow, Play } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { engineOf, ENGINES, profileOf, referenceOf } from '#shared/bench/engines.ts';
import type { EngineDefinition } from '#shared/bench/engines.ts';
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
import { CheckBox } from '../../../ui/check-box.tsx';
import { ChoiceRow } from '../../../ui/choice-row.tsx';
import { formatCount, formatElapsed, plural } from '../../../ui/format.ts';
import { whyNotUnencrypted } from '../../../workbench/databases/not-encrypted.ts';
import { runJob } from '../../../workbench/jobs.ts';
import { MOST_ROUNDS } from '../choice.ts';
import type { BenchSetup, ScreenProps } from '../choice.ts';
import { readFacts } from '../runs/run-facts.ts';
import { useRunLibrary } from '../runs/run-library.ts';
import { startRunInTurn, stopWaiting, useRuns } from '../run/run-store.ts';
import { engineLabel } from '../results/labels.ts';
import { ENGINE_GROUPS, estimateSeconds, planOf, sizesOf, whyNoEngine, whyNoSuite, whyNotYet } from './plan.ts';
import type { Availability } from './plan.ts';
import { SUITES } from '#shared/bench/suites.ts';
import type { SuiteDefinition, SuiteId } from '#shared/bench/suites.ts';
import { PRAGMA_NAMES, PROFILES } from '#shared/bench/profile.ts';
import type { ProfileName } from '#shared/bench/profile.ts';

const PROFILE_OPTIONS: readonly { readonly id: ProfileName; readonly label: string; readonly title: string }[] = [
  { id: 'balanced', label: 'Balanced', title: 'Survives an app crash; a power loss can lose the last commits.' },
  { id: 'full', label: 'Full', title: 'Each commit is on disk when it is confirmed.' },
  { id: 'memory', label: 'Memory', title: 'Nothing is saved.' },
];

const LENGTHS = [
  { id: 'quick', label: 'Quick', title: 'One size and few rounds: about a minute per suite, wide intervals' },
  { id: 'full', label: 'Thorough', title: 'As many rounds as each test needs for its length' },
] as const;

function HowChoice({ setup, change }: Omit<ChoiceProps, 'availability'>): ReactNode {
  const profile = PROFILES[setup.profile];
  return (
    <fieldset className="flush shrink-x bench-choice">
      <legend>How to measure</legend>
      <div className="bench-how">
        <span className="dim">Length</span>
        <ChoiceRow
          role="radio"
          label="Length"
          chosen={setup.quick ? 'quick' : 'full'}
          choices={LENGTHS}
          onChoose={(length) => change({ quick: length === 'quick' })}
        />
        <span className="dim">Rounds</span>
        <Rounds rounds={setup.rounds} onChange={(rounds) => change({ rounds })} />
        <span className="dim">Profile</span>
        <ChoiceRow
          role="radio"
          label="Profile"
          chosen={setup.profile}
          choices={PROFILE_OPTIONS}
          onChoose={(name) => change({ profile: name })}
        />
      </div>
      <p className="note bench-note">
        {PROFILE_OPTIONS.find(({ id }) => id === setup.profile)!.title} The same on every engine, and verified:{' '}
        {PRAGMA_NAMES.map((name) => `${name} ${String(profile[name])}`).join(', ')}.
      </p>
      <p className="note bench-note">
        Engines take turns in each round, every sample gets a fresh database, and results are compared: a different
        result voids the cell.
      </p>
    </fieldset>
  );
}

interface RoundsProps {
  readonly rounds: number | null;
  readonly onChange: (rounds: number | null) => void;
}

/** Leaves the text alone while the user is typing; only valid numbers are used. */
function Rounds({ rounds, onChange }: RoundsProps): ReactNode {
  const [text, setText] = useState(rounds === null ? '' : String(rounds));
  return (
    <input
      className="text-field bench-number-field bench-rounds"
      type="number"
      min={1}
      max={MOST_ROUNDS}
      placeholder="automatic"
      aria-label="Rounds (empty: as many as each test needs)"
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const number = Math.floor(Number(target.value));
        onChange(target.value.trim() === '' || !(number >= 1 && number <= MOST_ROUNDS) ? null : number);
      }}
    />
  );
}

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
  const problem = refusal ?? (failure && `The last run failed: ${failure}`);
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
      className="fill stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === null) void begin();
      }}
    >
      <div className="fill scroll bench-setup-columns">
        <div>
          <SuiteChoice setup={setup} change={change} availability={availability} />
          <HowChoice setup={setup} change={change} />
        </div>
        <EngineChoice setup={setup} change={change} availability={availability} />
      </div>
      <footer className="row wrap sunken bench-setup-foot">
        {problem !== null && (
          <p className="error full-width" role="alert">
            {problem}
          </p>
        )}
        {elsewhere && <ElsewhereLine elsewhere={elsewhere} isWaiting={waiting !== null} />}
        <div className="stack fill-x">
          <span role="status">
            {why ?? `${plural(plan.suites.length, 'suite')} on ${plural(engines.size, 'engine')}${time}`}
          </span>
          <small className="note">Close other programs and plug in the machine: both affect the results.</small>
        </div>
        <Begin why={why} isWaiting={waiting !== null} label={elsewhere ? 'Run when it finishes' : 'Run'} />
      </footer>
    </form>
  );
}

function Begin({ why, isWaiting, label }: { why: string | null; isWaiting: boolean; label: string }): ReactNode {
  if (isWaiting) return <Button onClick={stopWaiting}>Stop waiting</Button>;
  return (
    <Button type="submit" variant="primary" disabled={why !== null}>
      <Play size={13} aria-hidden /> {label}
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
    <div className="row wrap full-width gap-12 bench-aside bench-elsewhere" role="status" aria-label="Other window">
      <span className="fill-x">
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
  if (nextStatement(sql, 0) === null)
    throw AppError.invalid('There is no statement in it, so there is nothing to measure.');
  const [problem] = await client.call('query.check', { database, sql });
  if (problem) throw AppError.invalid(`This SQL would fail on every engine: ${problem.message}`);
  const whyNot = whyNotUnencrypted(database, 'benchmark');
  if (whyNot !== null) throw AppError.unavailable(whyNot);
  const file = await runJob('Copying the database for the benchmark', (options) =>
    client.call('benchmark.databaseFile', { database }, options),
  );
  return { sql, file };
}

/** Engines in groups, each with a sentence; those that are missing say why. */
function EngineChoice({ setup, change, availability }: ChoiceProps): ReactNode {
  const chosen = setup.engines;
  const toggle = (id: EngineDefinition['id'], isChosen: boolean): void =>
    change({
      engines: ENGINES.map((engine) => engine.id).filter((each) => (each === id ? isChosen : chosen.includes(each))),
    });
  const references = new Set(
    ENGINES.filter((engine) => chosen.includes(engine.id) && whyNoEngine(engine, availability) === null).map((engine) =>
      referenceOf(engine, setup.profile),
    ),
  );
  const added = [...references].filter((id) => !chosen.includes(id));
  return (
    <fieldset className="flush shrink-x bench-choice">
      <legend>Engines</legend>
      {ENGINE_GROUPS.map(({ title, isFolded, engines }) => (
        <details
          key={title}
          className="bench-group"
          role="group"
          aria-label={title}
          open={!isFolded || engines.some(({ id }) => chosen.includes(id))}
        >
          <summary className="note strong">
            {title} <small className="fine-print">{plural(engines.length, 'engine')}</small>
          </summary>
          {engines.map((engine) => {
            const why = whyNoEngine(engine, availability);
            const profile = profileOf(engine, setup.profile);
            return (
              <Option
                key={engine.id}
                isChosen={chosen.includes(engine.id)}
                why={why}
                onToggle={(isChosen) => toggle(engine.id, isChosen)}
              >
                <b>{engine.label}</b>
                {profile !== setup.profile && (
                  <i className="tiny accent" title={`Measured with the profile ${profile}`}>
                    {profile}
                  </i>
                )}
                {references.has(engine.id) && <i className="tiny accent">reference</i>}
                <small className="note">{engine.description}</small>
              </Option>
            );
          })}
        </details>
      ))}
      {added.length > 0 && (
        <p className="note bench-note">
          {added.map(engineLabel).join(' and ')} {added.length === 1 ? 'is' : 'are'} measured too, as the baseline for
          ratios.
        </p>
      )}
    </fieldset>
  );
}

interface OptionProps {
  readonly isChosen: boolean;
  /** Why it cannot be chosen; null: it can. */
  readonly why: string | null;
  readonly onToggle: (isChosen: boolean) => void;
  readonly children: ReactNode;
}

/** The check box of an engine or a suite, and what is said about it. */
function Option({ isChosen, why, onToggle, children }: OptionProps): ReactNode {
  const label = (
    <span>
      {children}
      {why !== null && <em className="small warn">{why}</em>}
    </span>
  );
  return (
    <CheckBox
      className="form-check hover-row bench-option"
      label={label}
      checked={isChosen && why === null}
      disabled={why !== null}
      onChange={onToggle}
    />
  );
}

interface ChoiceProps {
  readonly setup: BenchSetup;
  readonly change: (patch: Partial<BenchSetup>) => void;
  readonly availability: Availability;
}

/** Suites with their sizes, and the text of the user's own query. */
function SuiteChoice({ setup, change, availability }: ChoiceProps): ReactNode {
  const toggle = (id: SuiteId, isChosen: boolean): void =>
    change({
      suites: SUITES.map((suite) => suite.id).filter((each) => (each === id ? isChosen : setup.suites.includes(each))),
    });
  return (
    <fieldset className="flush shrink-x bench-choice">
      <legend>What to measure</legend>
      {SUITES.map((suite) => {
        const why = whyNoSuite(suite, availability);
        const isChosen = setup.suites.includes(suite.id) && why === null;
        return (
          <div key={suite.id}>
            <Option isChosen={isChosen} why={why} onToggle={(wanted) => toggle(suite.id, wanted)}>
              <b>{suite.title}</b> <code className="tiny faint">{suite.id}</code>
              <small className="note">{suite.question}</small>
              {suite.source !== null && <small className="fine-print">based on {suite.source}</small>}
            </Option>
            {isChosen && suite.sizes.length > 1 && <Sizes suite={suite} setup={setup} change={change} />}
            {isChosen && suite.id === 'own-query' && (
              <OwnSql setup={setup} change={change} availability={availability} />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

function Sizes({
  suite,
  setup,
  change,
}: Omit<ChoiceProps, 'availability'> & { readonly suite: SuiteDefinition }): ReactNode {
  const chosen = sizesOf(setup, suite.id);
  const toggle = (size: number): void => {
    const next = suite.sizes.filter((each) => (each === size ? !chosen.includes(size) : chosen.includes(each)));
    change({ sizes: { ...setup.sizes, [suite.id]: next } });
  };
  return (
    <div className="row gap-5 wrap note bench-sizes" role="group" aria-label={`Sizes of ${suite.title}`}>
      {suite.sizes.map((size) => (
        <button key={size} type="button" aria-pressed={chosen.includes(size)} onClick={() => toggle(size)}>
          {formatCount(size)}
        </button>
      ))}
      <span>{suite.sizeUnit}; each chosen size is measured</span>
      {setup.sizes[suite.id] && (
        <button
          type="button"
          className="text-link"
          onClick={() => {
            const { [suite.id]: _usual, ...sizes } = setup.sizes;
            change({ sizes });
          }}
        >
          default{' '}
        </button>
      )}
    </div>
  );
}

function OwnSql({ setup, change, availability }: ChoiceProps): ReactNode {
  return (
    <label className="stack bench-own">
      <small className="note">
        Runs on a copy of “{availability.databaseName}” in each engine; the database itself is not changed.
      </small>
      <textarea
        className="text-field full-width"
        rows={4}
        spellCheck={false}
        aria-label="SQL to measure"
        placeholder="SELECT …"
        value={setup.sql}
        onChange={({ target }) => change({ sql: target.value })}
      />
    </label>
  );
}
