// The part of the dialog that names the replica: a folder, or a path in S3-compatible storage with the keys to it.
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import type { StorageDraft } from '#shared/replicas.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { changeDraft, chooseFolder, chooseKind, reachStorage, useReplicaSession } from './replica-session.ts';

export function ReplicaLocationFields({ first }: { readonly first: RefObject<HTMLButtonElement | null> }): ReactNode {
  const kind = useReplicaSession((state) => state.kind);
  return (
    <>
      <span id="replica-kind-label">Replica</span>
      <div className="replica-kinds" role="radiogroup" aria-labelledby="replica-kind-label">
        {(['folder', 'storage'] as const).map((each) => (
          <label key={each} className="form-check">
            <input type="radio" name="replica-kind" checked={kind === each} onChange={() => chooseKind(each)} />
            {each === 'folder' ? 'Folder' : 'S3-compatible storage'}
          </label>
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
        <span className={replica ? 'replica-path' : 'replica-path replica-note'} title={replica?.displayPath}>
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
