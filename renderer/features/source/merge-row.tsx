// One row that both sides changed: its original, its version here, its version in the file, and which of them to keep.
import type { ComponentType, ReactNode } from 'react';
import type { DifferenceValue, MergeChoice, MergeQuestion } from '#shared/protocol/index.ts';
import type { MergeAnswers } from '../../state/slices/sources.ts';
import { DecisionAnswer } from '../../ui/decisions.tsx';
import { plural } from '../../ui/format.ts';
import { answerOf } from './merge-answers.ts';
import { CHOICES } from './merge-labels.ts';

/** Component that shows a value; passed in by the app, because it belongs to the history. */
export type ShownValues = ComponentType<{ readonly value: DifferenceValue; readonly as: 'span' | 'ins' | 'del' }>;

interface MergeRowProps {
  readonly question: MergeQuestion;
  readonly answers: MergeAnswers;
  readonly onChoose: (choice: MergeChoice) => void;
  readonly Value: ShownValues;
}

export function MergeRow({ question, answers, onChoose, Value }: MergeRowProps): ReactNode {
  const { columns, base, mine, theirs } = question;
  const choice = answerOf(answers, question);
  const isKnown = base !== undefined;
  const sides = [
    ...(isKnown ? [{ name: 'Before', row: base }] : []),
    { name: 'Mine', row: mine },
    { name: 'Theirs', row: theirs },
  ];
  const positions = [...columns.keys()];
  const changed = positions.filter((position) =>
    sides.some(({ row }) => differs(row, isKnown ? base : mine, position)),
  );
  // A row that is missing on one side is shown in full.
  const shown = sides.some(({ row }) => !row) ? positions : changed;
  return (
    <>
      <DecisionAnswer choices={CHOICES} choice={choice} onChoose={onChoose} />
      <div className="decision-values">
        <table>
          <thead>
            <tr>
              <th>Column</th>
              {sides.map(({ name, row }) => (
                <th key={name}>
                  {name}
                  {row === null && ': no row'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((columnIndex) => (
              <tr key={columnIndex}>
                <th scope="row">{columns[columnIndex]}</th>
                {sides.map(({ name, row }) => (
                  <td
                    key={name}
                    className={
                      name !== 'Before' && differs(row, isKnown ? base : mine, columnIndex)
                        ? 'strong accent'
                        : undefined
                    }
                  >
                    {row && <Value value={row[columnIndex]} as="span" />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length < positions.length && (
          <p className="small">{plural(positions.length - shown.length, 'column')} the same on both sides.</p>
        )}
      </div>
    </>
  );
}

type Row = readonly DifferenceValue[] | null;

/** Changed cells stand out. */
function differs(row: Row, from: Row, position: number): boolean {
  if (!row || row === from) return false;
  return !from || textOf(row[position]) !== textOf(from[position]);
}

const textOf = (value: DifferenceValue): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? `${part}n` : part instanceof Uint8Array ? [...part] : part,
  );
