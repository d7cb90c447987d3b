// Ways a database gets onto the screen: from the library, and from a file.
import { capabilitiesOf, locationIdOf, MAY_BE_ENCRYPTED, toAppError, whatHappened } from '#shared/protocol/index.ts';
import type {
  AppError,
  DatabaseId,
  ErrorCode,
  LibraryEntry,
  SalvageReply,
  SchemaObject,
} from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { acrossRestart } from '../../connection/across-restart.ts';
import { client, libraryClient } from '../../connection/database-client.ts';
import {
  discardTemporary,
  ensureOpen,
  notifyFailure,
  openDatabase,
  reachFile,
  refreshLibrary,
} from '../../state/databases.ts';
import { focusContentFromNowhere } from '../../workbench/commands/focus-content.ts';
import { runJob } from '../../workbench/jobs.ts';
import { isSqlFile, openImport, importIntoOf, withRows } from '../../workbench/tabs/import.ts';
import { openSqlFile } from '../../workbench/files/sql-files.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import { knownSchema } from '../../state/schema.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { activateTab, choose, confirm, notify, showLibrary, useStore } from '../../state/store.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { plural } from '../../ui/format.ts';
import { unpackArchive } from './archives.ts';
import { wayToOpen, wayToOpenSql } from './ways-to-open.ts';

const CANDIDATES = 5;

/** The tab that was last activated here, and not by the user. */
let shownTabId: string | null = null;

/**
 * Opens the database and brings its last tab or its largest table to the front. If the user has switched to another tab in the meantime, of
 * whichever database, that tab stays in front; the opened database is shown on the left.
 */
