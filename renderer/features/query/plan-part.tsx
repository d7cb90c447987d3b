// How SQLite would run a statement: a tree of its steps with their costs, and the index lab. A step links to its table in the text.
import { FlaskConical } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { IndexLab } from './index-lab/index-lab.tsx';
import { PlanTable } from './plan-table.tsx';
import { hasCosts, planSteps } from './plan-labels.ts';
import type { ExplainedPlan } from './query-view.ts';
import './plan-part.css';

interface PlanPartProps {
  readonly plan: ExplainedPlan;
  /** @param source the alias or table to look for */
  readonly onGoTo: (source: string) => void;
}

export function PlanPart({ plan, onGoTo }: PlanPartProps): ReactNode {
  const { isOpen } = plan.lab.useView();
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that created an index disappeared with the lab of the previous plan.
    if (plan.isAgain && document.activeElement === document.body) region.current?.focus();
  }, [plan]);
  const steps = planSteps(plan.lines);
  if (steps.length === 0)
    return <p className="query-empty">No query plan: the statement neither reads nor changes rows.</p>;
  const slow = steps.filter(({ tone }) => tone === 'slow').length;
  return (
    <div className="plan selectable" tabIndex={0} role="region" aria-label="Query plan" ref={region}>
      <div className="plan-summary">
        <p>
          {slow === 0
            ? 'Every table is searched through an index.'
            : `${plural(slow, 'step')} without a suitable index.`}
          {hasCosts(steps) && <span> Costs are SQLite’s own estimates, made before running the statement.</span>}
        </p>
        <Button
          size="small"
          aria-expanded={isOpen}
          title={`Try indexes for this statement without changing the database (${commandKeyLabel('query.findIndexes')})`}
          onClick={() => plan.lab.toggle()}
        >
          <FlaskConical size={14} aria-hidden /> Index lab
        </Button>
      </div>
      <PlanTable steps={steps} onGoTo={onGoTo} />
      {isOpen && <IndexLab session={plan.lab} />}
    </div>
  );
}
