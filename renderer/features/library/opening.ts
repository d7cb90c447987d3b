// Ways a database gets onto the screen: from the library, from a file, new, as the sample.
import type { AppError, DatabaseId, LibraryEntry, SalvageReply, SchemaObject } from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { client } from '../../client/database-client.ts';
import { notifyFailure, openDatabase } from '../../client/databases.ts';
import { knownSchema } from '../../client/schema.ts';
import { shell } from '../../client/shell.ts';
import {
  activateTab,
  confirm,
  notify,
  openQuery,
  openTable,
  prompt,
  showLibrary,
  useStore,
} from '../../client/store.ts';
import { plural } from '../../ui/format.ts';
import { runJob } from '../../client/jobs.ts';

const CANDIDATES = 5;

/** Opens the database and puts something of it in front: its last tab, or its largest table. */
export async function showFromLibrary(database: DatabaseId): Promise<void> {
  if (!(await openDatabase(database))) return;
  showLibrary(false);
  const tab = useStore
    .getState()
    .tabs.filter((candidate) => candidate.database === database)
    .at(-1);
  if (tab) return activateTab(tab.id);
  try {
    const table = await mostTelling(database);
    // Who was quicker than we has gone elsewhere by now.
    const { tabs, currentDatabase } = useStore.getState();
    const isWaiting = currentDatabase === database && !tabs.some((tab) => tab.database === database);
    if (!isWaiting) return;
    if (table) openTable(database, table, { preview: true });
    else openQuery(database);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

export async function chooseAndImport(): Promise<void> {
  await importFiles(await shell.chooseFiles());
}

export async function importFiles(files: readonly OpenedFile[]): Promise<void> {
  for (const file of files) await importFile(file);
}

export async function createDatabase(): Promise<void> {
  const name = await askForName('New database', freeName('Untitled'), 'Create');
  if (name === null) return;
  await adopt(() => client.call('library.create', { name }));
}

export async function createSample(): Promise<void> {
  await adopt(() =>
    runJob('Creating the sample database', (options) => client.call('library.createSample', {}, options)),
  );
}

/** Asks for a name no other database of the library has; null when cancelled. */
export function askForName(title: string, value: string, confirmLabel: string): Promise<string | null> {
  const taken = takenNames();
  return prompt({
    title,
    label: 'Name',
    value,
    confirmLabel,
    validate: (text) => {
      if (text.trim() === '') return 'A database needs a name.';
      return taken.has(text.trim().toLowerCase()) && text.trim() !== value
        ? 'The library already has a database of this name.'
        : null;
    },
  }).then((text) => text?.trim() ?? null);
}

async function importFile(file: OpenedFile): Promise<void> {
  try {
    const { entry, notes } = await runJob(`Importing ${file.fileName}`, (options) =>
      client.call('library.import', { source: file.token }, options),
    );
    await showFromLibrary(entry.id);
    for (const note of notes) notify({ tone: 'info', text: note });
  } catch (thrown) {
    const error = thrown as AppError;
    if (error.code === 'stopped')
      notify({ tone: 'info', text: `The import of “${file.fileName}” was stopped. Nothing was kept of it.` });
    else if (error.code === 'corrupt') await offerSalvage(file, error.message);
    else if (error.code !== 'disconnected') await tell(`“${file.fileName}” was not opened`, error.message);
  }
}

async function offerSalvage(file: OpenedFile, message: string): Promise<void> {
  const wanted = await confirm({
    title: `“${file.fileName}” is damaged`,
    body: `${message}\n\nThe file itself is not touched.`,
    confirmLabel: 'Recover what can be read',
  });
  if (!wanted) return;
  try {
    const reply = await runJob(`Recovering ${file.fileName}`, (options) =>
      client.call('library.salvage', { source: file.token }, options),
    );
    await showFromLibrary(reply.entry.id);
    await tell(`What was recovered of “${file.fileName}”`, salvageReport(reply));
  } catch (thrown) {
    const error = thrown as AppError;
    if (error.code !== 'stopped') await tell(`“${file.fileName}” could not be recovered`, error.message);
  }
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

async function adopt(create: () => Promise<LibraryEntry>): Promise<void> {
  try {
    await showFromLibrary((await create()).id);
  } catch (thrown) {
    notifyFailure(thrown);
  }
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

const takenNames = (): Set<string> => new Set(useStore.getState().entries?.map(({ name }) => name.toLowerCase()));

export function freeName(base: string): string {
  const taken = takenNames();
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base} ${number}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}
