// The user's actions on saved runs.
import type { SavedRun } from '#shared/protocol/index.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { shell } from '../../../connection/shell.ts';
import { confirm, notify, prompt } from '../../../state/store.ts';
import { formatBytes } from '../../../ui/format.ts';
import { deleteRun, importRun, renameRun } from './run-library.ts';

const LONGEST_TITLE = 120;

export async function askAndRename({ id, title }: SavedRun): Promise<void> {
  const answer = await prompt({
    title: 'Rename this run',
    label: 'Name',
    value: title,
    confirmLabel: 'Rename',
    validate: (text) =>
      text.trim() === ''
        ? 'Enter a name.'
        : text.length > LONGEST_TITLE
          ? `A name can have at most ${LONGEST_TITLE} characters.`
          : null,
  });
  // oxlint-disable-next-line sidelite/text-decisions -- whether the person has changed it
  if (answer === null || answer.trim() === title) return;
  await renameRun(id, answer.trim()).catch(notifyFailure);
}

/** Returns whether it was deleted. */
export async function askAndDelete({ id, title, sizeBytes }: SavedRun): Promise<boolean> {
  const agreed = await confirm({
    title: `Delete the run “${title}”?`,
    body: `Its samples (${formatBytes(sizeBytes)}) will be deleted. Export the run first if you might need it.`,
    confirmLabel: 'Delete',
    danger: true,
  });
  if (!agreed) return false;
  try {
    await deleteRun(id);
    return true;
  } catch (thrown) {
    notifyFailure(thrown);
    return false;
  }
}

/** Returns the last one that was imported. */
export async function chooseAndImport(): Promise<SavedRun | null> {
  let imported: SavedRun | null = null;
  for (const file of await shell.chooseFiles('json')) {
    try {
      imported = await importRun(file);
      notify({
        tone: 'success',
        topic: 'benchmark',
        text: `“${file.fileName}” was imported. It is shown with the machine it was measured on.`,
      });
    } catch (thrown) {
      notifyFailure(thrown);
    }
  }
  return imported;
}
