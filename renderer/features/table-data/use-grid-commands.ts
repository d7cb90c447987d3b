// The commands of the grid, for the tab in front.
import type { RefObject } from 'react';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { copyCells, type CopiedForm } from '../../workbench/cells/copy-cells.ts';
import { notifyFailure } from '../../state/databases.ts';
import { offerUndo } from '../../workbench/history/history.ts';
import { shell } from '../../connection/shell.ts';
import { notify } from '../../state/store.ts';
import { parseBlock } from '../../grid/input/text-block.ts';
import { plural } from '../../ui/format.ts';
import { draftChanges, pasteChanges, pastedValue, targetColumns } from './paste.ts';
import {
  applyChanges,
  deleteRows,
  duplicateRows,
  emptyCut,
  fillDown,
  goToRow,
  setNull,
  showAdded,
} from './row-actions.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { DraftControl } from './use-draft.ts';
import { selectsWholeRows } from '../../grid/input/selection.ts';
import type { ChangeKind } from './bulk/change-fields.tsx';
import { whyColumnIsFixed, whyRowsAreFixed } from '../../workbench/rows/edit-session.ts';
import { selectedRowCount } from './selected-rows.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { openForm } from '../../workbench/tabs/form.ts';
import { editInDetails } from '../../workbench/cells/edit-in-details.ts';

/** The single value copied last, unchanged: its tabs and line breaks do not separate cells. */
let copiedValue: string | null = null;

/** Returns false if the cells are not on the clipboard. */
async function copySelection(grid: GridHandle, form: CopiedForm = {}): Promise<boolean> {
  const copied = await copyCells(grid, form);
  if (!copied) return false;
  const { text, rows, columns } = copied;
  copiedValue = rows * columns === 1 && !form.withHeaders ? text : null;
  if (rows * columns > 1000)
    notify({ tone: 'success', text: `Copied ${plural(rows, 'row')} of ${plural(columns, 'column')}.` });
  return true;
}

const isInDraft = ({ draftPosition, cursor }: GridHandle): boolean =>
  draftPosition >= 0 && cursor.row === draftPosition;

/** Nothing is emptied that is not on the clipboard, whatever is selected by the time it is there. */
const cutSelection =
  (draft: DraftControl) =>
  async (source: TableSource, grid: GridHandle): Promise<void> => {
    const { column } = grid.cursor;
    const why = whyColumnIsFixed(source, column);
    if (why !== null) return notify({ tone: 'info', text: why });
    const isDrafted = isInDraft(grid);
    const isCopied = copySelection(grid);
    if (!isDrafted) await emptyCut(source, grid, isCopied);
    else if (await isCopied) draft.fill(column, null);
  };

