// One row that both sides changed: its original, its version here, its version in the file, and which of them to keep.
import type { ReactNode } from 'react';
import type { MergeChoice, MergeQuestion } from '#shared/protocol/index.ts';
import type { MergeAnswers } from '../../state/slices/sources.ts';
import { DecisionAnswer } from '../../ui/decisions.tsx';
import { ThreeRows } from '../../workbench/differences/three-rows.tsx';
import { answerOf } from './merge-answers.ts';
import { CHOICES } from './merge-labels.ts';

interface MergeRowProps {
  readonly question: MergeQuestion;
  readonly answers: MergeAnswers;
  readonly onChoose: (choice: MergeChoice) => void;
}

export function MergeRow({ question, answers, onChoose }: MergeRowProps): ReactNode {
  const { columns, base, mine, theirs } = question;
  const [here, there] = [
    { name: 'Mine', row: mine },
    { name: 'Theirs', row: theirs },
  ];
  const before = base === undefined ? null : { name: 'Before', row: base };
  return (
    <>
      <DecisionAnswer choices={CHOICES} choice={answerOf(answers, question)} onChoose={onChoose} />
      <ThreeRows columns={columns} versions={before ? [before, here, there] : [here, there]} from={before ?? here} />
    </>
  );
}
