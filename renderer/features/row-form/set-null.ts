// Sets a field of a form to NULL: at once in a stored row, when it is saved in a row being added.
import type { CellReference } from '../../grid/grid-source.ts';
import { notify } from '../../state/store.ts';
import { storeColumns } from '../../workbench/cells/cell-edit.ts';
import { whyColumnIsFixed } from '../../workbench/rows/edit-session.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { FormSession } from './form-session.ts';

interface Field {
  readonly column: number;
  /** Null in a row being added. */
  readonly cell: CellReference | null;
}

export async function setFieldNull(source: TableSource, session: FormSession, { column, cell }: Field): Promise<void> {
  const { name } = source.columns[column]!;
  const why = whyColumnIsFixed(source, column);
  if (why !== null) return notify({ tone: 'info', text: why });
  if (!cell) return session.fill(name, null);
  const { rows, index } = cell;
  const key = source.keyOf(rows, index);
  if (!key) return;
  const packed = column + source.hiddenColumns;
  session.discard(name);
  const before = rows.isPreview(index, packed) ? undefined : rows.value(index, packed);
  const outcome = await storeColumns({
    database: source.database,
    table: source.detail.name,
    key,
    set: { [name]: null },
    base: before === undefined ? {} : { [name]: before },
    noteStored: () => before !== undefined && source.ownEdits.note(key, column, before, null),
  });
  if (outcome.kind === 'failed') notify({ tone: 'error', text: outcome.message });
}
