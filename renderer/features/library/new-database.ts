// Databases created in Sidelite: a new one, and the sample; also names that no other database of the library has.
import type { LibraryEntry } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { createEncrypted, notifyFailure } from '../../state/databases.ts';
import { prompt } from '../../state/store.ts';
import { freeLibraryName, isInLibrary } from '../../workbench/databases/library-names.ts';
import { runJob } from '../../workbench/jobs.ts';
import { showFromLibrary } from './opening.ts';

export async function createDatabase(): Promise<void> {
  const name = await askForName('New database', freeLibraryName('Untitled'), 'Create');
  if (name === null) return;
  await adopt(() => client.call('library.create', { name }));
}

/** A file in place: the library's databases are not encrypted. */
export async function newEncrypted(): Promise<void> {
  try {
    const database = await createEncrypted();
    if (database !== null) await showFromLibrary(database);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

export async function createSample(): Promise<void> {
  await adopt(() =>
    runJob('Creating the sample database', (options) => client.call('library.createSample', {}, options)),
  );
}

/** Asks for a name no other database of the library has; null when cancelled. */
export function askForName(title: string, value: string, confirmLabel: string): Promise<string | null> {
  return prompt({
    title,
    label: 'Name',
    value,
    confirmLabel,
    validate: (text) => {
      if (text.trim() === '') return 'Enter a name for the database.';
      return isInLibrary(text.trim()) && text.trim() !== value
        ? 'The library already has a database with this name.'
        : null;
    },
  }).then((text) => text?.trim() ?? null);
}

async function adopt(create: () => Promise<LibraryEntry>): Promise<void> {
  try {
    await showFromLibrary((await create()).id);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}
