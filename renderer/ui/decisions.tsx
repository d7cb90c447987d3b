// Rows that the user decides about, mine or theirs: a list of one line each, its keys, and the answer for one row.
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import './decisions.css';
import { plural } from './format.ts';
import type { ScrollWindow } from './use-scroll-window.ts';
import { useRowWindow } from './use-row-window.ts';

const LINE_PX = 28;

export interface DecisionLine {
  readonly row: string;
  /** Name of the conflicting part of the row. */
  readonly what: string;
  /** Null as long as nothing is decided. */
  readonly choice: string | null;
}

interface DecisionListProps {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly count: number;
  readonly at: number;
  readonly shown: ScrollWindow;
  /** Undefined if the line has not been read yet. */
  readonly lineOf: (index: number) => DecisionLine | undefined;
  readonly onAt: (index: number) => void;
  readonly onChoose: (choice: 'mine' | 'theirs') => void;
  readonly onApply: () => void;
  /** A row that is decided leaves the list, so that the next one takes its place. */
  readonly isWorkedOff?: boolean;
}

export const useShownDecisions = (list: DecisionListProps['list'], count: number): ScrollWindow =>
  useRowWindow(list, count, LINE_PX);

/** ← and → decide about the row and move to the next one. */
export function DecisionList(props: DecisionListProps): ReactNode {
  const { list, label, count, at, shown, lineOf, onAt, onChoose, onApply, isWorkedOff = false } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5, End: count, Home: -count }[event.key];
    const choice = ({ ArrowLeft: 'mine', ArrowRight: 'theirs' } as const)[event.key];
    // A person can only decide about a row that was shown: until then the key has no effect, and the row stays.
    if (choice && !lineOf(at)) return event.preventDefault();
    if (choice) onChoose(choice);
    if (step || choice) {
      const next = Math.max(0, Math.min(count - 1, at + (step ?? (isWorkedOff ? 0 : 1))));
      onAt(next);
      scrollTo(list.current!, next);
    } else if (event.key === 'Enter') onApply();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={list}
      className={`fixed text-color decision-list${isWorkedOff ? ' worked-off' : ''}`}
      role="listbox"
      aria-label={label}
      aria-activedescendant={`decision-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: count * LINE_PX }}>
        <div style={{ transform: `translateY(${shown.from * LINE_PX}px)` }}>
          {Array.from({ length: shown.to - shown.from }, (_, offset) => shown.from + offset).map((index) => (
            <Line key={index} index={index} isCurrent={index === at} line={lineOf(index)} onClick={() => onAt(index)} />
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  readonly index: number;
  readonly isCurrent: boolean;
  readonly line: DecisionLine | undefined;
  readonly onClick: () => void;
}

function Line({ index, isCurrent, line, onClick }: LineProps): ReactNode {
  return (
    <div
      id={`decision-${index}`}
      className="gap-10 select-row decision-line"
      role="option"
      aria-selected={isCurrent}
      onClick={onClick}
    >
      <span>{line?.row}</span>
      <span className="note" title={line?.what}>
        {line?.what}
      </span>
      <span className={line?.choice ? 'small accent' : 'small warn'}>{line && (line.choice ?? 'Undecided')}</span>
    </div>
  );
}

function scrollTo(list: HTMLElement, index: number): void {
  const top = index * LINE_PX;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + LINE_PX > list.scrollTop + list.clientHeight) list.scrollTop = top + LINE_PX - list.clientHeight;
}

/** One answer for many rows, above the list. */
export function DecisionBar({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="row wrap gap-8">
      {children}
      <span className="small push-end">
        <kbd>↑</kbd> <kbd>↓</kbd> row <kbd>←</kbd> mine <kbd>→</kbd> theirs
      </span>
    </div>
  );
}

interface DecisionAnswerProps<C extends string> {
  readonly choices: readonly { readonly choice: C; readonly label: string; readonly title?: string }[];
  readonly choice: C | null;
  readonly onChoose: (choice: C) => void;
}

export function DecisionAnswer<C extends string>({ choices, choice, onChoose }: DecisionAnswerProps<C>): ReactNode {
  return (
    <div className="wrap text-color decision-answer" role="radiogroup" aria-label="This row">
      {choices.map((each) => (
        <label key={each.choice} title={each.title}>
          <input type="radio" name="decision" checked={choice === each.choice} onChange={() => onChoose(each.choice)} />
          {each.label}
        </label>
      ))}
    </div>
  );
}

/** Placed beside the buttons of the dialog. */
export function DecisionsLeft({ rows }: { readonly rows: number }): ReactNode {
  return (
    <span className="dim decisions-left" role="status">
      {rows > 0 ? `${plural(rows, 'row')} to decide` : 'Everything is decided'}
    </span>
  );
}
