// What a design would change, in words; then what it has changed, with the proof, to be kept or discarded.
import { Check, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DatabaseId, SchemaChangeReport, TableProof } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatDuration, plural } from '../../ui/format.ts';
import { KIND_WORDS } from '../../workbench/design-tabs.ts';
import type { DesignSession, DesignView } from './design-session.ts';
import { PlanFacts } from './plan-facts.tsx';

interface ChangePanelProps {
  readonly database: DatabaseId;
  readonly session: DesignSession;
  readonly view: DesignView;
}

export function ChangePanel({ database, session, view }: ChangePanelProps): ReactNode {
  const { report } = view;
  return (
    <section className="design-changes" aria-label="Changes">
      {report ? (
        <Report session={session} view={view} report={report} />
      ) : (
        <Pending database={database} session={session} view={view} />
      )}
    </section>
  );
}

function Pending({ database, session, view }: ChangePanelProps): ReactNode {
  const { changes, phase, plan, problem, failure, baseProblem } = view;
  const kind = KIND_WORDS[session.object];
  const isRunning = phase === 'running' || phase === 'checking';
  const why = whyNot(session, view);
  return (
    <>
      <div className="design-bar">
        <b role="status">
          {session.isNew ? `New ${kind}` : changes.length === 0 ? 'No changes' : plural(changes.length, 'change')}
        </b>
        {isRunning ? (
          <Button size="small" variant="danger" onClick={() => session.stop()}>
            Stop
          </Button>
        ) : (
          <>
            {!session.isNew && (
              <Button size="small" disabled={changes.length === 0 && !problem} onClick={() => session.revert()}>
                Revert
              </Button>
            )}
            {!(session.isNew && session.object === 'table') && (
              <Button
                size="small"
                why={why}
                title="Shows how long it takes, and what is in the way. Nothing is changed."
                onClick={() => void session.check()}
              >
                Check
              </Button>
            )}
            <Button size="small" variant="primary" why={why} onClick={() => void session.apply()}>
              {session.isNew ? `Create ${kind}` : 'Apply'}
              {plan !== null && plan.broken.length > 0 && ' anyway'}
            </Button>
          </>
        )}
      </div>
      {failure && (
        <p className="design-failure" role="alert">
          {failure}
        </p>
      )}
      {baseProblem && (
        <p className="design-note">
          Sidelite cannot take this {kind} apart: {baseProblem.reason} Change it in an SQL tab.
        </p>
      )}
      {plan && <PlanFacts database={database} plan={plan} />}
      {changes.length > 0 && (
        <ul className="design-list" aria-label="Changes">
          {changes.map((change, index) => (
            <li key={index}>{change}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function whyNot(session: DesignSession, { changes, problem, baseProblem }: DesignView): string | null {
  if (problem) return 'The SQL is not complete.';
  if (baseProblem) return `Sidelite cannot take this ${KIND_WORDS[session.object]} apart.`;
  return session.isNew || changes.length > 0 ? null : 'Nothing has been changed.';
}

function Report({
  session,
  view,
  report,
}: Omit<ChangePanelProps, 'database'> & { readonly report: SchemaChangeReport }): ReactNode {
  const isBusy = view.phase !== 'report';
  return (
    <>
      <div className="design-bar">
        <b role="status">{isSound(report) ? 'Done and checked' : 'Done, with problems'}</b>
        <Button size="small" disabled={isBusy} onClick={() => void session.finish(false)}>
          Discard
        </Button>
        <Button size="small" variant="primary" disabled={isBusy} onClick={() => void session.finish(true)}>
          Keep
        </Button>
      </div>
      <p className="design-note">
        Not saved yet; took {formatDuration(report.timeMs)}. Closing this tab or the window discards it.
      </p>
      <ul className="design-list">
        {report.tables.map((table) => (
          <Fact key={table.table} isGood={table.columns.every(({ changed }) => changed === 0)}>
            {tableWords(table)}
          </Fact>
        ))}
        {report.restored.length > 0 && (
          <Fact isGood>
            Restored as they were: {report.restored.map(({ kind, name }) => `${kind} ${visibleName(name)}`).join(', ')}
          </Fact>
        )}
        {report.broken.map(({ kind, name, message }) => (
          <Fact key={`${kind} ${name}`} isGood={false}>
            The {kind} “{visibleName(name)}” does not compile: {message}
          </Fact>
        ))}
        {report.keysChecked.length > 0 && report.brokenKeys.length === 0 && (
          <Fact isGood>Every foreign key leads to a row</Fact>
        )}
        {report.brokenKeys.map(({ table, parent, count }) => (
          <Fact key={`${table} ${parent}`} isGood={false}>
            {plural(count, 'row')} of “{visibleName(table)}” lead to no row of “{visibleName(parent)}”
          </Fact>
        ))}
        {report.integrityChecked.length > 0 && report.integrity.length === 0 && (
          <Fact isGood>SQLite’s own check found no problem</Fact>
        )}
        {report.integrity.map((message) => (
          <Fact key={message} isGood={false}>
            {message}
          </Fact>
        ))}
      </ul>
      <details className="design-ran">
        <summary>{plural(report.sql.length, 'statement')}</summary>
        <pre>{report.sql.join(';\n')};</pre>
      </details>
    </>
  );
}

function isSound({ broken, brokenKeys, integrity }: SchemaChangeReport): boolean {
  return broken.length + brokenKeys.length + integrity.length === 0;
}

function tableWords({ table, rowsBefore, rowsAfter, columns, rowids }: TableProof): string {
  const count = (kind: string): number => columns.filter(({ values }) => values === kind).length;
  const changed = columns.reduce((sum, column) => sum + column.changed, 0);
  return [
    `“${visibleName(table)}”: ${formatCount(rowsBefore)} rows before, ${formatCount(rowsAfter)} after`,
    count('same') > 0 && `every value of ${plural(count('same'), 'column')} compared and the same`,
    changed > 0 && `${plural(changed, 'value')} converted to another type`,
    rowids === 'kept' && 'row ids kept',
    rowids === 'new' && 'new row ids',
  ]
    .filter(Boolean)
    .join('; ');
}

function Fact({ isGood, children }: { readonly isGood: boolean; readonly children: ReactNode }): ReactNode {
  return (
    <li className="design-fact" data-good={isGood}>
      {isGood ? <Check size={14} aria-label="OK" /> : <TriangleAlert size={14} aria-label="Problem" />}
      <span>{children}</span>
    </li>
  );
}
