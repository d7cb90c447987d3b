// The steps of the history, newest first: choose one, unfold a run.
import { ChevronDown, ChevronRight, CircleSlash, Layers, Pencil, SquareTerminal } from 'lucide-react';
import { useCallback, useEffect, useId, useMemo, useRef } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { lastWhere } from '#shared/binary-search.ts';
import type { HistoryStep } from '#shared/protocol/index.ts';
import { formatDay, formatMoment, formatWhen, plural } from '../../ui/format.ts';
import { CountBadges } from '../../workbench/differences/count-badges.tsx';
import { ITEM_PX, sumOfTables, type HistoryItem } from './history-items.ts';
import { useScrollWindow, type ScrollWindow } from '../../ui/use-scroll-window.ts';

const OVERSCAN_PX = 300;

interface ItemWindow extends ScrollWindow {
  /** Position of the item `from`. */
  readonly topPx: number;
  readonly heightPx: number;
  offsetOf(index: number): number;
}

/** Which items of a list of known, different heights are on screen. */
function useItemWindow(scroller: RefObject<HTMLElement | null>, heights: readonly number[]): ItemWindow {
  const offsets = useMemo(() => offsetsOf(heights), [heights]);
  const itemsBetween = useCallback(
    (topPx: number, bottomPx: number): ScrollWindow => ({
      from: indexAt(offsets, topPx - OVERSCAN_PX),
      to: indexAt(offsets, bottomPx + OVERSCAN_PX) + 1,
    }),
    [offsets],
  );
  const { from, to } = useScrollWindow(scroller, heights.length, itemsBetween);
  return {
    from,
    to,
    topPx: offsets[from] ?? 0,
    heightPx: offsets[heights.length] ?? 0,
    offsetOf: (index) => offsets[index] ?? 0,
  };
}

function offsetsOf(heights: readonly number[]): readonly number[] {
  const offsets = [0];
  for (const height of heights) offsets.push(offsets.at(-1)! + height);
  return offsets;
}

const indexAt = (offsets: readonly number[], position: number): number =>
  Math.max(
    0,
    lastWhere(offsets.length, (index) => offsets[index]! <= position),
  );

const NAMED_TABLES = 2;

interface HistoryListProps {
  readonly items: readonly HistoryItem[];
  readonly selected: string | null;
  readonly nowMs: number;
  readonly onSelect: (key: string) => void;
  readonly onUnfold: (key: string, isUnfolded: boolean) => void;
  readonly onEnd: () => void;
}

type Choosable = Extract<HistoryItem, { kind: 'run' | 'step' }>;
const isChoosable = (item: HistoryItem): item is Choosable => item.kind === 'run' || item.kind === 'step';

export function HistoryList({ items, selected, nowMs, onSelect, onUnfold, onEnd }: HistoryListProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => items.map(({ kind }) => ITEM_PX[kind]), [items]);
  const list = useItemWindow(scroller, heights);
  const id = useId();
  const at = items.findIndex(({ key }) => key === selected);
  const isAtEnd = list.to >= items.length;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);

  const show = (index: number): void => {
    const element = scroller.current!;
    const [top, height] = [list.offsetOf(index), heights[index]!];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const current = items[at];
    const next = nextIndex(items, at, event.key);
    if (next !== null) {
      onSelect(items[next]!.key);
      show(next);
    } else if (current?.kind === 'run' && event.key === 'ArrowRight') onUnfold(current.key, true);
    else if (current?.kind === 'run' && event.key === 'ArrowLeft') onUnfold(current.key, false);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      className="inner-focus list-view-list history-list"
      role="listbox"
      aria-label="Steps"
      aria-activedescendant={at >= list.from && at < list.to ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className="clip history-items" style={{ height: list.heightPx }}>
        <div style={{ transform: `translateY(${list.topPx}px)` }}>
          {items.slice(list.from, list.to).map((item, index) => (
            <Item
              key={item.key}
              id={`${id}-${list.from + index}`}
              item={item}
              isSelected={item.key === selected}
              nowMs={nowMs}
              onSelect={onSelect}
              onUnfold={onUnfold}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface ItemProps extends Pick<HistoryListProps, 'nowMs' | 'onSelect' | 'onUnfold'> {
  readonly id: string;
  readonly item: HistoryItem;
  readonly isSelected: boolean;
}

function Item({ id, item, isSelected, nowMs, onSelect, onUnfold }: ItemProps): ReactNode {
  if (item.kind === 'day')
    return <div className="fine-print strong list-view-heading history-day">{formatDay(item.atMs, nowMs)}</div>;
  if (item.kind === 'now')
    return (
      <div className="row gap-8 tiny history-now" role="separator" aria-label="Now: the steps above were undone">
        <span>now</span>
      </div>
    );
  const steps = item.kind === 'run' ? item.steps : [item.step];
  const [newest] = steps;
  const Fold = item.kind === 'run' && item.isUnfolded ? ChevronDown : ChevronRight;
  const classes = [
    'list-view-item list-view-lines',
    newest!.state === 'undone' && 'history-undone',
    item.kind === 'step' && item.isInRun && 'history-in-run',
  ];
  return (
    <div
      id={id}
      className={classes.filter(Boolean).join(' ')}
      role="option"
      aria-selected={isSelected}
      title={`${formatMoment(newest!.atMs)}${newest!.state === 'undone' ? '\nundone' : ''}`}
      onClick={() => onSelect(item.key)}
      onDoubleClick={() => item.kind === 'run' && onUnfold(item.key, !item.isUnfolded)}
    >
      {item.kind === 'run' ? (
        <button
          type="button"
          className="row-inline dim"
          tabIndex={-1}
          aria-label="Expand"
          onClick={() => onUnfold(item.key, !item.isUnfolded)}
        >
          <Fold size={14} />
        </button>
      ) : (
        <StepIcon step={item.step} />
      )}
      <span className="history-title">
        {item.kind === 'run' ? `Script, ${plural(steps.length, 'step')}` : item.step.title}
      </span>
      <span className="note list-view-side">{formatWhen(newest!.atMs, nowMs)}</span>
      <span className="note list-view-facts">
        <StepFacts steps={steps} />
      </span>
      <span className="note list-view-side">{newest!.state === 'undone' ? 'undone' : newest!.windowTitle}</span>
    </div>
  );
}

export function StepIcon({ step }: { readonly step: HistoryStep }): ReactNode {
  const Icon =
    step.kind === 'gap' ? CircleSlash : step.kind === 'snapshot' ? Layers : step.sql === null ? Pencil : SquareTerminal;
  return <Icon size={14} className="fixed dim list-view-icon history-icon" aria-hidden />;
}

function StepFacts({ steps }: { readonly steps: readonly HistoryStep[] }): ReactNode {
  const tables = sumOfTables(steps);
  if (steps[0]!.kind === 'gap') return 'not recorded';
  if (tables.length === 0) return steps[0]!.kind === 'snapshot' ? 'whole database kept' : 'no rows';
  const more = tables.length - NAMED_TABLES;
  return (
    <>
      {tables.slice(0, NAMED_TABLES).map((counts) => (
        <span key={counts.table} className="history-table">
          {counts.table} <CountBadges counts={counts} />
        </span>
      ))}
      {more > 0 && `and ${more} more`}
    </>
  );
}

function nextIndex(items: readonly HistoryItem[], at: number, key: string): number | null {
  const indexes = items.flatMap((item, index) => (isChoosable(item) ? [index] : []));
  const position = indexes.indexOf(at);
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[key];
  if (step === undefined || indexes.length === 0) return null;
  return indexes[Math.max(0, Math.min(indexes.length - 1, position + step))]!;
}
