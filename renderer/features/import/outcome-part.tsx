// Result of an import: the counts, next steps, and the rows that were not imported.
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { undoStep } from '../../workbench/history/history.ts';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { showTable, summaryOf } from './import-summary.ts';
import type { ImportSession } from './import-session.ts';
import type { Outcome } from './import-view.ts';
import { ProblemsPart } from './problems-part.tsx';

interface OutcomePartProps {
  readonly tabId: string;
  readonly session: ImportSession;
  readonly outcome: Outcome;
}

export function OutcomePart({ tabId, session, outcome }: OutcomePartProps): ReactNode {
  const { database, problems, steps, isUndone } = outcome;
  const undo = async (): Promise<void> => {
    for (const step of steps) if (!(await undoStep(database, step))) return;
    session.runner.noteUndone();
  };
  const open = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button is gone. Focus that the user has moved elsewhere stays there.
    if (document.activeElement === document.body) open.current?.focus();
  }, []);
  const Icon = problems > 0 ? TriangleAlert : CircleCheck;
  return (
    <section className="import-outcome" aria-label="Result of the import">
      <div className="import-summary">
        <p role="status" className={problems > 0 ? 'import-warning' : 'import-good'}>
          <Icon size={16} aria-hidden /> {isUndone ? 'The import was undone.' : summaryOf(outcome)}
        </p>
        <div className="import-buttons">
          <Button ref={open} variant="primary" onClick={() => void showTable(outcome)}>
            Open table
          </Button>
          {steps.length > 0 && !isUndone && <Button onClick={() => void undo()}>Undo import</Button>}
          <Button onClick={() => void session.backToChoices()}>Back to choices</Button>
        </div>
        {outcome.notes.map((note) => (
          <p key={note} className="import-note">
            {note}
          </p>
        ))}
        <p className="import-note">{hintOf(outcome)}</p>
      </div>
      {problems > 0 && !isUndone && <ProblemsPart tabId={tabId} session={session} outcome={outcome} />}
    </section>
  );
}

function hintOf({ steps, isUndone }: Outcome): string {
  const key = commandKeyLabel('history.undo') ?? 'Undo';
  if (isUndone) return 'Redo restores the rows.';
  return steps.length > 0
    ? `The import is one step in the history: ${key} undoes all of it. The choices are kept for the next file like this one.`
    : 'The choices are kept for the next file like this one.';
}
