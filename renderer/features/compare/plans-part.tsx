// Both query plans of a statement, line by line.
import type { ReactNode } from 'react';
import type { PlanLine } from '#shared/protocol/index.ts';
import { plural } from '../../ui/format.ts';
import type { Outcome, StatementPair } from './compare-view.ts';
import { alignPlans } from './plan-lines.ts';
import type { Sentence } from './verdict.ts';
import { VerdictRow } from './verdict-row.tsx';
import type { StatementChoice } from './verdict-row.tsx';
import './compare-tables.css';

interface PlansPartProps {
  readonly pair: StatementPair | null;
  readonly choice: StatementChoice;
}

export function PlansPart({ pair, choice }: PlansPartProps): ReactNode {
  const [left, right] = [planOf(pair?.wasm), planOf(pair?.native)];
  const rows = alignPlans(left, right);
  const differing = rows.filter(({ isSame }) => !isSame).length;
  return (
    <>
      <VerdictRow verdict={verdictOfPlans(left, right, differing)} choice={choice} />
      <div className="fill scroll inner-focus" tabIndex={0} aria-label="Query plans">
        <table className="compare-plans selectable">
          <thead>
            <tr>
              <th scope="col">wasm</th>
              <th scope="col">native</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ left: here, right: there, depth, isSame }, index) => (
              <tr key={index} data-same={isSame}>
                {[here, there].map((text, side) => (
                  <td key={side} style={{ paddingLeft: 12 + depth * 18 }}>
                    {text ?? <span aria-label="nothing">–</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function verdictOfPlans(wasm: readonly PlanLine[], native: readonly PlanLine[], differing: number): Sentence {
  if (wasm.length + native.length === 0)
    return { tone: 'note', text: 'No query plan: the statement neither reads nor changes rows, or failed.' };
  if (wasm.length === 0 || native.length === 0)
    return { tone: 'note', text: `Only ${wasm.length === 0 ? 'native' : 'wasm'} has a plan for it.` };
  if (differing === 0) return { tone: 'same', text: 'The same plan on both engines.' };
  return { tone: 'different', text: `${plural(differing, 'line differs', 'lines differ')}.` };
}

const planOf = (outcome: Outcome | undefined): readonly PlanLine[] =>
  outcome?.kind === 'ran' ? outcome.statement.plan : [];
