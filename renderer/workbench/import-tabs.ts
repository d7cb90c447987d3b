// Tabs that import rows, as far as others have to know them: which file goes where, and how one is opened.
import { IMPORTED_EXTENSIONS } from '#shared/import-formats.ts';
import type { DatabaseId, FileToken } from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { shell } from '../connection/shell.ts';
import { notifyFailure } from '../state/databases.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { notify, openTab, showLibrary, useStore } from '../state/store.ts';
import { focusContent } from './focus-content.ts';

/** It belongs to the window: where the rows go can be chosen, and may be a database that is yet to be made. */
export interface ImportTab extends Tab {
  readonly kind: 'import';
  readonly database: null;
  readonly fileName: string;
  /** Null for text from the clipboard, which is not kept with the window. */
  readonly token: FileToken | null;
  /** By which it is found again after a restart; null as long as it was not looked into, and in a browser. */
  readonly sourceId: string | null;
  /** Where it was asked for: the choice begins with it. */
  readonly into: ImportPlace;
}

export interface ImportPlace {
  readonly database: DatabaseId | null;
  readonly table: string | null;
}

/** What is imported as rows by its name, unless it is a database for all that. */
const ROW_FILES = new RegExp(`\\.(${IMPORTED_EXTENSIONS.join('|')})$`, 'i');

const texts = new Map<string, string>();

/** The pasted text of a tab; null when the window was loaded anew since. */
export const pastedText = (tabId: string): string | null => texts.get(tabId) ?? null;

export function forgetPastedText(tabId: string): void {
  texts.delete(tabId);
}

export const currentPlace = (): ImportPlace => ({ database: useStore.getState().currentDatabase, table: null });

/** A dump is a database: opened as such it becomes one. */
export const placeToOpen = ({ fileName }: OpenedFile, table: string | null): ImportPlace =>
  /\.sql$/i.test(fileName) ? { database: null, table: null } : { ...currentPlace(), table };

/** Answers the tab's id. */
export function openImport(file: OpenedFile, into: ImportPlace): string {
  showLibrary(false);
  return openTab<ImportTab>({
    kind: 'import',
    database: null,
    fileName: file.fileName,
    token: file.token,
    sourceId: null,
    into,
  });
}

/** Asks for files and opens a tab for each. */
export async function chooseAndImport(into: ImportPlace): Promise<void> {
  try {
    for (const file of await shell.chooseFiles('rows')) openImport(file, into);
    focusContent();
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Text that is no file. */
export function openTextImport(text: string, into: ImportPlace): void {
  showLibrary(false);
  const id = openTab<ImportTab>({
    kind: 'import',
    database: null,
    fileName: 'Clipboard',
    token: null,
    sourceId: null,
    into,
  });
  texts.set(id, text);
  focusContent();
}

/** Text that was copied from a spreadsheet or an editor. */
export async function importClipboard(into: ImportPlace): Promise<void> {
  try {
    const text = await shell.readClipboard();
    if (text === null || text.trim() === '')
      return notify({ tone: 'info', text: 'The clipboard has no text to import. Copy rows first.' });
    openTextImport(text, into);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Divides files into those with rows and those to open as databases. What a file is called says less than how it begins. */
export async function withRows(
  files: readonly OpenedFile[],
): Promise<{ readonly rows: readonly OpenedFile[]; readonly others: readonly OpenedFile[] }> {
  const hasRows = await Promise.all(
    files.map(
      async (file) =>
        ROW_FILES.test(file.fileName) &&
        // What cannot be asked about is opened as it always was, which says why it cannot be.
        !(await shell.isDatabase(file).catch(() => true)),
    ),
  );
  return { rows: files.filter((_, at) => hasRows[at]), others: files.filter((_, at) => !hasRows[at]) };
}
