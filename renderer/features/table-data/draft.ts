// The row being added: stored here by tab until SQLite has accepted it or the user discards it.
import { toAppError } from '#shared/protocol/errors.ts';
import { storageClassOf, type StorageClass, type Value } from '#shared/protocol/values.ts';
import type { EditOutcome, EditSession } from '../../grid/editing/cell-editing.ts';
import { displayBlob, displayNull, displayNumber, displayText } from '../../grid/paint/cell-display.ts';
import type { CellDisplay } from '../../grid/paint/cell-display.ts';
import type { ColumnFormats } from '../../grid/grid-source.ts';
import type { DraftRow } from '../../grid/paint/frame.ts';
import { valueText } from '../../grid/input/value-text.ts';
import type { Detail } from '../../state/slices/detail.ts';
import { saveChanges } from '../../workbench/held/held-store.ts';
import { storeChecked } from '../../workbench/cells/date-check.ts';
import { keyOffers } from '../../workbench/cells/key-offers.ts';
import { shownForm, STORED_FORM } from '../../workbench/cells/cell-edit.ts';
import { shownAs, type ChosenFormat } from '../../workbench/cells/column-format.ts';
import { NOT_SAVED } from '../../workbench/rows/cell-detail.ts';
import { valueFromText, whyColumnIsFixed } from '../../workbench/rows/edit-session.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export interface Draft {
  /** Values by column name, for columns that were filled in. The others get their defaults. */
  readonly values: ReadonlyMap<string, Value>;
  readonly failure: string | null;
}

const ROW_IS_STORED =
  'The new row was saved before this text. Your text is kept here: copy it and paste it into the saved row.';

export const EMPTY_DRAFT: Draft = { values: new Map(), failure: null };

export const filled = (draft: Draft, name: string, value: Value): Draft => ({
  values: new Map(draft.values).set(name, value),
  failure: null,
});

/** Returns the key of the new row, or a sentence why there is none. */
export async function insertDraft(source: TableSource, draft: Draft): Promise<readonly Value[] | null | string> {
  try {
    const changes = [{ kind: 'insert' as const, set: Object.fromEntries(draft.values) }];
    const { keys } = await saveChanges(source.database, source.detail.name, changes);
    return keys[0] ?? null;
  } catch (thrown) {
    return toAppError(thrown).message;
  }
}

export function beginDraftEdit(
  source: TableSource,
  draft: Draft,
  column: number,
  fill: (column: number, value: Value) => boolean,
  format: ChosenFormat | null = null,
): EditSession {
  const value = draft.values.get(source.columns[column]!.name);
  const storageClass: StorageClass = value === undefined ? 'null' : storageClassOf(value);
  const store = (now: Value): Promise<EditOutcome> => Promise.resolve(outcomeOf(fill(column, now)));
  if (format?.isEdited(value ?? null)) return shownForm(format, value ?? null, store).session;
  return {
    text: value === undefined ? '' : valueText(value),
    isNull: value === undefined || value === null,
    commit: (typed) =>
      storeChecked(typed, source.declaration(column)?.declaredType ?? '', (text) =>
        store(valueFromText(source, column, text, storageClass)),
      ),
    ...(format && STORED_FORM),
    offers: keyOffers({
      database: source.database,
      declaration: source.declaration(column),
      whyFixed: (name) => whyColumnIsFixed(source, columnNamed(source, name)),
      valueOf: (name) => draft.values.get(name),
      choose: (values) =>
        Promise.resolve(
          outcomeOf(Object.entries(values).every(([name, each]) => fill(columnNamed(source, name), each))),
        ),
    }),
  };
}

const outcomeOf = (isFilled: boolean): EditOutcome =>
  isFilled ? { kind: 'done' } : { kind: 'failed', message: ROW_IS_STORED, choices: [] };

const columnNamed = (source: TableSource, name: string): number =>
  source.columns.findIndex((each) => each.name.toLowerCase() === name.toLowerCase());

export function draftRow(source: TableSource, draft: Draft, formats: ColumnFormats = []): DraftRow {
  const cells = new Map<number, CellDisplay>();
  source.columns.forEach(({ name }, column) => {
    const value = draft.values.get(name);
    if (value !== undefined) cells.set(column, displayValue(value, formats[column]?.textOf(value) ?? null));
  });
  return { cells, failed: draft.failure !== null };
}

function displayValue(value: Value, shown: string | null): CellDisplay {
  if (shown !== null) return displayText(shown, false);
  switch (storageClassOf(value)) {
    case 'null':
      return displayNull();
    case 'blob':
      return displayBlob((value as Uint8Array).length);
    case 'text':
      return displayText(valueText(value), false);
    default:
      return displayNumber(valueText(value));
  }
}

export function draftDetail(
  tabId: string,
  source: TableSource,
  draft: Draft,
  column: number,
  format: ChosenFormat | null = null,
): Detail | null {
  const at = source.columns[column];
  if (!at) return null;
  const { name: table } = source.detail;
  const value = draft.values.get(at.name);
  const bytes = value instanceof Uint8Array ? value : new TextEncoder().encode(valueText(value ?? null));
  return {
    tabId,
    database: source.database,
    title: `${table}, new row`,
    column: at.name,
    declaredType: source.declaration(column)?.declaredType ?? '',
    origin: { table, column: at.name, references: source.declaration(column)?.references ?? null },
    row: { table, valueOf: (name) => draft.values.get(name) },
    value: value ?? null,
    shownAs: shownAs(format, value === undefined ? null : (format?.textOf(value) ?? null)),
    storageClass: storageClassOf(value ?? null),
    sizeBytes: bytes.length,
    complete: true,
    editing: NOT_SAVED,
    source: { kind: 'new-row', emptyText: value === undefined ? (at.defaultText ?? 'NULL') : null },
  };
}

const kept = new Map<string, Draft>();

/** Drafts are kept while their tab is in the background. */
export const keptDraft = (tabId: string): Draft | null => kept.get(tabId) ?? null;

export function keepDraft(tabId: string, draft: Draft | null): void {
  if (draft) kept.set(tabId, draft);
  else kept.delete(tabId);
}
