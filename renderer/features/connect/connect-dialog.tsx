// The dialog of a connection to a server: its address, its token, and how careful to be with it. Connections are tested before saving.
import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react';
import { CONNECTION_COLORS, toAppError, type RemoteConnection, type RemoteTest } from '#shared/protocol/index.ts';
import { shell, isDesktop } from '../../connection/shell.ts';
import { forgetUnreached } from '../../state/databases.ts';
import { editConnection, useStore, notify } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { ColorDot } from '../../workbench/databases/color-dot.tsx';
import {
  factsText,
  problemOf,
  serverNote,
  suggestedName,
  tokenNote,
  draftOf,
  savingNote,
  toSend,
  type Draft,
} from './connection-draft.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import './connect-dialog.css';

interface ConnectProps {
  readonly onSaved: (connection: RemoteConnection) => void;
}

export function Connect({ onSaved }: ConnectProps): ReactNode {
  const edited = useStore((state) => state.editedConnection);
  if (!edited) return null;
  return <ConnectDialog key={edited === 'new' ? '' : edited.database} edited={edited} onSaved={onSaved} />;
}

function ConnectDialog({ edited, onSaved }: ConnectProps & { readonly edited: RemoteConnection | 'new' }): ReactNode {
  const form = useConnectionForm(edited, onSaved);
  const { draft, outcome, change } = form;
  const address = useRef<HTMLInputElement>(null);
  const token = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.isReady) void form.save();
  };
  return (
    <Dialog
      title={edited === 'new' ? 'Connect to a server' : `Connection “${edited.name}”`}
      // For a saved connection, the token is what usually changes.
      initialFocus={edited === 'new' ? address : token}
      onClose={() => editConnection(null)}
      footer={<Buttons form={form} saves={edited === 'new' ? 'Connect' : 'Save'} />}
    >
      <form className="label-form connect-form" onSubmit={submit}>
        <label htmlFor="connect-address">Address</label>
        <div>
          <TextField
            ref={address}
            id="connect-address"
            placeholder="libsql://shop-acme.turso.io"
            value={draft.address}
            aria-invalid={problemOf(draft) !== null}
            aria-describedby="connect-address-note"
            onChange={(event) => change({ address: event.target.value })}
          />
          <p id="connect-address-note" className={problemOf(draft) === null ? 'faint connect-note' : 'connect-bad'}>
            {problemOf(draft) ?? serverNote(draft)}
          </p>
        </div>
        <TokenField field={token} edited={edited} draft={draft} isRejected={isAboutToken(outcome)} onChange={change} />
        <label htmlFor="connect-name">Name</label>
        <TextField
          id="connect-name"
          placeholder={suggestedName(draft) || 'Shop'}
          maxLength={200}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <span id="connect-color-label">Color</span>
        <ColorChoice draft={draft} onChange={change} />
        <span>Writing</span>
        <CareChoices draft={draft} onChange={change} />
        {/* Enter in a field submits; a form without such a button does not. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function Buttons({ form, saves }: { readonly form: ConnectionForm; readonly saves: string }): ReactNode {
  const { isReady, outcome } = form;
  return (
    <>
      <Button disabled={!isReady} onClick={() => void form.test()}>
        Test connection
      </Button>
      {typeof outcome === 'object' && 'why' in outcome && (
        <Button onClick={() => void form.saveUntried()}>Save anyway</Button>
      )}
      <Button className="push-end" onClick={() => editConnection(null)}>
        Cancel
      </Button>
      <Button variant="primary" disabled={!isReady} onClick={() => void form.save()}>
        {saves}
      </Button>
      <OutcomeLine outcome={outcome} />
    </>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

interface TokenProps extends PartProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly edited: RemoteConnection | 'new';
  readonly isRejected: boolean;
}

function TokenField({ field, edited, draft, isRejected, onChange }: TokenProps): ReactNode {
  useEffect(() => {
    if (isRejected) field.current?.focus();
  }, [field, isRejected]);
  const keepsTokens = useStore((state) => state.keepsTokens);
  const isStored = edited !== 'new' && (edited.token === 'known' || edited.token === 'session');
  return (
    <>
      <label htmlFor="connect-token">Token</label>
      <div>
        <TextField
          ref={field}
          id="connect-token"
          type="password"
          placeholder={isStored && !draft.dropsToken ? '••••••••' : 'None'}
          value={draft.token}
          aria-invalid={isRejected}
          aria-describedby="connect-token-note"
          onChange={(event) => onChange({ token: event.target.value })}
        />
        <p id="connect-token-note" className="faint connect-note">
          {tokenNote(edited, keepsTokens)}
        </p>
        {isStored && (
          <CheckBox
            label="Remove the stored token"
            checked={draft.dropsToken}
            onChange={(isOn) => onChange({ dropsToken: isOn })}
          />
        )}
      </div>
    </>
  );
}

function ColorChoice({ draft, onChange }: PartProps): ReactNode {
  return (
    <div className="row gap-4 connect-colors" role="radiogroup" aria-labelledby="connect-color-label">
      {CONNECTION_COLORS.map((color) => (
        <label key={color} title={color}>
          <input
            type="radio"
            name="connect-color"
            className="visually-hidden"
            aria-label={color}
            checked={draft.color === color}
            onChange={() => onChange({ color })}
          />
          <ColorDot color={color} />
        </label>
      ))}
    </div>
  );
}

function CareChoices({ draft, onChange }: PartProps): ReactNode {
  return (
    <div>
      <CheckBox
        label="Read-only: never write to this database"
        checked={draft.readOnly}
        onChange={(isOn) => onChange({ readOnly: isOn })}
      />
      <CheckBox
        label="Production: ask before writing"
        checked={draft.production}
        disabled={draft.readOnly}
        onChange={(isOn) => onChange({ production: isOn })}
      />
    </div>
  );
}

const isAboutToken = (outcome: Outcome): boolean =>
  typeof outcome === 'object' && 'why' in outcome && outcome.token !== undefined;

function OutcomeLine({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const isFailure = typeof outcome === 'object' && 'why' in outcome;
  return (
    <p className={isFailure ? 'dialog-outcome error' : 'dialog-outcome text-color'} role="status">
      {wordsOf(outcome)}
    </p>
  );
}

function wordsOf(outcome: Outcome): string {
  if (outcome === 'none') return '';
  if (outcome === 'testing') return 'Connecting…';
  if (outcome === 'saving') return 'Saving…';
  return 'why' in outcome ? outcome.why : factsText(outcome.facts);
}

// The state of the dialog: what was typed, the result of testing it, and saving it.

type Outcome = 'none' | 'testing' | 'saving' | RemoteTest;

interface ConnectionForm {
  readonly draft: Draft;
  readonly outcome: Outcome;
  readonly isReady: boolean;
  change(part: Partial<Draft>): void;
  test(): Promise<RemoteTest | null>;
  /** Saves the connection if a test succeeds. */
  save(): Promise<void>;
  saveUntried(): Promise<void>;
}

const failed = (thrown: unknown): { readonly why: string } => ({ why: toAppError(thrown).message });

function useConnectionForm(
  edited: RemoteConnection | 'new',
  onSaved: (connection: RemoteConnection) => void,
): ConnectionForm {
  const [draft, setDraft] = useState(() => draftOf(edited));
  const [outcome, setOutcome] = useState<Outcome>('none');
  /** Answers about earlier entries are ignored. */
  const newest = useRef(0);
  const isBusy = outcome === 'testing' || outcome === 'saving';

  const test = async (): Promise<RemoteTest | null> => {
    const mine = ++newest.current;
    setOutcome('testing');
    const result = await shell.remote.test(toSend(draft, edited)).catch(failed);
    if (mine !== newest.current) return null;
    setOutcome(result);
    return result;
  };
  const saveUntried = async (): Promise<void> => {
    setOutcome('saving');
    const saved = await shell.remote.save(toSend(draft, edited)).catch(failed);
    if ('why' in saved) return setOutcome(saved);
    editConnection(null);
    forgetUnreached(saved.connection.database);
    const note = savingNote(saved.connection, useStore.getState().keepsTokens);
    if (note !== null) notify({ tone: 'warning', topic: `token of ${saved.connection.database}`, text: note });
    onSaved(saved.connection);
  };
  return {
    draft,
    outcome,
    isReady: draft.address.trim() !== '' && problemOf(draft) === null && !isBusy,
    change(part) {
      newest.current++;
      setDraft((before) => ({ ...before, ...part }));
      setOutcome('none');
    },
    test,
    async save() {
      const result = await test();
      if (result && 'facts' in result) await saveUntried();
    },
    saveUntried,
  };
}

export function useConnectCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  useCommand('file.connect', () => editConnection('new'), isDesktop && isConnected);
}
