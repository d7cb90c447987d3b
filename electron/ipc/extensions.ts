// What a window may ask about the extensions of a file that it has open. A page names the file and one of its extensions; a path comes only
// from a dialog of the system, and only main asks whether to load what is there.
import { dirname } from 'node:path';
import { app, dialog } from 'electron';
import type { ExtensionsReply } from '#shared/extensions.ts';
import type { NativeFile } from '#shared/native-link.ts';
import type { FilesInPlace } from '../files/files-in-place.ts';
import type { LastFolder } from '../last-folder.ts';
import type { Approval, Extensions } from '../native/extensions.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import { approvesExtension, trustsSchema } from '../windows/extension-question.ts';
import type { AppWindow } from '../windows/registry.ts';

const LIBRARIES = { name: 'SQLite extensions', extensions: ['so', 'dylib', 'dll'] };
const ALL_FILES = { name: 'All files', extensions: ['*'] };

export function serveExtensions(
  { answer }: TrustedIpc,
  extensions: Extensions,
  inPlace: FilesInPlace,
  lastFolder: LastFolder,
): void {
  const about = async (
    window: AppWindow,
    locationId: string,
    change: (
      file: NativeFile,
      ask: (approval: Approval) => Promise<boolean>,
    ) => ExtensionsReply | Promise<ExtensionsReply>,
  ): Promise<ExtensionsReply> => {
    const file = fileToChange(inPlace, window, locationId);
    if ('why' in file) return file;
    const reply = await change(file, (approval) => approvesExtension(window, approval, file.fileName));
    // Another window may have opened it while main asked.
    if (!('changed' in reply && reply.changed) || !inPlace.isOpenedBeside(window.windowId, locationId)) return reply;
    return {
      why: `“${file.fileName}” has been opened in another window meanwhile. The change takes effect when it is closed in all windows and opened again.`,
    };
  };
  answer('extension.add', (window, locationId) =>
    about(window, text(locationId), async (file, ask) => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window.browserWindow, {
        title: `Load Extension into ${file.fileName}`,
        defaultPath: lastFolder.get() ?? app.getPath('documents'),
        properties: ['openFile'],
        filters: [LIBRARIES, ALL_FILES],
      });
      if (canceled || filePaths[0] === undefined) return { changed: false };
      lastFolder.set(dirname(filePaths[0]));
      return extensions.add(file.locationId, filePaths[0], ask);
    }),
  );
  answer('extension.approve', (window, argument) => {
    const { locationId, id } = named(argument);
    return about(window, locationId, (file, ask) => extensions.approve(file.locationId, id, ask));
  });
  answer('extension.remove', (window, argument) => {
    const { locationId, id } = named(argument);
    return about(window, locationId, (file) => extensions.remove(file.locationId, id));
  });
  answer('extension.retry', (window, locationId) =>
    about(window, text(locationId), (file) => extensions.retry(file.locationId)),
  );
  answer('extension.trustSchema', (window, argument) => {
    const { locationId, trusts } = fieldsOf(argument);
    return about(window, text(locationId), ({ locationId: id, fileName }) =>
      extensions.trustSchema(id, trusts === true, () => trustsSchema(window, fileName)),
    );
  });
}

const fieldsOf = (argument: unknown): Record<string, unknown> =>
  (typeof argument === 'object' && argument !== null ? argument : {}) as Record<string, unknown>;

function named(argument: unknown): { readonly locationId: string; readonly id: string } {
  const { locationId, id } = fieldsOf(argument);
  return { locationId: text(locationId), id: text(id) };
}

/** What is changed takes effect when the file is opened again, so no other window may have it open. */
function fileToChange(
  inPlace: FilesInPlace,
  { windowId }: AppWindow,
  locationId: string,
): NativeFile | { readonly why: string } {
  const file = inPlace.openedIn(windowId).find((opened) => opened.locationId === locationId);
  if (!file) return { why: 'This file is not open in this window. Open it again.' };
  if (inPlace.isOpenedBeside(windowId, locationId))
    return { why: `“${file.fileName}” is open in another window too. Close it there, and try again.` };
  return file;
}
