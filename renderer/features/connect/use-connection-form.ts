// The state of the dialog: what was typed, the result of testing it, and saving it.
import { useRef, useState } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { RemoteConnection, RemoteTest } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { forgetUnreached } from '../../state/databases.ts';
import { editConnection, notify, useStore } from '../../state/store.ts';
import { draftOf, problemOf, savingNote, toSend } from './connection-draft.ts';
import type { Draft } from './connection-draft.ts';

export type Outcome = 'none' | 'testing' | 'saving' | RemoteTest;

export interface ConnectionForm {
  readonly draft: Draft;
  readonly outcome: Outcome;
  /** It can be tested and saved now. */
  readonly isReady: boolean;
  change(part: Partial<Draft>): void;
  test(): Promise<RemoteTest | null>;
  /** Saves the connection if a test succeeds. */
  save(): Promise<void>;
  /** Saves the connection without a test. */
  saveUntried(): Promise<void>;
}

const failed = (thrown: unknown): { readonly why: string } => ({ why: toAppError(thrown).message });

export function useConnectionForm(
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
