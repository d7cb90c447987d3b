// Row by row: what is there now, what the change wants, and which of the two it shall be.
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { ConflictChoice, RowConflict } from '#shared/protocol/index.ts';
import type { ConflictQuestion } from '../../client/slices/history.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { keyText } from './difference-columns.ts';
import { ValueText } from './difference-table.tsx';
import './conflict-dialog.css';

const ROW_PX = 28;
const WORDS: Readonly<Record<ConflictChoice, string>> = { mine: 'keep mine', theirs: 'take theirs' };

/** There is nothing to decide: no row that could be kept or changed. */
const isGone = ({ reason }: RowConflict): boolean => reason === 'gone';

export function ConflictDialog({ question }: { readonly question: ConflictQuestion }): ReactNode {
  const { title, conflicts, total, answer } = question;
  const [choices, setChoices] = useState<Readonly<Record<number, ConflictChoice>>>({});
  const [all, setAll] = useState<ConflictChoice | null>(null);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const choiceOf = (conflict: RowConflict): ConflictChoice | null =>
    isGone(conflict) ? 'mine' : (choices[conflict.index] ?? all);
  const open = total > conflicts.length && !all ? total : conflicts.filter((conflict) => !choiceOf(conflict)).length;
  const choose = (conflict: RowConflict, choice: ConflictChoice): void =>
    setChoices((before) => ({ ...before, [conflict.index]: choice }));
  const chooseForAll = (choice: ConflictChoice): void => {
    setAll(choice);
    setChoices({});
  };
  const current = conflicts[at];
  const apply = (): void => {
    const left = conflicts.filter(isGone).map(({ index }) => [index, 'mine'] as const);
    if (open === 0) answer({ rows: { ...choices, ...Object.fromEntries(left) }, ...(all && { all }) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = ({ ArrowLeft: 'mine', ArrowRight: 'theirs' } as const)[event.key];
    if (current && choice && !isGone(current)) choose(current, choice);
    if (step || choice) {
      const next = Math.max(0, Math.min(conflicts.length - 1, at + (step ?? 1)));
      setAt(next);
      showLine(list.current!, next);
    } else if (event.key === 'Enter') apply();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      title={`${title}: ${plural(total, 'row')} changed since`}
      wide
      initialFocus={list}
      onClose={() => answer(null)}
      footer={
        <>
          <span className="conflict-open" role="status">
            {open > 0 ? `${plural(open, 'row')} to decide` : 'Everything is decided'}
          </span>
          <Button onClick={() => answer(null)}>Cancel</Button>
          <Button look="primary" disabled={open > 0} onClick={apply}>
            Apply
          </Button>
        </>
      }
    >
      <ConflictHead onAll={chooseForAll} />
      <ConflictList list={list} conflicts={conflicts} at={at} choiceOf={choiceOf} onAt={setAt} onKeyDown={onKeyDown} />
      {current && (
        <Comparison conflict={current} choice={choiceOf(current)} onChoose={(choice) => choose(current, choice)} />
      )}
    </Dialog>
  );
}

function ConflictHead({ onAll }: { readonly onAll: (choice: ConflictChoice) => void }): ReactNode {
  return (
    <>
      <p className="conflict-words">
        Mine is the row as it is now; theirs is what the change makes of it. Nothing was changed yet.
      </p>
      <div className="conflict-all">
        <Button size="small" onClick={() => onAll('mine')}>
          Keep mine for all
        </Button>
        <Button size="small" onClick={() => onAll('theirs')}>
          Take theirs for all
        </Button>
        <span className="conflict-keys">
          <kbd>↑</kbd> <kbd>↓</kbd> row <kbd>←</kbd> mine <kbd>→</kbd> theirs
        </span>
      </div>
    </>
  );
}

interface ConflictListProps {
  readonly list: { current: HTMLDivElement | null };
  readonly conflicts: readonly RowConflict[];
  readonly at: number;
  readonly choiceOf: (conflict: RowConflict) => ConflictChoice | null;
  readonly onAt: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function ConflictList({ list, conflicts, at, choiceOf, onAt, onKeyDown }: ConflictListProps): ReactNode {
  const { from, to } = useRowWindow(list, conflicts.length, ROW_PX);
  return (
    <div
      ref={list}
      className="conflict-list"
      role="listbox"
      aria-label="Rows in conflict"
      aria-activedescendant={`conflict-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className="conflict-lines" style={{ height: conflicts.length * ROW_PX }}>
        <div style={{ transform: `translateY(${from * ROW_PX}px)` }}>
          {conflicts.slice(from, to).map((conflict, offset) => {
            const index = from + offset;
            const choice = choiceOf(conflict);
            return (
              <div
                key={conflict.index}
                id={`conflict-${index}`}
                className="conflict-line"
                role="option"
                aria-selected={index === at}
                onClick={() => onAt(index)}
              >
                <span className="conflict-row">
                  {conflict.change.table} {keyText(conflict.change)}
                </span>
                <span className="conflict-message" title={conflict.message}>
                  {conflict.message}
                </span>
                <span className={choice ? 'conflict-choice' : 'conflict-choice conflict-undecided'}>
                  {isGone(conflict) ? 'left out' : choice ? WORDS[choice] : 'undecided'}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface ComparisonProps {
  readonly conflict: RowConflict;
  readonly choice: ConflictChoice | null;
  readonly onChoose: (choice: ConflictChoice) => void;
}

function Comparison({ conflict, choice, onChoose }: ComparisonProps): ReactNode {
  const { change, current } = conflict;
  const places = change.columns
    .map((name, index) => ({ name, now: current?.[index], wanted: change.after?.[index], was: change.before?.[index] }))
    .filter(({ wanted, was }) => wanted !== undefined || was !== undefined);
  return (
    <>
      <table className="conflict-columns">
        <thead>
          <tr>
            <th>Column</th>
            <th>Mine: now{current === null && ', the row is not there'}</th>
            <th>Theirs: {change.kind === 'deleted' ? 'the row is deleted' : 'as the change wants it'}</th>
          </tr>
        </thead>
        <tbody>
          {places.map(({ name, now, wanted }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{current !== null && <ValueText value={now} as="span" />}</td>
              <td>{change.kind !== 'deleted' && <ValueText value={wanted} as="ins" />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isGone(conflict) ? (
        <p className="conflict-answer">Left out: there is no row any more that could be changed.</p>
      ) : (
        <div className="conflict-answer" role="radiogroup" aria-label="This row">
          {(['mine', 'theirs'] as const).map((each) => (
            <label key={each}>
              <input type="radio" name="conflict" checked={choice === each} onChange={() => onChoose(each)} />
              {each === 'mine' ? 'Keep mine: leave the row as it is' : 'Take theirs: the change wins'}
            </label>
          ))}
        </div>
      )}
    </>
  );
}

function showLine(list: HTMLElement, index: number): void {
  const top = index * ROW_PX;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW_PX > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW_PX - list.clientHeight;
}
