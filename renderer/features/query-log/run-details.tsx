// One run in full: its text, its values, how it ended, and its actions.
import { Copy, Play, SquareTerminal, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LoggedRun, WholeLoggedRun } from '#shared/protocol/index.ts';
import { useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatCount, formatDuration, formatMoment } from '../../ui/format.ts';
import { copyRun, openRun, placeOf, whyNotAgain } from './run-actions.ts';
import { OUTCOME_WORDS } from './run-labels.ts';
import { useWholeRun } from './use-whole-run.ts';

const ICON = { size: 14, 'aria-hidden': true } as const;

export function RunDetails({ run, onDelete }: { readonly run: LoggedRun; readonly onDelete: () => void }): ReactNode {
  const whole = useWholeRun(run);
  const text = whole && 'sql' in whole ? whole : null;
  return (
    <section className="gap-10 scroll list-view-details query-log-details" aria-label="Selected run">
      <RunActions run={text ?? run} onDelete={onDelete} />
      <RunFacts run={run} />
      {run.error !== null && <p className="query-log-error">{run.error}</p>}
      {text && <Parameters of={text} />}
      {whole && 'code' in whole && <p className="query-log-error">{whole.message}</p>}
      {text && (
        <pre className="break-words scroll sunken list-view-sql query-log-sql selectable" tabIndex={0} aria-label="SQL">
          {text.sql}
        </pre>
      )}
      {text && text.sql.length < text.chars && (
        <p className="note query-log-note">
          The first {formatCount(text.sql.length)} of {formatCount(text.chars)} characters were kept.
        </p>
      )}
    </section>
  );
}

function RunActions({
  run,
  onDelete,
}: {
  readonly run: LoggedRun | WholeLoggedRun;
  readonly onDelete: () => void;
}): ReactNode {
  const entries = useStore((state) => state.entries);
  const current = useStore((state) => state.currentDatabase);
  const { database, isOwn } = placeOf(run, entries, current);
  const nowhere = `“${run.of.name}” is no longer in the library, and no other database is open.`;
  return (
    <div className="row wrap gap-6">
      <Button size="small" variant="primary" why={whyNotAgain(run, isOwn)} onClick={() => void openRun(run, true)}>
        <Play {...ICON} /> Run again
      </Button>
      <Button
        size="small"
        why={database === null ? nowhere : null}
        title={isOwn ? undefined : 'Opens in the current database, because the query’s own is no longer in the library'}
        onClick={() => void openRun(run, false)}
      >
        <SquareTerminal {...ICON} /> Open in SQL tab
      </Button>
      <Button size="small" onClick={() => void copyRun(run)}>
        <Copy {...ICON} /> Copy
      </Button>
      <IconButton label="Delete from the query history" onClick={onDelete}>
        <Trash2 {...ICON} />
      </IconButton>
    </div>
  );
}

export function RunFacts({ run }: { readonly run: LoggedRun }): ReactNode {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Outcome', OUTCOME_WORDS[run.outcome]],
    ['Run at', formatMoment(run.startedAtMs)],
    ['Database', run.of.name],
    ['Time', run.timeMs === null ? null : formatDuration(run.timeMs)],
    ['Statements', run.statements > 1 ? formatCount(run.statements) : null],
    ['Rows', run.rows === null ? null : formatCount(run.rows)],
    ['Rows changed', run.rowsChanged > 0 ? formatCount(run.rowsChanged) : null],
  ];
  return (
    <dl className="wrap small query-log-fact-list">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="selectable">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Parameters({ of: { parameters } }: { readonly of: WholeLoggedRun }): ReactNode {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return null;
  return (
    <dl className="wrap small query-log-fact-list" aria-label="Parameters">
      {entries.map(([name, { type, text, isCut }]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd className="selectable">
            {type === 'null' ? 'NULL' : text}
            {isCut && '… (only the beginning was kept)'}
          </dd>
        </div>
      ))}
    </dl>
  );
}
