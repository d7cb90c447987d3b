// The first edit of a file that was opened without a question: asks once whether it goes into the file itself or into a copy.
import { AppError, capabilitiesOf, EDITS_GO_TO, locationIdOf } from '#shared/protocol/index.ts';
import type { RowChange, DatabaseId, Editing } from '#shared/protocol/index.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { client, type WriteAnswer } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { closeDatabase, ensureOpen, notifyFailure, refreshLibrary } from '../../state/databases.ts';
import { flushState } from '../../state/state-saving.ts';
import { activeTab, choose, closeTab, notify, openSingleTab, useStore } from '../../state/store.ts';
import { hasUnsaved } from '../../state/slices/status.ts';
import type { RevealedRow } from '../../state/slices/history.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { awaitsFirstEdit } from '../../workbench/databases/first-edit.ts';
import { currentRowOf } from '../../workbench/navigation-history.ts';
import { isQueryTab, openQuery } from '../../workbench/tabs/query.ts';
import { isTableTab, openTable } from '../../workbench/tabs/table.ts';
import { copyOfTemporary, importCopy, showFromLibrary } from './opening.ts';
import { aboutCopy, knownWaysOf } from './ways-to-open.ts';

const FILE =
  'The file itself: changes are in it as soon as they are committed. They can be undone, but not past what other programs wrote.';
const COPY = 'A library copy: the file stays as it is until you save to it.';
const NO_COPY =
  'A library copy would not be encrypted, so it is not offered here. If you want one, export the database as an SQLite file and open that.';

/** Requests that mean the same in a copy that was just made: rows are named by their keys, and by the values they had. */
const REPEATED: ReadonlySet<string> = new Set(['edit.apply', 'edit.applyAll', 'cell.replaceRange']);

/** Requests about steps of the file's history, which a copy does not have. */
const STEPS: ReadonlySet<string> = new Set(['history.undo', 'history.redo', 'history.undoTo', 'history.revert']);

/** `isNew`: it is what the file is. */
type Decision = 'file' | { readonly copy: DatabaseId; readonly isNew: boolean } | null;

const deciding = new Map<DatabaseId, Promise<Decision>>();
/** Copies that were made for an edit that is not in them yet. */
const unused = new Map<DatabaseId, DatabaseId>();

/** Where the request that failed goes, as the user decides or has decided. @throws AppError `refused` if it cannot go to the copy */
export async function askBeforeFirstEdit(database: DatabaseId, op: string, params: object = {}): Promise<WriteAnswer> {
  const tab = activeTab(useStore.getState());
  const row = tab && currentRowOf(tab.id);
  const decided = deciding.get(database) ?? decide(database).finally(() => deciding.delete(database));
  deciding.set(database, decided);
  const decision = await decided;
  if (decision === null) return null;
  if (decision === 'file') return Infinity;
  const { copy, isNew } = decision;
  const arrived = (): void => {
    unused.delete(database);
    showSamePlace({ tab, row }, database, copy);
  };
  if (isNew && REPEATED.has(op)) return { database: copy, arrived };
  arrived();
  // Another copy may hold other rows: what was typed waits in the cell there, for the user to look.
  const typed = isTableTab(tab) ? typedInCell(op, params) : null;
  if (typed && isTableTab(tab)) revealIn(copy, tab.table, typed);
  const name = useStore.getState().openDatabases[copy]?.entry.name ?? '';
  const message = `Edits now go into “${name}”. Nothing was changed: ${whatNext(op, typed !== null)}`;
  // Other tabs show the message, but have been left.
  if (!isTableTab(tab)) notify({ tone: 'info', text: message });
  throw AppError.refused(message, { detail: { [EDITS_GO_TO]: copy } });
}

function whatNext(op: string, isTyped: boolean): string {
  if (STEPS.has(op)) return 'the copy begins without the steps of the file, so it has none to undo or redo.';
  return isTyped ? 'press Enter there to save what you typed.' : 'repeat the edit there.';
}

type TypedInCell = Pick<RevealedRow, 'key' | 'column' | 'typed'>;

/** What was typed in a cell, and in which one; null for any other edit. */
function typedInCell(op: string, params: object): TypedInCell | null {
  const { changes = [] } = params as { readonly changes?: readonly RowChange[] };
  const [change] = changes;
  if (op !== 'edit.apply' || changes.length > 1 || change?.kind !== 'update') return null;
  const cells = Object.entries(change.set);
  const [column, value = null] = cells[0] ?? [];
  if (column === undefined || cells.length > 1 || value === null || value instanceof Uint8Array) return null;
  return { key: change.key, column, typed: valueText(value) };
}

function revealIn(
  database: DatabaseId,
  table: string,
  row: Omit<RevealedRow, 'database' | 'table' | 'askedAtMs'>,
): void {
  useStore.setState({ revealedRow: { database, table, askedAtMs: performance.now(), ...row } });
}

