// The dialog of an action on an object: its SQL and its consequences, before it runs.
import { useEffect, useRef, useState, useId } from 'react';
import type { FormEvent, ReactNode, RefObject, KeyboardEvent } from 'react';
import { capabilitiesOf, type DatabaseId, type SchemaObstacle, type SchemaPlan } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useStore } from '../../state/store.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { plural } from '../../ui/format.ts';
import { phaseText } from '../../ui/progress-text.ts';
import { Running } from '../../ui/run-bar.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useNamingText } from '../../workbench/text/use-naming-text.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { closeObjectAction, type ObjectActionRequest } from '../../workbench/objects/object-actions.ts';
import { showRowsInTheWay } from '../../workbench/objects/plan-parts.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import { ActionSession, type ActionView } from './action-session.ts';
import { consequences, isDestructive, missingText, rebuildTexts, titleOf, VERBS } from './action-labels.ts';
import { columnNames, nameProblem, shownSql } from './object-change.ts';
import './object-action.css';

export function ObjectActionDialog({ request }: { readonly request: ObjectActionRequest }): ReactNode {
  const [session] = useState(() => new ActionSession(request));
  useEffect(() => () => session.dispose(), [session]);
  const view = session.useView();
  const { phase } = view;
  const hasName = request.action === 'rename' || request.action === 'duplicate';
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const columns = useRef<HTMLDivElement>(null);
  const close = (): void => {
    if (phase === 'running') session.stop();
    else if (phase === 'report') void session.finish(false);
    else if (phase === 'asking') closeObjectAction();
  };
  return (
    <Dialog
      title={titleOf(request)}
      initialFocus={hasName ? field : request.action === 'reorder' ? columns : isDestructive(request) ? cancel : button}
      onClose={close}
      footer={<Buttons session={session} view={view} button={button} cancel={cancel} onCancel={close} />}
    >
      <div className="stack gap-12 text-color object-action">
        {phase === 'report' ? (
          <Surprises view={view} />
        ) : (
          <>
            {request.action === 'reorder' && <Order session={session} view={view} list={columns} />}
            <Preview session={session} view={view} field={hasName ? field : null} />
          </>
        )}
      </div>
    </Dialog>
  );
}

interface PartProps {
  readonly session: ActionSession;
  readonly view: ActionView;
}

interface ButtonsProps extends PartProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly cancel: RefObject<HTMLButtonElement | null>;
  readonly onCancel: () => void;
}

function Buttons({ session, view, button, cancel, onCancel }: ButtonsProps): ReactNode {
  const { phase, notUndoable } = view;
  const { action } = session.request;
  if (phase === 'running')
    return (
      <Running
        work={view}
        text={phaseText(view.progress, 'Running')}
        stopTitle="Stop without changing anything"
        onStop={() => session.stop()}
        meanwhile={null}
      />
    );
  if (phase === 'report')
    return (
      <>
        <Button onClick={() => void session.finish(false)}>Discard</Button>
        <Button variant="primary" onClick={() => void session.finish(true)}>
          Keep
        </Button>
      </>
    );
  return (
    <>
      <Button ref={cancel} onClick={onCancel}>
        Cancel
      </Button>
      <Button
        ref={button}
        variant={notUndoable !== null || isDestructive(session.request) ? 'danger' : 'primary'}
        why={session.whyNot}
        onClick={() => void session.run()}
      >
        {notUndoable === null ? VERBS[action] : `${VERBS[action]} without undo`}
      </Button>
    </>
  );
}

