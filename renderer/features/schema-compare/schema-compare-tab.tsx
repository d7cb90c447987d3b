// A tab that compares two schemas: the two sides, what is shown, and the differences.
import { ArrowLeftRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { countDifferences, realChanges } from '#shared/schema-diff/compare-schemas.ts';
import type { SchemaDifference, ObjectDifference } from '#shared/schema-diff/compare-schemas.ts';
import { updateTab, notify } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { ChoiceRow } from '../../ui/choice-row.tsx';
import { formatCount } from '../../ui/format.ts';
import { phaseText } from '../../ui/progress-text.ts';
import { RunBar, Running } from '../../ui/run-bar.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useCommand } from '../../workbench/commands/commands.ts';
import { SCHEMA_COMPARE_PARTS } from '../../workbench/tabs/schema-compare.ts';
import type { SchemaCompareTab, SchemaComparePart } from '../../workbench/tabs/schema-compare.ts';
import { DifferencesPart } from './differences-part.tsx';
import { schemaCompareSessionOf, SIDES } from './schema-compare-session.ts';
import type { SchemaCompareSession, SchemaCompareView } from './schema-compare-session.ts';
import './schema-compare.css';
import { RowsPart } from './rows-part.tsx';
import { SideChoice, useSideName } from './side-choice.tsx';
import { capabilitiesOf, type EngineCapabilities } from '#shared/protocol/index.ts';
import { migrationScript } from '#shared/schema-diff/migration-script.ts';
import type { MigrationStep } from '#shared/schema-diff/migration.ts';
import type { Remaining } from '#shared/schema-diff/remaining.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { whyNoTransactions } from '../../workbench/databases/no-transactions.ts';
import { changeLabel } from '../../workbench/objects/table-change-labels.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import {
  ChangeDecision,
  isSound,
  notSavedYet,
  SchemaChangeFacts,
} from '../../workbench/objects/schema-change-facts.tsx';
import type { MigrationResult, MigrationSession, MigrationView } from './migration-session.ts';

export function SchemaCompareTabContent({ tab }: TabContentProps<SchemaCompareTab>): ReactNode {
  const session = schemaCompareSessionOf(tab);
  const view = session.useView();
  const [filter, setFilter] = useState('');
  const { difference } = view;
  const isMigrating = session.migration.useView(({ phase }) => phase !== 'choosing');
  const isComparing = session.rows.useView(({ running }) => running !== null);
  const isBusy = isMigrating || isComparing;
  const reading = SIDES.map((name) => view[name].reading).find((found) => found !== null) ?? null;
  useCommand('work.stop', () => session.stop(), reading !== null);
  useCommand('view.refresh', () => session.refresh());
  return (
    <div className="tab-page">
      <RunBar label="Compare schemas">
        <div className="row gap-8 fixed" inert={isBusy}>
          <SideChoice session={session} name="from" label="From" side={tab.from} />
          <IconButton label="Swap sides" onClick={() => session.swap()}>
            <ArrowLeftRight size={14} aria-hidden />
          </IconButton>
          <SideChoice session={session} name="to" label="To" side={tab.to} />
        </div>
        {reading ? (
          <Running
            work={reading}
            text={phaseText(reading.progress, 'Reading the schema')}
            stopTitle="Stop reading"
            onStop={() => session.stop()}
            meanwhile={null}
          />
        ) : (
          <Counts difference={difference} />
        )}
      </RunBar>
      <ViewOptions tab={tab} session={session} filter={filter} onFilter={setFilter} />
      <Notes view={view} />
      <div className="stack fill" role="tabpanel" id={panelId(tab)} aria-label={PART_LABELS[tab.part]}>
        {!difference ? (
          <Empty tab={tab} session={session} view={view} isReading={reading !== null} />
        ) : tab.part === 'rows' ? (
          <RowsPart tab={tab} session={session.rows} from={view.from.schema!} to={view.to.schema!} />
        ) : tab.part === 'migration' ? (
          <MigrationPart tab={tab} session={session.migration} />
        ) : (
          <DifferencesPart tab={tab} session={session} view={view} difference={difference} filter={filter} />
        )}
      </div>
    </div>
  );
}

