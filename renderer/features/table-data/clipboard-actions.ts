// Copy and paste between the system's clipboard and the table.
import { copyCells } from '../../workbench/cells/copy-cells.ts';
import { notifyFailure } from '../../state/databases.ts';
import { offerUndo } from '../../workbench/history/history.ts';
import { shell } from '../../connection/shell.ts';
import { notify } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { parseBlock } from '../../grid/input/text-block.ts';
import { plural } from '../../ui/format.ts';
import { draftChanges, pasteChanges, pastedValue, targetColumns } from './paste.ts';
import { applyChanges, showAdded } from './row-actions.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { DraftControl } from './use-draft.ts';

/** The single value copied last, unchanged: its tabs and line breaks do not separate cells. */
let copiedValue: string | null = null;

export async function copySelection(grid: GridHandle, withHeaders: boolean): Promise<void> {
  const copied = await copyCells(grid, withHeaders);
  if (!copied) return;
  const { text, rows, columns } = copied;
  copiedValue = rows * columns === 1 && !withHeaders ? text : null;
  if (rows * columns > 1000)
    notify({ tone: 'success', text: `Copied ${plural(rows, 'row')} of ${plural(columns, 'column')}.` });
}

export async function paste(source: TableSource, grid: GridHandle, draft: DraftControl): Promise<void> {
  const { key } = source.info;
  if (key.kind === 'none') return notify({ tone: 'info', text: key.why });
  try {
    const text = await shell.readClipboard();
    if (text === null)
      return notify({ tone: 'info', text: 'Only the focused window can read the clipboard. Paste again.' });
    if (text === '' && copiedValue !== '') return notify({ tone: 'info', text: 'The clipboard has no text.' });
    const block = text === copiedValue ? [[text]] : parseBlock(text);
    if (grid.draftPosition >= 0 && grid.cursor.row === grid.draftPosition)
      return await pasteIntoDraft(source, grid, draft, block);
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
export async function textToPaste(): Promise<string | null> {
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
