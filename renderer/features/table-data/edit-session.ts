// Editing one cell of a stored row: what may be edited, and what its text means in that column.
import { storageClassOf } from '#shared/protocol/values.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import { whyReadOnly } from '../../state/databases.ts';
import type { EditSession } from '../../grid/editing/cell-editing.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { editCell, whyValueIsFixed } from '../../workbench/cell-edit.ts';
import type { StoredCell } from '../../workbench/cell-edit.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { affinityOf, typedValue } from '../../workbench/typed-value.ts';

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
  const { rows, index, column } = cell;
  const packed = column + source.hiddenColumns;
  const refusal = whyColumnIsFixed(source, column) ?? whyValueIsFixed(rows, index, packed);
  if (refusal) return refusal;
  const key = source.keyOf(rows, index);
  if (!key) return 'The key of this row is too long to edit here. Change it with an SQL statement.';
  const painted = rows.value(index, packed);
  const here = source.ownEdits.present(key, column, painted);
  const storageClass = here === painted ? rows.storageClass(index, packed) : storageClassOf(here);
  const stored: StoredCell = {
    database: source.database,
    table: source.detail.name,
    column: source.columns[column]!.name,
    key: () => key,
    packed,
    valueFromText: (text, replaced) => valueFromText(source, column, text, replaced),
    noteStored: (before, after) => source.ownEdits.note(key, column, before, after),
  };
  return editCell(stored, rows.isPreview(index, packed) ? source.readWhole(cell) : here, storageClass);
}
