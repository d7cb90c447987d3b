// The native open and save dialogs. Both start in the last used folder, which the system no longer remembers from Electron 43 on.
import { basename, dirname, extname, join } from 'node:path';
import { app, dialog } from 'electron';
import { ARCHIVE_EXTENSIONS } from '#shared/archives.ts';
import { DATABASE_EXTENSIONS, IMPORTED_EXTENSIONS } from '#shared/import-formats.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import type { RecentFiles } from '../files/recent-files.ts';
import type { LastFolder } from '../last-folder.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';

const DATABASES = { name: 'SQLite databases', extensions: [...DATABASE_EXTENSIONS, 'gpkg'] };
const OPENED = {
  name: 'SQLite databases and archives',
  extensions: [...DATABASES.extensions, ...ARCHIVE_EXTENSIONS, 'mbtiles'],
};
const JSON_FILES = { name: 'JSON', extensions: ['json'] };
const ROWS = { name: 'Data files', extensions: [...IMPORTED_EXTENSIONS, ...DATABASE_EXTENSIONS] };
const SQL_FILES = { name: 'SQL files', extensions: ['sql'] };
const PATCHES = { name: 'Changesets', extensions: ['changeset'] };
const SCHEMAS = { name: 'Databases and SQL files', extensions: [...DATABASES.extensions, 'sql'] };
const ALL_FILES = { name: 'All files', extensions: ['*'] };

export function serveDialogs(
  { answer }: TrustedIpc,
  files: FileTokens,
  lastFolder: LastFolder,
  recent: RecentFiles,
): void {
  const folder = (): string => lastFolder.get() ?? app.getPath('documents');

  answer('dialog.chooseFiles', async ({ browserWindow, windowId }, kind) => {
    const { title, filters, one = false } = openedAs(kind);
    const { canceled, filePaths } = await dialog.showOpenDialog(browserWindow, {
      title,
      defaultPath: folder(),
      properties: one ? ['openFile'] : ['openFile', 'multiSelections'],
      filters: [...filters, ALL_FILES],
    });
    if (canceled || filePaths[0] === undefined) return [];
    lastFolder.set(dirname(filePaths[0]));
    if (kind === undefined || kind === 'database') filePaths.forEach((path) => recent.add(path));
    return filePaths.map((path) => files.addSource(windowId, path));
  });

  answer('dialog.chooseSaveTarget', async ({ browserWindow, windowId }, suggestedName) => {
    const name = basename(text(suggestedName)) || 'database.sqlite';
    const { canceled, filePath } = await dialog.showSaveDialog(browserWindow, {
      title: 'Save As',
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
      title: 'Export to Folder',
      buttonLabel: 'Export',
      defaultPath: folder(),
      properties: ['openDirectory', 'createDirectory'],
    });
    if (canceled || filePaths[0] === undefined) return null;
    lastFolder.set(filePaths[0]);
    return files.addFolder(windowId, filePaths[0]);
  });
}

/** Title of the dialog, because on Linux it has no other, and the files it lists first. */
function openedAs(kind: unknown): {
  readonly title: string;
  readonly filters: readonly Electron.FileFilter[];
  readonly one?: boolean;
} {
  switch (kind) {
    case 'any':
      return { title: 'Open File', filters: [], one: true };
    case 'json':
      return { title: 'Open JSON File', filters: [JSON_FILES] };
    case 'patch':
      return { title: 'Apply Patch', filters: [PATCHES] };
    case 'rows':
      return { title: 'Import', filters: [ROWS] };
    case 'schema':
      return { title: 'Compare with File', filters: [SCHEMAS], one: true };
    case 'sql':
      return { title: 'Open SQL File', filters: [SQL_FILES] };
    default:
      return { title: 'Open Database', filters: [OPENED] };
  }
}

/** Chosen by the file extension; a database if the extension is unknown. */
function filterFor(name: string): { name: string; extensions: string[] } {
  const extension = extname(name).slice(1).toLowerCase();
  if (!/^[a-z\d]{1,12}$/.test(extension) || DATABASES.extensions.includes(extension)) return DATABASES;
  return { name: `${extension.toUpperCase()} files`, extensions: [extension] };
}
