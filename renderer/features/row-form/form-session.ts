// State of a form tab, which lives as long as the tab, shown or not: typed text that is not stored yet, and a row being added.
import { createStore } from 'zustand/vanilla';
import type { EditChoice, EditOutcome, EditSession } from '../../grid/editing/cell-editing.ts';
import { setTabStatus } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import type { FormTab } from '../../workbench/tabs/form.ts';

export interface FieldDraft {
  readonly text: string;
  /** The field will be NULL. Only in a row being added: in a stored row, NULL is stored at once. */
  readonly isNull: boolean;
  /** Stores the text; null in a row being added. */
  readonly edit: EditSession | null;
  readonly failure: { readonly message: string; readonly choices: readonly EditChoice[] } | null;
  readonly isSaving: boolean;
}

interface FormDrafts {
  /** Drafts by column name. */
  readonly fields: ReadonlyMap<string, FieldDraft>;
  readonly isNew: boolean;
  /** The row being added is on its way: text typed now would not be part of it. */
  readonly isStoring: boolean;
  /** Why the new row was rejected, or null. */
  readonly failure: string | null;
}

const NOTHING: FormDrafts = { fields: new Map(), isNew: false, isStoring: false, failure: null };

export const formSessionOf = tabSessions((tab: FormTab) => new FormSession(tab.id));

export class FormSession {
  readonly view = createStore<FormDrafts>(() => NOTHING);
  readonly #tabId: string;

  constructor(tabId: string) {
    this.#tabId = tabId;
  }

  /** @param begin called for the first text of a field; a sentence if it cannot be edited */
  type(column: string, text: string, begin: () => EditSession | string | null): string | null {
    if (this.view.getState().isStoring) return null;
    const known = this.view.getState().fields.get(column);
    if (known?.isSaving) return null;
    const edit = known ? known.edit : begin();
    if (typeof edit === 'string') return edit;
    this.#put(column, { text, isNull: false, edit, failure: null, isSaving: false });
    return null;
  }

  fill(column: string, text: string | null): void {
    if (this.view.getState().isStoring) return;
    this.#put(column, { text: text ?? '', isNull: text === null, edit: null, failure: null, isSaving: false });
  }

  discard(column: string): void {
    if (this.view.getState().isStoring) return;
    this.#put(column, null);
  }

  startNew(): void {
    this.#set({ ...NOTHING, isNew: true });
  }

  /** Stores the row being added, but only once even if called repeatedly. @param work returns why it was rejected, or null */
  async storeNew(work: () => Promise<string | null>): Promise<void> {
    const before = this.view.getState();
    if (!before.isNew || before.isStoring) return;
    this.#set({ ...before, isStoring: true, failure: null });
    const failure = await work();
    if (failure === null) this.clear();
    else this.#set({ ...this.view.getState(), isStoring: false, failure });
  }

  /** Discards all typed text, and the row being added. */
  clear(): void {
    this.#set(NOTHING);
  }

  /** Returns whether the field has nothing left to store. */
  async commit(column: string): Promise<boolean> {
    const draft = this.view.getState().fields.get(column);
    if (!draft) return true;
    if (!draft.edit || draft.isSaving) return false;
    const isSame = !draft.edit.isNull && draft.edit.text === draft.text;
    const isUntouched = draft.edit.isNull && draft.text === '';
    if (isSame || isUntouched) return this.#done(column);
    return await this.settle(column, draft.edit.commit(draft.text));
  }

  /** Shows in the field whether storing it succeeded. */
  async settle(column: string, work: Promise<EditOutcome>): Promise<boolean> {
    const draft = this.view.getState().fields.get(column);
    if (draft) this.#put(column, { ...draft, failure: null, isSaving: true });
    const outcome = await work;
    if (outcome.kind === 'done') return this.#done(column);
    const { message, choices } = outcome;
    if (draft) this.#put(column, { ...draft, failure: { message, choices }, isSaving: false });
    return false;
  }

  async choose(column: string, choice: EditChoice): Promise<void> {
    const draft = this.view.getState().fields.get(column);
    const next = draft && choice.run(draft.text);
    if (next === 'revert') this.discard(column);
    else if (next) await this.settle(column, next);
  }

  /** Returns whether all typed text is stored. */
  async commitAll(): Promise<boolean> {
    const results = await Promise.all([...this.view.getState().fields.keys()].map((column) => this.commit(column)));
    return results.every(Boolean);
  }

  dispose(): void {
    this.view.setState(NOTHING, true);
  }

  #done(column: string): true {
    this.#put(column, null);
    return true;
  }

  #put(column: string, draft: FieldDraft | null): void {
    const before = this.view.getState();
    const fields = new Map(before.fields);
    if (draft) fields.set(column, draft);
    else fields.delete(column);
    this.#set({ ...before, fields });
  }

  #set(next: FormDrafts): void {
    this.view.setState(next, true);
    setTabStatus(this.#tabId, { unsaved: next.fields.size > 0 });
  }
}
