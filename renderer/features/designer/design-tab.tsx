// A tab of the designer: the form on the left, the exact SQL on the right, and the changes below.
import { useLayoutEffect, useRef, useState, useEffect, type ReactNode, type RefObject } from 'react';
import { EditorSplit } from '../../workbench/text/editor-split.tsx';
import { KIND_WORDS, type DesignTab } from '../../workbench/tabs/design.ts';
import type { NotUnderstood } from '#shared/ddl/statement-reader.ts';
import { Button } from '../../ui/button.tsx';
import { goToOffset } from '../../editor/sql-editor.tsx';
import { designSessionOf, type DesignSession } from './design-session.ts';
import { ObjectForm } from './object-form.tsx';
import type { DatabaseId, SchemaChangeReport, SchemaObstacle, SchemaPlan, SchemaStep } from '#shared/protocol/index.ts';
import { plural } from '../../ui/format.ts';
import { useRoomForMessages } from '../../ui/use-room-for-messages.ts';
import {
  ChangeDecision,
  isSound,
  notSavedYet,
  SchemaChangeFacts,
} from '../../workbench/objects/schema-change-facts.tsx';
import type { DesignView } from './design-view.ts';
import { Clock, Info, TriangleAlert } from 'lucide-react';
import { visibleName } from '#shared/visible-text.ts';
import { useNamingText } from '../../workbench/text/use-naming-text.ts';
import { rebuildCosts, serverCosts, showRowsInTheWay } from '../../workbench/objects/plan-parts.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { unfinishedReason } from './unfinished.ts';
import './designer.css';

export function DesignTabContent({ tab }: { readonly tab: DesignTab }): ReactNode {
  const session = designSessionOf(tab);
  const view = session.useView();
  const { model, problem, baseProblem, phase } = view;
  // The form is read first, and creating the editor takes as long as the whole form.
  const hasEditor = useAfterPaint();
  const [beginsInForm] = useState(model !== null && !baseProblem && !problem && phase === 'editing');
  const form = useFocusOnName(beginsInForm, tab.base === null);
  return (
    <div className="shrink-y full-height design">
      <div className="shrink-y full-height design-body">
        <div ref={form} className="sunken shrink-y design-form" data-pane inert={phase !== 'editing'}>
          {problem && <Problem session={session} problem={problem} />}
          {model && !baseProblem ? (
            <div inert={problem !== null} data-stale={problem !== null || undefined}>
              <ObjectForm session={session} database={tab.database} model={model} />
            </div>
          ) : (
            !problem && (
              <p className="dim design-note">
                The form cannot show this {KIND_WORDS[tab.object]}. Edit its SQL on the right.
              </p>
            )
          )}
        </div>
        <div className="stack shrink-x shrink-y design-sql">
          {hasEditor && (
            <EditorSplit tab={tab} editor={session.editor} autoFocus={!beginsInForm}>
              <ChangePanel database={tab.database} session={session} view={view} />
            </EditorSplit>
          )}
        </div>
      </div>
    </div>
  );
}

/** A key pressed without looking must not change the SQL. The name of a new object is selected: typing replaces it. */
function useFocusOnName(beginsInForm: boolean, isNew: boolean): RefObject<HTMLDivElement | null> {
  const form = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const name = beginsInForm ? form.current?.querySelector<HTMLInputElement>('[data-first-focus]') : null;
    name?.focus({ preventScroll: true });
    if (isNew) name?.select();
  }, [beginsInForm, isNew]);
  return form;
}

function Problem({
  session,
  problem,
}: {
  readonly session: DesignSession;
  readonly problem: NotUnderstood;
}): ReactNode {
  const { view } = session.editor;
  return (
    <div className="row warn-note gap-8 design-problem" role="status">
      <p>The SQL is not complete: {problem.reason} The form still shows what it was before.</p>
      {view && (
        <Button size="small" onClick={() => goToOffset(view, problem.span.from)}>
          Go to problem
        </Button>
      )}
    </div>
  );
}

interface ChangePanelProps {
  readonly database: DatabaseId;
  readonly session: DesignSession;
  readonly view: DesignView;
}