/** Forgets where edits of the file go. @throws AppError `refused` while it is being changed */
export async function askAtNextEdit(database: DatabaseId): Promise<void> {
  if (useStore.getState().openDatabases[database]) await client.call('database.allowWriting', { database, untilMs: 0 });
  await client.call('library.keepEditing', { database, editing: null });
  unused.delete(database);
}

async function decide(database: DatabaseId): Promise<Decision> {
  const { entries, openDatabases } = useStore.getState();
  if (entries === null) await refreshLibrary();
  if (!awaitsFirstEdit(database)) return 'file';
  const begun = unused.get(database);
  if (begun !== undefined && openDatabases[begun]) return { copy: begun, isNew: true };
  const { name = '' } = openDatabases[database]?.entry ?? {};
  if (capabilitiesOf(database).temporary) return decideTemporary(database, name);
  if (!capabilitiesOf(database).plain) return decideEncrypted(database, name);
  const { copy: known } = await knownWaysOf({ locationId: locationIdOf(database)! });
  const answer = await choose({
    title: `Edit “${name}”`,
    body: [`“${name}” is open read-only. Choose once where its edits go.`, FILE, known ? aboutCopy(known) : COPY].join(
      '\n\n',
    ),
    choices: [
      ...(known ? [{ id: 'known', label: `Open “${known.name}”` }] : []),
      { id: 'copy', label: known ? 'Edit a new copy' : 'Edit a library copy' },
      { id: 'file', label: 'Edit the file itself' },
    ],
  });
  if (answer === null) return null;
  if (answer === 'file') {
    await remember(database, 'file');
    return 'file';
  }
  const copy = answer === 'known' ? known!.id : await copyOf(database);
  if (copy === null) return null;
  await ensureOpen(copy);
  await remember(database, 'copy');
  if (answer === 'copy') unused.set(database, copy);
  return { copy, isNew: answer === 'copy' };
}

async function decideEncrypted(database: DatabaseId, name: string): Promise<Decision> {
  const answer = await choose({
    title: `Edit “${name}”`,
    body: [`“${name}” is encrypted and open read-only. Choose once whether to edit it.`, FILE, NO_COPY].join('\n\n'),
    choices: [{ id: 'file', label: 'Edit the file itself' }],
  });
  if (answer === null) return null;
  await remember(database, 'file');
  return 'file';
}

/** Nothing is remembered of it, because it is gone when it is closed. */
async function decideTemporary(database: DatabaseId, name: string): Promise<Decision> {
  const answer = await choose({
    title: `Edit “${name}”`,
    body: `“${name}” is in a temporary file, which is removed when it is closed. Its edits go into a library copy.`,
    choices: [{ id: 'copy', label: 'Edit a library copy' }],
  });
  const copy = answer === null ? null : await copyOfTemporary(database, name);
  if (copy === null) return null;
  await ensureOpen(copy);
  unused.set(database, copy);
  return { copy, isNew: true };
}

/** If that fails, the user is asked again some day, and the edit is made nevertheless. */
async function remember(database: DatabaseId, editing: Editing): Promise<void> {
  await client.call('library.keepEditing', { database, editing }).catch(notifyFailure);
}

/** Null: it could not be made, and the user has been told why. */
async function copyOf(database: DatabaseId): Promise<DatabaseId | null> {
  const file = await shell.comparisonCopySource(locationIdOf(database)!);
  if (file !== null) return (await importCopy(file))?.id ?? null;
  notify({ tone: 'error', text: 'The file is no longer open. Open it again.' });
  return null;
}

interface Place {
  readonly tab: Tab | null;
  readonly row: ReturnType<typeof currentRowOf>;
}

/**
 * Shows in the copy what the tab shows, in place of it, unless something is typed there that is not stored yet. Without other tabs, the file
 * is closed.
 */
function showSamePlace({ tab: asked, row }: Place, from: DatabaseId, copy: DatabaseId): void {
  // A text reaches its tab after a pause in typing, which may have come after the request.
  flushState();
  const tab = useStore.getState().tabs.find(({ id }) => id === asked?.id) ?? asked;
  const isKept = tab !== null && hasUnsaved(useStore.getState().tabStatus[tab.id]);
  // A tab of the window, such as an import, stays in front.
  if (tab?.database === null) return;
  if (tab?.database !== from) void showFromLibrary(copy);
  else if (isTableTab(tab)) {
    openTable(copy, tab.table, { view: tab.view });
    if (!isKept) closeTab(tab.id);
    if (row) revealIn(copy, tab.table, row);
  } else if (isQueryTab(tab)) {
    // The text may be in a file, and the tab has results.
    openQuery(copy, { sql: tab.sql, parameters: tab.parameters });
  } else {
    // Several fields that are stored at the same time arrive one after the other.
    const { id, ...fields } = tab;
    openSingleTab({ ...fields, database: copy }, ...(Object.keys(fields) as (keyof typeof fields)[]));
    if (!isKept) closeTab(id);
  }
  if (!useStore.getState().tabs.some(({ database }) => database === from)) closeDatabase(from).catch(notifyFailure);
}
