// How SQLite would run a statement: a tree of its steps with what each costs. A step leads to its table in the text.
import { TriangleAlert } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { formatCount, plural } from '../../ui/format.ts';
import { planSteps } from './plan-words.ts';
import type { PlanStep } from './plan-words.ts';
import type { ExplainedPlan } from './query-view.ts';
import './plan-part.css';

interface PlanPartProps {
  readonly plan: ExplainedPlan;
  /** @param source the alias or table to look for */
  readonly onGoTo: (source: string) => void;
}

export function PlanPart({ plan, onGoTo }: PlanPartProps): ReactNode {
  const steps = planSteps(plan.lines);
  if (steps.length === 0)
    return <p className="query-empty">No query plan: the statement neither reads nor changes rows.</p>;
  const most = Math.max(1, ...steps.map(({ cost }) => cost ?? 0));
  const slow = steps.filter(({ tone }) => tone === 'slow').length;
  return (
    <div className="plan selectable" tabIndex={0} role="region" aria-label="Query plan">
      <p className="plan-summary">
        {slow === 0 ? 'Every table is searched through an index.' : `${plural(slow, 'step')} without a fitting index.`}{' '}
        <span>Costs are SQLite’s own estimates, before anything ran.</span>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">What it does</th>
            <th scope="col" className="plan-cost-head">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <Step key={step.id} step={step} most={most} onGoTo={onGoTo} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface StepProps {
  readonly step: PlanStep;
  readonly most: number;
  readonly onGoTo: (source: string) => void;
}

function Step({ step: { detail, depth, meaning, tone, source, cost }, most, onGoTo }: StepProps): ReactNode {
  return (
    <tr data-tone={tone}>
      <td style={{ paddingLeft: 12 + depth * 18 }}>
        {source === null ? (
          <code>{detail}</code>
        ) : (
          <button type="button" className="plan-step" title="Go to it in the text" onClick={() => onGoTo(source)}>
            <code>{detail}</code>
          </button>
        )}
      </td>
      <td>
        {tone === 'slow' && <TriangleAlert size={13} aria-label="Slow:" />}
        {meaning}
      </td>
      <td className="plan-cost">
        {cost !== null && (
          <span style={{ '--share': shareOf(cost, most) } as CSSProperties}>{formatCount(Math.round(cost))}</span>
        )}
      </td>
    </tr>
  );
}

/** Costs differ by orders of magnitude, so the bar is as long as the logarithm. */
const shareOf = (cost: number, most: number): number => (most <= 1 ? 0 : Math.max(0, Math.log(cost) / Math.log(most)));