export async function showFromLibrary(database: DatabaseId): Promise<void> {
  const { activeTabId: before } = useStore.getState();
  const hasGoneElsewhere = (): boolean => {
    const { activeTabId, currentDatabase } = useStore.getState();
    return currentDatabase !== database || (activeTabId !== before && activeTabId !== shownTabId);
  };
  if (!(await openKnown(database)) || hasGoneElsewhere()) return;
  showLibrary(false);
  const tabOfIt = (): Tab | undefined =>
    useStore
      .getState()
      .tabs.filter((candidate) => candidate.database === database)
      .at(-1);
  const tab = tabOfIt();
  if (tab) {
    activateTab((shownTabId = tab.id));
    return focusContentFromNowhere();
  }
  try {
    const table = await mostTelling(database);
    if (hasGoneElsewhere() || tabOfIt()) return;
    shownTabId = table ? openTable(database, table, { preview: true }) : openQuery(database);
    focusContentFromNowhere();
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

async function openKnown(database: DatabaseId): Promise<boolean> {
  const { entries, openDatabases } = useStore.getState();
  const entry = entries?.find(({ id }) => id === database);
  if (!entry || !capabilitiesOf(database).inPlace || openDatabases[database]) return openDatabase(database);
  try {
    const { file } = await reachFile({ locationId: locationIdOf(database)! });
    if (file.database !== database) {
      // It was given a password since, or its password was removed: the list names another database than the file is now.
      await client.call('library.removeFile', { database });
      await showFromLibrary(file.database);
      return false;
    }
  } catch (thrown) {
    if (toAppError(thrown).code === 'not-found') await askAboutMissing(entry);
    else notifyFailure(thrown);
    return false;
  }
  return openDatabase(database);
}

export async function openSaved(database: DatabaseId): Promise<void> {
  await refreshLibrary().catch(notifyFailure);
  const { currentDatabase, openDatabases, libraryVisible } = useStore.getState();
  // A user who works with it stays in the tab, and in the cell, from which the connection was edited.
  if (!libraryVisible && currentDatabase === database && openDatabases[database]) return;
  await showFromLibrary(database);
}

export async function chooseAndOpen(): Promise<void> {
  await openFiles(await shell.chooseFiles());
}

interface OpenFilesOptions {
  /** Called when a file can no longer get lost: it is in the library or the list, or the user knows why not. */
  readonly onTaken?: (file: OpenedFile) => void;
  /** Table of the current database that files with rows are imported into. */
  readonly table?: string | null;
}

/** Opens databases in place or as a copy in the library, as the settings or the user decide. Rows are imported. */
export async function openFiles(
  chosen: readonly OpenedFile[],
  { onTaken = () => undefined, table = null }: OpenFilesOptions = {},
): Promise<void> {
  for (const file of chosen) {
    if (!file.view) continue;
    if ((await shell.contentOf(file)) === 'archive') await openArchive(file, onTaken);
    else await openInPlace(file);
    onTaken(file);
  }
  const { rows, archives, others: files } = await withRows(chosen.filter(({ view }) => !view));
  const sqlWay = table === null ? await wayToOpenSql(rows.filter(isSqlFile)) : 'import';
  for (const file of rows) {
    if (!isSqlFile(file) || sqlWay === 'import') openImport(file, importIntoOf(file, table));
    else if (sqlWay === 'edit') await openSqlFile(file).catch(notifyFailure);
    onTaken(file);
  }
  for (const file of archives) {
    await openArchive(file, onTaken);
    onTaken(file);
  }
  const [first] = files;
  if (!first) return;
  const all = files.length === 1 ? null : await wayToOpen(files);
  for (const file of files) {
    // Nothing is asked twice: after a decision for all files, only a file that was copied before needs a look.
    const way = files.length === 1 || all === 'copy' || all === 'first-edit' ? await wayToOpen([file], all) : all;
    if (typeof way === 'object' && way !== null) await showFromLibrary(way.copy);
    else if (way === 'copy') await importFile(file, () => onTaken(file));
    else if (way === 'in-place') await openInPlace(file);
    else if (way === 'first-edit') await openOrCopy(file, () => onTaken(file));
    onTaken(file);
  }
}

/** Codes of files that a copy, or the recovery of one, may show nevertheless; or it says better what is wrong. */
const MAYBE_AS_COPY: ReadonlySet<ErrorCode> = new Set(['unavailable', 'not-a-database', 'corrupt', 'too-new', 'io']);

async function openOrCopy(file: OpenedFile, onTaken: () => void): Promise<void> {
  let isEncrypted = false;
  try {
    const { database } = (await reachFile({ token: file.token })).file;
    isEncrypted = !capabilitiesOf(database).plain;
    await ensureOpen(database);
    return await showFromLibrary(database);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'stopped') return;
    if (isEncrypted || !MAYBE_AS_COPY.has(error.code))
      return void (await tell(`“${file.fileName}” was not opened`, error.message));
    // Once it was registered, the token is used up.
    const again = await shell.comparisonCopySource(file.locationId ?? '');
    const isCopied = await importFile(again ?? file, onTaken);
    if (isCopied && error.code === 'unavailable')
      notify({ tone: 'warning', text: `This is a library copy. ${whatHappened(error)}` });
  }
}

async function openInPlace(file: OpenedFile): Promise<void> {
  try {
    const { table, where, readOnly } = file.view ?? { table: null, where: '', readOnly: false };
    const { database } = (await reachFile({ token: file.token, readOnly })).file;
    if (table === null) await showFromLibrary(database);
    else if (await openDatabase(database)) await showTable(database, table, where);
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    if (code !== 'stopped') await tell(`“${file.fileName}” was not opened in place`, message);
  }
}

/** Opens a database of an archive, as a temporary file or as a library copy. */
async function openArchive(file: OpenedFile, onTaken: (file: OpenedFile) => void): Promise<void> {
  try {
    const unpacked = await unpackArchive(file);
    if (unpacked === null) return;
    const { database, name, isForLibrary } = unpacked;
    const shown = isForLibrary ? await keepTemporary(database, name) : await openTemporary(database, name);
    if (shown === null) return;
    onTaken(file);
    const { table = null, where = '' } = file.view ?? {};
    if (table === null) await showFromLibrary(shown);
    else if (await openDatabase(shown)) await showTable(shown, table, where);
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    if (code === 'stopped') notify({ tone: 'info', text: `Opening “${file.fileName}” was stopped. Nothing was kept.` });
    else await tell(`“${file.fileName}” was not opened`, message);
  }
}

/** Returns what is open now, which may be a copy of what can be read; null: nothing, and the user has been told. */
async function openTemporary(database: DatabaseId, name: string): Promise<DatabaseId | null> {
  try {
    await ensureOpen(database);
  } catch (thrown) {
    if (MAYBE_AS_COPY.has(toAppError(thrown).code)) return keepTemporary(database, name);
    await discardTemporary(database);
    throw thrown;
  }
  await refreshLibrary();
  return database;
}

/** As {@link copyOfTemporary}; the temporary file is removed. */
async function keepTemporary(database: DatabaseId, name: string): Promise<DatabaseId | null> {
  try {
    return await copyOfTemporary(database, name);
  } finally {
    await discardTemporary(database);
  }
}

/** Null: it was not copied, and the user has been told. */
export async function copyOfTemporary(database: DatabaseId, name: string): Promise<DatabaseId | null> {
  const file = await shell.comparisonCopySource(locationIdOf(database)!);
  if (file !== null) return (await importCopy({ ...file, fileName: name }, { name, isTemporary: true }))?.id ?? null;
  notify({ tone: 'error', text: `“${name}” is no longer open. Open the archive again.` });
  return null;
}

async function showTable(database: DatabaseId, wanted: string, where: string): Promise<void> {
  const objects = (await knownSchema(database))?.objects ?? [];
  // SQLite compares names without regard to ASCII case.
  const table = objects.find(({ kind, name }) => kind !== 'index' && kind !== 'trigger' && isSameName(name, wanted));
  if (!table) {
    notify({ tone: 'error', text: `There is no table or view “${wanted}” in this database.` });
    return showFromLibrary(database);
  }
  showLibrary(false);
  openTable(database, table.name, { view: { where, filter: [] } });
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Asks what to do about a file in place that no longer exists at its location. */
export async function askAboutMissing(entry: LibraryEntry): Promise<void> {
  const answer = await choose({
    title: `“${entry.name}” was not found`,
    body: `${entry.source?.displayPath ?? entry.name} does not exist. It may have been moved or deleted, or its disk is not connected.`,
    choices: [
      { id: 'remove', label: 'Remove from list' },
      { id: 'locate', label: 'Locate…', variant: 'primary' },
    ],
  });
  if (answer === 'remove') await client.call('library.removeFile', { database: entry.id }).catch(notifyFailure);
  if (answer !== 'locate') return;
  const [file] = await shell.chooseFiles();
  if (!file) return;
  await openInPlace(file);
  await client.call('library.removeFile', { database: entry.id }).catch(notifyFailure);
}

/** Returns whether the copy is shown now. */
async function importFile(file: OpenedFile, onTaken: () => void): Promise<boolean> {
  const entry = await importCopy(file);
  if (entry === null) return false;
  onTaken();
  await showFromLibrary(entry.id);
  return true;
}

interface KeptAs {
  readonly name?: string;
  readonly isTemporary?: true;
}

/** Null: it was not copied, or not completely, and the user has been told. */
export async function importCopy(file: OpenedFile, kept: KeptAs = {}): Promise<LibraryEntry | null> {
  try {
    const { entry, notes, warning } = await acrossRestart(libraryClient, () =>
      runJob(`Importing ${file.fileName}`, (options) =>
        client.call('library.import', { source: file.token, ...kept }, options),
      ),
    );
    for (const note of notes) notify({ tone: 'info', text: note });
    if (warning !== undefined) notify({ tone: 'warning', text: warning });
    return entry;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'stopped')
      notify({ tone: 'info', text: `The import of “${file.fileName}” was stopped. Nothing was kept.` });
    else if (error.code === 'corrupt') await offerSalvage(file, error.message, kept);
    else if (isDesktop && error.detail?.[MAY_BE_ENCRYPTED] === true) await offerInPlace(file);
    else await tell(`“${file.fileName}” was not opened`, error.message);
    return null;
  }
}

/** A library copy has no password. */
async function offerInPlace(file: OpenedFile): Promise<void> {
  const wanted = await confirm({
    title: `“${file.fileName}” may be encrypted`,
    body: 'It does not begin as an SQLite database, and its bytes look random. A library copy would not be encrypted, so none was made. With its password or key, the file can be opened in place.',
    confirmLabel: 'Open in place…',
  });
  if (wanted) await openInPlace(file);
}

async function offerSalvage(file: OpenedFile, message: string, { name }: KeptAs = {}): Promise<void> {
  const wanted = await confirm({
    title: `“${file.fileName}” is damaged`,
    body: `${message}\n\nThe file itself was not changed.`,
    confirmLabel: 'Recover what can be read',
  });
  if (!wanted) return;
  try {
    const reply = await runJob(`Recovering ${file.fileName}`, (options) =>
      client.call('library.salvage', { source: file.token, ...(name !== undefined && { name }) }, options),
    );
    await showFromLibrary(reply.entry.id);
    await tell(`Recovered from “${file.fileName}”`, salvageReport(reply));
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== 'stopped') await tell(`“${file.fileName}” could not be recovered`, error.message);
  }
}

