// A tab that compares two schemas: the two sides, what is shown, and the differences.
import { ArrowLeftRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { countDifferences, type SchemaDifference } from '#shared/schema-diff/compare-schemas.ts';
import { updateTab } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { ChoiceRow } from '../../ui/choice-row.tsx';
import { formatCount } from '../../ui/format.ts';
import { phaseText } from '../../ui/progress-text.ts';
import { RunBar, Running } from '../../ui/run-bar.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useCommand } from '../../workbench/commands/commands.ts';
import type { SchemaCompareTab, SchemaComparePart } from '../../workbench/tabs/schema-compare.ts';
import { SCHEMA_COMPARE_PARTS } from '../../workbench/tabs/schema-compare.ts';
import { DifferencesPart } from './differences-part.tsx';
import { schemaCompareSessionOf, SIDES } from './schema-compare-session.ts';
import type { SchemaCompareSession, SchemaCompareView } from './schema-compare-session.ts';
import './schema-compare.css';
import { MigrationPart } from './migration-part.tsx';
import { RowsPart } from './rows-part.tsx';
import { SideChoice } from './side-choice.tsx';

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
    <div className="row ruled-bar wrap schema-diff-options">
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
