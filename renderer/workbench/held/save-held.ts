// Saving held changes in one transaction, and deciding about changes that no longer fit the stored values.
import { create } from 'zustand';
import { toAppError, type TableChange, type AppError, type DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { choose, confirm, notify } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import { focusContent } from '../commands/focus-content.ts';
import { refusesUnencrypted } from '../databases/not-encrypted.ts';
import { newestOwnStep, undoStep } from '../history/history.ts';
import { isApplicable, type HeldChange, type PendingChange } from './held-changes.ts';
import { afterHolding, hold, heldOf, readChecked, readHeld, turnHolding, type Held } from './held-store.ts';

interface SavingHeld {
  readonly isSaving: boolean;
  readonly isOpen: boolean;
  /** Why the changes were not saved; `name` of the pending change that is the cause, if that is known. */
  readonly failure: { readonly name: string | null; readonly message: string } | null;
}

const AT_REST: SavingHeld = { isSaving: false, isOpen: false, failure: null };

export const useSavingHeld = create<Readonly<Record<DatabaseId, SavingHeld>>>()(() => ({}));

export const savingOf = (database: DatabaseId): SavingHeld => useSavingHeld.getState()[database] ?? AT_REST;

export function patchSaving(database: DatabaseId, patch: Partial<SavingHeld>): void {
  useSavingHeld.setState({ [database]: { ...savingOf(database), ...patch } });
}

/** Saves in one transaction, which is one step of the history. All of them stay held if one of them cannot be saved. */
export async function saveHeld(database: DatabaseId): Promise<void> {
  if (savingOf(database).isSaving) return;
  patchSaving(database, { isSaving: true, failure: null });
  try {
    await save(database);
  } finally {
    patchSaving(database, { isSaving: false });
  }
}

async function save(database: DatabaseId): Promise<void> {
  storeOpenEditor();
  // A change of many cells has a transaction of its own until it is held.
  await afterHolding(database);
  const held = await readChecked(database);
  if (held.pending.length === 0) return;
  const unfit = unfitOf(held);
  if (unfit.length > 0)
    return patchSaving(database, {
      isOpen: true,
      failure: { name: unfit[0]!.name, message: unfitLabel(unfit.length) },
    });
  if (held.interruptedAt !== null && !(await confirm(SAVE_AGAIN))) return;
  const due = held.pending.filter(({ name }) => held.states.get(name)?.kind !== 'done');
  const changes = due.map(({ change }) => change);
  const last = held.steps.at(-1)!.id;
  await client.call('held.saving', { of: database, last });
  try {
    await saveAll(database, changes);
    await client.call('held.clear', { of: database, last });
  } catch (thrown) {
    const error = toAppError(thrown);
    // When the engine is back, it says whether the transaction was committed.
    const end = error.code === 'disconnected' ? tellUnsure : tellNotSaved;
    await end(database).catch(() => undefined);
    return tellFailure(database, due, error);
  }
  await readHeld(database);
  patchSaving(database, { isOpen: false });
  const step = await newestOwnStep(database);
  const action = { label: 'Undo', run: () => void undoStep(database, step!) };
  notify({
    tone: 'success',
    topic: 'history',
    text: `Saved ${plural(due.length, 'change')} in one transaction.`,
    ...(step && { action }),
  });
}

/** An editor stores its text when it loses the focus: the typed text is meant to be saved, too. */
function storeOpenEditor(): void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !activeElement.closest('[data-cell-editor]')) return;
  activeElement.blur();
  focusContent();
}

const tellUnsure = (of: DatabaseId): Promise<null> => client.call('held.unsure', { of });
const tellNotSaved = (of: DatabaseId): Promise<null> => client.call('held.saving', { of, last: null });

const SAVE_AGAIN = {
  title: 'Save these changes again?',
  body: 'Sidelite stopped while it was saving them. New rows may already be in the database, so check there first.',
  confirmLabel: 'Save again',
};

async function saveAll(database: DatabaseId, changes: readonly TableChange[]): Promise<void> {
  if (changes.length > 0) await client.call('edit.applyAll', { database, changes });
}

function tellFailure(database: DatabaseId, due: readonly PendingChange[], { message, detail }: AppError): void {
  const at = detail?.['change'];
  const name = typeof at === 'number' ? (due[at]?.name ?? null) : null;
  patchSaving(database, { isOpen: true, failure: { name, message: `${message} All changes are still held.` } });
}

/** Changes about which a person has to decide before all of them can be saved. */
export const unfitOf = ({ pending, states }: Held): readonly PendingChange[] =>
  pending.filter(({ name }) => {
    const state = states.get(name);
    return state?.kind === 'conflict' || (state !== undefined && state.kind !== 'done' && !isApplicable(state));
  });

const unfitLabel = (count: number): string =>
  count === 1
    ? 'One change conflicts with what is stored now. Resolve the conflict, then save again.'
    : `${count} changes conflict with what is stored now. Resolve the conflicts, then save again.`;

/** Discards all held changes, as a step that can be undone. */
export async function discardHeld(database: DatabaseId): Promise<void> {
  const held = heldOf(database);
  if (!held || held.pending.length === 0) return;
  await hold(database, held.pending.map(withoutChange));
  patchSaving(database, { failure: null });
  notify({
    tone: 'info',
    topic: 'history',
    text: `Discarded ${plural(held.pending.length, 'change')}. Undo restores ${held.pending.length === 1 ? 'it' : 'them'}.`,
  });
}

/** Change that drops one pending change. */
function withoutChange({ change, id }: PendingChange): HeldChange {
  const { table } = change;
  if (id !== null) return { table, kind: 'drop', id };
  return { table, kind: 'leave', key: change.kind === 'insert' ? [] : change.key, columns: null };
}

export const discardOne = (database: DatabaseId, pending: PendingChange): Promise<void> =>
  decided(database, withoutChange(pending));

/** Lets the held value replace the stored one, or keeps the stored one. */
export async function decideConflict(
  database: DatabaseId,
  { name, change }: PendingChange,
  choice: 'mine' | 'stored',
): Promise<void> {
  const state = heldOf(database)?.states.get(name);
  if (state?.kind !== 'conflict' || change.kind !== 'update') return;
  const { table, key } = change;
  await decided(
    database,
    choice === 'mine'
      ? { table, kind: 'rebase', key, base: state.current }
      : { table, kind: 'leave', key, columns: Object.keys(state.current) },
  );
}

async function decided(database: DatabaseId, change: HeldChange): Promise<void> {
  try {
    await hold(database, [change]);
    patchSaving(database, { failure: null });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Turns holding on or off; before it is turned off, held changes have to be saved or discarded. */
export async function toggleHolding(database: DatabaseId): Promise<void> {
  const held = heldOf(database) ?? (await readHeld(database));
  if (held.isOn && held.pending.length > 0) {
    const answer = await choose({
      title: `Save ${plural(held.pending.length, 'held change')}?`,
      body: 'They are not in the database yet. From now on each change is saved at once.',
      choices: [
        { id: 'discard', label: 'Discard', variant: 'danger' },
        { id: 'save', label: 'Save', variant: 'primary' },
      ],
    });
    if (answer === null) return;
    await (answer === 'save' ? saveHeld(database) : discardHeld(database));
    if ((heldOf(database)?.pending.length ?? 0) > 0) return;
  }
  if (!held.isOn && refusesUnencrypted(database, 'hold')) return;
  await turnHolding(database, !held.isOn);
}
