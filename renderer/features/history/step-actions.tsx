// Actions on one step, and why some are not possible.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { DatabaseId, HistoryState, HistoryStep } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { openComparisonWithPast } from '../../workbench/tabs/schema-compare.ts';
import { revertStep, stepBackOrForth } from '../../workbench/history/history.ts';
import { useSchema } from '../../state/schema.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { formatEntries } from '../../workbench/files/export-format.ts';
import { PATCH_FORMATS } from '../../workbench/history/patch-formats.ts';
import { redoTo, savePatch, undoTo } from './history-actions.ts';

interface StepActionsProps {
  readonly database: DatabaseId;
  readonly step: HistoryStep;
  readonly state: HistoryState | null;
}

/** Why undoing step by step cannot get as far as this step; null: it can. */
export function whyNotReached({ id }: HistoryStep, state: HistoryState | null): string | null {
  const end = state?.undoEnd ?? null;
  return end && id <= end.step ? end.why : null;
}

export function StepActions({ database, step, state }: StepActionsProps): ReactNode {
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

function RedoButton({ database, step, state }: StepActionsProps): ReactNode {
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

type StepProps = Omit<StepActionsProps, 'state'>;

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