function Preview({
  session,
  view,
  field,
}: PartProps & { readonly field: RefObject<HTMLInputElement | null> | null }): ReactNode {
  const { request, changes } = session;
  const { plan, isPlanning, planFailure, failure, notUndoable } = view;
  // What would be below the consequences waits for them: nothing that is shown moves.
  const isKnown = plan !== null || !isPlanning;
  return (
    <>
      {field && <NameField session={session} view={view} field={field} />}
      <pre className="sql-block" aria-label="SQL" tabIndex={0}>
        {changes === null
          ? 'Sidelite cannot read the CREATE statement of this object. Change it in an SQL tab.'
          : shownSql(changes, plan)}
      </pre>
      <FactList label="Consequences">
        <CopyFact request={request} />
        {plan && <KeyFacts request={request} plan={plan} />}
        {consequences(request, plan?.dependents ?? [], view.objects).map(({ text, breaks }) => (
          <Fact key={text} tone={breaks ? 'warning' : 'plain'}>
            {text}
          </Fact>
        ))}
        {isPlanning && <Fact tone="plain">Checking what depends on it</Fact>}
        {planFailure !== null && <Fact tone="warning">Sidelite can’t tell what depends on it. {planFailure}</Fact>}
        {isKnown && (request.action === 'rename' || request.action === 'drop') && <NamingQueries request={request} />}
        {isKnown && <UndoFact request={request} notUndoable={notUndoable} />}
      </FactList>
      {failure !== null && (
        <p className="error-note object-action-failure" role="alert">
          {failure}
        </p>
      )}
    </>
  );
}

function Order({
  session,
  view: { order },
  list,
}: PartProps & { readonly list: RefObject<HTMLDivElement | null> }): ReactNode {
  const names = columnNames(session.request.object);
  if (names === null) return null;
  return (
    <ColumnOrder
      names={names}
      order={order}
      list={list}
      onChange={(changed) => session.choose({ order: changed })}
      onSubmit={() => void session.run()}
    />
  );
}

function NameField({
  session,
  view: { name, rows, objects },
  field,
}: PartProps & { readonly field: RefObject<HTMLInputElement | null> }): ReactNode {
  const { request } = session;
  const { action, object } = request;
  const problem = nameProblem(name, request, objects);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void session.run();
  };
  const count = object.rows;
  return (
    <form onSubmit={submit}>
      <label className="stack gap-5">
        New name
        <TextField
          ref={field}
          value={name}
          aria-invalid={problem !== null}
          aria-describedby="object-action-problem"
          onFocus={(event) => event.target.select()}
          onChange={(event) => session.choose({ name: event.target.value })}
        />
      </label>
      <p id="object-action-problem" className="object-action-problem" role="status">
        {problem}
      </p>
      {action === 'duplicate' && object.kind === 'table' && (
        <CheckBox
          label={count ? `Include its ${plural(count.count, 'row')}` : 'Include its rows'}
          checked={rows}
          onChange={(checked) => session.choose({ rows: checked })}
        />
      )}
    </form>
  );
}

function CopyFact({ request: { object, action } }: { readonly request: ObjectActionRequest }): ReactNode {
  const hasTable = object.kind === 'table' || object.kind === 'virtual';
  if (action !== 'duplicate' || !hasTable) return null;
  return <Fact tone="plain">Indexes and triggers stay with the original</Fact>;
}

function NamingQueries({ request: { database, object } }: { readonly request: ObjectActionRequest }): ReactNode {
  const text = useNamingText(database, object.name);
  return text !== null && <Fact tone="plain">{text}</Fact>;
}

/** Whether the rows allow the foreign key, and what it takes to declare it. */
function KeyFacts({ request, plan }: { readonly request: ObjectActionRequest; readonly plan: SchemaPlan }): ReactNode {
  if (request.action === 'reorder') return <RebuildFacts plan={plan} database={request.database} />;
  if (request.action !== 'add-foreign-key') return null;
  const show = ({ rows, sql }: SchemaObstacle): void => {
    closeObjectAction();
    if (rows) showRowsInTheWay(request.database, rows);
    else openQuery(request.database, { sql });
    focusContent();
  };
  return (
    <>
      {plan.obstacles.map((obstacle) => (
        <Fact key={obstacle.sql} tone="warning">
          {missingText(request, obstacle.count)}.{' '}
          <button type="button" className="link-button" onClick={() => show(obstacle)}>
            Show rows
          </button>
        </Fact>
      ))}
      {plan.obstacles.length === 0 && (
        <Fact tone="good">Every value exists in “{visibleName(request.key!.target)}”</Fact>
      )}
      <RebuildFacts plan={plan} database={request.database} />
    </>
  );
}

function RebuildFacts({ plan, database }: { readonly plan: SchemaPlan; readonly database: DatabaseId }): ReactNode {
  return rebuildTexts(plan, database).map((text) => (
    <Fact key={text} tone="plain">
      {text}
    </Fact>
  ));
}