/** SQLITE_CORRUPT_VTAB: only a full-text or R-Tree index is damaged, which can be rebuilt. */
const CORRUPT_INDEX = 267;

/** Offers to recover a file in place that turned out to be damaged, once. */
export function tellOfDamage(database: DatabaseId, { message, sqlite }: AppError): void {
  const { notices, openDatabases } = useStore.getState();
  const name = openDatabases[database]?.entry.name;
  if (name === undefined || sqlite?.extended === CORRUPT_INDEX) return;
  if (notices.some(({ topic }) => topic === database)) return;
  if (!capabilitiesOf(database).plain)
    return notify({
      tone: 'warning',
      topic: database,
      text: `“${name}” is damaged. To save what can be read, export it as SQL: rows that cannot be read are left out, and listed.`,
    });
  const recover = async (): Promise<void> => {
    const file = await shell.comparisonCopySource(locationIdOf(database)!);
    if (file) await offerSalvage(file, message);
  };
  const action = { label: 'Recover…', run: () => void recover().catch(notifyFailure) };
  notify({
    tone: 'warning',
    topic: database,
    text: `“${name}” is damaged. What can be read can be recovered.`,
    action,
  });
}

function salvageReport({ tables, notes }: SalvageReply): string {
  const lines = tables.map(
    ({ name, rowsSaved, complete }) => `${name}: ${plural(rowsSaved, 'row')}${complete ? '' : ', incomplete'}`,
  );
  const damaged = tables.filter(({ complete }) => !complete).length;
  const summary =
    damaged === 0 ? 'Every table was read completely.' : `${plural(damaged, 'table')} could only be read in part.`;
  return [summary, ...notes, '', ...lines].join('\n');
}

const tell = (title: string, body: string): Promise<boolean> =>
  confirm({ title, body, confirmLabel: 'OK', cancelLabel: null });

/**
 * The largest table says most about a database; without sizes, the first by name. Tables of one or two columns only tie
 * others together: they come last.
 */
async function mostTelling(database: DatabaseId): Promise<string | undefined> {
  const objects = (await knownSchema(database))?.objects ?? [];
  const rowsOf = (object: SchemaObject): number => object.rows?.count ?? -1;
  const largest = objects
    .filter(({ kind, problem }) => kind === 'table' && problem === null)
    .sort((a, b) => rowsOf(b) - rowsOf(a) || a.name.localeCompare(b.name))
    .slice(0, CANDIDATES);
  const details = await Promise.all(largest.map(({ name }) => client.call('schema.table', { database, table: name })));
  return (details.find(({ columns }) => columns.length > 2) ?? details[0])?.name;
}
