// One index in the lab: its SQL, its effect, and its actions.
import type { ReactNode } from 'react';
import type { IndexCandidate, IndexMeasurement } from '#shared/protocol/index.ts';
import { Button } from '../../../ui/button.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { PlanTable } from '../plan-table.tsx';
import { planSteps } from '../plan-labels.ts';
import { costText, measuredText, noteOn } from './lab-labels.ts';

interface CandidateItemProps {
  readonly candidate: IndexCandidate;
  /** Cost of the statement without new indexes. */
  readonly cost: number;
  readonly measurement: IndexMeasurement | null;
  readonly failure: string | null;
  /** Something is running in the lab. */
  readonly isBusy: boolean;
  readonly whyNotCreated: string | null;
  readonly onMeasure: () => void;
  readonly onCreate: () => void;
}

export function CandidateItem(props: CandidateItemProps): ReactNode {
  const { candidate, cost, measurement, failure, isBusy, whyNotCreated, onMeasure, onCreate } = props;
  const { sql, name, plan, bytes } = candidate;
  const note = noteOn(candidate);
  const why = isBusy ? 'The index lab is busy.' : null;
  return (
    <li className="lab-item" aria-label={name}>
      <div className="lab-line">
        <code className="lab-sql">{sql}</code>
        <span className="lab-buttons">
          <Button
            size="small"
            why={why}
            onClick={onMeasure}
            title="Runs the statement without and with the index in a copy of the database"
          >
            Measure
          </Button>
          <Button size="small" why={whyNotCreated ?? why} onClick={onCreate} title="Creates the index in the database">
            Create index
          </Button>
        </span>
      </div>
      <p className="lab-facts">
        Estimated cost {costText(cost, plan.cost)}
        {bytes !== null && <> · about {formatBytes(bytes)}</>}
      </p>
      {note && <p className="lab-note">{note}</p>}
      {measurement && <p className="lab-measured">{measuredText(measurement)}</p>}
      {failure !== null && (
        <p className="lab-failure" role="alert">
          {failure}
        </p>
      )}
      <details className="lab-plan">
        <summary>Query plan with this index</summary>
        <PlanTable steps={planSteps(plan.lines)} />
      </details>
    </li>
  );
}