function UndoFact({
  request: { database },
  notUndoable,
}: {
  readonly request: ObjectActionRequest;
  readonly notUndoable: string | null;
}): ReactNode {
  const why = useStore(({ histories }) => histories[database]?.why ?? null);
  if (!capabilitiesOf(database).history)
    return <Fact tone="warning">This cannot be undone: no history is kept for a database on a server</Fact>;
  if (notUndoable !== null) return <Fact tone="warning">{notUndoable}</Fact>;
  if (why !== null) return <Fact tone="warning">This cannot be undone. {why}</Fact>;
  return <Fact tone="good">Undo restores everything in one step</Fact>;
}

function Surprises({ view: { surprises } }: { readonly view: ActionView }): ReactNode {
  return (
    <>
      <p>The change is done but not saved yet. Something stopped working:</p>
      <FactList label="What stopped working">
        {surprises.map((text) => (
          <Fact key={text} tone="warning">
            {text}
          </Fact>
        ))}
      </FactList>
      <p className="dim">Keep saves the change anyway. Discard restores everything.</p>
    </>
  );
}

// The columns of a table as a list that can be reordered with the keyboard or with buttons.

interface ColumnOrderProps {
  readonly names: readonly string[];
  /** Indexes into `names`. */
  readonly order: readonly number[];
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onChange: (order: readonly number[]) => void;
  /** Enter. */
  readonly onSubmit: () => void;
}

function ColumnOrder({ names, order, list, onChange, onSubmit }: ColumnOrderProps): ReactNode {
  const id = useId();
  const [at, setAt] = useState(0);
  const go = (to: number): void => {
    const target = Math.max(0, Math.min(order.length - 1, to));
    setAt(target);
    document.getElementById(`${id}-${target}`)?.scrollIntoView({ block: 'nearest' });
  };
  const move = (to: number): void => {
    if (to < 0 || to >= order.length || to === at) return;
    const rest = order.filter((_, index) => index !== at);
    onChange([...rest.slice(0, to), order[at]!, ...rest.slice(to)]);
    go(to);
    announce(`${visibleName(names[order[at]!]!)} is column ${to + 1} of ${order.length}.`);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === 'Enter' && !event.altKey) return onSubmit();
    const last = order.length - 1;
    const places: Readonly<Record<string, number>> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last };
    const position = places[event.key];
    if (position === undefined) return;
    if (event.altKey) move(position);
    else go(position);
    event.preventDefault();
  };
  return (
    <div className="column-order">
      <div
        ref={list}
        className="scroll sunken column-order-list"
        role="listbox"
        aria-label="Columns"
        aria-describedby={`${id}-help`}
        aria-activedescendant={`${id}-${at}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {order.map((index, position) => (
          <Item
            key={index}
            id={`${id}-${position}`}
            name={names[index]!}
            position={position}
            isSelected={position === at}
            onSelect={() => setAt(position)}
          />
        ))}
      </div>
      <div className="row gap-4 small column-order-buttons">
        <MoveButtons at={at} last={order.length - 1} onMove={move} />
        <span id={`${id}-help`} className="dim">
          Alt with ↑, ↓, Home, or End moves the column.
        </span>
      </div>
    </div>
  );
}

interface ItemProps {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Item({ id, name, position, isSelected, onSelect }: ItemProps): ReactNode {
  return (
    <div
      id={id}
      className="gap-10 select-row column-order-item"
      role="option"
      aria-selected={isSelected}
      onPointerDown={onSelect}
    >
      <span className="dim figures column-order-place">{position + 1}</span>
      <span>{visibleName(name)}</span>
    </div>
  );
}

interface MoveButtonsProps {
  readonly at: number;
  readonly last: number;
  readonly onMove: (to: number) => void;
}

function MoveButtons({ at, last, onMove }: MoveButtonsProps): ReactNode {
  return (
    <>
      <IconButton label="Move up" shortcut="Alt+↑" disabled={at === 0} onClick={() => onMove(at - 1)}>
        <ArrowUp size={15} />
      </IconButton>
      <IconButton label="Move down" shortcut="Alt+↓" disabled={at === last} onClick={() => onMove(at + 1)}>
        <ArrowDown size={15} />
      </IconButton>
    </>
  );
}
