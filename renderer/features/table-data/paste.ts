// Pasting: one value into every selected cell, or a block starting at the first one.
import { AppError, type RowChange, type StorageClass, type Value } from '#shared/protocol/index.ts';
import { byName } from '#shared/by-name.ts';
import { isUndoable } from '../../workbench/history/history.ts';
import { confirm } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { activeRange, isSingleCell, placesOf, rowsOf } from '../../grid/input/selection.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { valueFromText, whyColumnIsFixed } from '../../workbench/rows/edit-session.ts';
import { MAX_ROWS_AT_ONCE, eachRow, selectedCellChanges, selectedRowCount, storedBounds } from './selected-rows.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { affinityOf } from '../../workbench/cells/typed-value.ts';

type Block = readonly (readonly string[])[];

/** Value for a column in a row whose current value there has this storage class. */
type ValueOf<T> = (column: number, field: T, storageClass: StorageClass) => Value;

/** Empty if the user decided against it. @throws AppError `refused` with a sentence why it does not fit here */
export async function pasteChanges(source: TableSource, grid: GridHandle, block: Block): Promise<readonly RowChange[]> {
  const isFill = block.length === 1 && block[0]!.length === 1 && !isSingleCell(grid.selection);
  const rowCount = isFill ? selectedRowCount(grid) : block.length;
  assertNotTooMany(rowCount);
  if (isFill) return await fillChanges(source, grid, block[0]![0]!);
  const range = activeRange(grid.selection);
  const columns = targetColumns(source, grid, placesOf(range, grid.bounds).first, block);
  return blockChanges(source, grid, { columns, block }, (column, text, storageClass) =>
    pastedValue(source, column, text, storageClass),
  );
}

function assertNotTooMany(rows: number): void {
  if (rows <= MAX_ROWS_AT_ONCE) return;
  const limit = formatCount(MAX_ROWS_AT_ONCE);
  throw AppError.refused(
    `${formatCount(rows)} rows are too many to paste at once. The limit is ${limit}. Choose Paste Special to add more as new rows.`,
  );
}

interface Pasted<T> {
  readonly columns: readonly number[];
  readonly block: readonly (readonly T[])[];
}

/** Changes from the first selected row on; rows beyond the last one are added. Empty if the user decided against it. */
export async function blockChanges<T>(
  source: TableSource,
  grid: GridHandle,
  { columns, block }: Pasted<T>,
  valueOf: ValueOf<T>,
): Promise<readonly RowChange[]> {
  const first = rowsOf(activeRange(grid.selection), grid.bounds).first;
  const updates = await updateChanges(source, grid, first, { columns, block }, valueOf);
  const inserts = block
    .slice(updates.length)
    .map((fields): RowChange => ({ kind: 'insert', set: newRow(source, columns, fields, valueOf) }));
  const needsAnswer = block.length > 1 || inserts.length > 0;
  return !needsAnswer || (await agrees(source, updates.length, inserts.length)) ? [...updates, ...inserts] : [];
}

/**
 * New rows from a block that is pasted into a row that has not been stored yet. Empty if the user decided against it.
 *
 * @param filled values of that row by column, which stay where nothing is pasted
 * @throws AppError `refused` when there are too many rows
 */
export async function draftChanges(
  source: TableSource,
  columns: readonly number[],
  block: Block,
  filled: ReadonlyMap<string, Value>,
): Promise<readonly RowChange[]> {
  assertNotTooMany(block.length);
  const rows = block.map((fields, at): RowChange => {
    const pasted = newRow(source, columns, fields, (column, text) => pastedValue(source, column, text, 'null'));
    return { kind: 'insert', set: at === 0 ? { ...Object.fromEntries(filled), ...pasted } : pasted };
  });
  return (await agrees(source, 0, rows.length)) ? rows : [];
}

