// A Compare tab: the text above, the results of both engines below.
import { useEffect, type ReactNode } from 'react';
import type { PlanLine, EngineFacts } from '#shared/protocol/index.ts';
import { Columns2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { ChoiceRow, type Choice } from '../../ui/choice-row.tsx';
import { plural } from '../../ui/format.ts';
import { amountText, shareOf } from '../../ui/progress-text.ts';
import { RunBar, RunProgress } from '../../ui/run-bar.tsx';
import { useElapsed } from '../../ui/use-elapsed.ts';
import { useCommand, commandKeyLabel } from '../../workbench/commands/commands.ts';
import { EditorSplit } from '../../workbench/text/editor-split.tsx';
import { takeStart } from '../../workbench/text/start-requests.ts';
import type { ComparePart, CompareTab as Tab } from '../../workbench/tabs/compare.ts';
import { setTabStatus, updateTab, useStore, confirm } from '../../state/store.ts';
import { compareSessionOf, type CompareSession } from './compare-session.ts';
import type { Comparison, CompareView, Outcome, StatementPair, RunningCompare } from './compare-view.ts';
import { alignPlans } from './plan-lines.ts';
import { RowsPart } from './rows-part.tsx';
import { ENGINES } from './sides.ts';
import { TimesPart } from './times-part.tsx';
import { VerdictRow, type StatementChoice } from './verdict-row.tsx';
import type { Sentence } from './verdict.ts';
import './compare.css';

export function CompareTab({ tab }: { readonly tab: Tab }): ReactNode {
  const session = compareSessionOf(tab);
  const view = session.useView();
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  useEffect(() => {
    if (takeStart(tab.id)) void session.compare();
  }, [session, tab.id]);
  useEffect(() => setTabStatus(tab.id, statusOf(view)), [tab.id, view]);

  const isIdle = view.running === null;
  const isBusy = !isIdle || view.timing?.state === 'running';
  const compare = (): void => void session.compare();
  useCommand('query.compare', compare, isActive && isIdle);
  useCommand('query.run', compare, isActive && isIdle);
  useCommand('query.runAll', compare, isActive && isIdle);
  useCommand('work.stop', () => session.stop(), isActive && isBusy);

  usePartCommands(tab.id, isActive);

  return (
    <EditorSplit tab={tab} editor={session.editor}>
      <CompareBar
        view={view}
        part={tab.part}
        onPart={(part) => updateTab<Tab>(tab.id, { part })}
        onCompare={compare}
        onStop={() => session.stop()}
      />
      <Content tabId={tab.id} part={tab.part} session={session} view={view} isActive={isActive} />
    </EditorSplit>
  );
}

/** These commands have no keys and are meant for the palette: the grids need Tab themselves. */
function usePartCommands(tabId: string, isActive: boolean): void {
  const show = (part: ComparePart) => (): void => updateTab<Tab>(tabId, { part });
  useCommand('compare.rows', show('rows'), isActive);
  useCommand('compare.plans', show('plans'), isActive);
  useCommand('compare.times', show('times'), isActive);
  useCommand('compare.engines', show('engines'), isActive);
}

interface ContentProps {
  readonly tabId: string;
  readonly part: ComparePart;
  readonly session: CompareSession;
  readonly view: CompareView;
  readonly isActive: boolean;
}

function Content({ part, session, view, isActive }: ContentProps): ReactNode {
  const { comparison, problem } = view;
  if (problem)
    return (
      <p className="compare-problem selectable" role="alert">
        {problem}
      </p>
    );
  if (!comparison) return view.running ? null : <Invitation />;
  return (
    <div className="stack fill" role="tabpanel" aria-label={PART_NAMES[part]}>
      <Notes session={session} view={view} comparison={comparison} part={part} />
      <Part part={part} session={session} view={view} comparison={comparison} isActive={isActive} />
    </div>
  );
}

function Part({
  part,
  session,
  view,
  comparison,
  isActive,
}: Omit<ContentProps, 'tabId'> & { readonly comparison: Comparison }): ReactNode {
  const pair = comparison.pairs[view.shown] ?? null;
  const choice = { pairs: comparison.pairs, shown: view.shown, onShow: (position: number) => session.show(position) };
  switch (part) {
    case 'rows':
      return (
        <RowsPart
          key={`${comparison.id} ${view.shown}`}
          session={session}
          comparison={comparison}
          pair={pair}
          choice={choice}
          isActive={isActive}
        />
      );
    case 'plans':
      return <PlansPart pair={pair} choice={choice} />;
    case 'times':
      return <TimesPart timing={view.timing} onMeasure={() => void session.measure()} onStop={() => session.stop()} />;
    case 'engines':
      return <EnginesPart comparison={comparison} />;
  }
}

const PART_NAMES: Readonly<Record<ComparePart, string>> = {
  rows: 'Rows',
  plans: 'Plans',
  times: 'Times',
  engines: 'Engines',
};

function Invitation(): ReactNode {
  return (
    <p className="compare-empty">
      Runs the same SQL on both engines, WebAssembly and native, over the same data. Rows, plans, times, and settings
      are shown side by side. Writes are rolled back on both.
    </p>
  );
}

function statusOf({ comparison, shown }: CompareView) {
  const pair = comparison?.pairs[shown];
  const rows = pair?.wasm.kind === 'ran' ? (pair.wasm.statement.result?.rows ?? null) : null;
  return { rows, exact: true };
}

// Both query plans of a statement, line by line.

interface PlansPartProps {
  readonly pair: StatementPair | null;
  readonly choice: StatementChoice;
}

function PlansPart({ pair, choice }: PlansPartProps): ReactNode {
  const [left, right] = [planOf(pair?.wasm), planOf(pair?.native)];
  const rows = alignPlans(left, right);
  const differing = rows.filter(({ isSame }) => !isSame).length;
  return (
    <>
      <VerdictRow verdict={verdictOfPlans(left, right, differing)} choice={choice} />
      <div className="fill scroll inner-focus" tabIndex={0} aria-label="Query plans">
        <table className="compare-plans selectable">
          <thead>
            <tr>
              <th scope="col">wasm</th>
              <th scope="col">native</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ left: here, right: there, depth, isSame }, index) => (
              <tr key={index} data-same={isSame}>
                {[here, there].map((text, side) => (
                  <td key={side} style={{ paddingLeft: 12 + depth * 18 }}>
                    {text ?? <span aria-label="nothing">–</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function verdictOfPlans(wasm: readonly PlanLine[], native: readonly PlanLine[], differing: number): Sentence {
  if (wasm.length + native.length === 0)
    return { tone: 'note', text: 'No query plan: the statement neither reads nor changes rows, or failed.' };
  if (wasm.length === 0 || native.length === 0)
    return { tone: 'note', text: `Only ${wasm.length === 0 ? 'native' : 'wasm'} has a plan for it.` };
  if (differing === 0) return { tone: 'same', text: 'The same plan on both engines.' };
  return { tone: 'different', text: `${plural(differing, 'line differs', 'lines differ')}.` };
}

const planOf = (outcome: Outcome | undefined): readonly PlanLine[] =>
  outcome?.kind === 'ran' ? outcome.statement.plan : [];

/** Anything shorter is over before a button can be pressed. */
const SHOWN_FROM_MS = 400;

const PARTS: readonly Choice<ComparePart>[] = [
  { id: 'rows', label: 'Rows' },
  { id: 'plans', label: 'Plans' },
  { id: 'times', label: 'Times' },
  { id: 'engines', label: 'Engines' },
];

interface CompareBarProps {
  readonly view: CompareView;
  readonly part: ComparePart;
  readonly onPart: (part: ComparePart) => void;
  readonly onCompare: () => void;
  readonly onStop: () => void;
}

function CompareBar({ view, part, onPart, onCompare, onStop }: CompareBarProps): ReactNode {
  const { running } = view;
  const elapsedMs = useElapsed(running?.startedAtMs ?? null);
  const isShown = running !== null && elapsedMs !== null && elapsedMs >= SHOWN_FROM_MS;
  return (
    <RunBar label="Comparison">
      <Button
        size="small"
        variant="primary"
        disabled={running !== null}
        onClick={onCompare}
        title="Runs the selection, or all of the text, on both engines"
      >
        <Columns2 size={14} aria-hidden /> Compare <kbd>{commandKeyLabel('query.run')}</kbd>
      </Button>
      {isShown && (
        <RunProgress
          text={progressText(running)}
          share={shareOf(running.progress)}
          elapsedMs={elapsedMs}
          stopping={running.stopping}
          stopTitle={`Stop (${commandKeyLabel('work.stop')}). One step of the native engine cannot be interrupted: then the status bar offers to restart it.`}
          onStop={onStop}
        />
      )}
      <ChoiceRow
        className="part-tabs push-end compare-parts"
        label="Parts of the comparison"
        choices={PARTS}
        chosen={part}
        onChoose={onPart}
      />
    </RunBar>
  );
}

const progressText = ({ title, progress }: RunningCompare): string =>
  progress ? `${title}, ${amountText(progress)}` : title;

// What the user should know about the comparison: what was left out, rolled back, or has changed since.

interface NotesProps {
  readonly session: CompareSession;
  readonly view: CompareView;
  readonly comparison: Comparison;
  readonly part: ComparePart;
}

function Notes({ session, view, comparison, part }: NotesProps): ReactNode {
  const { wrote, committedOnly, unsettled, runs } = comparison;
  const isBusy = view.running !== null;
  // Where rows are shown, the side itself says that it is missing.
  const missing = (part === 'rows' ? [] : ENGINES).flatMap((engine) => {
    const run = runs[engine];
    return run.kind === 'missing' ? [{ engine, why: run.why }] : [];
  });
  return (
    <>
      {missing.map(({ engine, why }) => (
        <Note key={engine} tone="warn">
          Not compared: {engine} is missing. {why}
        </Note>
      ))}
      {view.stale && (
        <Note tone="warn" action="Compare again" isBusy={isBusy} onAction={() => void session.compare()}>
          Data changed since
        </Note>
      )}
      {unsettled && (
        <Note tone="warn">
          The data kept changing during the comparison, so the results may differ for that reason.
        </Note>
      )}
      {committedOnly && (
        <Note tone="plain">
          A transaction is open. Only committed data is compared: both sides run on copies of it.
        </Note>
      )}
      {wrote && (
        <Note tone="plain" action="Keep the changes…" isBusy={isBusy} onAction={() => void askToKeep(session)}>
          This SQL writes, so it was rolled back on both sides
        </Note>
      )}
    </>
  );
}

interface NoteProps {
  readonly tone: 'warn' | 'plain';
  readonly children: ReactNode;
  readonly action?: string;
  readonly isBusy?: boolean;
  readonly onAction?: () => void;
}

function Note({ tone, children, action, isBusy, onAction }: NoteProps): ReactNode {
  return (
    <p className={`note ruled-bar gap-10 compare-note compare-note-${tone}`} role="status">
      <span>{children}</span>
      {action && (
        <button type="button" className="link-button" disabled={isBusy} onClick={onAction}>
          {action}
        </button>
      )}
    </p>
  );
}

async function askToKeep(session: CompareSession): Promise<void> {
  const { openDatabases, currentDatabase } = useStore.getState();
  const name = currentDatabase ? openDatabases[currentDatabase]?.entry.name : undefined;
  const agreed = await confirm({
    title: 'Run it again and keep the changes?',
    body: `The SQL runs on ${name ? `“${name}”` : 'the database'} as in an SQL tab. The other engine gets a new copy with the next comparison.`,
    confirmLabel: 'Run and keep',
  });
  if (agreed) await session.keep();
}

// Facts that both engines report about themselves; those that differ come first.

interface FactLine {
  readonly name: string;
  readonly wasm: string;
  readonly native: string;
}

interface FactsComparison {
  readonly versions: readonly FactLine[];
  readonly onlyWasm: readonly string[];
  readonly onlyNative: readonly string[];
  readonly sameOptions: readonly string[];
  readonly pragmas: readonly FactLine[];
  readonly samePragmas: readonly FactLine[];
}

const ABSENT = '–';

/** Facts that two engines report about themselves, as lines that differ and lines that do not. */
function compareFacts(wasm: EngineFacts, native: EngineFacts): FactsComparison {
  const onlyWasm = wasm.compileOptions.filter((option) => !native.compileOptions.includes(option));
  const names = [...new Set([...Object.keys(wasm.pragmas), ...Object.keys(native.pragmas)])].sort();
  const pragmas = names.map((name) => ({
    name,
    wasm: wasm.pragmas[name] ?? ABSENT,
    native: native.pragmas[name] ?? ABSENT,
  }));
  return {
    versions: [
      { name: 'SQLite', wasm: wasm.engine.sqliteVersion, native: native.engine.sqliteVersion },
      { name: 'Source id', wasm: wasm.engine.sqliteSourceId, native: native.engine.sqliteSourceId },
    ],
    onlyWasm,
    onlyNative: native.compileOptions.filter((option) => !wasm.compileOptions.includes(option)),
    sameOptions: wasm.compileOptions.filter((option) => !onlyWasm.includes(option)),
    pragmas: pragmas.filter((line) => line.wasm !== line.native),
    samePragmas: pragmas.filter((line) => line.wasm === line.native),
  };
}

function EnginesPart({ comparison: { facts } }: { readonly comparison: Comparison }): ReactNode {
  const { wasm, native } = facts;
  if (!wasm || !native)
    return <p className="compare-empty">Only one engine is available, so there is nothing to compare it with.</p>;
  const { versions, onlyWasm, onlyNative, sameOptions, pragmas, samePragmas } = compareFacts(wasm, native);
  return (
    <div className="fill scroll inner-focus" tabIndex={0} aria-label="Engines">
      <FactTable caption="Version" lines={versions} marks />
      <FactTable caption="Settings that differ" lines={pragmas} />
      <table className="compare-facts selectable">
        <caption>Compile options that only one engine has</caption>
        <tbody>
          <tr>
            <OptionList label="Only wasm" options={onlyWasm} />
            <OptionList label="Only native" options={onlyNative} />
          </tr>
        </tbody>
      </table>
      <details className="dim compare-same">
        <summary>
          The same on both: {plural(samePragmas.length, 'setting')}, {plural(sameOptions.length, 'compile option')}
        </summary>
        <p className="selectable">{samePragmas.map(({ name, wasm: value }) => `${name} = ${value}`).join(', ')}</p>
        <p className="selectable">{sameOptions.join(', ')}</p>
      </details>
    </div>
  );
}

interface FactTableProps {
  readonly caption: string;
  readonly lines: readonly FactLine[];
  /** Lines may be equal: those that are not stand out. */
  readonly marks?: boolean;
}

function FactTable({ caption, lines, marks = false }: FactTableProps): ReactNode {
  return (
    <table className="compare-facts selectable">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">What is compared</span>
          </th>
          <th scope="col">wasm</th>
          <th scope="col">native</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, wasm, native }) => (
          <tr key={name} data-same={!marks || wasm === native}>
            <th scope="row">{name}</th>
            <td>{wasm}</td>
            <td>{native}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OptionList({ label, options }: { readonly label: string; readonly options: readonly string[] }): ReactNode {
  return (
    <td>
      <b>{label}</b>
      {options.length === 0 ? (
        <i>none</i>
      ) : (
        <ul>
          {options.map((option) => (
            <li key={option}>{option}</li>
          ))}
        </ul>
      )}
    </td>
  );
}
