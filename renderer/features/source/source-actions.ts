// The user's actions on a library copy and the file it came from.
import { whatHappened } from '#shared/protocol/index.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, LibraryEntry, SourceState } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { wordsOf } from '../../workbench/databases/database-words.tsx';
import { runJob } from '../../workbench/jobs.ts';
import { lookAtSource } from '../../workbench/databases/sources.ts';
import { tabTitle } from '../../state/tab-kinds.ts';
import { hasUnsaved } from '../../state/slices/status.ts';
import { choose, confirm, notify, showComparison, useStore } from '../../state/store.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { formatBytes } from '../../ui/format.ts';
import { mergeWithSource } from './merge-actions.ts';
import { keepCopyOrNot } from './keep-copy.ts';
import { settleEditing } from './settle-editing.ts';
import { isAnother, sourceLabels } from './source-labels.ts';

/** The newest message about a source replaces earlier ones. */
const TOPIC = 'source';

export async function compareWithSource({ id, name }: LibraryEntry): Promise<void> {
  try {
    const result = await runJob(`Comparing ${name} with its source`, (options) =>
      client.call('source.compare', { database: id }, options),
    );
    showComparison({ database: id, result });
  } catch (thrown) {
    notifyFailure(thrown);
  } finally {
    await lookAtSource(id);
  }
}

export async function reloadFromSource(entry: LibraryEntry): Promise<void> {
  const { id, name, source } = entry;
  const fileName = source?.fileName ?? '';
  const isChanged = useStore.getState().sources[id]?.changedHere !== false;
  const agreed = await confirm({
    title: `Reload “${name}” from ${fileName}?`,
    body: `${isChanged ? 'Your changes here are replaced by the contents of the file.' : 'The copy is replaced by the current contents of the file.'} This is one step in the history: Undo restores the current data.`,
    asks: 'confirm.reload',
    confirmLabel: 'Reload',
    danger: isChanged,
  });
  if (!agreed) return;
  try {
    await reload(id, fileName, false);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'not-undoable') await reloadLarge(entry, fileName, whatHappened(error));
    else notifyFailure(thrown);
  }
}

async function reload(database: DatabaseId, fileName: string, withoutUndo: boolean): Promise<void> {
  await runJob(`Reloading ${fileName}`, (options) => client.call('source.reload', { database, withoutUndo }, options));
  await lookAtSource(database);
  notify({ tone: 'success', topic: TOPIC, text: `The copy now matches “${fileName}”.` });
}

async function reloadLarge(entry: LibraryEntry, fileName: string, why: string): Promise<void> {
  try {
    const goesOn = await keepCopyOrNot(entry, { title: 'Keep a copy of the current data?', verb: 'Reload', why });
    if (goesOn) await reload(entry.id, fileName, true);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Stores what is being typed first. Returns whether that worked. */
async function storeTyped(): Promise<boolean> {
  const isTyping = document.activeElement?.closest('[data-cell-editor]') != null;
  if (!(await settleEditing())) return false;
  if (isTyping) focusContent();
  return true;
}

/** For a database without a source: there is nothing to save, and the user may not know it. */
export async function showWhereItIs(entry: LibraryEntry): Promise<void> {
  if (await storeTyped()) sayWhereItIs(entry);
}

export async function saveToSource(entry: LibraryEntry): Promise<void> {
  if (!(await storeTyped())) return;
  await lookAtSource(entry.id);
  const state = useStore.getState().sources[entry.id];
  if (!entry.source?.locationId || !state) return sayWhereItIs(entry);
  if (state.disk === 'unchanged' && state.changedHere === false)
    return notify({
      tone: 'info',
      topic: TOPIC,
      text: `“${entry.source.fileName}” and this copy are the same: there is nothing to save.`,
    });
  const overwrite = isAnother(state);
  if (overwrite && !(await agreesToReplace(entry, state))) return;
  try {
    await save(entry, overwrite);
  } catch (thrown) {
    const { code } = toAppError(thrown);
    if (code !== 'conflict') return notifyFailure(thrown);
    await lookAtSource(entry.id); // changed while it was being saved
    const now = useStore.getState().sources[entry.id];
    if (now && (await agreesToReplace(entry, now))) await save(entry, true).catch(notifyFailure);
  } finally {
    await lookAtSource(entry.id);
  }
}

async function save({ id, name, source }: LibraryEntry, overwrite: boolean): Promise<void> {
  const { sizeBytes, backup } = await runJob(`Saving ${name} to ${source!.fileName}`, (options) =>
    client.call('source.save', { database: id, overwrite }, options),
  );
  const kept = backup === null ? '' : ` The previous file is kept next to it as “${backup}”.`;
  const text = `Saved to ${source!.displayPath} (${formatBytes(sizeBytes)}).${kept}${notYetStored(id)}`;
  notify({ tone: 'success', topic: TOPIC, text });
}

/** New rows that are still being filled in are not in any database. */
function notYetStored(database: DatabaseId): string {
  const { tabs, tabStatus } = useStore.getState();
  const names = tabs.filter((tab) => tab.database === database && hasUnsaved(tabStatus[tab.id])).map(tabTitle);
  return names.length === 0 ? '' : ` Not included: the new row in ${names.join(', ')}, which is not saved yet.`;
}

async function agreesToReplace(entry: LibraryEntry, state: SourceState): Promise<boolean> {
  const fileName = entry.source?.fileName ?? '';
  const isGone = state.disk === 'missing';
  const answer = await choose({
    title: isGone ? `Write “${fileName}” again?` : `Replace “${fileName}”?`,
    body: `${sourceLabels(state, fileName).sentence}\n\n${isGone ? 'Saving creates it again in its old location.' : 'Saving replaces its contents with this copy; the current file is kept next to it as a backup.'}`,
    choices: [
      ...(isGone ? [] : [{ id: 'compare', label: 'Compare first' }]),
      ...(isGone || state.changedHere === false ? [] : [{ id: 'merge', label: 'Merge first…' }]),
      { id: 'replace', label: isGone ? 'Save' : 'Replace', variant: isGone ? 'primary' : 'danger' },
    ],
  });
  if (answer === 'compare') await compareWithSource(entry);
  if (answer === 'merge') await mergeWithSource(entry);
  return answer === 'replace';
}

export async function keepMine({ id, source }: LibraryEntry): Promise<void> {
  try {
    await client.call('source.keepMine', { database: id });
    await lookAtSource(id);
    notify({
      tone: 'info',
      topic: TOPIC,
      text: `Your version is kept. Sidelite tells you when “${source?.fileName ?? ''}” changes again.`,
    });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Message for users who press Ctrl+S out of habit. */
function sayWhereItIs({ id, name }: LibraryEntry): void {
  const owner = useStore.getState().openDatabases[id]?.transaction;
  notify({
    tone: owner ? 'warning' : 'info',
    topic: TOPIC,
    text: owner
      ? `${owner.windowTitle} has an open transaction: its changes are saved on COMMIT.`
      : wordsOf(id).saved(name),
  });
}

/** Reported once when it happens; the status bar keeps showing it. */
export function tellOfChange(database: DatabaseId, now: SourceState, before: SourceState | null): void {
  const entry = useStore.getState().openDatabases[database]?.entry;
  const isNews = (now.disk === 'changed' || now.disk === 'replaced') && now.disk !== before?.disk && !now.keptMine;
  if (!entry?.source || !isNews) return;
  notify({
    tone: 'warning',
    topic: TOPIC,
    text: sourceLabels(now, entry.source.fileName).sentence,
    action: { label: 'Compare', run: () => void compareWithSource(entry) },
  });
}
