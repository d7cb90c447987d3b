// Makes one schema like the other: steps to choose from, their SQL, a trial on a copy, and the change with its report.
import type { ReactNode } from 'react';
import { capabilitiesOf, type EngineCapabilities } from '#shared/protocol/index.ts';
import { migrationScript } from '#shared/schema-diff/migration-script.ts';
import type { MigrationStep } from '#shared/schema-diff/migration.ts';
import { realChanges, type ObjectDifference } from '#shared/schema-diff/compare-schemas.ts';
import type { Remaining } from '#shared/schema-diff/remaining.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { Button } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { phaseText } from '../../ui/progress-text.ts';
import { Running } from '../../ui/run-bar.tsx';
import { useCommand } from '../../workbench/commands/commands.ts';
import { whyNoTransactions } from '../../workbench/databases/no-transactions.ts';
import { changeLabel } from '../../workbench/objects/table-change-labels.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import {
  ChangeDecision,
  isSound,
  notSavedYet,
  SchemaChangeFacts,
} from '../../workbench/objects/schema-change-facts.tsx';
import type { SchemaCompareTab } from '../../workbench/tabs/schema-compare.ts';
import type { MigrationResult, MigrationSession, MigrationView } from './migration-session.ts';
import { useSideName } from './side-choice.tsx';

interface MigrationPartProps {
  readonly tab: SchemaCompareTab;
  readonly session: MigrationSession;
}

interface PartProps {
  readonly session: MigrationSession;
  readonly view: MigrationView;
  readonly names: { readonly from: string; readonly to: string };
}

export function MigrationPart({ tab, session }: MigrationPartProps): ReactNode {
  const view = session.useView();
  const names = { from: useSideName(tab.from), to: useSideName(tab.to) };
  const isRunning = view.phase === 'trying' || view.phase === 'running';
  useCommand('work.stop', () => session.stop(), isRunning);
  if (!view.goal)
    return (
      <CenterMessage
        title="Only a database can be changed"
        text={
          tab.from.before
            ? 'The left side is an earlier version. Swap the sides.'
            : 'The left side is a file that is only read. Open it as a database, or swap the sides.'
        }
      />
    );
  if (view.steps.length === 0)
    return (
      <CenterMessage
        title="There is nothing to change"
        text={`“${names.from}” already matches “${names.to}” in everything that a migration changes.`}
      />
    );
  const props = { session, view, names };
  return (
    <div className="fill schema-diff-body">
      <Steps {...props} />
      <div className="stack shrink-x shrink-y">
        {view.result ? <Report {...props} result={view.result} /> : <Planned {...props} isRunning={isRunning} />}
      </div>
    </div>
  );
}

function Steps({ session, view }: PartProps): ReactNode {
  const { steps, chosen, phase } = view;
  return (
    <ul
      className="sunken shrink-y flush inner-focus migration-steps"
      aria-label="Steps"
      tabIndex={0}
      inert={phase !== 'choosing'}
    >
      {steps.map((step) => (
        <li key={step.id}>
          <label>
            <input
              type="checkbox"
              checked={chosen.has(step.id)}
              onChange={(event) => session.choose(step.id, event.target.checked)}
            />
            <span>{stepLabel(step)}</span>
            {step.losesData && <span className="fixed tiny strong migration-loss">Loses data</span>}
          </label>
          <Details step={step} />
        </li>
      ))}
    </ul>
  );
}

function Details({ step }: { readonly step: MigrationStep }): ReactNode {
  const details = stepDetails(step);
  if (details.length === 0) return null;
  return (
    <ul>
      {details.map((detail) => (
        <li key={detail}>{detail}</li>
      ))}
    </ul>
  );
}

const NO_SCRIPT_ON_SERVER =
  'A server does not accept these statements one by one: it keeps foreign keys on, so that dropping a table could delete rows of others. Apply rebuilds the table in another way.';
const NO_TRIAL_ON_SERVER =
  'A server provides no copy of its file to try this on. Copy the database into the library, and compare the copy.';

function whyNotByHand(can: EngineCapabilities, statements: readonly string[] | null): string | null {
  const isRebuilt = statements?.some((sql) => sql.includes('legacy_alter_table')) === true;
  return !can.connectionSettings && isRebuilt ? NO_SCRIPT_ON_SERVER : null;
}

