// The dialog that opens a Litestream replica as of a moment: the location, and the moment.
import { useRef, type FormEvent, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { AppError, toAppError, type DatabaseId } from '#shared/protocol/index.ts';
import { notify, setOverlay, useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import { RadioButton } from '../../ui/check-box.tsx';
import { readTime, writeTime, zoneOf } from './as-of.ts';
import {
  changeDraft,
  chooseFolder,
  chooseKind,
  chooseMoment,
  chooseProgram,
  openReplicas,
  reachStorage,
  stopListing,
  timeProblem,
  typeTime,
  useReplicaSession,
} from './replica-session.ts';
import type { Replica, StorageDraft } from '#shared/replicas.ts';
import { shell, isDesktop } from '../../connection/shell.ts';
import { ensureOpen, refreshLibrary } from '../../state/databases.ts';
import { runJob, type JobOptions } from '../../workbench/jobs.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import './replica-dialog.css';

const LOOK_EVERY_MS = 250;

/** Tells the user why if that fails. @param onOpened called when it is open and can be shown */
async function restore(replica: Replica, txid: string, onOpened: (database: DatabaseId) => void): Promise<void> {
  try {
    const database = await runJob(`Restoring ${replica.name}`, (options) => restoreFile(replica, txid, options));
    try {
      await ensureOpen(database);
    } catch (thrown) {
      await shell.replicas.discard(database);
      throw thrown;
    }
    await refreshLibrary();
    onOpened(database);
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    if (code === 'stopped')
      return notify({ tone: 'info', text: `Restoring “${replica.name}” was stopped. Nothing was kept.` });
    notify({
      tone: 'error',
      topic: 'replica',
      text: `“${replica.name}” was not restored. ${message}`,
      action: { label: 'Choose a restore point', run: () => void openReplicas() },
    });
  }
}

async function restoreFile({ token }: Replica, txid: string, { signal, onChunk }: JobOptions): Promise<DatabaseId> {
  const look = setInterval(() => {
    void shell.replicas.written(token).then(
      (done) => onChunk({ phase: 'Restoring', done, total: null, unit: 'bytes' }),
      () => undefined,
    );
  }, LOOK_EVERY_MS);
  signal.addEventListener('abort', () => void shell.replicas.stop(token).catch(() => undefined));
  try {
    const reply = await shell.replicas.restore(token, txid);
    if ('database' in reply) return reply.database;
    if ('stopped' in reply) throw AppError.stopped('Restoring was stopped.');
    throw AppError.unavailable(reply.why);
  } finally {
    clearInterval(look);
  }
}

/** The part of the dialog that names the replica: a folder, or a path in S3-compatible storage with the keys to it. */
function ReplicaLocationFields({ first }: { readonly first: RefObject<HTMLButtonElement | null> }): ReactNode {
  const kind = useReplicaSession((state) => state.kind);
  return (
    <>
      <span id="replica-kind-label">Replica</span>
      <div className="replica-kinds" role="radiogroup" aria-labelledby="replica-kind-label">
        {(['folder', 'storage'] as const).map((each) => (
          <RadioButton
            key={each}
            label={each === 'folder' ? 'Folder' : 'S3-compatible storage'}
            name="replica-kind"
            checked={kind === each}
            onChoose={() => chooseKind(each)}
          />
        ))}
      </div>
      {kind === 'folder' ? <FolderField first={first} /> : <StorageFields />}
    </>
  );
}

function FolderField({ first }: { readonly first: RefObject<HTMLButtonElement | null> }): ReactNode {
  const replica = useReplicaSession((state) => state.replica);
  return (
    <>
      <span>Folder</span>
      <div className="replica-folder">
        <Button ref={first} onClick={() => void chooseFolder()}>
          Choose folder…
        </Button>
        <span className={replica ? 'cut replica-path' : 'cut replica-path replica-note'} title={replica?.displayPath}>
          {replica?.displayPath ?? 'The folder that Litestream replicates to'}
        </span>
      </div>
    </>
  );
}

const FIELDS: readonly (readonly [keyof StorageDraft, string, string])[] = [
  ['address', 'Address', 's3://backups/shop.db'],
  ['endpoint', 'Endpoint', 'Amazon S3'],
  ['region', 'Region', 'Detected by Litestream'],
  ['keyId', 'Key ID', 'From this computer’s configuration'],
  ['secret', 'Secret key', ''],
];

function StorageFields(): ReactNode {
  const { draft, isListing } = useReplicaSession();
  const listOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault(); // or the form opens what was listed before
    void reachStorage();
  };
  return (
    <>
      {FIELDS.map(([field, label, placeholder]) => (
        <Field key={field} {...{ field, label, placeholder }} onKeyDown={listOnEnter} />
      ))}
      <span />
      <div className="replica-folder">
        <Button disabled={draft.address.trim() === '' || isListing} onClick={() => void reachStorage()}>
          List restore points
        </Button>
        <span className="replica-note">Keys are kept only until this window is closed.</span>
      </div>
    </>
  );
}

interface FieldProps {
  readonly field: keyof StorageDraft;
  readonly label: string;
  readonly placeholder: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function Field({ field, label, placeholder, onKeyDown }: FieldProps): ReactNode {
  const value = useReplicaSession(({ draft }) => draft[field]);
  const isKnown = useReplicaSession(
    (state) => field === 'secret' && state.replica !== null && state.draft.keyId !== '',
  );
  return (
    <>
      <label htmlFor={`replica-${field}`}>{label}</label>
      <TextField
        id={`replica-${field}`}
        type={field === 'secret' ? 'password' : 'text'}
        placeholder={isKnown ? '••••••••' : placeholder}
        {...{ value, onKeyDown }}
        onChange={({ target }) => changeDraft({ [field]: target.value })}
      />
    </>
  );
}

/** Older ones can be reached by typing a time. */
const LISTED = 2000;

function AsOf(): ReactNode {
  const { replica, failure, isListing, moments } = useReplicaSession();
  return (
    <>
      {moments.length > 0 && <TimeField />}
      {moments.length > 0 && <MomentList />}
      <span />
      <div className="replica-outcome">
        <p className={failure === null ? 'replica-note' : 'error replica-bad'} role="status">
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
        <p id="replica-time-problem" className={problem === null ? 'visually-hidden' : 'error replica-bad'}>
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
        className="option-list"
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
      <form id="replica-form" className="label-form replica-form" onSubmit={submit}>
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
          <p className="error replica-bad" role="alert">
            {program.why}
          </p>
        ) : (
          <p className="cut replica-path replica-note" title={program.path}>
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

export function useReplicaCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  useCommand('file.openReplica', () => void openReplicas(), isDesktop && isConnected);
}
