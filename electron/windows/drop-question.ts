// The question before files are opened that a page says were dropped on it, when Chromium does not say so.
import { basename } from 'node:path';
import { dialog } from 'electron';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import { windowTitle } from './registry.ts';
import type { AppWindow } from './registry.ts';

const MOST_LINES = 10;
/** Names of files may have line endings in them, and characters that reverse the order of others. */
const shown = (name: string): string => visibleText(visibleName(name));

/** Resolves with whether the user has dropped these files, as the user says. */
export async function didDrop(window: AppWindow, paths: readonly string[]): Promise<boolean> {
  const what = paths.length === 1 ? `“${shown(basename(paths[0]!))}”` : `${paths.length} files`;
  const lines = paths.slice(0, MOST_LINES).map(shown);
  if (paths.length > MOST_LINES) lines.push(`… and ${paths.length - MOST_LINES} more`);
  const { response } = await dialog.showMessageBox(window.browserWindow, {
    type: 'question',
    message: `Did you drop ${what} on ${windowTitle(window)}?`,
    detail: `Sidelite could not verify the drop. If you did not drop ${paths.length === 1 ? 'this file' : 'these files'}, choose Cancel, and nothing is opened.\n\n${lines.join('\n')}`,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}
