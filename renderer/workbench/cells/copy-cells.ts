// Copies the selection of a grid, and tells the user if that is not possible.
import type { CopyOutcome } from '../../grid/input/clipboard.ts';
import { transposedCopy } from '../../grid/input/text-block.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { notifyFailure } from '../../state/databases.ts';
import { shell } from '../../connection/shell.ts';
import { notify } from '../../state/store.ts';

export interface CopiedForm {
  readonly withHeaders?: boolean;
  readonly isTransposed?: boolean;
  /** What the cells show, instead of their stored values. */
  readonly asShown?: boolean;
}

/** Returns the text that is on the clipboard now, or null if copying was refused or failed. */
export async function copyCells(
  grid: GridHandle,
  { withHeaders = false, isTransposed = false, asShown = false }: CopiedForm = {},
): Promise<Extract<CopyOutcome, { readonly kind: 'copied' }> | null> {
  try {
    const outcome = await grid.copy(withHeaders, asShown);
    if (outcome.kind === 'copied') {
      // One value is copied as it is, with its tabs and line breaks.
      const isBlock = outcome.rows * outcome.columns > 1;
      await shell.writeClipboard(isTransposed && isBlock ? transposedCopy(outcome.text, outcome.rows) : outcome.text);
      return outcome;
    }
    notify({ tone: 'info', text: outcome.message });
  } catch (thrown) {
    notifyFailure(thrown);
  }
  return null;
}
