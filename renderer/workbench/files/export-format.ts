// The file formats that something can be saved in, as offered to the user, and the naming of the file.
import type { OpenedFile } from '#shared/shell-api.ts';
import { shell } from '../../connection/shell.ts';
import type { MenuEntry } from '../../ui/menu.tsx';

/** A format as the user sees it. */
export interface FileFormat {
  /** File extension without the dot. */
  readonly extension: string;
  /** Label in a menu. */
  readonly label: string;
  readonly hint?: string;
}

/** Each format has one source file, and an entry in the list of formats for its `Subject`. */
export interface ExportFormat<Subject> extends FileFormat {
  /** Returns the contents of the whole file. */
  contents(subject: Subject): string | Uint8Array | Promise<Uint8Array>;
}

/** One menu entry per format. */
export const formatEntries = <Format extends FileFormat>(
  formats: readonly Format[],
  save: (format: Format) => void,
): MenuEntry[] => formats.map((format) => ({ label: format.label, hint: format.hint, run: () => save(format) }));

const NAME_LENGTH = 60;

/** Asks the user for a file, named after `title`, or `unnamed` if the title has no letters. Null if the user canceled. */
export function chooseExportTarget(
  { extension }: FileFormat,
  title: string,
  unnamed: string,
): Promise<OpenedFile | null> {
  const name = title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, NAME_LENGTH);
  return shell.chooseSaveTarget(`${name || unnamed}.${extension}`);
}
