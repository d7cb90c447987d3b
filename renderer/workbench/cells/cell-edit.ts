// Editing the value of one stored cell, in a table or in a result: the meaning of its text, and conflicts with a value that was changed in
// the meantime.
import { isRawText, storageClassOf, type StorageClass, type Value } from '#shared/protocol/values.ts';
import { asTold } from '#shared/changed-meanwhile.ts';
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import type { DatabaseId, CellAddress } from '#shared/protocol/index.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { client } from '../../connection/database-client.ts';
import type { EditOutcome, EditSession } from '../../grid/editing/cell-editing.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { reviewAction } from '../../state/reviews.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { formatBytes } from '../../ui/format.ts';
import { asStored, asTyped, lineEndsOf, type LineEnds } from './line-ends.ts';
import { storeChecked } from './date-check.ts';
import { saveChanges } from '../held/held-store.ts';
import { sameValue } from '../rows/own-edits.ts';
import type { ChosenFormat } from './column-format.ts';

const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_BLOB_BYTES = 4096;

/** A cell of a table, wherever it is shown. */
export interface StoredCell {
  readonly database: DatabaseId;
  readonly table: string;
  readonly column: string;
  readonly declaredType: string;
  /** The key of its row. @throws AppError */
  key(): readonly Value[] | Promise<readonly Value[]>;
  /** Index among the packed columns of the rows on screen. */
  readonly packed: number;
  valueFromText(text: string, storageClass: StorageClass): Value;
  /** The form in which the cell is shown, and edited where that is possible; null: as stored. */
  readonly format?: ChosenFormat | null;
  /** The cell holds `after` now, which the rows on screen may not show yet. */
  noteStored(before: Value, after: Value): void;
  /** The value is held, and the rows on screen do not show it. */
  noteHeld?(): void;
}

/** @param whole the value now; a promise while a long value is being read */
export function editCell(cell: StoredCell, whole: Value | Promise<Value>, storageClass: StorageClass): EditSession {
  if (!(whole instanceof Promise)) return sessionOf(cell, whole, storageClass);
  const { format } = cell;
  const form = format?.isLongEdited(storageClass) ? formOf(format) : format && STORED_FORM;
  return {
    ...form,
    text: whole.then((value) => sessionOf(cell, value, storageClass).text),
    isNull: false,
    commit: async (text) => sessionOf(cell, await whole, storageClass).commit(text),
  };
}

/** A sentence why a value cannot be edited as text, or null. */
export function whyValueIsFixed(rows: PackedRowsReader, index: number, packed: number): string | null {
  const size = rows.sizeBytes(index, packed);
  if (rows.storageClass(index, packed) === 'blob') {
    return size > MAX_BLOB_BYTES
      ? `This blob (${formatBytes(size)}) cannot be edited as text. View it in the details panel.`
      : null;
  }
  if (size > MAX_TEXT_BYTES)
    return `This text (${formatBytes(size)}) is too long to edit in a cell. Change it with an SQL statement.`;
  const value = rows.value(index, packed);
  if (value !== null && isRawText(value) && !rows.isPreview(index, packed)) return NOT_UTF8;
  return null;
}

const NOT_UTF8 = 'This text is not valid UTF-8. Editing it here would change its bytes; use an SQL statement.';

/** Stores a value if the cell still holds `base`. */
async function storeCell(cell: StoredCell, value: Value, base: Value): Promise<EditOutcome> {
  const { database, table, column } = cell;
  try {
    const { isHeld } = await saveChanges(database, table, [
      { kind: 'update', key: await cell.key(), set: { [column]: value }, base: { [column]: base } },
    ]);
    if (isHeld) cell.noteHeld?.();
    else cell.noteStored(base, value);
    return { kind: 'done' };
  } catch (thrown) {
    return refused(thrown, (text, told) => overwrite(cell, text, told));
  }
}

interface StoredColumns {
  readonly database: DatabaseId;
  readonly table: string;
  readonly key: readonly Value[];
  readonly set: Readonly<Record<string, Value>>;
  /** Values that the user saw in these columns, as far as loaded. */
  readonly base: Readonly<Record<string, Value>>;
  noteStored(): void;
  /** The values are held, and the rows on screen do not show them. */
  noteHeld?(): void;
}

/** Stores the values in one step if the row still holds `base`. */
export async function storeColumns(row: StoredColumns): Promise<EditOutcome> {
  const { database, table, key, set, base } = row;
  try {
    const { isHeld } = await saveChanges(database, table, [{ kind: 'update', key, set, base }]);
    if (isHeld) row.noteHeld?.();
    else row.noteStored();
    return { kind: 'done' };
  } catch (thrown) {
    return refused(thrown, (_text, told) => overwriteColumn(row, told));
  }
}

