// Values being edited in the details: kept by cell until saved or discarded, whatever happens to the selection and the row.
import { createStore } from 'zustand/vanilla';
import { asTold } from '#shared/changed-meanwhile.ts';
import { soundsLikeDate } from '#shared/dates.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { AppError } from '#shared/protocol/index.ts';
import type { CellAddress, DatabaseId, Value } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import type { Detail } from '../../../state/slices/detail.ts';
import { setTabStatus, useStore } from '../../../state/store.ts';
import { saveChanges } from '../../../workbench/held/held-store.ts';
import { keyName, sameValue } from '../../../workbench/rows/own-edits.ts';
import { editableAs, suitedForm, valueOf } from './forms.ts';
import type { EditableText, FormId, FormOptions, Parsed } from './forms.ts';

import { closeRange, rangeDrafts } from './range-drafts.ts';
import type { ColumnType } from './stored-class.ts';

interface Failure {
  readonly message: string;
  readonly isConflict: boolean;
  /** The conflict, if its message says what is stored now. */
  readonly told?: AppError;
}

export interface ValueDraft {
  readonly name: string;
  readonly tabId: string;
  readonly database: DatabaseId;
  readonly cell: CellAddress;
  readonly title: string;
  readonly type: ColumnType;
  /** The value the user saw, which must still be there when the new one is saved. */
  readonly base: Value;
  /** The text of `base` if it is JSONB. */
  readonly json: string | null;
  readonly form: FormId;
  /** Initial state of the form: if text and options are still the same, there is nothing to save. */
  readonly start: EditableText;
  readonly text: string;
  readonly options: FormOptions;
  readonly isSaving: boolean;
  readonly failure: Failure | null;
  stored(before: Value, after: Value): void;
}

interface Drafts {
  readonly drafts: Readonly<Record<string, ValueDraft>>;
  /** Shown although another cell is selected. */
  readonly pinned: string | null;
}

export const valueDrafts = createStore<Drafts>()(() => ({ drafts: {}, pinned: null }));

useStore.subscribe(({ tabs }, before) => {
  if (tabs === before.tabs) return;
  const open = new Set(tabs.map(({ id }) => id));
  for (const { name, tabId } of Object.values(valueDrafts.getState().drafts)) if (!open.has(tabId)) drop(name);
  for (const [name, { tabId }] of Object.entries(rangeDrafts.getState().drafts)) if (!open.has(tabId)) closeRange(name);
});

rangeDrafts.subscribe(({ drafts }, before) => {
  const changed = [...Object.values(before.drafts), ...Object.values(drafts)];
  for (const tabId of new Set(changed.map((draft) => draft.tabId))) noteUnsaved(tabId);
});

export const DRY_RUN_FIRST = 'Keep or discard the dry run first.';

/** Null for a cell without a key. */
export function draftName({ database, source }: Pick<Detail, 'database' | 'source'>): string | null {
  if (source.kind !== 'cell') return null;
  const { table, column, key } = source.cell;
  return [database, table, column, keyName(key)].join('\0');
}

/** @param json see {@link ValueDraft.json} */
export function beginDraft(detail: Detail, value: Value, json: string | null): void {
  const name = draftName(detail);
  if (name === null || detail.source.kind !== 'cell' || typeof detail.editing === 'string') return;
  if (valueDrafts.getState().drafts[name]) return;
  const { tabId, database, title, column, source, editing } = detail;
  const isDate = soundsLikeDate(column, editing.declaredType) && value !== null && editableAs('date', value, null);
  const form = isDate && typeof value !== 'string' ? 'date' : suitedForm(value, json);
  const start = editableAs(form, value, json) ?? editableAs('hex', value, json)!;
  put({
    name,
    tabId,
    database,
    cell: source.cell,
    title: `${title} · ${column}`,
    type: editing,
    base: value,
    json,
    form,
    start,
    ...start,
    isSaving: false,
    failure: null,
    stored: editing.stored,
  });
}

export const changeDraft = (name: string, change: Partial<ValueDraft>): void => {
  const draft = valueDrafts.getState().drafts[name];
  if (draft) put({ ...draft, ...change });
};

/** A text that is not a value in its current form is kept. Returns a sentence why the form cannot be changed, or null. */
export function changeForm(draft: ValueDraft, form: FormId): string | null {
  const parsed = isChanged(draft) ? valueOfDraft(draft) : { value: draft.base };
  if ('problem' in parsed) return `${parsed.problem} Correct it first.`;
  const editable = editableAs(form, parsed.value, parsed.value === draft.base ? draft.json : null);
  if (!editable) return 'This value cannot be written in that form.';
  const start = editableAs(form, draft.base, draft.json);
  changeDraft(draft.name, {
    form,
    start: start ?? { text: '', options: editable.options },
    ...editable,
    failure: null,
  });
  return null;
}

