// The dialog that opens a Litestream replica as of a moment: the location, and the moment.
import { useRef } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { setOverlay, useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AsOf } from './as-of-fields.tsx';
import { ReplicaLocationFields } from './replica-location.tsx';
import { chooseProgram, stopListing, timeProblem, useReplicaSession } from './replica-session.ts';
import { restore } from './restore.ts';
import './replica-dialog.css';

interface ReplicasProps {
  readonly onOpened: (database: DatabaseId) => void;
}

export function Replicas({ onOpened }: ReplicasProps): ReactNode {
  const isOpen = useStore((state) => state.overlay === 'replica');
  return isOpen ? <ReplicaDialog onOpened={onOpened} /> : null;
}

const close = (): void => {
  stopListing();
  setOverlay(null);
};

function ReplicaDialog({ onOpened }: ReplicasProps): ReactNode {
  const { replica, txid } = useReplicaSession();
  const isReady = useReplicaSession((state) => state.txid !== null && !state.isListing && timeProblem(state) === null);
  const first = useRef<HTMLButtonElement>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady || !replica || txid === null) return;
    close();
    void restore(replica, txid, onOpened);
  };
  return (
    <Dialog
      title="Open replica as of a point in time"
      initialFocus={first}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" form="replica-form" disabled={!isReady}>
            Open read-only
          </Button>
        </>
      }
    >
      <form id="replica-form" className="replica-form" onSubmit={submit}>
        <ReplicaLocationFields first={first} />
        <AsOf />
        <Program />
      </form>
    </Dialog>
  );
}

/** Sidelite runs the user's own Litestream. */
function Program(): ReactNode {
  const program = useReplicaSession((state) => state.program);
  if (!program) return null;
  const isMissing = 'why' in program;
  return (
    <>
      <span>Program</span>
      <div className="replica-program">
        {isMissing ? (
          <p className="replica-bad" role="alert">
            {program.why}
          </p>
        ) : (
          <p className="replica-path replica-note" title={program.path}>
            Litestream {program.version}, <bdi>{program.path}</bdi>
          </p>
        )}
        <Button size="small" onClick={() => void chooseProgram()}>
          Choose program…
        </Button>
      </div>
    </>
  );
}
