// One step, or one run: what it did, its rows before and after, and its actions.
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { DatabaseId, HistoryState, HistoryStep } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatMoment, plural } from '../../ui/format.ts';
import { CountBadges } from '../../workbench/differences/count-badges.tsx';
import { DifferenceTable } from '../../workbench/differences/difference-table.tsx';
import { redoTo, savePatch, undoTo } from './history-actions.ts';
import { sumOfTables } from './history-items.ts';
import { StepIcon } from './history-list.tsx';
import { openComparisonWithPast } from '../../workbench/tabs/schema-compare.ts';
import { revertStep, stepBackOrForth } from '../../workbench/history/history.ts';
import { useSchema } from '../../state/schema.ts';
import { Menu } from '../../ui/menu.tsx';
import { formatEntries } from '../../workbench/files/export-format.ts';
import { PATCH_FORMATS } from '../../workbench/history/patch-formats.ts';

interface StepDetailsProps {
  readonly database: DatabaseId;
  readonly step: HistoryStep;
  readonly state: HistoryState | null;
}

export function StepDetails({ database, step, state }: StepDetailsProps): ReactNode {
  const { id, title, atMs, windowTitle, sizeBytes, sql, tables } = step;
  const read = useCallback(
    (start: number, count: number) => client.call('history.rows', { database, step: id, start, count }),
    [database, id],
  );
  const facts = [
    formatMoment(atMs),
    windowTitle,
    step.kind === 'rows' && formatBytes(sizeBytes),
    step.state === 'undone' && 'undone',
  ];
  return (
    <section className="list-view-details" aria-label={title}>
      <header className="ruled-bar scroll history-head">
        <h2 title={title}>
          <StepIcon step={step} />
          <span>{title}</span>
        </h2>
        <p className="note history-about">{facts.filter(Boolean).join(' · ')}</p>
        {/* oxlint-disable-next-line sidelite/text-decisions -- the title may be the text itself */}
        {sql !== null && oneLine(sql) !== title && (
          <pre className="break-words scroll sunken list-view-sql history-sql selectable">{sql}</pre>
        )}
        <div className="row wrap gap-6 history-actions">
          <StepActions database={database} step={step} state={state} />
        </div>
      </header>
      {step.kind === 'rows' ? (
        <div className="fill">
          <DifferenceTable
            key={id}
            label={`Rows of ${title}`}
            tables={tables}
            read={read}
            empty="No changed rows are recorded for this step."
          />
        </div>
      ) : (
        <p className="history-note">{explanation(step)}</p>
      )}
    </section>
  );
}

const oneLine = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

function explanation({ kind, why }: HistoryStep): string {
  const reason = why ? `${why}\n\n` : '';
  return kind === 'gap'
    ? `${reason}What happened here was not recorded. Undo stops here; older steps can only be undone one by one, where nothing conflicts.`
    : `${reason}To undo it, a copy of the whole database from before it is kept. Its rows are not listed one by one.`;
}

interface RunDetailsProps {
  readonly database: DatabaseId;
  readonly steps: readonly HistoryStep[];
  readonly state: HistoryState | null;
}

export function RunDetails({ database, steps, state }: RunDetailsProps): ReactNode {
  const [newest] = steps;
  const oldest = steps.at(-1)!;
  const tables = sumOfTables(steps);
  const sizeBytes = steps.reduce((sum, step) => sum + step.sizeBytes, 0);
  const isUndone = newest!.state === 'undone';
  const hasGap = steps.some(({ kind }) => kind === 'gap');
  return (
    <section className="list-view-details" aria-label="Script">
      <header className="ruled-bar scroll history-head">
        <h2>Script, {plural(steps.length, 'step')}</h2>
        <p className="note history-about">
          {[formatMoment(oldest.atMs), oldest.windowTitle, formatBytes(sizeBytes)].join(' · ')}
        </p>
        <div className="row wrap gap-6 history-actions">
          {isUndone ? (
            <Button size="small" onClick={() => void redoTo(database, newest!)}>
              Redo the whole script
            </Button>
          ) : (
            <Button
              size="small"
              title="Newer steps are undone too"
              why={whyNotReached(oldest, state)}
              onClick={() => void undoTo(database, oldest)}
            >
              Undo back to before this script
            </Button>
          )}
        </div>
      </header>
      <ul className="history-sums">
        {tables.map((counts) => (
          <li key={counts.table}>
            <span>{counts.table}</span> <CountBadges counts={counts} />
          </li>
        ))}
      </ul>
      <p className="history-note">
        {hasGap && 'Part of it was not recorded, so it cannot be undone as a whole. '}
        Expand the script in the list to see each statement that changed something.
      </p>
    </section>
  );
}

/** Why undoing step by step cannot get as far as this step; null: it can. */
function whyNotReached({ id }: HistoryStep, state: HistoryState | null): string | null {
  const end = state?.undoEnd ?? null;
  return end && id <= end.step ? end.why : null;
}

function StepActions({ database, step, state }: StepDetailsProps): ReactNode {
  if (step.state === 'undone') return <RedoButton database={database} step={step} state={state} />;
  const isNext = state?.undo?.step === step.id;
  return (
    <>
      {isNext ? (
        <Button size="small" variant="primary" onClick={() => void stepBackOrForth('undo', database)}>
          Undo
        </Button>
      ) : (
        <Button
          size="small"
          title="Undoes everything from the newest step back to this one"
          why={whyNotReached(step, state)}
          onClick={() => void undoTo(database, step)}
        >
          Undo back to here
        </Button>
      )}
      {step.kind !== 'gap' && <RevertButton key={step.id} database={database} step={step} />}
      {step.kind === 'rows' && <PatchMenu database={database} step={step} />}
      <Button
        size="small"
        title="Shows what has changed since right before this step, and restores what you choose"
        why={step.kind === 'gap' ? 'What happened in this step was not recorded.' : null}
        onClick={() => void openComparisonWithPast(database, step)}
      >
        Compare with now
      </Button>
    </>
  );
}

function RedoButton({ database, step, state }: StepDetailsProps): ReactNode {
  return state?.redo?.step === step.id ? (
    <Button size="small" variant="primary" onClick={() => void stepBackOrForth('redo', database)}>
      Redo
    </Button>
  ) : (
    <Button size="small" onClick={() => void redoTo(database, step)}>
      Redo up to here
    </Button>
  );
}

type StepProps = Omit<StepDetailsProps, 'state'>;

function RevertButton({ database, step }: StepProps): ReactNode {
  const why = useWhyNotAlone(database, step);
  return (
    <Button
      size="small"
      title="Undoes this step and keeps the newer ones"
      why={why}
      onClick={() => void revertStep(database, step)}
    >
      Undo only this step
    </Button>
  );
}

/** Checked again when the schema has changed: the tables of the step may be different by then. */
function useWhyNotAlone(database: DatabaseId, { id }: HistoryStep): string | null {
  const version = useSchema(database)?.schemaVersion;
  const [why, setWhy] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    client.call('history.checkRevert', { database, step: id }).then(
      (answer) => isWanted && setWhy(answer?.why ?? null),
      () => undefined, // a step that was forgotten in the meantime goes from the list too
    );
    return () => void (isWanted = false);
  }, [database, id, version]);
  return why;
}

function PatchMenu({ database, step }: StepProps): ReactNode {
  return (
    <Menu
      trigger={
        <button type="button" className="button button-small">
          Save as patch…
        </button>
      }
      entries={formatEntries(PATCH_FORMATS, (format) => void savePatch(database, step, format))}
    />
  );
}