function Planned({ session, view, names, isRunning }: PartProps & { readonly isRunning: boolean }): ReactNode {
  const { statements, statementsFailure, failure, trial, phase, goal } = view;
  const count = session.changes.length;
  const script = statements && migrationScript(`Changes “${names.from}” to match “${names.to}”.`, statements);
  const why = count === 0 ? 'No steps are selected.' : null;
  const can = capabilitiesOf(goal!.database);
  const whyNoScript = why ?? (script === null ? 'The statements are not available.' : null);
  return (
    <>
      <div className="migration-bar">
        {isRunning ? (
          <Progress session={session} view={view} />
        ) : (
          <>
            <Button
              size="small"
              why={why ?? (can.file ? null : NO_TRIAL_ON_SERVER)}
              title={`Copies “${names.from}” with all its rows, changes the copy, and then removes it`}
              onClick={() => void session.tryOnCopy()}
            >
              Try on a copy
            </Button>
            <Button
              size="small"
              variant="primary"
              why={why ?? whyNoTransactions(goal!.database)}
              title={can.local ? undefined : 'Makes the changes on the server, checks them, and saves them at once'}
              onClick={() => void session.apply()}
            >
              Apply
            </Button>
            <span className="grow" />
            <Button
              size="small"
              why={whyNoScript ?? whyNotByHand(can, statements)}
              onClick={() => void openQuery(goal!.database, { title: 'Migration', sql: script! })}
            >
              Open in SQL tab
            </Button>
            <Button size="small" why={whyNoScript} onClick={() => void saveScript(script!, names.from)}>
              Save as .sql…
            </Button>
          </>
        )}
      </div>
      {failure && (
        <p className="error-note fixed break-words migration-failure" role="alert">
          {failure}
        </p>
      )}
      <div className="fill inner-focus migration-outcome" role="region" aria-label="Outcome" tabIndex={0}>
        {trial && <Outcome what="The copy" result={trial} goal={names.to} />}
        {statementsFailure && !failure && (
          <p className="schema-diff-note">This failed on a copy with one row of each table: {statementsFailure}</p>
        )}
        {script && phase === 'choosing' && <pre className="small break-words flush migration-sql">{script}</pre>}
      </div>
    </>
  );
}

function Outcome({
  what,
  result: { report, remaining },
  goal,
}: {
  readonly what: string;
  readonly result: MigrationResult;
  readonly goal: string;
}): ReactNode {
  return (
    <>
      <FactList label={what} isInset>
        <Fact tone={remaining.unexpected.length === 0 ? 'good' : 'warning'}>
          {remainingLabel(what, remaining, goal)}
        </Fact>
      </FactList>
      <SchemaChangeFacts report={report} />
    </>
  );
}

function Report({ session, view, names, result }: PartProps & { readonly result: MigrationResult }): ReactNode {
  const isGood = isSound(result.report) && result.remaining.unexpected.length === 0;
  return (
    <>
      <div className="migration-bar">
        <ChangeDecision isGood={isGood} isBusy={view.phase !== 'report'} onFinish={(keep) => session.finish(keep)} />
      </div>
      <div className="fill inner-focus migration-outcome" role="region" aria-label="Outcome" tabIndex={0}>
        <p className="schema-diff-note">{notSavedYet(result.report.timeMs)}</p>
        <Outcome what={`“${names.from}”`} result={result} goal={names.to} />
      </div>
    </>
  );
}

const Progress = ({ session, view }: Omit<PartProps, 'names'>): ReactNode => (
  <Running
    work={view}
    text={phaseText(view.progress, view.phase === 'trying' ? 'Trying on a copy' : 'Changing the schema')}
    stopTitle="Stop without changing anything"
    onStop={() => session.stop()}
  />
);

async function saveScript(script: string, name: string): Promise<void> {
  try {
    const target = await shell.chooseSaveTarget(`${name.replace(/\.\w+$/, '')}-migration.sql`);
    if (!target) return;
    await client.call('export.bytes', { sink: target.token, bytes: new TextEncoder().encode(script) });
    notify({ tone: 'success', text: `The migration was saved to ${target.fileName}.` });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

// The steps of a migration, and its result, in words.

const KINDS: Readonly<Record<ObjectDifference['kind'], string>> = {
  table: 'table',
  virtual: 'virtual table',
  view: 'view',
  index: 'index',
  trigger: 'trigger',
};

const nameOf = ({ kind, name }: Pick<ObjectDifference, 'kind' | 'name'>): string =>
  `${KINDS[kind]} “${visibleName(name)}”`;

function stepLabel({ difference, column, setting }: MigrationStep): string {
  if (setting) return `Set ${setting.name} to ${setting.value}`;
  const object = difference!;
  if (column !== null) return `Drop the column “${visibleName(column)}” from “${visibleName(object.name)}”`;
  if (object.status === 'added') return `Create the ${nameOf(object)}`;
  if (object.status === 'removed') return `Drop the ${nameOf(object)}`;
  const isReplaced = object.kind !== 'table' || object.from?.kind !== 'table';
  return isReplaced ? `Drop and create the ${nameOf(object)}` : `Change the ${nameOf(object)}`;
}

/** The changes within a table, without columns that are steps of their own. */
function stepDetails({ difference, column }: MigrationStep): readonly string[] {
  if (!difference?.table || column !== null) return [];
  return realChanges(difference.table)
    .filter(({ kind }) => kind !== 'drop-column')
    .map(changeLabel);
}

/** @param what “The copy” */
function remainingLabel(what: string, { leftOut, unexpected }: Remaining, goal: string): string {
  const list = (objects: readonly ObjectDifference[]): string => objects.map(nameOf).join(', ');
  if (unexpected.length > 0) return `${what} still differs from “${goal}”: ${list(unexpected)}.`;
  if (leftOut.length > 0) return `${what} now matches “${goal}” except for what you left out: ${list(leftOut)}.`;
  return `${what} now matches “${goal}”.`;
}
