// The tab that shows the changes to a database: the steps, and the selected one in full.
import { MoreHorizontal, Redo2, Undo2 } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import type { HistoryState } from '#shared/protocol/index.ts';
import type { HistoryTab as Tab } from '../../workbench/tabs/history.ts';
import { useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { useNow } from '../../ui/use-now.ts';
import { historyItems } from './history-items.ts';
import type { HistoryItem } from './history-items.ts';
import { HistoryList } from './history-list.tsx';
import { RunDetails, StepDetails } from './step-details.tsx';
import { useHistorySteps } from './use-history-steps.ts';
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

  if (error && !steps) return <HistoryMessage title="There is no history here" text={error.message} />;
  if (!steps) return <div className="tab-page" />;
  return (
    <div className="tab-page">
      <HistoryBar state={state} />
      {state?.why && <p className="warn-note ruled-bar small history-why">{state.why}</p>}
      {steps.length === 0 ? (
        <HistoryMessage
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

function HistoryMessage({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <div className="center-message">
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  );
}
