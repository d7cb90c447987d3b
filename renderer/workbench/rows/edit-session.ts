// Editing one cell of a stored row: which cells may be edited, and what their text means in that column.
import { toAppError } from '#shared/protocol/errors.ts';
import { storageClassOf, type StorageClass, type Value } from '#shared/protocol/values.ts';
import { whyReadOnly } from '../../state/databases.ts';
import type { EditOutcome, EditSession } from '../../grid/editing/cell-editing.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { editCell, shownForm, STORED_FORM, storeColumns, whyValueIsFixed } from '../cells/cell-edit.ts';
import type { ChosenFormat } from '../cells/column-format.ts';
import { storeChecked } from '../cells/date-check.ts';
import { keyOffers } from '../cells/key-offers.ts';
import type { StoredCell } from '../cells/cell-edit.ts';
import { hold } from '../held/held-store.ts';
import type { TableSource } from './table-source.ts';
import { affinityOf, typedValue } from '../cells/typed-value.ts';

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
    : `${declaration.name} is a generated column: SQLite computes it from other columns.`;
}

export const valueFromText = (source: TableSource, column: number, text: string, storageClass: StorageClass): Value =>
  typedValue(text, affinityOf(source.declaration(column)?.declaredType ?? '', source.detail.strict), storageClass);

/** Begins a session; returns a sentence if the cell cannot be edited. @param format the form in which the cell is shown; null: as stored */
export function beginEdit(
  source: TableSource,
  cell: CellReference,
  format: ChosenFormat | null = null,
): EditSession | string {
  const { rows, index, column } = cell;
  const packed = column + source.hiddenColumns;
  const refusal = whyColumnIsFixed(source, column) ?? whyValueIsFixed(rows, index, packed);
  if (refusal) return refusal;
  if (source.unsaved.isDeleted(rows)) return 'This row is marked for deletion. Undo the deletion to change it.';
  const id = source.unsaved.idOf(rows);
  if (id !== null) return editNewRow(source, cell, id, format);
  const key = source.keyOf(rows, index);
  if (!key) return 'The key of this row is too long to change the row here. Use an SQL statement.';
  const painted = rows.value(index, packed);
  const here = source.ownEdits.present(key, column, painted);
  const storageClass = here === painted ? rows.storageClass(index, packed) : storageClassOf(here);
  const stored: StoredCell = {
    database: source.database,
    table: source.detail.name,
    column: source.columns[column]!.name,
    declaredType: source.declaration(column)?.declaredType ?? '',
    key: () => key,
    packed,
    format,
    valueFromText: (text, replaced) => valueFromText(source, column, text, replaced),
    noteStored: (before, after) => source.ownEdits.note(key, column, before, after),
  };
  const session = editCell(stored, rows.isPreview(index, packed) ? source.readWhole(cell) : here, storageClass);
  return { ...session, offers: session.isShownForm ? null : keyOffersOf(source, cell, key) };
}

/** Rows that the foreign key of the cell can refer to. Choosing one sets all columns of the key. */
function keyOffersOf(
  source: TableSource,
  { rows, index, column }: CellReference,
  key: readonly Value[],
): ReturnType<typeof keyOffers> {
  const columnNamed = (name: string): number =>
    source.columns.findIndex((each) => each.name.toLowerCase() === name.toLowerCase());
  const valueAt = (at: number): Value | undefined => {
    const packed = at + source.hiddenColumns;
    if (at < 0 || rows.isPreview(index, packed)) return undefined;
    return source.ownEdits.present(key, at, rows.value(index, packed));
  };
  return keyOffers({
    database: source.database,
    declaration: source.declaration(column),
    whyFixed: (name) => whyColumnIsFixed(source, columnNamed(name)),
    valueOf: (name) => valueAt(columnNamed(name)),
    choose(values) {
      const changed = Object.entries(values).map(([name, after]) => {
        const at = columnNamed(name);
        return { name: source.columns[at]!.name, at, before: valueAt(at), after };
      });
      const known = changed.filter(({ before }) => before !== undefined);
      return storeColumns({
        database: source.database,
        table: source.detail.name,
        key,
        set: Object.fromEntries(changed.map(({ name, after }) => [name, after])),
        base: Object.fromEntries(known.map(({ name, before }) => [name, before!])),
        noteStored() {
          for (const { at, before, after } of known) source.ownEdits.note(key, at, before!, after);
        },
      });
    },
  });
}

function editNewRow(
  source: TableSource,
  { rows, index, column }: CellReference,
  id: string,
  format: ChosenFormat | null,
): EditSession {
  const value = rows.value(index, column + source.hiddenColumns);
  const { name } = source.columns[column]!;
  if (format?.isEdited(value)) return shownForm(format, value, fill).session;
  return {
    text: value === null ? '' : valueText(value),
    isNull: value === null,
    commit: (typed) =>
      storeChecked(typed, source.declaration(column)?.declaredType ?? '', (text) =>
        fill(valueFromText(source, column, text, storageClassOf(value))),
      ),
    ...(format && STORED_FORM),
  };
  async function fill(filled: Value): Promise<EditOutcome> {
    const set = { [name]: filled };
    try {
      await hold(source.database, [{ table: source.detail.name, kind: 'fill', id, set }]);
      return { kind: 'done' };
    } catch (thrown) {
      return { kind: 'failed', message: toAppError(thrown).message, choices: [] };
    }
  }
}