export const valueOfDraft = ({ form, text, options, base }: ValueDraft): Parsed => valueOf(form, text, options, base);

export function isChanged({ text, options, start }: ValueDraft): boolean {
  const { storeAs, endings, dateForm } = options;
  const then = start.options;
  return text !== start.text || storeAs !== then.storeAs || endings !== then.endings || dateForm !== then.dateForm;
}

export function dropDraft(name: string): void {
  drop(name);
}

/** Keeps the text and makes the current value its base; a value other than the one the user was told about is a new conflict. */
export async function keepMine(draft: ValueDraft): Promise<void> {
  try {
    const { database, cell, failure } = draft;
    const { value } = await client.call('cell.read', { database, cell });
    if (failure?.told) asTold(failure.told, cell.column, value);
    changeDraft(draft.name, { base: value, failure: null });
    // Use the current draft: it may have been edited or discarded while the value was read.
    const present = valueDrafts.getState().drafts[draft.name];
    if (present) await saveDraft(present);
  } catch (thrown) {
    changeDraft(draft.name, { failure: failureOf(thrown) });
  }
}

function failureOf(thrown: unknown): Failure {
  const error = toAppError(thrown);
  const { message } = error;
  return error.code === 'conflict' ? { message, isConflict: true, told: error } : { message, isConflict: false };
}

/** Returns whether the draft is saved, or there was nothing to save. Text typed while it was being saved stays a draft. */
export async function saveDraft(draft: ValueDraft): Promise<boolean> {
  if (draft.isSaving) return false;
  if (useStore.getState().dryRuns[draft.tabId]) {
    changeDraft(draft.name, { failure: { message: DRY_RUN_FIRST, isConflict: false } });
    return false;
  }
  const parsed = valueOfDraft(draft);
  if ('problem' in parsed) {
    changeDraft(draft.name, { failure: { message: `${parsed.problem} Nothing was saved.`, isConflict: false } });
    return false;
  }
  changeDraft(draft.name, { isSaving: true, failure: null });
  try {
    return settle(draft, await store(draft, parsed.value));
  } catch (thrown) {
    changeDraft(draft.name, { isSaving: false, failure: failureOf(thrown) });
    return false;
  }
}

interface StoredValue {
  readonly value: Value;
  /** Text of the value if it is JSONB. */
  readonly json: string | null;
}

async function store({ database, cell, base, options, form, stored }: ValueDraft, parsed: Value): Promise<StoredValue> {
  const json = form === 'json' && options.storeAs === 'jsonb' && typeof parsed === 'string' ? parsed : null;
  const value =
    json === null ? parsed : await client.call('cell.convertJson', { database, value: json, convertTo: 'jsonb' });
  if (sameValue(value, base)) return { value: base, json };
  const { table, key, column } = cell;
  const change = { kind: 'update', key, set: { [column]: value }, base: { [column]: base } } as const;
  const { isHeld } = await saveChanges(database, table, [change]);
  if (!isHeld) stored(base, value);
  return { value, json };
}

/** Ends a draft that was saved, unless it has been edited since: it then begins with what was saved. Returns whether it ended. */
function settle(saved: ValueDraft, { value, json }: StoredValue): boolean {
  const present = valueDrafts.getState().drafts[saved.name];
  const then: EditableText = { text: saved.text, options: saved.options };
  if (!present || (present.form === saved.form && !isChanged({ ...present, start: then }))) {
    drop(saved.name);
    return true;
  }
  const start = present.form === saved.form ? then : (editableAs(present.form, value, json) ?? present.start);
  put({ ...present, base: value, json, start, isSaving: false, failure: null });
  return false;
}

function put(draft: ValueDraft): void {
  valueDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [draft.name]: draft } }));
  noteUnsaved(draft.tabId);
}

function drop(name: string): void {
  const { [name]: gone, ...drafts } = valueDrafts.getState().drafts;
  const { pinned } = valueDrafts.getState();
  valueDrafts.setState({ drafts, pinned: pinned === name ? null : pinned });
  if (gone) noteUnsaved(gone.tabId);
}

function noteUnsaved(tabId: string): void {
  const { tabs, tabStatus } = useStore.getState();
  if (!tabs.some(({ id }) => id === tabId)) return;
  const unsavedValue =
    Object.values(valueDrafts.getState().drafts).some((draft) => draft.tabId === tabId && isChanged(draft)) ||
    Object.values(rangeDrafts.getState().drafts).some((draft) => draft.tabId === tabId && draft.typed !== null);
  if ((tabStatus[tabId]?.unsavedValue ?? false) !== unsavedValue) setTabStatus(tabId, { unsavedValue });
}
