// The native open and save dialogs. Both start in the last used folder, which the system no longer remembers from Electron 43 on.
import { basename, dirname, extname, join } from 'node:path';
import { app, dialog } from 'electron';
import { DATABASE_EXTENSIONS, IMPORTED_EXTENSIONS } from '#shared/import-formats.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import type { RecentFiles } from '../files/recent-files.ts';
import type { LastFolder } from '../last-folder.ts';
import { answer, text } from '../security/trusted-ipc.ts';

const DATABASES = { name: 'SQLite databases', extensions: [...DATABASE_EXTENSIONS, 'gpkg'] };
const JSON_FILES = { name: 'JSON', extensions: ['json'] };
const ROWS = { name: 'Data files', extensions: [...IMPORTED_EXTENSIONS, ...DATABASE_EXTENSIONS] };
const SQL_FILES = { name: 'SQL files', extensions: ['sql'] };
const ALL_FILES = { name: 'All files', extensions: ['*'] };

export function serveDialogs(files: FileTokens, lastFolder: LastFolder, recent: RecentFiles): void {
  const folder = (): string => lastFolder.get() ?? app.getPath('documents');

  answer('dialog.chooseFiles', async ({ browserWindow, windowId }, kind) => {
    const { canceled, filePaths } = await dialog.showOpenDialog(browserWindow, {
      defaultPath: folder(),
      properties: ['openFile', 'multiSelections'],
      filters: kind === 'any' ? [ALL_FILES] : [firstFilter(kind), ALL_FILES],
    });
    if (canceled || filePaths[0] === undefined) return [];
    lastFolder.set(dirname(filePaths[0]));
    if (kind === undefined || kind === 'database') filePaths.forEach((path) => recent.add(path));
    return filePaths.map((path) => files.addSource(windowId, path));
  });

  answer('dialog.chooseSaveTarget', async ({ browserWindow, windowId }, suggestedName) => {
    const name = basename(text(suggestedName)) || 'database.sqlite';
    const { canceled, filePath } = await dialog.showSaveDialog(browserWindow, {
      // Only the file name comes from the page: main suggests the folder and the user chooses it.
      defaultPath: join(folder(), name),
      filters: [filterFor(name), ALL_FILES],
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    });
    if (canceled || !filePath) return null;
    lastFolder.set(dirname(filePath));
    return files.addSink(windowId, filePath);
  });

  answer('dialog.chooseSaveFolder', async ({ browserWindow, windowId }) => {
    const { canceled, filePaths } = await dialog.showOpenDialog(browserWindow, {
      defaultPath: folder(),
      properties: ['openDirectory', 'createDirectory'],
    });
    if (canceled || filePaths[0] === undefined) return null;
    lastFolder.set(filePaths[0]);
    return files.addFolder(windowId, filePaths[0]);
  });
}

function firstFilter(kind: unknown): { name: string; extensions: string[] } {
  switch (kind) {
    case 'json':
      return JSON_FILES;
    case 'rows':
      return ROWS;
    case 'sql':
      return SQL_FILES;
    default:
      return DATABASES;
  }
}

/** Chosen by the file extension; a database if the extension is unknown. */
function filterFor(name: string): { name: string; extensions: string[] } {
  const extension = extname(name).slice(1).toLowerCase();
  if (!/^[a-z\d]{1,12}$/.test(extension) || DATABASES.extensions.includes(extension)) return DATABASES;
  return { name: `${extension.toUpperCase()} files`, extensions: [extension] };
}
