// The part of the dialog that chooses a moment: a time to type, and a list of moments.
import type { ReactNode } from 'react';
import { plural } from '../../ui/format.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { readTime, writeTime, zoneOf } from './as-of.ts';
import { chooseMoment, stopListing, timeProblem, typeTime, useReplicaSession } from './replica-session.ts';

/** Older ones can be reached by typing a time. */
const LISTED = 2000;

export function AsOf(): ReactNode {
  const { replica, failure, isListing, moments } = useReplicaSession();
  return (
    <>
      {moments.length > 0 && <TimeField />}
      {moments.length > 0 && <MomentList />}
      <span />
      <div className="replica-outcome">
        <p className={failure === null ? 'replica-note' : 'replica-bad'} role="status">
          {failure ?? (isListing ? 'Listing restore points…' : replica && moments.length > 0 ? rangeOf(moments) : '')}
        </p>
        {isListing && (
          <Button size="small" onClick={stopListing}>
            Stop
          </Button>
        )}
      </div>
    </>
  );
}

function rangeOf(moments: readonly { readonly atMs: number }[]): string {
  const count = plural(moments.length, 'restore point');
  const hidden = moments.length > LISTED ? ` The list shows the newest ${plural(LISTED, 'restore point')}.` : '';
  return `${count} from ${writeTime(moments.at(-1)!.atMs)} to ${writeTime(moments[0]!.atMs)}.${hidden}`;
}

function TimeField(): ReactNode {
  const time = useReplicaSession((state) => state.time);
  const problem = useReplicaSession(timeProblem);
  const newest = useReplicaSession(({ moments }) => moments[0]!.atMs);
  const zone = zoneOf(readTime(time) ?? newest);
  return (
    <>
      <label htmlFor="replica-time">As of</label>
      <div>
        <div className="replica-time">
          <TextField
            id="replica-time"
            value={time}
            placeholder="2026-11-20 14:00"
            aria-invalid={problem !== null}
            aria-describedby="replica-zone replica-time-problem"
            onChange={({ target }) => typeTime(target.value)}
          />
          <span id="replica-zone" className="replica-note">
            {zone}
          </span>
        </div>
        <p id="replica-time-problem" className={problem === null ? 'visually-hidden' : 'replica-bad'}>
          {problem ?? ''}
        </p>
      </div>
    </>
  );
}

function MomentList(): ReactNode {
  const { moments, txid } = useReplicaSession();
  return (
    <>
      <label htmlFor="replica-moments">Restore points</label>
      <select
        id="replica-moments"
        className="replica-moments"
        size={6}
        value={txid ?? ''}
        onChange={({ target }) => chooseMoment(target.value)}
      >
        {moments.slice(0, LISTED).map((moment) => (
          <option key={moment.txid} value={moment.txid}>
            {`${writeTime(moment.atMs)}   transaction ${BigInt(`0x${moment.txid}`)}`}
          </option>
        ))}
      </select>
    </>
  );
}
