// The rows that differ, each with a check box: what is applied or saved.
import { useCallback, useMemo } from 'react';
import type { ReactNode } from 'react';
import type { ChangeCounts, RowComparison, TableCounts } from '#shared/protocol/index.ts';
import { formatCount, plural } from '../../ui/format.ts';
import type { RowCheck } from '../../workbench/differences/difference-table.tsx';
import { DifferenceTable } from '../../workbench/differences/difference-table.tsx';
import { SIGNS } from '../../workbench/differences/difference-lines.ts';
import { allOf, chosenOf, isChosen, ROW_KINDS, withKind, withRow } from './rows-choice.ts';
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

/** Check boxes that choose all rows of a kind that differ, or none. */
function KindChoice({ counts, hasUnlisted, chosen, onChoose }: KindChoiceProps): ReactNode {
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

interface ResultProps {
  readonly result: RowComparison;
  readonly chosen: ChosenRows;
  readonly onChoose: (chosen: ChosenRows) => void;
}

export function RowsResult({ result, chosen, onChoose }: ResultProps): ReactNode {
  const read = useCallback(
    (start: number, count: number) =>
      Promise.resolve({ rows: result.rows.slice(start, start + count), total: result.rows.length }),
    [result],
  );
  const listed = useMemo(() => [...result.listed], [result]);
  const check: RowCheck = {
    isOn: (row) => {
      const [number, found] = [result.numbers[row], result.rows[row]];
      return number == null || !found ? null : isChosen(chosen, found.kind, number);
    },
    toggle: (row) => onChoose(withRow(chosen, result.rows[row]!.kind, result.numbers[row]!)),
  };
  return (
    <>
      <p className="schema-diff-note" role="status">
        {summary(result)}
      </p>
      {result.notes.length > 0 && (
        <ul className="warn-note ruled-bar small schema-diff-notes" aria-label="Notes">
          {result.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {result.changes !== null && result.rows.length > 0 && (
        <KindChoice
          counts={result.changes}
          hasUnlisted={allOf(result.changes) > result.rows.length}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
      {result.rows.length > 0 && (
        <div className="fill">
          <DifferenceTable
            label="Rows that differ"
            tables={listed}
            read={read}
            empty="No rows differ."
            {...(result.changes !== null && { check })}
          />
        </div>
      )}
    </>
  );
}

function summary({ tables, tablesCompared, rows }: RowComparison): string {
  const sum = (of: (counts: TableCounts) => number): number => tables.reduce((total, counts) => total + of(counts), 0);
  const [inserted, updated, deleted] = [sum((c) => c.inserted), sum((c) => c.updated), sum((c) => c.deleted)];
  const total = inserted + updated + deleted;
  const compared = plural(tablesCompared, 'table');
  if (total === 0) return `All rows of ${compared} are the same.`;
  const counts = `${compared} compared: ${formatCount(inserted)} only on the right, ${formatCount(updated)} different, ${formatCount(deleted)} only on the left.`;
  return total > rows.length ? `${counts} The first ${formatCount(rows.length)} rows are listed.` : counts;
}
