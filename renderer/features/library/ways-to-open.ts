// How to open files that were chosen, dropped, or requested by the system: as the settings or the user decide.
import { capabilitiesOf, locationIdOf, type DatabaseId, type LibraryEntry } from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { isDesktop } from '../../connection/shell.ts';
import { notifyFailure, refreshLibrary } from '../../state/databases.ts';
import { settingNow } from '../../state/settings.ts';
import type { ChoiceQuestion } from '../../state/slices/dialogs.ts';
import { choose, useStore } from '../../state/store.ts';
import { formatWhen, plural } from '../../ui/format.ts';
import { setSetting } from '../../workbench/set-setting.ts';

const COPY =
  'Library copy: the file is copied into the library. The file stays as it is; changes stay in the copy and can be undone.';
const IN_PLACE =
  'In place: works on the file itself, alongside other programs. Changes are in the file as soon as they are committed. They can be undone, but not past what other programs wrote.';

/**
 * `copy`: a library copy of the current file. `first-edit`: in place, where the first edit asks. An object: its existing copy in the library.
 * Null: not at all.
 */
export type WayToOpen = 'copy' | 'in-place' | 'first-edit' | { readonly copy: DatabaseId } | null;

interface KnownWays {
  /** The last one used; copies of other files with the same name do not count. */
  readonly copy: LibraryEntry | undefined;
  readonly inPlace: LibraryEntry | undefined;
}

const NOTHING_KNOWN: KnownWays = { copy: undefined, inPlace: undefined };

/** @param decided for this file and others: only an existing copy still needs a question */
export async function wayToOpen(files: readonly OpenedFile[], decided: WayToOpen = null): Promise<WayToOpen> {
  const [first] = files;
  const setting = decided ?? (isDesktop ? settingNow('openFiles') : 'copy');
  const known = first && files.length === 1 && setting !== 'in-place' ? await knownWaysOf(first) : NOTHING_KNOWN;
  if (setting === 'first-edit')
    return known.copy && known.inPlace?.editing === 'copy' ? { copy: known.copy.id } : setting;
  if (setting !== 'ask' && !known.copy) return setting;
  const isOpen = setting === 'ask';
  const answer = await choose({
    title: `Open ${nameOf(files, 'file')}`,
    body: [known.copy ? aboutCopy(known.copy) : COPY, ...(isOpen ? [aboutInPlace(known)] : [])].join('\n\n'),
    choices: choicesOf(known, isOpen),
    ...(isOpen && {
      remember: {
        label: 'Remember my choice (you can change it in Settings)',
        onChosen: (id) => setSetting('openFiles', id === 'in-place' ? 'in-place' : 'copy'),
      },
    }),
  });
  if (answer === 'known') return { copy: known.copy!.id };
  return answer === 'copy' || answer === 'in-place' ? answer : null;
}

export async function knownWaysOf({ locationId }: Pick<OpenedFile, 'locationId'>): Promise<KnownWays> {
  if (locationId === undefined) return NOTHING_KNOWN;
  if (useStore.getState().entries === null) await refreshLibrary().catch(notifyFailure);
  const entries = (useStore.getState().entries ?? [])
    .filter(({ id, source }) => (locationIdOf(id) ?? source?.locationId) === locationId)
    .sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
  return {
    copy: entries.find(({ id }) => !capabilitiesOf(id).inPlace),
    inPlace: entries.find(({ id }) => capabilitiesOf(id).inPlace),
  };
}

/** Enter repeats what was done last. */
function choicesOf(known: KnownWays, isOpen: boolean): ChoiceQuestion['choices'] {
  const wasInPlace = isOpen && (known.inPlace?.lastUsedAtMs ?? 0) > (known.copy?.lastUsedAtMs ?? 0);
  const asCopy = wasInPlace ? 'plain' : 'primary';
  const inPlace = { id: 'in-place', label: 'In place', variant: wasInPlace ? 'primary' : 'plain' } as const;
  const copies = known.copy
    ? ([
        { id: 'copy', label: 'New copy' },
        { id: 'known', label: `Open “${known.copy.name}”`, variant: asCopy },
      ] as const)
    : ([{ id: 'copy', label: 'Library copy', variant: asCopy }] as const);
  return wasInPlace ? [...copies, inPlace] : [...(isOpen ? [inPlace] : []), ...copies];
}

/** What an existing copy is, and a new one would be. */
export const aboutCopy = ({ name, lastUsedAtMs }: LibraryEntry): string =>
  `“${name}” in your library is a copy of this file, last used ${formatWhen(lastUsedAtMs)}. A new copy starts from the file as it is now, without what was changed in “${name}”.`;

const aboutInPlace = ({ inPlace }: KnownWays): string =>
  inPlace ? `${IN_PLACE} You last did this ${formatWhen(inPlace.lastUsedAtMs)}.` : IN_PLACE;

/** `edit`, `import`, or null for neither. Without a database there is no SQL tab to edit a file in. */
export async function wayToOpenSql(files: readonly OpenedFile[]): Promise<string | null> {
  const { currentDatabase, openDatabases } = useStore.getState();
  if (files.length === 0 || currentDatabase === null) return 'import';
  const database = openDatabases[currentDatabase]?.entry.name ?? '';
  return choose({
    title: `Open ${nameOf(files, 'SQL file')}`,
    body: [
      `Edit: opens the file in an SQL tab of “${database}”. Nothing runs until you run it.`,
      'Import: runs the file as a dump, into a new database or one you choose.',
    ].join('\n\n'),
    choices: [
      { id: 'import', label: 'Import…' },
      { id: 'edit', label: 'Edit', variant: 'primary' },
    ],
  });
}

const nameOf = (files: readonly OpenedFile[], kind: string): string =>
  files.length === 1 ? `“${files[0]!.fileName}”` : plural(files.length, kind);