type Overwrite = (text: string, told: AppError) => Promise<EditOutcome>;

/** @param overwrite when the person has decided to replace the value that the conflict reported */
function refused(thrown: unknown, overwrite: Overwrite): EditOutcome {
  const error = toAppError(thrown);
  if (error.code !== 'conflict') return failed(error);
  return {
    kind: 'failed',
    message: error.message,
    choices: [
      { label: 'Keep mine', run: (text) => overwrite(text, error) },
      { label: 'Take theirs', run: () => 'revert' },
    ],
  };
}

/** Stores over the value that was reported to the person. If the value has changed once more by then, that is another conflict. */
async function overwrite(cell: StoredCell, text: string, told: AppError): Promise<EditOutcome> {
  const { database, table, column } = cell;
  try {
    const value = await readTold(database, { table, key: await cell.key(), column }, told);
    return await storeCell(cell, cell.valueFromText(text, storageClassOf(value)), value);
  } catch (thrown) {
    return refused(thrown, (again, toldNow) => overwrite(cell, again, toldNow));
  }
}

/** Like {@link overwrite}, for one of several columns; the others still have to hold the values that the person saw. */
async function overwriteColumn(row: StoredColumns, told: AppError): Promise<EditOutcome> {
  const { database, table, key, base } = row;
  const column = String(told.detail?.['column']);
  try {
    const value = await readTold(database, { table, key, column }, told);
    return await storeColumns({ ...row, base: { ...base, [column]: value } });
  } catch (thrown) {
    return refused(thrown, (_text, toldNow) => overwriteColumn(row, toldNow));
  }
}

async function readTold(database: DatabaseId, cell: CellAddress, told: AppError): Promise<Value> {
  const { value } = await client.call('cell.read', { database, cell });
  return asTold(told, cell.column, value);
}

/** An error about changes that wait for a decision offers to show them. */
function failed(thrown: unknown): EditOutcome {
  const action = reviewAction(thrown);
  const outcome: EditOutcome = {
    kind: 'failed',
    message: toAppError(thrown).message,
    choices: action
      ? [
          {
            label: action.label,
            run() {
              action.run();
              return Promise.resolve(outcome);
            },
          },
        ]
      : [],
  };
  return outcome;
}

function sessionOf(cell: StoredCell, base: Value, storageClass: StorageClass): EditSession {
  const { format } = cell;
  if (format?.isEdited(base)) {
    const shown = shownForm(format, base, (value) =>
      storeCell({ ...cell, valueFromText: shown.valueFromText }, value, base),
    );
    return { ...shown.session, beganWith: ({ rows, index }) => sameValue(rows.value(index, cell.packed), base) };
  }
  const { text, ends } = base === null ? { text: '', ends: 'lf' as const } : editableText(base);
  return {
    text,
    isNull: base === null,
    commit: (typed) =>
      storeChecked(typed, cell.declaredType, (now) =>
        storeCell(cell, cell.valueFromText(asStored(now, ends), storageClass), base),
      ),
    beganWith: ({ rows, index }: CellReference) => sameValue(rows.value(index, cell.packed), base),
    ...(format && STORED_FORM),
  };
}

/** What the editor says of a cell that is shown in a format and edited as stored. */
export const STORED_FORM = { note: 'Editing the stored value' } as const;

interface ShownForm {
  readonly session: EditSession;
  /** @throws AppError if the text stands for no value */
  valueFromText(text: string): Value;
}

/** Edits the form in which a cell shows its value. The text that was there stands for the very same value, which is not stored again. */
export function shownForm(format: ChosenFormat, base: Value, store: (value: Value) => Promise<EditOutcome>): ShownForm {
  const valueFromText = (text: string): Value => {
    const parsed = format.parse(text, base);
    if ('problem' in parsed) throw AppError.refused(`${parsed.problem} Nothing was saved.`);
    return parsed.value;
  };
  const commit = async (text: string): Promise<EditOutcome> => {
    try {
      const value = valueFromText(text);
      return base !== null && sameValue(value, base) ? { kind: 'done' } : await store(value);
    } catch (thrown) {
      return failed(thrown);
    }
  };
  const text = (base === null ? null : format.textOf(base)) ?? '';
  return { session: { text, isNull: base === null, ...formOf(format), commit }, valueFromText };
}

const formOf = ({ label }: ChosenFormat) => ({ isShownForm: true, note: `Editing as shown: ${label}` });

function editableText(value: Value): { readonly text: string; readonly ends: LineEnds } {
  if (isRawText(value)) throw AppError.refused('This text is not valid UTF-8. Editing it here would change its bytes.');
  const text = valueText(value);
  const ends = lineEndsOf(text);
  return { text: asTyped(text), ends };
}
