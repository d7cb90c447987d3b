// The questions before code from a file is loaded into a database, and before that database decides what of it runs. Main asks them, so that no
// page can answer them.
import { basename } from 'node:path';
import { dialog } from 'electron';
import { visibleLine, visibleName, visibleText } from '#shared/visible-text.ts';
import { forPeople } from '../files/source-file.ts';
import type { Approval } from '../native/extensions.ts';
import type { AppWindow } from './registry.ts';

/** Names of files may have line endings in them, and characters that reverse the order of others. */
const shown = (name: string): string => visibleText(visibleName(name));

/** @param database name of the file that it is to be loaded into */
export async function approvesExtension(
  { browserWindow }: AppWindow,
  { path, sha256, hasChanged }: Approval,
  database: string,
): Promise<boolean> {
  const changed = hasChanged
    ? 'This file is not the one that you approved before: it has changed. If you did not replace it yourself, choose Cancel.\n\n'
    : '';
  const { response } = await dialog.showMessageBox(browserWindow, {
    type: 'warning',
    message: `Load “${shown(basename(path))}” into “${shown(database)}”?`,
    detail: `${changed}An extension is a program that runs with your rights: it can read, change, and delete your files, and use the network. Approve it only if you know where it comes from. Sidelite asks again if the file changes.\n\nSHA-256: ${sha256}\n${visibleText(visibleLine(forPeople(path)))}`,
    buttons: ['Approve and Load', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** Whether views, triggers, and indexes of the database may use all functions of its extensions. */
export async function trustsSchema({ browserWindow }: AppWindow, database: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(browserWindow, {
    type: 'warning',
    message: `Let “${shown(database)}” use all functions of its extensions?`,
    detail:
      'Its views, triggers, and indexes then run such functions on their own when the file is read or changed, with values that the file chooses. If a function can read or write files or run SQL, whoever made this file can do so through it. Allow it only for a file that you trust as much as its extensions.',
    buttons: ['Allow', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}
