// The command that compares the current file with a revision of its Git repository.
import { useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { compareWithGit, useGitFiles } from '../../workbench/databases/git-files.ts';

export function useGitCommands(): void {
  const entry = useStore(({ currentDatabase, openDatabases }) =>
    currentDatabase === null ? null : (openDatabases[currentDatabase]?.entry ?? null),
  );
  const isInside = useGitFiles(({ inRepository }) => entry !== null && inRepository.has(entry.id));
  useCommand('git.compare', () => compareWithGit(entry), isInside);
}