/** Value of a pasted text. Clipboards have no NULL: an empty field means NULL if the cell is NULL or the column is not for text. */
export function pastedValue(source: TableSource, column: number, text: string, storageClass: StorageClass): Value {
  const affinity = affinityOf(source.declaration(column)?.declaredType ?? '', source.detail.strict);
  if (text === '' && (storageClass === 'null' || affinity !== 'text')) return null;
  return valueFromText(source, column, text, storageClass);
}

/** @throws AppError `refused` when the block is wider than the table, or a column cannot be written */
export function targetColumns(
  source: TableSource,
  grid: GridHandle,
  position: number,
  block: Block,
): readonly number[] {
  // Not `Math.max` of all: a function takes some hundred thousand arguments at most.
  const width = block.reduce((most, fields) => Math.max(most, fields.length), 0);
  return columnsFrom(source, grid, position, width);
}

/** A number of columns starting at a place. @throws as {@link targetColumns} */
export function columnsFrom(source: TableSource, grid: GridHandle, position: number, width: number): readonly number[] {
  const columns = grid.columns.slice(position, position + width);
  if (columns.length < width) {
    const room = columns.length === 1 ? 'this is the last one' : `only ${columns.length} are left from here`;
    throw AppError.refused(`The copied cells have ${plural(width, 'column')}, but ${room}. Nothing was pasted.`);
  }
  for (const column of columns) {
    const refusal = whyColumnIsFixed(source, column);
    if (refusal) throw AppError.refused(`${refusal} Nothing was pasted.`);
  }
  return columns;
}

async function fillChanges(source: TableSource, grid: GridHandle, text: string): Promise<readonly RowChange[]> {
  const refusal = whyColumnIsFixed(source, grid.cursor.column);
  if (refusal) throw AppError.refused(refusal);
  const changes = await selectedCellChanges(source, grid, (column, storageClass) =>
    whyColumnIsFixed(source, column) === null ? pastedValue(source, column, text, storageClass) : undefined,
  );
  return changes.length < 2 || (await agrees(source, changes.length, 0)) ? changes : [];
}

async function updateChanges<T>(
  source: TableSource,
  grid: GridHandle,
  first: number,
  { columns, block }: Pasted<T>,
  valueOf: ValueOf<T>,
): Promise<readonly RowChange[]> {
  const changes: RowChange[] = [];
  const last = Math.min(first + block.length, storedBounds(grid).rows) - 1;
  await eachRow(source, grid, [{ first, last }], (key, rows, index) => {
    const set = byName<Value>();
    const base = byName<Value>();
    block[changes.length]!.forEach((field, at) => {
      const column = columns[at]!;
      const { name } = source.columns[column]!;
      const packed = column + source.hiddenColumns;
      set[name] = valueOf(column, field, rows.storageClass(index, packed));
      if (!rows.isPreview(index, packed)) base[name] = rows.value(index, packed);
    });
    changes.push({ kind: 'update', key, set, base });
  });
  return changes;
}

/** Empty fields get their defaults. */
function newRow<T>(
  source: TableSource,
  columns: readonly number[],
  fields: readonly T[],
  valueOf: ValueOf<T>,
): Readonly<Record<string, Value>> {
  const values = fields.map(
    (field, at) => [source.columns[columns[at]!]!.name, valueOf(columns[at]!, field, 'null')] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

/** Asks only if the change cannot be undone. */
async function agrees({ database }: TableSource, updated: number, added: number): Promise<boolean> {
  if (isUndoable(database)) return true;
  const parts = [
    updated > 0 ? `Existing values are replaced in ${plural(updated, 'row')}.` : '',
    added > 0 ? `${plural(added, 'row')} ${added === 1 ? 'is' : 'are'} added.` : '',
    'Everything happens in one transaction.',
  ];
  const body = parts.filter((part) => part !== '').join(' ');
  return await confirm({
    title: `Paste ${plural(updated + added, 'row')}?`,
    body,
    asks: 'confirm.changes',
    confirmLabel: 'Paste',
    danger: updated > 0,
  });
}