interface ViewOptionsProps {
  readonly tab: SchemaCompareTab;
  readonly session: SchemaCompareSession;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** Which part is shown, and the options that apply to it. */
function ViewOptions({ tab, session, filter, onFilter }: ViewOptionsProps): ReactNode {
  return (
    <div className="row ruled-bar wrap small schema-diff-options">
      <PartChoice tab={tab} />
      {tab.part === 'differences' && (
        <TextField
          placeholder="Filter by name"
          aria-label="Filter by name"
          value={filter}
          onChange={(event) => onFilter(event.target.value)}
        />
      )}
      {tab.part !== 'rows' && (
        <label>
          <input
            type="checkbox"
            checked={tab.meaningOnly}
            onChange={(event) => session.setMeaningOnly(event.target.checked)}
          />
          Ignore comments, white space, and quotes
        </label>
      )}
      {tab.part === 'differences' && (
        <label>
          <input
            type="checkbox"
            checked={tab.showEqual}
            onChange={(event) => updateTab<SchemaCompareTab>(tab.id, { showEqual: event.target.checked })}
          />
          Show objects that are the same
        </label>
      )}
    </div>
  );
}

function Counts({ difference }: { readonly difference: SchemaDifference | null }): ReactNode {
  if (!difference) return null;
  const { added, removed, changed, same } = countDifferences(difference);
  const parts = [
    added > 0 && `${formatCount(added)} added`,
    removed > 0 && `${formatCount(removed)} removed`,
    changed > 0 && `${formatCount(changed)} changed`,
    (same > 0 || added + removed + changed === 0) && `${formatCount(same)} the same`,
  ];
  return (
    <span className="cut note shrink-x" role="status">
      {parts.filter(Boolean).join(', ')}
    </span>
  );
}

function Notes({ view }: { readonly view: SchemaCompareView }): ReactNode {
  const notes = SIDES.flatMap((name) => view[name].notes);
  if (notes.length === 0) return null;
  return (
    <ul className="warn-note ruled-bar small schema-diff-notes" aria-label="Notes">
      {notes.map((note, index) => (
        <li key={index}>{note}</li>
      ))}
    </ul>
  );
}

interface EmptyProps {
  readonly tab: SchemaCompareTab;
  readonly session: SchemaCompareSession;
  readonly view: SchemaCompareView;
  readonly isReading: boolean;
}

function Empty({ tab, session, view, isReading }: EmptyProps): ReactNode {
  const failures = SIDES.flatMap((name) => view[name].failure ?? []);
  if (failures.length > 0)
    return (
      <div className="center-message" role="alert">
        <h2>The schemas cannot be compared</h2>
        {failures.map((failure) => (
          <p key={failure}>{failure}</p>
        ))}
        <Button onClick={() => session.refresh()}>Try again</Button>
      </div>
    );
  if (isReading) return <p className="schema-diff-note">Reading…</p>;
  const isMissing = tab.from.database === null && tab.from.file === null;
  return (
    <CenterMessage
      title="Choose what to compare"
      text={`${isMissing ? 'Choose both sides above' : 'Choose the other side above'}: a database in the library or on a server, a file in place, or an SQL file. For an earlier version, choose “Compare with now” in the history of a database.`}
    />
  );
}

// Chooses the part of a comparison of schemas to show.

const PART_LABELS: Readonly<Record<SchemaComparePart, string>> = {
  differences: 'Differences',
  migration: 'Migration',
  rows: 'Rows',
};

const panelId = ({ id }: SchemaCompareTab): string => `schema-compare-${id}`;

function PartChoice({ tab }: { readonly tab: SchemaCompareTab }): ReactNode {
  return (
    <ChoiceRow
      label="Parts of the comparison"
      choices={SCHEMA_COMPARE_PARTS.map((part) => ({ id: part, label: PART_LABELS[part] }))}
      chosen={tab.part}
      onChoose={(part) => updateTab<SchemaCompareTab>(tab.id, { part })}
      panel={panelId(tab)}
    />
  );
}

interface MigrationPartProps {
  readonly tab: SchemaCompareTab;
  readonly session: MigrationSession;
}

interface PartProps {
  readonly session: MigrationSession;
  readonly view: MigrationView;
  readonly names: { readonly from: string; readonly to: string };
}

function MigrationPart({ tab, session }: MigrationPartProps): ReactNode {
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
