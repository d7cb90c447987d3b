// The functions that the user has written for a database: what became of each, and the ways to define, change, and remove one.
import { SquareFunction } from 'lucide-react';
import { useEffect, useState, useRef, type ReactNode } from 'react';
import { toAppError, type DatabaseId } from '#shared/protocol/index.ts';
import { standInKey, MOST_CODE_CHARACTERS, type StandIn } from '#shared/stand-ins.ts';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import { notifyFailure } from '../../state/databases.ts';
import { standInsOf } from '../../state/stand-ins.ts';
import { notify } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import {
  removeStandIn,
  saveStandIn,
  useStandInStates,
  useWantedStandIn,
  whyNoStandIns,
} from '../../workbench/databases/stand-ins.ts';
import { valueLabel } from '#shared/value-label.ts';
import { client } from '../../connection/database-client.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';

/** What the dialog begins with; `before` is what it replaces. */
interface Edited {
  readonly before: StandIn | null;
  readonly draft: StandIn;
}

export function FunctionsSection({ database }: { readonly database: DatabaseId }): ReactNode {
  const [edited, setEdited] = useState<Edited | null>(null);
  const wanted = useWantedStandIn((state) => (state.wanted?.database === database ? state.wanted.name : null));
  useEffect(() => {
    if (wanted === null) return;
    setEdited({ before: null, draft: newStandIn(wanted) });
    // Saving opens the database again, and with it this page.
    useWantedStandIn.setState({ wanted: null });
  }, [wanted]);
  const standIns = standInsOf(database);
  const why = whyNoStandIns(database);
  return (
    <div className="health-extensions">
      <p className="health-note">
        A database may need functions of the program that made it, in a view, a trigger, or an index. A stand-in for
        such a function is written in JavaScript. It runs in a sandbox that reaches no file and no network, for at most
        two seconds a call, in this database only. Functions are kept on this computer, in no database, and none in a
        database, in settings, or in a recipe is ever loaded. Collations cannot be defined.
      </p>
      {why !== null && <p className="warn-note fixed small health-problem">{why}</p>}
      {standIns.length > 0 && (
        <ul aria-label="Functions of this database">
          {standIns.map((standIn) => (
            <FunctionLine
              key={standInKey(standIn)}
              database={database}
              standIn={standIn}
              onEdit={() => setEdited({ before: standIn, draft: standIn })}
            />
          ))}
        </ul>
      )}
      <Button size="small" why={why} onClick={() => setEdited({ before: null, draft: newStandIn('') })}>
        Define function…
      </Button>
      {edited !== null && why === null && (
        <FunctionDialog database={database} {...edited} onClose={() => setEdited(null)} />
      )}
    </div>
  );
}

interface FunctionLineProps {
  readonly database: DatabaseId;
  readonly standIn: StandIn;
  onEdit(): void;
}

function FunctionLine({ database, standIn, onEdit }: FunctionLineProps): ReactNode {
  const { name, kind, argumentCount, innocuous } = standIn;
  const states = useStandInStates(database);
  const state = states.find((each) => standInKey(each) === standInKey(standIn));
  const takes = argumentCount < 0 ? 'any number of arguments' : plural(argumentCount, 'argument');
  const remove = async (): Promise<void> => {
    const why = await removeStandIn(database, standIn);
    if (why !== null) return notify({ tone: 'warning', text: why });
    const restore = async (): Promise<void> => {
      const whyNot = await saveStandIn(database, null, standIn);
      if (whyNot !== null) notify({ tone: 'warning', text: whyNot });
    };
    notify({
      tone: 'info',
      text: `The function “${visibleName(name)}” was removed.`,
      action: { label: 'Undo', run: () => void restore().catch(notifyFailure) },
    });
  };
  return (
    <li aria-label={visibleName(name)}>
      <SquareFunction size={15} aria-hidden />
      <span className="shrink-x break-words">
        <b className="selectable">{visibleName(name)}</b>
        <span className="note health-setting-more">
          {kind === 'aggregate' ? 'Aggregate of' : 'Takes'} {takes}
          {innocuous && ', also for views and triggers'}
        </span>
        {state?.why != null && (
          <span className="error health-extension-adds" role="status">
            {visibleText(state.why)}
          </span>
        )}
      </span>
      <Button size="small" onClick={onEdit}>
        Edit…
      </Button>
      <Button size="small" onClick={() => void remove().catch(notifyFailure)}>
        Remove
      </Button>
    </li>
  );
}

