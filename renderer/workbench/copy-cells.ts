// Copies the selection of a grid, and tells the user if that is not possible.
import type { CopyOutcome } from '../grid/input/clipboard.ts';
import type { GridHandle } from '../grid/grid.tsx';
import { notifyFailure } from '../state/databases.ts';
import { shell } from '../connection/shell.ts';
import { notify } from '../state/store.ts';

/** Returns what is on the clipboard now, or null if copying was refused or failed. */
export async function copyCells(
  grid: GridHandle,
  withHeaders: boolean,
): Promise<Extract<CopyOutcome, { readonly kind: 'copied' }> | null> {
  try {
    const outcome = await grid.copy(withHeaders);
    if (outcome.kind === 'copied') {
      await shell.writeClipboard(outcome.text);
      return outcome;
    }
    notify({ tone: 'info', text: outcome.message });
  } catch (thrown) {
    notifyFailure(thrown);
  }
  return null;
}
