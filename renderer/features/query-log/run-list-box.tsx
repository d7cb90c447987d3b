// The runs, newest first: choose one, two to compare, or several to delete.
import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, LoaderCircle } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import type { LoggedRun } from '#shared/protocol/index.ts';
import { formatMoment, formatWhen } from '../../ui/format.ts';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { shortSql } from '../../workbench/text/short-sql.ts';
import { copyRun, deleteRuns, openRun } from './run-actions.ts';
import { choice } from './run-list.ts';
import { factsOf, OUTCOME_WORDS } from './run-labels.ts';

/** Must match the style sheet. */
const ROW_PX = 44;

const ICONS: Readonly<Record<LoggedRun['outcome'], typeof CircleCheck>> = {
  done: CircleCheck,
  failed: CircleAlert,
  stopped: CircleSlash,
  running: LoaderCircle,
  interrupted: CircleDashed,
};

interface RunListBoxProps {
  readonly runs: readonly LoggedRun[];
  /** Called when the last loaded run is on screen. */
  readonly chosen: readonly number[];
  readonly nowMs: number;
  readonly onChoose: (ids: readonly number[]) => void;
  /** The last loaded run is on screen. */
  readonly onEnd: () => void;
}

export function RunListBox({ runs, chosen, nowMs, onChoose, onEnd }: RunListBoxProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useRowWindow(scroller, runs.length, ROW_PX);
  const ids = useMemo(() => runs.map(({ id }) => id), [runs]);
  const selected = chosen.length > 0 ? chosen : ids.slice(0, 1);
  const current = Math.max(0, ids.indexOf(selected.at(-1)!));
  const listId = useId();
  const isAtEnd = to >= runs.length;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, runs, onEnd]);

  const moveTo = (index: number, reach: 'only' | 'range'): void => {
    onChoose(choice(ids, selected, ids[index]!, reach));
    scrollTo(scroller.current!, index);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = stepOf(event, scroller.current!.clientHeight);
    const run = runs[current]!;
    const isCommand = event.ctrlKey || event.metaKey;
    if (step !== null)
      moveTo(Math.max(0, Math.min(runs.length - 1, current + step)), event.shiftKey ? 'range' : 'only');
    else if (event.key === 'Enter') void openRun(run, isCommand);
    else if (event.key === 'Delete') void deleteRuns(selected);
    else if (event.key.toLowerCase() === 'c' && isCommand) void copyRun(run);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, id: number): void =>
    onChoose(choice(ids, selected, id, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only'));
  return (
    <div
      ref={scroller}
      className="inner-focus list-view-list"
      role="listbox"
      aria-label="Runs"
      aria-multiselectable="true"
      aria-activedescendant={current >= from && current < to ? `${listId}-${ids[current]}` : undefined}
      tabIndex={0}
      data-pane
      data-first-focus
      onKeyDown={onKeyDown}
    >
      <div className="clip anchor" role="presentation" style={{ height: runs.length * ROW_PX }}>
        {runs.slice(from, to).map((run, index) => (
          <RunItem
            key={run.id}
            id={`${listId}-${run.id}`}
            run={run}
            top={(from + index) * ROW_PX}
            isSelected={selected.includes(run.id)}
            when={formatWhen(run.startedAtMs, nowMs)}
            onClick={onClick}
          />
        ))}
      </div>
    </div>
  );
}

function scrollTo(element: HTMLElement, index: number): void {
  const top = index * ROW_PX;
  const bottom = top + ROW_PX - element.clientHeight;
  if (top < element.scrollTop || bottom > element.scrollTop) element.scrollTop = top < element.scrollTop ? top : bottom;
}

interface RunItemProps {
  readonly id: string;
  readonly run: LoggedRun;
  readonly top: number;
  readonly isSelected: boolean;
  readonly when: string;
  readonly onClick: (event: MouseEvent, id: number) => void;
}

function RunItem({ id, run, top, isSelected, when, onClick }: RunItemProps): ReactNode {
  const Icon = ICONS[run.outcome];
  return (
    <div
      id={id}
      className="full-width list-view-item list-view-lines query-log-item"
      role="option"
      aria-selected={isSelected}
      data-outcome={run.outcome}
      style={{ transform: `translateY(${top}px)` }}
      title={formatMoment(run.startedAtMs)}
      onClick={(event) => onClick(event, run.id)}
      onDoubleClick={() => void openRun(run, false)}
    >
      <Icon size={14} className="fixed dim list-view-icon query-log-icon" aria-label={OUTCOME_WORDS[run.outcome]} />
      <code className="query-log-text">{shortSql(run.begin)}</code>
      <span className="note list-view-side query-log-side">{when}</span>
      <span className="note list-view-facts query-log-facts">{run.error ?? factsOf(run)}</span>
      <span className="note list-view-side query-log-side">{run.of.name}</span>
    </div>
  );
}

function stepOf({ key }: KeyboardEvent, heightPx: number): number | null {
  const page = Math.max(1, Math.floor(heightPx / ROW_PX) - 1);
  return { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[key] ?? null;
}
