// The .sql files that SQL tabs of this window edit: opens them, tells main which files to watch, and reports files that may have changed.
import type { FileToken } from '#shared/protocol/files.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { activateTab, notify, showLibrary, useStore } from '../../state/store.ts';
import { visibleName } from '#shared/visible-text.ts';
import { focusContent } from '../commands/focus-content.ts';
import { importIntoOf, openImport } from '../tabs/import.ts';
import { lineEndsOf } from '../cells/line-ends.ts';
import { isQueryTab, openQuery } from '../tabs/query.ts';
import { asEdited, decodeText } from './text-encoding.ts';

const NO_DATABASE = 'Open a database first: an SQL tab belongs to one.';

const listeners = new Set<(token: FileToken | null) => void>();

/** Tells main which files the tabs of this window edit. Call once their state is restored: main forgets all others. */
export function startSqlFiles(): void {
  let followed = '';
  const follow = (): void => {
    const { tabs, waitingTabs, closedTabs } = useStore.getState();
    const tokens = [...tabs, ...waitingTabs, ...closedTabs].flatMap((tab) =>
      isQueryTab(tab) && tab.file ? tab.file.token : [],
    );
    const wanted = JSON.stringify([...new Set(tokens)].sort());
    if (wanted === followed) return;
    followed = wanted;
    shell.textFiles.follow(JSON.parse(wanted) as FileToken[]).catch(notifyFailure);
  };
  useStore.subscribe(({ tabs, closedTabs }, before) => {
    if (tabs !== before.tabs || closedTabs !== before.closedTabs) follow();
  });
  follow();
  shell.textFiles.onTouched(tell);
  // Not every folder can be watched.
  window.addEventListener('focus', () => tell(null));
}

const tell = (token: FileToken | null): void => {
  for (const listener of listeners) listener(token);
};

/** Called with a file that may have changed; null: any. Returns a function that removes the listener. */
export function onSqlFileTouched(listener: (token: FileToken | null) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export async function chooseAndOpenSqlFiles(): Promise<void> {
  if (useStore.getState().currentDatabase === null) return notify({ tone: 'info', text: NO_DATABASE });
  try {
    for (const file of await shell.textFiles.choose()) await openSqlFile(file);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Opens an SQL tab of the current database; a file that has a tab is shown there. The user is told why a file cannot be opened. */
export async function openSqlFile(chosen: OpenedFile): Promise<void> {
  const { currentDatabase } = useStore.getState();
  if (currentDatabase === null) return notify({ tone: 'info', text: NO_DATABASE });
  const reply = await shell.textFiles.open(chosen.token);
  if (reply.found !== 'file') {
    const action = { label: 'Import', run: () => void openImport(chosen, importIntoOf(chosen, null)) };
    return notify({ tone: 'error', text: reply.why, ...(reply.found === 'too-big' && { action }) });
  }
  showLibrary(false);
  const open = useStore.getState().tabs.find((tab) => isQueryTab(tab) && tab.file?.token === reply.file.token);
  if (open) {
    activateTab(open.id);
    return focusContent();
  }
  const decoded = decodeText(reply.bytes!);
  if (!decoded) return notify({ tone: 'error', text: notText(chosen.fileName) });
  const { text, encoding } = decoded;
  openQuery(currentDatabase, {
    title: reply.file.fileName,
    sql: asEdited(text),
    file: { ...reply.file, encoding, lineEnds: lineEndsOf(text), content: reply.content, isUnsaved: false },
  });
  focusContent();
}

export const notText = (fileName: string): string =>
  `“${visibleName(fileName)}” is not text in UTF-8, UTF-16, or Windows-1252, so it cannot be edited here.`;
