// What a design would change, in words; then what it has changed, with the proof, to be kept or discarded.
import type { ReactNode } from 'react';
import type { DatabaseId, SchemaChangeReport } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { useRoomForMessages } from '../../ui/use-room-for-messages.ts';
import { KIND_WORDS } from '../../workbench/tabs/design.ts';
import {
  ChangeDecision,
  isSound,
  notSavedYet,
  SchemaChangeFacts,
} from '../../workbench/objects/schema-change-facts.tsx';
import type { DesignSession } from './design-session.ts';
import type { DesignView } from './design-view.ts';
import { PlanFacts } from './plan-facts.tsx';
import { unfinishedReason } from './unfinished.ts';

interface ChangePanelProps {
  readonly database: DatabaseId;
  readonly session: DesignSession;
  readonly view: DesignView;
}

export function ChangePanel({ database, session, view }: ChangePanelProps): ReactNode {
  const { report } = view;
  const panel = useRoomForMessages('--changes-height');
  return (
    <section ref={panel} className="design-changes" aria-label="Changes">
      {report ? (
        <Report session={session} view={view} report={report} />
      ) : (
        <Pending database={database} session={session} view={view} />
      )}
    </section>
  );
}

function Pending({ database, session, view }: ChangePanelProps): ReactNode {
  const { changes, phase, plan, problem } = view;
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
                title="Shows how long the change takes and which rows are in the way. Nothing is changed."
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
      <Notes session={session} view={view} />
      {plan && <PlanFacts database={database} plan={plan} name={session.name} />}
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

function Notes({ session, view }: Omit<ChangePanelProps, 'database'>): ReactNode {
  const { model, problem, failure, baseProblem } = view;
  const unfinished = model && !problem ? unfinishedReason(model) : null;
  return (
    <>
      {unfinished && <p className="design-note">{unfinished}</p>}
      {failure && (
        <p className="design-failure" role="alert">
          {failure}
        </p>
      )}
      {baseProblem && (
        <p className="design-note">
          Sidelite cannot parse this {KIND_WORDS[session.object]}: {baseProblem.reason} Change it in an SQL tab.
        </p>
      )}
    </>
  );
}

function whyNot(session: DesignSession, { changes, model, problem, baseProblem }: DesignView): string | null {
  if (problem) return 'The SQL is not complete.';
  if (baseProblem) return `Sidelite cannot parse this ${KIND_WORDS[session.object]}.`;
  if (!session.isNew && changes.length === 0) return 'Nothing has been changed.';
  return model && unfinishedReason(model);
}

function Report({
  session,
  view,
  report,
}: Omit<ChangePanelProps, 'database'> & { readonly report: SchemaChangeReport }): ReactNode {
  return (
    <>
      <div className="design-bar">
        <ChangeDecision
          isGood={isSound(report)}
          isBusy={view.phase !== 'report'}
          onFinish={(keep) => session.finish(keep)}
        />
      </div>
      <p className="design-note">{notSavedYet(report.timeMs)}</p>
      <SchemaChangeFacts report={report} />
    </>
  );
}
