// The steps of a query plan with their costs.
import { TriangleAlert } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { hasCosts, type PlanStep } from './plan-labels.ts';

interface PlanTableProps {
  readonly steps: readonly PlanStep[];
  /** If missing, steps are not links. @param source the alias or table to look for */
  readonly onGoTo?: (source: string) => void;
}

export function PlanTable({ steps, onGoTo }: PlanTableProps): ReactNode {
  const most = Math.max(1, ...steps.map(({ cost }) => cost ?? 0));
  const costs = hasCosts(steps);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">What it does</th>
          {costs && (
            <th scope="col" className="plan-cost-head">
              Cost
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <Step key={step.id} step={step} most={costs ? most : null} onGoTo={onGoTo} />
        ))}
      </tbody>
    </table>
  );
}

interface StepProps {
  readonly step: PlanStep;
  /** The highest cost of a step; null if no step has one. */
  readonly most: number | null;
  readonly onGoTo: ((source: string) => void) | undefined;
}

function Step({ step: { detail, depth, meaning, tone, source, cost }, most, onGoTo }: StepProps): ReactNode {
  return (
    <tr data-tone={tone}>
      <td style={{ paddingLeft: 12 + depth * 18 }}>
        {source === null || !onGoTo ? (
          <code>{detail}</code>
        ) : (
          <button type="button" className="plan-step" title="Go to the SQL" onClick={() => onGoTo(source)}>
            <code>{detail}</code>
          </button>
        )}
      </td>
      <td>
        {tone === 'slow' && <TriangleAlert size={13} aria-label="Slow:" />}
        {meaning}
      </td>
      {most !== null && (
        <td className="plan-cost">
          {cost !== null && (
            <span style={{ '--share': shareOf(cost, most) } as CSSProperties}>{formatCount(Math.round(cost))}</span>
          )}
        </td>
      )}
    </tr>
  );
}

/** Costs differ by orders of magnitude, so the bar is as long as the logarithm. */
const shareOf = (cost: number, most: number): number => (most <= 1 ? 0 : Math.max(0, Math.log(cost) / Math.log(most)));
