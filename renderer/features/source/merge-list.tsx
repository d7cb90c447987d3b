// The rows a merge asks about, one line each. Only lines on screen exist.
import { useEffect, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { DatabaseId, MergeChoice, MergePlan, MergeQuestion } from '#shared/protocol/index.ts';
import { valueText } from '../../grid/value-text.ts';
import type { MergeAnswers } from '../../client/slices/sources.ts';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { answerOf } from './merge-answers.ts';
import { CHOICES, questionInWords, rowsOf } from './merge-words.ts';
import { useMergeQuestions } from './use-merge-questions.ts';

const LINE_PX = 28;

interface MergeListProps {
  readonly list: { current: HTMLDivElement | null };
  readonly database: DatabaseId;
  readonly plan: MergePlan;
  readonly answers: MergeAnswers;
  readonly onShow: (question: MergeQuestion | null) => void;
  readonly onChoose: (question: MergeQuestion, choice: MergeChoice) => void;
  readonly onApply: () => void;
}

export function MergeList({ list, database, plan, answers, onShow, onChoose, onApply }: MergeListProps): ReactNode {
  const count = rowsOf(plan.questions);
  const [at, setAt] = useState(0);
  const { from, to } = useRowWindow(list, count, LINE_PX);
  const read = useMergeQuestions(database, from, to);
  const current = read(at);
  useEffect(() => onShow(current ?? null), [current, onShow]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5, End: count, Home: -count }[event.key];
    const choice = ({ ArrowLeft: 'mine', ArrowRight: 'theirs' } as const)[event.key];
    if (current && choice) onChoose(current, choice);
    if (step || choice) {
      const next = Math.max(0, Math.min(count - 1, at + (step ?? 1)));
      setAt(next);
      showLine(list.current!, next);
    } else if (event.key === 'Enter') onApply();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={list}
      className="merge-list"
      role="listbox"
      aria-label="Rows to decide"
      aria-activedescendant={`merge-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: count * LINE_PX }}>
        <div style={{ transform: `translateY(${from * LINE_PX}px)` }}>
          {Array.from({ length: to - from }, (_, offset) => (
            <Line
              key={from + offset}
              index={from + offset}
              isCurrent={from + offset === at}
              question={read(from + offset)}
              answers={answers}
              onClick={() => setAt(from + offset)}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  readonly index: number;
  readonly isCurrent: boolean;
  readonly question: MergeQuestion | undefined;
  readonly answers: MergeAnswers;
  readonly onClick: () => void;
}

function Line({ index, isCurrent, question, answers, onClick }: LineProps): ReactNode {
  const choice = question ? answerOf(answers, question) : null;
  const words = question ? questionInWords(question) : '';
  return (
    <div id={`merge-${index}`} className="merge-line" role="option" aria-selected={isCurrent} onClick={onClick}>
      <span>{question && `${question.table} ${question.key.map(valueText).join(', ')}`}</span>
      <span className="merge-what" title={words}>
        {words}
      </span>
      <span className={choice ? 'merge-choice' : 'merge-choice merge-undecided'}>
        {question && (CHOICES.find((each) => each.choice === choice)?.short ?? 'Undecided')}
      </span>
    </div>
  );
}

function showLine(list: HTMLElement, index: number): void {
  const top = index * LINE_PX;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + LINE_PX > list.scrollTop + list.clientHeight) list.scrollTop = top + LINE_PX - list.clientHeight;
}