async function paste(source: TableSource, grid: GridHandle, draft: DraftControl): Promise<void> {
  const { key } = source.info;
  if (key.kind === 'none') return notify({ tone: 'info', text: key.why });
  try {
    const text = await shell.readClipboard();
    if (text === null)
      return notify({ tone: 'info', text: 'Only the focused window can read the clipboard. Paste again.' });
    if (text === '' && copiedValue !== '') return notify({ tone: 'info', text: 'The clipboard has no text.' });
    const block = text === copiedValue ? [[text]] : parseBlock(text);
    if (isInDraft(grid)) return await pasteIntoDraft(source, grid, draft, block);
    const changes = await pasteChanges(source, grid, block);
    if (changes.length === 0) return;
    await applyChanges(source, changes);
    if (changes.length > 1)
      await offerUndo(source.database, `Pasted ${plural(changes.length, 'row')} into ${source.detail.name}.`);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** The text that the user wants to paste with options; null if there is none, after telling the user. */
async function textToPaste(): Promise<string | null> {
  try {
    const text = await shell.readClipboard();
    if (text !== null && text.trim() !== '') return text;
    notify({
      tone: 'info',
      text:
        text === null ? 'Only the focused window can read the clipboard. Paste again.' : 'The clipboard has no text.',
    });
  } catch (thrown) {
    notifyFailure(thrown);
  }
  return null;
}

/** One row of cells fills the new row; each further one is a new row, too, and then all of them are stored. */
async function pasteIntoDraft(
  source: TableSource,
  grid: GridHandle,
  draft: DraftControl,
  block: readonly (readonly string[])[],
): Promise<void> {
  const columns = targetColumns(source, grid, grid.columns.indexOf(grid.cursor.column), block);
  if (block.length === 1)
    return block[0]!.forEach((text, at) => draft.fill(columns[at]!, pastedValue(source, columns[at]!, text, 'null')));
  const changes = await draftChanges(source, columns, block, draft.draft?.values ?? new Map());
  if (changes.length === 0) return;
  const keys = await draft.storeBy(() => applyChanges(source, changes));
  await showAdded(source, grid, keys.at(-1));
  await offerUndo(source.database, `Pasted ${plural(changes.length, 'row')} into ${source.detail.name}.`);
}

interface GridCommands {
  readonly grid: RefObject<GridHandle | null>;
  readonly source: TableSource | null;
  readonly draft: DraftControl;
  readonly isActive: boolean;
  onFilter(): void;
  onPasteSpecial(text: string): void;
  onChangeCells(kind: ChangeKind): void;
}

interface RowCommands {
  readonly deleteSelected: () => void;
  readonly duplicateSelected: () => void;
}

export function useGridCommands({ grid, source, draft, isActive, ...on }: GridCommands): RowCommands {
  const isReady = isActive && source !== null;
  const withRows = (work: (source: TableSource, grid: GridHandle) => unknown) => (): void => {
    if (source && grid.current) void work(source, grid.current);
  };
  /** Runs work on the selection that asks before it writes: keys pressed in the meantime are handled after it. */
  const inTurn = (work: (source: TableSource, grid: GridHandle) => Promise<unknown> | void): (() => void) =>
    withRows((rows, handle) => {
      const running = work(rows, handle);
      if (running) handle.during(running);
    });
  const deleteSelected = inTurn((rows, handle) => (isInDraft(handle) ? draft.discard() : deleteRows(rows, handle)));

  const copy = (form: CopiedForm) => withRows((_rows, handle) => copySelection(handle, form));
  const pasteAsText = inTurn((rows, handle) => paste(rows, handle, draft));
  const pasteSpecial = inTurn(async () => {
    const text = await textToPaste();
    if (text !== null) on.onPasteSpecial(text);
  });
  const editCell = withRows((_rows, handle) => handle.editCell());
  const makeNull = inTurn((rows, handle) => {
    if (!isInDraft(handle)) return setNull(rows, handle);
    const { column } = handle.cursor;
    const why = whyColumnIsFixed(rows, column);
    if (why !== null) return notify({ tone: 'info', text: why });
    draft.fill(column, null);
  });
  const changeCells = (kind: ChangeKind) =>
    withRows((rows) => {
      const why = whyRowsAreFixed(rows);
      if (why === null) on.onChangeCells(kind);
      else notify({ tone: 'info', text: why });
    });
  const jump = withRows((_rows, handle) => goToRow(handle));
  const refresh = withRows((rows) => rows.refresh());

  useCommand('grid.cut', inTurn(cutSelection(draft)), isReady);
  useCommand('grid.copy', copy({}), isReady);
  useCommand('grid.copyWithHeaders', copy({ withHeaders: true }), isReady);
  useCommand('grid.copyAsShown', copy({ asShown: true }), isReady);
  useCommand('grid.copyTransposed', copy({ isTransposed: true }), isReady);
  useCommand('grid.paste', pasteAsText, isReady);
  useCommand('grid.pasteSpecial', pasteSpecial, isReady);
  useCommand('grid.editCell', editCell, isReady);
  useCommand('value.edit', editInDetails, isReady);
  useCommand('form.show', inTurn(showForm), isReady);
  useCommand('grid.setNull', makeNull, isReady);
  useCommand('grid.addRow', draft.start, isReady);
  const saveRow = withRows((_rows, handle) => saveDraft(handle, draft));
  useCommand('row.save', saveRow, isReady && draft.draft !== null);
  useCommand('grid.duplicateRow', inTurn(duplicateOrFill), isReady);
  useCommand('grid.fillDown', inTurn(fillDown), isReady);
  useCommand('grid.changeCells', changeCells('value'), isReady);
  useCommand('grid.replace', changeCells('replace'), isReady);
  useCommand('grid.deleteRows', deleteSelected, isReady);
  useCommand('grid.goToRow', jump, isReady);
  useCommand('grid.filter', on.onFilter, isReady);
  useCommand('view.refresh', refresh, isReady);
  return afterTyping(grid, { deleteSelected, duplicateSelected: inTurn(duplicateRows) });
}

/** Buttons may leave the focus where it is: what is typed in a cell is stored before the work. */
function afterTyping(grid: GridCommands['grid'], { deleteSelected, duplicateSelected }: RowCommands): RowCommands {
  const after = (work: () => void) => (): void => {
    grid.current?.focus();
    grid.current?.inTurn(work);
  };
  return { deleteSelected: after(deleteSelected), duplicateSelected: after(duplicateSelected) };
}

/** Fills the first row of a block of cells into the rows below it; otherwise duplicates the rows. */
const duplicateOrFill = (source: TableSource, grid: GridHandle): Promise<void> =>
  selectsWholeRows(grid.selection) || selectedRowCount(grid) < 2 ? duplicateRows(source, grid) : fillDown(source, grid);

/** Moves the focus out of an open editor, whose text then belongs to the row. */
function saveDraft(grid: GridHandle, draft: DraftControl): void {
  grid.focus();
  grid.inTurn(() => void draft.store());
}

/** The form moves through the same rows in the same order. The row is read where the grid has not got it yet, as in a tab just shown. */
async function showForm(source: TableSource, grid: GridHandle): Promise<void> {
  const { row, column } = grid.cursor;
  const cell = grid.cell(row, column);
  const key = cell ? source.keyOf(cell.rows, cell.index) : await keyAt(source, row).catch(() => null);
  if (key) openForm(source.database, source.detail.name, { view: source.view, key });
  else if (source.info.key.kind === 'none') notify({ tone: 'info', text: source.info.key.why });
  if (key) focusContent();
}

async function keyAt(source: TableSource, row: number) {
  const { rows } = await source.read(row, 1);
  return rows.rowCount === 0 ? null : source.keyOf(new PackedRowsReader(rows), 0);
}
