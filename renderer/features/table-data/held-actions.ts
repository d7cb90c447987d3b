// Row commands while changes are held: copies become new rows, and a fill becomes one change for each row.
import { byName } from '#shared/by-name.ts';
import type { AppError } from '#shared/protocol/errors.ts';
import type { RowChange } from '#shared/protocol/edit.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import { readShown } from '../../grid/rows/read-shown.ts';
import { countOf, selectedRows } from '../../grid/input/selection.ts';
import { formatCount } from '../../ui/format.ts';
import type { HeldChange } from '../../workbench/held/held-changes.ts';
import { asHeld } from '../../workbench/held/held-changes.ts';
import { hold, newRowId } from '../../workbench/held/held-store.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { SelectedBlock } from './bulk/bulk-run.ts';
import { whyColumnIsFixed } from '../../workbench/rows/edit-session.ts';
import { refused } from './refused.ts';
import { eachRow, MAX_ROWS_A_COMMAND } from './selected-rows.ts';

export const tooManyToHold = (rows: number): AppError =>
  refused(
    `${formatCount(rows)} rows are too many to hold at once. The limit is ${formatCount(MAX_ROWS_A_COMMAND)}. Nothing was changed.`,
  );

/** Copies the selected rows, including those that wait to be added. */
export async function holdCopies(source: TableSource, grid: GridHandle): Promise<void> {
  const intervals = selectedRows(grid.selection, grid.bounds);
  if (countOf(intervals) > MAX_ROWS_A_COMMAND) throw tooManyToHold(countOf(intervals));
  const copies: HeldChange[] = [];
  const seen = grid.seenIn(intervals);
  for (const { first, last } of intervals) {
    for (const row of await readShown(source, first, last - first + 1, seen)) {
      const set = await valuesOf(source, row);
      copies.push({ table: source.detail.name, kind: 'insert', id: newRowId(), set });
    }
  }
  await hold(source.database, copies);
  grid.goTo(grid.storedRows + source.unsaved.added.length - 1);
}

/** Values for a copy of the row, without the columns that SQLite numbers itself. */
async function valuesOf(source: TableSource, { rows, index }: CachedRow): Promise<Readonly<Record<string, Value>>> {
  const set = byName<Value>();
  for (const [column, { name }] of source.columns.entries()) {
    if (whyColumnIsFixed(source, column) !== null || source.isNumberedBySqlite(column)) continue;
    const packed = column + source.hiddenColumns;
    set[name] = rows.isPreview(index, packed)
      ? await source.readWhole({ position: -1, column, rows, index })
      : rows.value(index, packed);
  }
  return set;
}

/** Copies the cells of the first row of the block into the rows below it. */
export async function holdFill(source: TableSource, grid: GridHandle, block: SelectedBlock): Promise<void> {
  const count = block.rows.last - block.rows.first + 1;
  if (count > MAX_ROWS_A_COMMAND) throw tooManyToHold(count);
  const found: { readonly key: readonly Value[]; readonly row: CachedRow }[] = [];
  await eachRow(source, grid, [block.rows], (key, rows, index) => found.push({ key, row: { rows, index } }));
  const [first, ...others] = found;
  if (!first) return;
  const values = await valuesOf(source, first.row);
  const names = block.columns.map((column) => source.columns[column]!.name);
  const changes = others.map(({ key, row: { rows, index } }): RowChange => {
    const base = byName<Value>();
    block.columns.forEach((column, at) => {
      const packed = column + source.hiddenColumns;
      if (!rows.isPreview(index, packed)) base[names[at]!] = rows.value(index, packed);
    });
    const set = Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
    return { kind: 'update', key, set, base };
  });
  await hold(source.database, asHeld(source.detail.name, changes, newRowId));
}