function ChangePanel({ database, session, view }: ChangePanelProps): ReactNode {
  const { report } = view;
  const panel = useRoomForMessages('--changes-height');
  return (
    <section ref={panel} className="stack shrink-y full-height design-changes" aria-label="Changes">
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
      <div className="row ruled-bar gap-8 design-bar">
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
        <ul className="break-words design-list" aria-label="Changes">
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
      {unfinished && <p className="dim design-note">{unfinished}</p>}
      {failure && (
        <p className="error-note design-failure" role="alert">
          {failure}
        </p>
      )}
      {baseProblem && (
        <p className="dim design-note">
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
      <div className="row ruled-bar gap-8 design-bar">
        <ChangeDecision
          isGood={isSound(report)}
          isBusy={view.phase !== 'report'}
          onFinish={(keep) => session.finish(keep)}
        />
      </div>
      <p className="dim design-note">{notSavedYet(report.timeMs)}</p>
      <SchemaChangeFacts report={report} />
    </>
  );
}

interface PlanFactsProps {
  readonly database: DatabaseId;
  readonly plan: SchemaPlan;
  /** Name of the object being changed; null: a new one. */
  readonly name: string | null;
}

/** What a change would do: its steps with their time, the rows that prevent it, and what mentions the table. */
function PlanFacts({ database, plan, name: changed }: PlanFactsProps): ReactNode {
  const { steps, obstacles, dependents, broken } = plan;
  const costs = serverCosts(database, plan);
  return (
    <FactList label="What the change would do" isInset>
      {steps.map((step, index) => (
        <Fact key={index} tone="good" icon={<Clock size={14} aria-hidden />}>
          {stepLabel(step)}
        </Fact>
      ))}
      {costs !== null && (
        <Fact tone="plain" icon={<Info size={14} aria-hidden />}>
          {costs}
        </Fact>
      )}
      {obstacles.map((obstacle, index) => (
        <Fact key={index} tone="warning" icon={<TriangleAlert size={14} aria-label="In the way" />}>
          {obstacleLabel(obstacle)}{' '}
          {obstacle.rows && (
            <>
              <button type="button" className="link-button" onClick={() => showRowsInTheWay(database, obstacle.rows!)}>
                Show rows
              </button>{' '}
            </>
          )}
          <button type="button" className="link-button" onClick={() => openQuery(database, { sql: obstacle.sql })}>
            Show as SQL
          </button>
        </Fact>
      ))}
      {broken.map(({ kind, name, message }) => (
        <Fact key={`${kind} ${name}`} tone="warning" icon={<TriangleAlert size={14} aria-label="Does not compile" />}>
          The {kind} “{visibleName(name)}” would not compile: {message}
        </Fact>
      ))}
      {obstacles.length === 0 && broken.length === 0 && readsRows(steps) && (
        <Fact tone="good">No rows are in the way</Fact>
      )}
      {dependents.length > 0 && (
        <Fact tone="good">
          Kept, and checked afterward: {dependents.map(({ kind, name }) => `${kind} ${visibleName(name)}`).join(', ')}
        </Fact>
      )}
      {changed !== null && <NamingQueries database={database} name={changed} />}
    </FactList>
  );
}

function NamingQueries({ database, name }: { readonly database: DatabaseId; readonly name: string }): ReactNode {
  const text = useNamingText(database, name);
  return (
    text !== null && (
      <Fact tone="good" icon={<Info size={14} aria-hidden />}>
        {text}
      </Fact>
    )
  );
}

function readsRows(steps: readonly SchemaStep[]): boolean {
  return steps.some(({ rows }) => rows !== null);
}

function stepLabel(step: SchemaStep): string {
  if (step.kind === 'statement') {
    return step.rows === null ? `Immediate: ${step.sql}` : `Reads ${plural(step.rows, 'row')}: ${step.sql}`;
  }
  return `Rebuilds the table “${visibleName(step.table)}”${rebuildCosts(step)}`;
}

function obstacleLabel({ kind, columns, constraint, count }: SchemaObstacle): string {
  const named = columns.map((name) => `“${visibleName(name)}”`).join(', ');
  const rows = plural(count, 'row');
  switch (kind) {
    case 'not-null':
      return `${rows} would have NULL in ${named}, which is NOT NULL.`;
    case 'no-value':
      return `${rows} would have no value in ${named}. Give it a default.`;
    case 'check':
      return `${rows} would violate ${constraint ?? `the CHECK of ${named}`}.`;
    case 'unique':
      return `${rows} would have the same ${named} as another row.`;
    case 'foreign-key':
      return `${rows} would violate the foreign key ${constraint ?? named}.`;
    case 'type':
      return `${rows} would have a value in ${named} that does not match its type.`;
  }
}

/** False in the first frame, then true: for content that is costly to make and may follow a frame later. */
function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A frame is painted after its callbacks; the next task comes after that.
    const frame = requestAnimationFrame(() => (timer = setTimeout(() => setPainted(true))));
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted;
}
