// The tab that shows the changes to a database: the steps, and the selected one in full.
import { MoreHorizontal, Redo2, Undo2 } from 'lucide-react';
import { useCallback, useMemo, useState, useEffect, useRef, type ReactNode } from 'react';
import { client } from '../../connection/database-client.ts';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { HistoryState, AppError, DatabaseId, HistoryStep } from '#shared/protocol/index.ts';
import type { HistoryTab as Tab } from '../../workbench/tabs/history.ts';
import { useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { formatBytes, plural, formatMoment } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { useNow } from '../../ui/use-now.ts';
import { historyItems, sumOfTables, type HistoryItem } from './history-items.ts';
import { HistoryList, StepIcon } from './history-list.tsx';
import { CountBadges } from '../../workbench/differences/count-badges.tsx';
import { DifferenceTable } from '../../workbench/differences/difference-table.tsx';
import { redoTo, savePatch, undoTo } from './history-actions.ts';
import { openComparisonWithPast } from '../../workbench/tabs/schema-compare.ts';
import { revertStep, stepBackOrForth } from '../../workbench/history/history.ts';
import { useSchema } from '../../state/schema.ts';
import { formatEntries } from '../../workbench/files/export-format.ts';
import { PATCH_FORMATS } from '../../workbench/history/patch-formats.ts';
import '../../ui/list-view.css';
import './history.css';

const TICK_MS = 30_000;
const NOTHING: readonly HistoryItem[] = [];

export function HistoryTab({ tab: { database } }: { readonly tab: Tab }): ReactNode {
  const { steps, error, readMore } = useHistorySteps(database);
  const state = useStore(({ histories }) => histories[database] ?? null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const nowMs = useNow(TICK_MS, Date.now);
  const items = useMemo(() => (steps ? historyItems(steps, unfolded) : NOTHING), [steps, unfolded]);
  const selected = items.find(({ key }) => key === chosen) ?? items.find(isDone) ?? items.find(isChoosable) ?? null;
  const unfold = (key: string, isUnfolded: boolean): void =>
    setUnfolded((before) => new Set(isUnfolded ? [...before, key] : [...before].filter((other) => other !== key)));
  const onEnd = useCallback(() => readMore(), [readMore]);

  if (error && !steps) return <CenterMessage title="There is no history here" text={error.message} />;
  if (!steps) return <div className="tab-page" />;
  return (
    <div className="tab-page">
      <HistoryBar state={state} />
      {state?.why && <p className="warn-note ruled-bar small history-why">{state.why}</p>}
      {steps.length === 0 ? (
        <CenterMessage
          title="No changes yet"
          text="Every change to the data appears here as a step: edits in the grid and SQL that writes, including triggers and cascades. You can inspect steps row by row, undo them, and redo them, even after a restart."
        />
      ) : (
        <div className="list-view-panes">
          <HistoryList
            items={items}
            selected={selected?.key ?? null}
            nowMs={nowMs}
            onSelect={setChosen}
            onUnfold={unfold}
            onEnd={onEnd}
          />
          {selected?.kind === 'step' && <StepDetails database={database} step={selected.step} state={state} />}
          {selected?.kind === 'run' && <RunDetails database={database} steps={selected.steps} state={state} />}
        </div>
      )}
    </div>
  );
}

const isChoosable = ({ kind }: HistoryItem): boolean => kind === 'step' || kind === 'run';
const isDone = (item: HistoryItem): boolean =>
  (item.kind === 'step' && item.step.state === 'done') || (item.kind === 'run' && item.steps[0]!.state === 'done');

function HistoryBar({ state }: { readonly state: HistoryState | null }): ReactNode {
  return (
    <div className="list-view-bar" role="toolbar" aria-label="History">
      <Button
        size="small"
        title={`Undo ${state?.undo?.title}`}
        why={state?.undo ? null : (state?.undoEnd?.why ?? 'There is nothing to undo')}
        onClick={() => runCommand('history.undo')}
      >
        <Undo2 size={14} aria-hidden /> Undo <kbd>{commandKeyLabel('history.undo')}</kbd>
      </Button>
      <Button
        size="small"
        title={`Redo ${state?.redo?.title}`}
        why={state?.redo ? null : 'There is nothing to redo'}
        onClick={() => runCommand('history.redo')}
      >
        <Redo2 size={14} aria-hidden /> Redo
      </Button>
      {state && (
        <span className="list-view-size">
          {plural(state.steps, 'step')} · {formatBytes(state.sizeBytes)} of {formatBytes(state.limits.totalBytes)}
        </span>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton label="More history actions">
            <MoreHorizontal size={15} />
          </IconButton>
        }
        entries={[
          { label: 'Apply patch…', run: () => void runCommand('patch.apply') },
          { label: 'Limits', run: () => void runCommand('history.limits') },
          'separator',
          { label: 'Clear history…', run: () => void runCommand('history.clear'), danger: true },
        ]}
      />
    </div>
  );
}

// The steps of a database, newest first, read page by page and again when the history changes.

const PAGE_STEPS = 200;
/** Number of steps to read again at once after a change; later ones are read when the user scrolls to them. */
const KEPT_STEPS = 2000;

interface HistorySteps {
  readonly steps: readonly HistoryStep[] | null;
  readonly more: boolean;
  readonly error: AppError | null;
  readMore(): void;
}

interface Read {
  readonly steps: readonly HistoryStep[];
  readonly more: boolean;
}

function useHistorySteps(database: DatabaseId): HistorySteps {
  const [read, setRead] = useState<Read | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const latest = useRef<Read | null>(null);
  const isReading = useRef(false);
  const isStale = useRef(false);

  const run = useCallback(async (work: () => Promise<Read>): Promise<void> => {
    isReading.current = true;
    try {
      latest.current = await work();
      setRead(latest.current);
      setError(null);
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      isReading.current = false;
    }
  }, []);

  const readAgain = useCallback(async (): Promise<void> => {
    isStale.current = true;
    while (isStale.current && !isReading.current) {
      isStale.current = false;
      const limit = Math.max(PAGE_STEPS, Math.min(KEPT_STEPS, latest.current?.steps.length ?? 0));
      await run(() => client.call('history.list', { database, before: null, limit }));
    }
  }, [database, run]);

  useEffect(() => {
    void readAgain();
    const offs = [
      client.on('history.changed', (event) => void (event.database === database && readAgain())),
      client.onReconnected(() => void readAgain()),
    ];
    return () => offs.forEach((off) => off());
  }, [database, readAgain]);

  const readMore = (): void => {
    const known = latest.current;
    const before = known?.steps.at(-1)?.id;
    if (!known?.more || before === undefined || isReading.current) return;
    void run(async () => {
      const { steps, more } = await client.call('history.list', { database, before, limit: PAGE_STEPS });
      return { steps: [...known.steps, ...steps], more };
    }).then(() => (isStale.current ? readAgain() : undefined));
  };
  return { steps: read?.steps ?? null, more: read?.more ?? false, error, readMore };
}

interface StepDetailsProps {
  readonly database: DatabaseId;
  readonly step: HistoryStep;
  readonly state: HistoryState | null;
}

function StepDetails({ database, step, state }: StepDetailsProps): ReactNode {
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
      <header className="ruled-bar scroll history-head">
        <h2 title={title}>
          <StepIcon step={step} />
          <span>{title}</span>
        </h2>
        <p className="note history-about">{facts.filter(Boolean).join(' · ')}</p>
        {/* oxlint-disable-next-line sidelite/text-decisions -- the title may be the text itself */}
        {sql !== null && oneLine(sql) !== title && (
          <pre className="break-words scroll sunken list-view-sql history-sql selectable">{sql}</pre>
        )}
        <div className="row wrap gap-6 history-actions">
          <StepActions database={database} step={step} state={state} />
        </div>
      </header>
      {step.kind === 'rows' ? (
        <div className="fill">
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

function RunDetails({ database, steps, state }: RunDetailsProps): ReactNode {
  const [newest] = steps;
  const oldest = steps.at(-1)!;
  const tables = sumOfTables(steps);
  const sizeBytes = steps.reduce((sum, step) => sum + step.sizeBytes, 0);
  const isUndone = newest!.state === 'undone';
  const hasGap = steps.some(({ kind }) => kind === 'gap');
  return (
    <section className="list-view-details" aria-label="Script">
      <header className="ruled-bar scroll history-head">
        <h2>Script, {plural(steps.length, 'step')}</h2>
        <p className="note history-about">
          {[formatMoment(oldest.atMs), oldest.windowTitle, formatBytes(sizeBytes)].join(' · ')}
        </p>
        <div className="row wrap gap-6 history-actions">
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

/** Why undoing step by step cannot get as far as this step; null: it can. */
function whyNotReached({ id }: HistoryStep, state: HistoryState | null): string | null {
  const end = state?.undoEnd ?? null;
  return end && id <= end.step ? end.why : null;
}

function StepActions({ database, step, state }: StepDetailsProps): ReactNode {
  if (step.state === 'undone') return <RedoButton database={database} step={step} state={state} />;
  const isNext = state?.undo?.step === step.id;
  return (
    <>
      {isNext ? (
        <Button size="small" variant="primary" onClick={() => void stepBackOrForth('undo', database)}>
          Undo
        </Button>
      ) : (
        <Button
          size="small"
          title="Undoes everything from the newest step back to this one"
          why={whyNotReached(step, state)}
          onClick={() => void undoTo(database, step)}
        >
          Undo back to here
        </Button>
      )}
      {step.kind !== 'gap' && <RevertButton key={step.id} database={database} step={step} />}
      {step.kind === 'rows' && <PatchMenu database={database} step={step} />}
      <Button
        size="small"
        title="Shows what has changed since right before this step, and restores what you choose"
        why={step.kind === 'gap' ? 'What happened in this step was not recorded.' : null}
        onClick={() => void openComparisonWithPast(database, step)}
      >
        Compare with now
      </Button>
    </>
  );
}

function RedoButton({ database, step, state }: StepDetailsProps): ReactNode {
  return state?.redo?.step === step.id ? (
    <Button size="small" variant="primary" onClick={() => void stepBackOrForth('redo', database)}>
      Redo
    </Button>
  ) : (
    <Button size="small" onClick={() => void redoTo(database, step)}>
      Redo up to here
    </Button>
  );
}

type StepProps = Omit<StepDetailsProps, 'state'>;

function RevertButton({ database, step }: StepProps): ReactNode {
  const why = useWhyNotAlone(database, step);
  return (
    <Button
      size="small"
      title="Undoes this step and keeps the newer ones"
      why={why}
      onClick={() => void revertStep(database, step)}
    >
      Undo only this step
    </Button>
  );
}

/** Checked again when the schema has changed: the tables of the step may be different by then. */
function useWhyNotAlone(database: DatabaseId, { id }: HistoryStep): string | null {
  const version = useSchema(database)?.schemaVersion;
  const [why, setWhy] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    client.call('history.checkRevert', { database, step: id }).then(
      (answer) => isWanted && setWhy(answer?.why ?? null),
      () => undefined, // a step that was forgotten in the meantime goes from the list too
    );
    return () => void (isWanted = false);
  }, [database, id, version]);
  return why;
}

function PatchMenu({ database, step }: StepProps): ReactNode {
  return (
    <Menu
      trigger={
        <button type="button" className="button button-small">
          Save as patch…
        </button>
      }
      entries={formatEntries(PATCH_FORMATS, (format) => void savePatch(database, step, format))}
    />
  );
}
