// The file formats that something can be saved in, as offered to the user, the naming of the file, and its writing.
import type { OpenedFile } from '#shared/shell-api.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { formatBytes } from '../../ui/format.ts';
import type { MenuEntry } from '../../ui/menu.tsx';

export interface FileFormat {
  /** File extension without the dot. */
  readonly extension: string;
  readonly label: string;
  readonly hint?: string;
}

/** Each format has one source file, and an entry in the list of formats for its `Subject`. */
export interface ExportFormat<Subject> extends FileFormat {
  contents(subject: Subject): string | Uint8Array | Promise<Uint8Array>;
}

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

/** Asks the user for a file, writes the subject there, and says so. `noun`: what the message calls it. */
export async function saveAs<Subject>(
  format: ExportFormat<Subject>,
  subject: Subject,
  { title, topic, noun = topic }: { readonly title: string; readonly topic: string; readonly noun?: string },
): Promise<void> {
  try {
    const target = await chooseExportTarget(format, title, topic);
    if (!target) return;
    const contents = await format.contents(subject);
    const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    const text = `The ${noun} was saved to ${target.fileName} (${formatBytes(bytes.length)}).`;
    await client.call('export.bytes', { sink: target.token, bytes });
    notify({ tone: 'success', topic, text });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}
