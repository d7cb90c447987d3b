// The tab that shows the changes to a database: the steps, and the selected one in full.
import { MoreHorizontal, Redo2, Undo2 } from 'lucide-react';
import { useCallback, useMemo, useState, useEffect, useRef, type ReactNode } from 'react';
import { client } from '../../connection/database-client.ts';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import type { HistoryState, AppError, DatabaseId, HistoryStep } from '#shared/protocol/index.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { HistoryTab as Tab } from '../../workbench/tabs/history.ts';
import { useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { useNow } from '../../ui/use-now.ts';
import { historyItems, type HistoryItem } from './history-items.ts';
import { HistoryList } from './history-list.tsx';
import { RunDetails, StepDetails } from './step-details.tsx';
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
  /** Null until the first ones have arrived. */
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
