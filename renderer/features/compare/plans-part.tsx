// Both query plans of a statement, line beside line.
import type { ReactNode } from 'react';
import type { PlanLine } from '#shared/protocol/index.ts';
import { plural } from '../../ui/format.ts';
import type { Outcome, StatementPair } from './compare-view.ts';
import { alignPlans } from './plan-lines.ts';
import { ToneIcon } from './statement-strip.tsx';

export function PlansPart({ pair }: { readonly pair: StatementPair | null }): ReactNode {
  const [left, right] = [planOf(pair?.wasm), planOf(pair?.native)];
  if (!pair || left.length + right.length === 0)
    return (
      <p className="compare-empty">There is no query plan: the statement neither reads nor changes rows, or failed.</p>
    );
  const rows = alignPlans(left, right);
  const differing = rows.filter(({ isSame }) => !isSame).length;
  return (
    <div className="compare-scroll" tabIndex={0} aria-label="Query plans">
      <p className="compare-verdict" data-tone={differing === 0 ? 'same' : 'different'}>
        <ToneIcon tone={differing === 0 ? 'same' : 'different'} />
        <span className="compare-verdict-text" role="status" aria-label="Verdict">
          {differing === 0 ? 'The same plan on both engines.' : `${plural(differing, 'line differs', 'lines differ')}.`}
        </span>
      </p>
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
  );
}

const planOf = (outcome: Outcome | undefined): readonly PlanLine[] =>
  outcome?.kind === 'ran' ? outcome.statement.plan : [];
