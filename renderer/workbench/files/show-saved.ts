// The button of a message about a saved file: shows the file in its folder.
import type { FileToken } from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { notify } from '../../state/store.ts';

/** None in a browser, which shows its downloads itself. */
export function showSavedAction({ token, fileName }: OpenedFile): {
  readonly action?: { readonly label: string; readonly run: () => void };
} {
  return isDesktop ? { action: { label: 'Show in folder', run: () => void showInFolder(token, fileName) } } : {};
}

async function showInFolder(token: FileToken, fileName: string): Promise<void> {
  const isShown = await shell.revealSaved(token).catch(() => false);
  if (!isShown) notify({ tone: 'warning', text: `“${fileName}” is no longer where it was saved.` });
}
