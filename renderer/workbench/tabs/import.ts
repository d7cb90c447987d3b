// The kind of tab that imports the rows of one file. A tab, not a dialog: users who look at a thousand rows also want to see the target
// tables, an import of an hour needs a place to return to, and its summary is read after other work.
import { IMPORTED_EXTENSIONS } from '#shared/import-formats.ts';
import type { DatabaseId, FileToken } from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { notify, openTab, showLibrary, useStore } from '../../state/store.ts';
import { focusContent } from '../commands/focus-content.ts';
import { refusesWork } from '../databases/no-transactions.ts';
import { Import } from 'lucide-react';
import * as v from 'valibot';
import { forgiving, renamedField, textOrNull } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

/** The tab belongs to the window: the user chooses the target, which may be a new database. */
export interface ImportTab extends Tab {
  readonly kind: 'import';
  readonly database: null;
  readonly fileName: string;
  /** Null for text from the clipboard, which is not stored with the window. */
  readonly token: FileToken | null;
  /** Finds the file again after a restart; null until the file has been examined, and in a browser. */
  readonly locationId: string | null;
  /** The initial target: where the import was requested. */
  readonly into: ImportInto;
}

interface ImportInto {
  readonly database: DatabaseId | null;
  readonly table: string | null;
}

/** File names that are imported as rows, unless the file is a database. */
const ROW_FILES = new RegExp(`\\.(${IMPORTED_EXTENSIONS.join('|')})$`, 'i');

const texts = new Map<string, string>();

/** The pasted text of a tab; null if the window was reloaded since. */
export const pastedText = (tabId: string): string | null => texts.get(tabId) ?? null;

export function forgetPastedText(tabId: string): void {
  texts.delete(tabId);
}

export const intoCurrentDatabase = (): ImportInto => ({ database: useStore.getState().currentDatabase, table: null });

/** SQL can be edited as well as imported. */
export const isSqlFile = ({ fileName }: OpenedFile): boolean => /\.sql$/i.test(fileName);

/** A dump holds a database, so importing one creates a database. */
export const importIntoOf = (file: OpenedFile, table: string | null): ImportInto =>
  isSqlFile(file) ? { database: null, table: null } : { ...intoCurrentDatabase(), table };

/** Rows for a database that cannot take them go into a new database at first, and the user is told why. */
const possible = (into: ImportInto): ImportInto =>
  refusesWork(into.database, 'import') ? { database: null, table: null } : into;

export function openImport(file: OpenedFile, into: ImportInto): string {
  showLibrary(false);
  return openTab<ImportTab>({
    kind: 'import',
    database: null,
    fileName: file.fileName,
    token: file.token,
    locationId: null,
    into: possible(into),
  });
}

/** Asks the user for files and opens a tab for each. */
export async function chooseAndImport(into: ImportInto): Promise<void> {
  if (into.table !== null && refusesWork(into.database, 'import')) return;
  try {
    for (const file of await shell.chooseFiles('rows')) openImport(file, into);
    focusContent();
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Imports text that does not come from a file. */
export function openTextImport(text: string, into: ImportInto): void {
  showLibrary(false);
  const id = openTab<ImportTab>({
    kind: 'import',
    database: null,
    fileName: 'Clipboard',
    token: null,
    locationId: null,
    into: possible(into),
  });
  texts.set(id, text);
  focusContent();
}

/** Imports text that was copied from a spreadsheet or an editor. */
export async function importClipboard(into: ImportInto): Promise<void> {
  try {
    const text = await shell.readClipboard();
    if (text === null || text.trim() === '')
      return notify({ tone: 'info', text: 'The clipboard has no text to import. Copy rows first.' });
    openTextImport(text, into);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Workbooks are ZIP files. */
const WORKBOOK = /\.xlsx$/i;

interface SplitFiles {
  readonly rows: readonly OpenedFile[];
  readonly archives: readonly OpenedFile[];
  readonly others: readonly OpenedFile[];
}

/** Splits files into those with rows, archives, and those to open as databases. The first bytes of a file count more than its name. */
export async function withRows(files: readonly OpenedFile[]): Promise<SplitFiles> {
  const kinds = await Promise.all(files.map(kindOfFile));
  const ofKind = (kind: keyof SplitFiles): readonly OpenedFile[] => files.filter((_, at) => kinds[at] === kind);
  return { rows: ofKind('rows'), archives: ofKind('archives'), others: ofKind('others') };
}

async function kindOfFile(file: OpenedFile): Promise<keyof SplitFiles> {
  // If the check fails, the file is opened as a database, which reports the error.
  const content = await shell.contentOf(file).catch(() => 'database' as const);
  if (content === 'archive' && !WORKBOOK.test(file.fileName)) return 'archives';
  return content !== 'database' && ROW_FILES.test(file.fileName) ? 'rows' : 'others';
}

export const IMPORT_TAB: TabDescription<ImportTab> = {
  kind: 'import',
  belongsTo: 'window',
  icon: Import,
  hasDetails: false,
  title: ({ fileName }) => `Import ${fileName}`,
  fields: renamedField(
    'sourceId',
    'locationId',
    v.object({
      fileName: v.string(),
      token: textOrNull,
      locationId: textOrNull,
      into: forgiving({ database: textOrNull, table: textOrNull }),
    }),
  ),
};
