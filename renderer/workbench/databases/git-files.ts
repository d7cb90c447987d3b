// The files in place that lie in a Git repository, and the one that is being compared with a revision of it.
import { create } from 'zustand';
import { capabilitiesOf, locationIdOf, type DatabaseId, type LibraryEntry } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { useStore } from '../../state/store.ts';

interface GitFiles {
  readonly inRepository: ReadonlySet<DatabaseId>;
  /** Shown in a dialog. */
  readonly compared: LibraryEntry | null;
}

export const useGitFiles = create<GitFiles>()(() => ({ inRepository: new Set(), compared: null }));

export const compareWithGit = (compared: LibraryEntry | null): void => useGitFiles.setState({ compared });

/** Finds out about each file once it is open, which opening it does not wait for. Call once. */
export function startGitFiles(): void {
  useStore.subscribe(({ openDatabases }, before) => {
    if (openDatabases === before.openDatabases) return;
    for (const database of Object.keys(openDatabases))
      if (!before.openDatabases[database]) void lookFor(database).catch(() => undefined);
  });
}

async function lookFor(database: DatabaseId): Promise<void> {
  const { inPlace, plain, temporary } = capabilitiesOf(database);
  if (!inPlace || !plain || temporary) return;
  const isInside = await shell.git.isInRepository(locationIdOf(database)!);
  const others = [...useGitFiles.getState().inRepository].filter((other) => other !== database);
  useGitFiles.setState({ inRepository: new Set(isInside ? [...others, database] : others) });
}
