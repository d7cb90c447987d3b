// Result of an import of tables: the counts, next steps, and what was not imported.
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { undoStep } from '../../workbench/history/history.ts';
import { showTable } from './import-summary.ts';
import { LeftStatements } from './left-statements.tsx';
import type { TransferSession } from './transfer-session.ts';
import { transferSummary } from './transfer-summary.ts';
import type { TransferOutcome, TransferView } from './transfer-view.ts';

interface TransferOutcomePartProps {
  readonly session: TransferSession;
  readonly view: TransferView;
  readonly outcome: TransferOutcome;
}

export function TransferOutcomePart({ session, view, outcome }: TransferOutcomePartProps): ReactNode {
  const { database, problems, steps, isUndone, tables, notes } = outcome;
  const undo = async (): Promise<void> => {
    for (const step of steps) if (!(await undoStep(database, step))) return;
    session.noteUndone();
  };
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button is gone. Focus that the user has moved elsewhere stays there.
    if (document.activeElement === document.body) first.current?.focus();
  }, []);
  const isWarning = problems > 0 || (view.contents?.sql?.notUnderstood ?? 0) > 0;
  const Icon = isWarning ? TriangleAlert : CircleCheck;
  const [table] = tables;
  return (
    <section className="import-outcome transfer" aria-label="Result of the import">
      <div className="import-summary">
        <p role="status" className={isWarning ? 'import-warning' : 'import-good'}>
          <Icon size={16} aria-hidden /> {isUndone ? 'The import was undone.' : transferSummary(outcome)}
        </p>
        <div className="import-buttons">
          {table && !isUndone && (
            <Button ref={first} variant="primary" onClick={() => void showTable({ database, table: table.name })}>
              Open table
            </Button>
          )}
          {steps.length > 0 && !isUndone && <Button onClick={() => void undo()}>Undo import</Button>}
          <Button onClick={() => void session.backToChoices()}>Back to choices</Button>
        </div>
        {[...notes, ...(view.contents?.notes ?? [])].map((note) => (
          <p key={note} className="import-note">
            {note}
          </p>
        ))}
        {steps.length > 0 && !isUndone && (
          <p className="import-note">{`The import is one step in the history: ${commandKeyLabel('history.undo') ?? 'Undo'} undoes all of it.`}</p>
        )}
      </div>
      {problems > 0 && !isUndone && <RejectedRows outcome={outcome} />}
      {view.contents?.sql && <LeftStatements sql={view.contents.sql} />}
    </section>
  );
}

function RejectedRows({ outcome: { problems, kept } }: { readonly outcome: TransferOutcome }): ReactNode {
  const hidden = problems - kept.length;
  return (
    <section className="transfer-left" aria-label="Rows that were not imported">
      <h2>{`${plural(problems, 'row')} not imported`}</h2>
      {hidden > 0 && <p className="import-note">{`The first ${formatCount(kept.length)} are shown.`}</p>}
      <ol>
        {kept.map(({ table, row, reason }, at) => (
          <li key={at}>
            <span className="transfer-line">{`${table}, row ${formatCount(row)}`}</span>
            <span className="transfer-reason">{reason}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
