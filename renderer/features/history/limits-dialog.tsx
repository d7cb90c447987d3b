// The question how much the history may keep.
import { useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { DatabaseId, HistoryLimits } from '#shared/protocol/index.ts';
import { isInPlace } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';

/** As sizes are written everywhere in the window. */
const MB = 1e6;
const MOST_MB = 1e6;
const MOST_STEP_MB = 500;

interface LimitsDialogProps {
  readonly database: DatabaseId;
  readonly limits: HistoryLimits;
  readonly onClose: () => void;
}

export function LimitsDialog({ database, limits, onClose }: LimitsDialogProps): ReactNode {
  const [total, setTotal] = useState(String(Math.round(limits.totalBytes / MB)));
  const [step, setStep] = useState(String(Math.round(limits.stepBytes / MB)));
  const first = useRef<HTMLInputElement>(null);
  const [totalMb, stepMb] = [asMb(total), asMb(step)];
  const problem =
    totalMb === null || stepMb === null
      ? 'Enter whole numbers from 1 to 1,000,000.'
      : stepMb > MOST_STEP_MB
        ? `A step can be kept row by row up to ${MOST_STEP_MB} MB.`
        : stepMb > totalMb
          ? 'A step cannot be larger than the whole history.'
          : null;
  const save = (event?: FormEvent): void => {
    event?.preventDefault();
    if (problem !== null) return;
    const wanted = { totalBytes: totalMb! * MB, stepBytes: stepMb! * MB };
    client.call('history.setLimits', { database, ...wanted }).catch(notifyFailure);
    onClose();
  };
  return (
    <Dialog
      title="History limits"
      initialFocus={first}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={problem !== null} onClick={() => save()}>
            Save
          </Button>
        </>
      }
    >
      <form className="limits-form" onSubmit={save}>
        <label>
          History of {isInPlace(database) ? 'a file in place' : 'a database'}, in MB
          <TextField ref={first} inputMode="numeric" value={total} onChange={(event) => setTotal(event.target.value)} />
          <small>
            When it is full, the oldest steps are deleted. The history is never stored in the database file itself.
          </small>
        </label>
        <label>
          Row by row up to, in MB
          <TextField inputMode="numeric" value={step} onChange={(event) => setStep(event.target.value)} />
          <small>
            For a larger change, or a change to the schema, a copy of the whole database is kept instead, if it is
            within this limit. If it is not, Sidelite asks before running the change.
          </small>
        </label>
        <p className="question-problem" role="status">
          {problem}
        </p>
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function asMb(text: string): number | null {
  const digits = text.replaceAll(/[\s,]/g, '');
  const value = /^\d+$/.test(digits) ? Number(digits) : 0;
  return value >= 1 && value <= MOST_MB ? value : null;
}
