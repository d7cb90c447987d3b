// Editing one cell of a stored row: what may be edited, what its text means, and what happens when the value was changed in the meantime.
import { isRawText, storageClassOf } from '#shared/protocol/values.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import { client } from '../../connection/database-client.ts';
import { whyReadOnly } from '../../state/databases.ts';
import type { EditOutcome, EditSession } from '../../grid/editing/cell-editing.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { formatBytes } from '../../ui/format.ts';
import { asStored, asTyped, lineEndsOf } from './line-ends.ts';
import type { LineEnds } from './line-ends.ts';
import { sameValue } from '../../workbench/rows/own-edits.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { affinityOf, typedValue } from '../../workbench/typed-value.ts';
import { refused } from './refused.ts';

const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_BLOB_BYTES = 4096;

/** A sentence why no row can be written, or null. */
export function whyRowsAreFixed({ database, info: { key } }: TableSource): string | null {
  return whyReadOnly(database) ?? (key.kind === 'none' ? key.why : null);
}

/** A sentence why a column cannot be written, or null. */
export function whyColumnIsFixed(source: TableSource, column: number): string | null {
  const why = whyRowsAreFixed(source);
  if (why !== null) return why;
  const declaration = source.declaration(column);
  if (!declaration) return 'This column cannot be edited here.';
  return declaration.generated === 'no'
    ? null
    : `${declaration.name} is a generated column: SQLite computes it from the others.`;
}

export const valueFromText = (source: TableSource, column: number, text: string, storageClass: StorageClass): Value =>
  typedValue(text, affinityOf(source.declaration(column)?.declaredType ?? '', source.detail.strict), storageClass);

/** A session, or a sentence why not. */
export function beginEdit(source: TableSource, cell: CellReference): EditSession | string {
  const refusal = whyColumnIsFixed(source, cell.column) ?? whyValueIsFixed(source, cell);
  if (refusal) return refusal;
  const key = source.keyOf(cell.rows, cell.index);
  if (!key) return 'The key of this row is too long to edit here. Change it with an SQL statement.';
  const packed = cell.column + source.hiddenColumns;
  const painted = cell.rows.value(cell.index, packed);
  const here = source.ownEdits.present(key, cell.column, painted);
  const storageClass = here === painted ? cell.rows.storageClass(cell.index, packed) : storageClassOf(here);
  const whole = cell.rows.isPreview(cell.index, packed) ? source.readWhole(cell) : here;
  const target: CellTarget = { source, key, column: cell.column };
  if (!(whole instanceof Promise)) return sessionOf(target, whole, storageClass);
  return {
    text: whole.then((value) => editableText(value).text),
    isNull: false,
    commit: async (text) => sessionOf(target, await whole, storageClass).commit(text),
  };
}

interface CellTarget {
  readonly source: TableSource;
  readonly key: readonly Value[];
  readonly column: number;
}

function sessionOf(target: CellTarget, base: Value, storageClass: StorageClass): EditSession {
  const { text, ends } = base === null ? { text: '', ends: 'lf' as const } : editableText(base);
  return {
    text,
    isNull: base === null,
    commit: (typed) =>
      store(target, valueFromText(target.source, target.column, asStored(typed, ends), storageClass), base),
    beganWith: ({ rows, index, column }) => sameValue(rows.value(index, column + target.source.hiddenColumns), base),
  };
}

function editableText(value: Value): { readonly text: string; readonly ends: LineEnds } {
  if (isRawText(value)) throw refused('This text is not valid UTF-8. Editing it here would change its bytes.');
  const text = valueText(value);
  const ends = lineEndsOf(text);
  return { text: asTyped(text), ends };
}

function whyValueIsFixed(source: TableSource, { rows, index, column }: CellReference): string | null {
  const packed = column + source.hiddenColumns;
  const size = rows.sizeBytes(index, packed);
  if (rows.storageClass(index, packed) === 'blob') {
    return size > MAX_BLOB_BYTES
      ? `A blob of ${formatBytes(size)} cannot be edited as text. View it in the details panel.`
      : null;
  }
  if (size > MAX_TEXT_BYTES)
    return `A text of ${formatBytes(size)} is too long to edit in a cell. Change it with an SQL statement.`;
  const value = rows.value(index, packed);
  if (value !== null && isRawText(value) && !rows.isPreview(index, packed)) {
    return 'This text is not valid UTF-8. Editing it here would change its bytes; use an SQL statement.';
  }
  if (typeof value === 'string' && lineEndsOf(value) === 'mixed') {
    return 'This text has mixed line endings. Editing it here would change them; use an SQL statement.';
  }
  return null;
}

async function store(target: CellTarget, value: Value, base: Value): Promise<EditOutcome> {
  const { source, key, column } = target;
  const name = source.columns[column]!.name;
  try {
    await client.call('edit.apply', {
      database: source.database,
      table: source.detail.name,
      changes: [{ kind: 'update', key, set: { [name]: value }, base: { [name]: base } }],
    });
    source.ownEdits.note(key, column, base, value);
    return { kind: 'done' };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== 'conflict') return { kind: 'failed', message: error.message, choices: [] };
    return {
      kind: 'failed',
      message: error.message,
      choices: [
        { label: 'Keep mine', run: (text) => overwrite(target, text) },
        { label: 'Take theirs', run: () => 'revert' },
      ],
    };
  }
}

/** Stores over what is there now, read again: a third change in between is a conflict once more. */
async function overwrite(target: CellTarget, text: string): Promise<EditOutcome> {
  const { source, key, column } = target;
  try {
    const cell = { table: source.detail.name, key, column: source.columns[column]!.name };
    const { value } = await client.call('cell.read', { database: source.database, cell });
    return await store(target, valueFromText(source, column, text, storageClassOf(value)), value);
  } catch (thrown) {
    return { kind: 'failed', message: toAppError(thrown).message, choices: [] };
  }
}
