// Check boxes that choose all rows of a kind that differ, or none.
import type { ReactNode } from 'react';
import type { ChangeCounts } from '#shared/protocol/index.ts';
import { formatCount } from '../../ui/format.ts';
import { SIGNS } from '../../workbench/differences/difference-lines.ts';
import { chosenOf, ROW_KINDS, withKind } from './rows-choice.ts';
import type { ChosenRows, RowKind } from './rows-choice.ts';
import './kind-choice.css';

const VERBS: Readonly<Record<RowKind, string>> = { inserted: 'Add', updated: 'Change', deleted: 'Delete' };

interface KindChoiceProps {
  readonly counts: ChangeCounts;
  /** There are more rows than are listed. */
  readonly hasUnlisted: boolean;
  readonly chosen: ChosenRows;
  readonly onChoose: (chosen: ChosenRows) => void;
}

export function KindChoice({ counts, hasUnlisted, chosen, onChoose }: KindChoiceProps): ReactNode {
  return (
    <div className="kind-choice" role="group" aria-label="Rows to apply">
      {ROW_KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
        const count = chosenOf(chosen, kind, counts);
        const isAll = count === counts[kind];
        return (
          <label key={kind} title={hasUnlisted ? 'Includes rows that are not listed' : undefined}>
            <input
              type="checkbox"
              checked={isAll}
              ref={(box) => {
                if (box) box.indeterminate = !isAll && count > 0;
              }}
              onChange={() => onChoose(withKind(chosen, kind, !isAll))}
            />
            <span className={`count-${kind}`}>{SIGNS[kind]}</span>
            {VERBS[kind]} {isAll ? '' : `${formatCount(count)} of `}
            {formatCount(counts[kind])}
          </label>
        );
      })}
    </div>
  );
}
