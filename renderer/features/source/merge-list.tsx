// The rows that a merge asks about, read as they come into view.
import { useEffect, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { MergeChoice, MergeQuestion } from '#shared/protocol/index.ts';
import type { MergeAnswers, ShownMerge } from '../../state/slices/sources.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { DecisionList, useShownDecisions } from '../../ui/decisions.tsx';
import type { DecisionLine } from '../../ui/decisions.tsx';
import { answerOf } from './merge-answers.ts';
import { CHOICES, questionLabel, rowsOf } from './merge-labels.ts';
import { useMergeQuestions } from './use-merge-questions.ts';

interface MergeListProps {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly merge: ShownMerge;
  readonly answers: MergeAnswers;
  readonly onShow: (question: MergeQuestion | null) => void;
  readonly onChoose: (question: MergeQuestion, choice: MergeChoice) => void;
  readonly onApply: () => void;
}

export function MergeList({ list, merge, answers, onShow, onChoose, onApply }: MergeListProps): ReactNode {
  const count = rowsOf(merge.plan.questions);
  const [at, setAt] = useState(0);
  const shown = useShownDecisions(list, count);
  const read = useMergeQuestions(merge, shown.from, shown.to);
  const current = read(at);
  useEffect(() => onShow(current ?? null), [current, onShow]);
  return (
    <DecisionList
      list={list}
      label="Rows to decide"
      count={count}
      at={at}
      shown={shown}
      lineOf={(index) => lineOf(read(index), answers)}
      onAt={setAt}
      onChoose={(choice) => current && onChoose(current, choice)}
      onApply={onApply}
    />
  );
}

function lineOf(question: MergeQuestion | undefined, answers: MergeAnswers): DecisionLine | undefined {
  if (!question) return undefined;
  const choice = answerOf(answers, question);
  return {
    row: `${question.table} ${question.key.map(valueText).join(', ')}`,
    what: questionLabel(question),
    choice: CHOICES.find((each) => each.choice === choice)?.label ?? null,
  };
}
