// One step, or one run: what it did, its rows before and after, and its actions.
import { useCallback } from 'react';
import type { ReactNode } from 'react';
import type { DatabaseId, HistoryState, HistoryStep } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatMoment, plural } from '../../ui/format.ts';
import { CountBadges } from '../../workbench/differences/count-badges.tsx';
import { DifferenceTable } from '../../workbench/differences/difference-table.tsx';
import { redoTo, undoTo } from './history-actions.ts';
import { sumOfTables } from './history-items.ts';
import { StepIcon } from './history-list.tsx';
import { StepActions, whyNotReached } from './step-actions.tsx';

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
      <header className="history-head">
        <h2 title={title}>
          <StepIcon step={step} />
          <span>{title}</span>
        </h2>
        <p className="history-about">{facts.filter(Boolean).join(' · ')}</p>
        {/* oxlint-disable-next-line sidelite/text-decisions -- the title may be the text itself */}
        {sql !== null && oneLine(sql) !== title && <pre className="list-view-sql history-sql selectable">{sql}</pre>}
        <div className="list-view-actions history-actions">
          <StepActions database={database} step={step} state={state} />
        </div>
      </header>
      {step.kind === 'rows' ? (
        <div className="history-rows">
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
      <header className="history-head">
        <h2>Script, {plural(steps.length, 'step')}</h2>
        <p className="history-about">
          {[formatMoment(oldest.atMs), oldest.windowTitle, formatBytes(sizeBytes)].join(' · ')}
        </p>
        <div className="list-view-actions history-actions">
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
