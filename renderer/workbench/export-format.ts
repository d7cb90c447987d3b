// The formats in which something can be saved to a file: what a person chooses among, and how the file is named.
import type { OpenedFile } from '#shared/shell-api.ts';
import { shell } from '../connection/shell.ts';
import type { MenuEntry } from '../ui/menu.tsx';

/** What a person sees of a format. */
export interface FileFormat {
  /** Of the file, without the dot. */
  readonly extension: string;
  /** In a menu. */
  readonly label: string;
  readonly hint?: string;
}

/** One file of code for each, and a place in the list of what `Subject` can be saved as. */
export interface ExportFormat<Subject> extends FileFormat {
  /** The whole file. */
  contents(subject: Subject): string | Uint8Array | Promise<Uint8Array>;
}

/** An entry of a menu for each. */
export const formatEntries = <Format extends FileFormat>(
  formats: readonly Format[],
  save: (format: Format) => void,
): MenuEntry[] => formats.map((format) => ({ label: format.label, hint: format.hint, run: () => save(format) }));

const NAME_LENGTH = 60;

/** Asks for a file named after `title`, or `unnamed` where that has no letter. Null: the person chose none. */
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