interface FunctionDialogProps {
  readonly database: DatabaseId;
  /** What it replaces; null: nothing. */
  readonly before: StandIn | null;
  readonly draft: StandIn;
  onClose(): void;
}

/** What a call returned, or why the function was not saved. */
interface Outcome {
  readonly text: string;
  readonly isFailure: boolean;
}

const COUNTS = [
  ['-1', 'Any number'],
  ...Array.from({ length: 11 }, (_, count) => [String(count), String(count)] as const),
] as const satisfies readonly (readonly [string, string])[];

const failed = (thrown: unknown): Outcome => ({ text: toAppError(thrown).message, isFailure: true });

function FunctionDialog({ database, before, draft: first, onClose }: FunctionDialogProps): ReactNode {
  const [draft, setDraft] = useState(first);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const name = useRef<HTMLInputElement>(null);
  const change = (part: Partial<StandIn>): void => setDraft({ ...draft, ...part });
  const standIn = { ...draft, name: draft.name.trim() };
  const why = standIn.name === '' ? 'Enter a name.' : standIn.code.trim() === '' ? 'Enter the code.' : null;
  const save = async (): Promise<void> => {
    // What does not compile is not kept.
    await client.call('standIn.try', { standIn, values: null });
    const reason = await saveStandIn(database, before, standIn);
    if (reason === null) onClose();
    else setOutcome({ text: reason, isFailure: true });
  };
  return (
    <Dialog
      title={before === null ? 'Define a function' : 'Edit a function'}
      wide
      initialFocus={name}
      onClose={onClose}
      footer={
        <>
          <Button className="push-end" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            why={why}
            onClick={() => void save().catch((thrown: unknown) => setOutcome(failed(thrown)))}
          >
            Save
          </Button>
          <p className={`dialog-outcome ${outcome?.isFailure ? 'error' : ''}`} role="status">
            {visibleText(outcome?.text ?? '')}
          </p>
        </>
      }
    >
      <div className="label-form function-form">
        <label htmlFor="function-name">Name</label>
        <TextField
          ref={name}
          id="function-name"
          maxLength={60}
          value={draft.name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Facts draft={draft} onChange={change} />
        <Code draft={draft} onChange={change} />
        <Trial standIn={standIn} why={why} onOutcome={setOutcome} />
      </div>
    </Dialog>
  );
}

const VALUES =
  'NULL is null, a blob a Uint8Array, an integer past 2⁵³ a bigint. Whole numbers are stored as INTEGER, real(2) as REAL.';
const NOTES: Readonly<Record<StandIn['kind'], string>> = {
  scalar: `A function in JavaScript. ${VALUES}`,
  aggregate: `An object: start makes a state, step(state, …) adds a row to it, result(state) is the value. ${VALUES}`,
};

interface FactsProps {
  readonly draft: StandIn;
  onChange(part: Partial<StandIn>): void;
}

function Facts({ draft, onChange }: FactsProps): ReactNode {
  const { kind, argumentCount, deterministic, innocuous, code } = draft;
  const choose = (other: StandIn['kind']): void =>
    onChange({ kind: other, ...(code === START_OF[kind] && { code: START_OF[other] }) });
  return (
    <>
      <label htmlFor="function-kind">Kind</label>
      <div className="function-line">
        <Select
          id="function-kind"
          value={kind}
          options={[
            ['scalar', 'Of one row'],
            ['aggregate', 'Aggregate of many rows'],
          ]}
          onChoose={choose}
        />
        <label htmlFor="function-count">Arguments</label>
        <Select
          id="function-count"
          value={String(argumentCount)}
          options={COUNTS}
          onChoose={(count) => onChange({ argumentCount: Number(count) })}
        />
      </div>
      <span>Use</span>
      <div>
        <CheckBox
          label="Equal arguments give equal results (deterministic)"
          checked={deterministic}
          onChange={(checked) => onChange({ deterministic: checked })}
        />
        <CheckBox
          label="Views and triggers may call it (innocuous)"
          checked={innocuous}
          onChange={(checked) => onChange({ innocuous: checked })}
        />
      </div>
    </>
  );
}

function Code({ draft, onChange }: FactsProps): ReactNode {
  return (
    <>
      <label htmlFor="function-code">Code</label>
      <textarea
        id="function-code"
        className="text-field full-width function-code"
        rows={10}
        spellCheck={false}
        maxLength={MOST_CODE_CHARACTERS}
        aria-describedby="function-note"
        value={draft.code}
        onChange={({ target }) => onChange({ code: target.value })}
      />
      <span />
      <p id="function-note" className="faint function-note">
        {NOTES[draft.kind]}
      </p>
    </>
  );
}

interface TrialProps {
  readonly standIn: StandIn;
  /** Why it cannot be tried; null: it can. */
  readonly why: string | null;
  onOutcome(outcome: Outcome): void;
}

function Trial({ standIn, why, onOutcome }: TrialProps): ReactNode {
  const [values, setValues] = useState('');
  const isAggregate = standIn.kind === 'aggregate';
  const run = async (): Promise<void> => {
    try {
      const value = await client.call('standIn.try', { standIn, values });
      onOutcome({ text: `The result is ${valueLabel(value)}.`, isFailure: false });
    } catch (thrown) {
      onOutcome(failed(thrown));
    }
  };
  return (
    <>
      <label htmlFor="function-values">Try with</label>
      <div className="function-line">
        <TextField
          id="function-values"
          placeholder={isAggregate ? '[1], [2], [3]' : "'The Castle'"}
          value={values}
          onChange={({ target }) => setValues(target.value)}
        />
        <Button why={why} onClick={() => void run()}>
          Try
        </Button>
      </div>
    </>
  );
}

type Template = Pick<StandIn, 'kind' | 'argumentCount' | 'code'>;

/** A bound of a geometry in the encoding of GeoPackage: from its envelope, or of a point. */
const bound = (inEnvelope: number, inPoint: number): Template => ({
  kind: 'scalar',
  argumentCount: 1,
  code: `(geometry) => {
  if (geometry === null || (geometry[3] >> 4) & 1) return null; // none, or an empty one
  const view = new DataView(geometry.buffer);
  const envelope = (geometry[3] >> 1) & 7;
  if (envelope > 0) return real(view.getFloat64(${8 + inEnvelope * 8}, (geometry[3] & 1) === 1));
  const little = geometry[8] === 1;
  if (view.getUint32(9, little) % 1000 !== 1) throw new Error('no envelope, and no point');
  return real(view.getFloat64(${13 + inPoint * 8}, little));
}`,
});

/** By folded name. */
const TEMPLATES: ReadonlyMap<string, Template> = new Map<string, Template>([
  // Calibre
  [
    'title_sort',
    { kind: 'scalar', argumentCount: 1, code: "(title) => title?.replace(/^(A|The|An)\\s+(.+)$/i, '$2, $1') ?? null" },
  ],
  [
    'sortconcat',
    {
      kind: 'aggregate',
      argumentCount: 2,
      code: `{
  start: () => [],
  step(all, id, text) { if (text !== null) all.push([id, text]); },
  result: (all) => all.sort((a, b) => a[0] - b[0]).map(([, text]) => text).join(','),
}`,
    },
  ],
  // GeoPackage
  ['st_isempty', { kind: 'scalar', argumentCount: 1, code: '(geometry) => geometry && (geometry[3] >> 4) & 1' }],
  ['st_minx', bound(0, 0)],
  ['st_maxx', bound(1, 0)],
  ['st_miny', bound(2, 1)],
  ['st_maxy', bound(3, 1)],
]);

const START_OF: Readonly<Record<StandIn['kind'], string>> = {
  scalar: '(text) => text === null ? null : text.toLowerCase()',
  aggregate: `{
  start: () => 0,
  step: (state, value) => state + value,
  result: (state) => state,
}`,
};

/** The definition that the dialog shows first. */
function newStandIn(name: string): StandIn {
  const template = TEMPLATES.get(name.toLowerCase()) ?? { kind: 'scalar', argumentCount: 1, code: START_OF.scalar };
  // A function that was missing is needed by the schema.
  return { name, deterministic: true, innocuous: name !== '', ...template };
}
