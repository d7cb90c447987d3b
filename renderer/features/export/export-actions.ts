// Writes the chosen data to a file that the user names, or to the clipboard.
import { toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, ExportFormatInfo, ExportOptions, ExportReply, ExportSource } from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { confirm, notify } from '../../state/store.ts';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import { chooseExportTarget } from '../../workbench/files/export-format.ts';
import { runJob } from '../../workbench/jobs.ts';
import { showSavedAction } from '../../workbench/files/show-saved.ts';

const SHOWN_NAMES = 5;

export interface ChosenExport {
  readonly database: DatabaseId;
  readonly sourceNow: () => ExportSource;
  readonly format: ExportFormatInfo;
  readonly options: ExportOptions;
  readonly fileName: string;
}

/** Asks the user for the file; the export then runs in the background. Returns false if the user cancels. */
export async function exportToFile(chosen: ChosenExport): Promise<boolean> {
  try {
    const target = await chooseExportTarget(chosen.format, chosen.fileName, 'export');
    if (target) void writeFile(chosen, target);
    return target !== null;
  } catch (thrown) {
    notifyFailure(thrown);
    return false;
  }
}

/** Asks the user for the folder; the export then runs in the background. Returns false if the user cancels, or keeps existing files. */
export async function exportToFolder(chosen: ChosenExport, tables: readonly string[]): Promise<boolean> {
  try {
    const folder = await shell.chooseSaveFolder();
    if (folder) void writeFolder(chosen, tables, folder, false);
    return folder !== null;
  } catch (thrown) {
    notifyFailure(thrown);
    return false;
  }
}

async function writeFolder(
  chosen: ChosenExport,
  tables: readonly string[],
  { token, fileName }: OpenedFile,
  replace: boolean,
): Promise<void> {
  const { database, format, options } = chosen;
  try {
    const reply = await runJob(`Exporting to ${fileName}`, (job) =>
      client.call('export.folder', { database, tables, format: format.id, options, folder: token, replace }, job),
    );
    const rows = plural(reply.rows, 'row was', 'rows were');
    const done = `${rows} exported to ${plural(reply.files, 'file')} in ${fileName} (${formatBytes(reply.sizeBytes)}).`;
    notifyExported(reply, done, { token, fileName });
  } catch (thrown) {
    if (!(await mayReplace(thrown, fileName))) return;
    await writeFolder(chosen, tables, { token, fileName }, true);
  }
}

/** Files with these names exist: asks the user before anything is written. Reports any other failure. */
async function mayReplace(thrown: unknown, folderName: string): Promise<boolean> {
  const { code, detail } = toAppError(thrown);
  if (code !== 'exists' || detail?.['names'] === undefined) {
    notifyFailure(thrown);
    return false;
  }
  const names = String(detail['names']).split('\n');
  const shown = names.slice(0, SHOWN_NAMES).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  return confirm({
    title: `Replace ${plural(names.length, 'file')} in “${folderName}”?`,
    body: `These already exist: ${[...shown, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(', ')}.`,
    confirmLabel: 'Replace',
    danger: true,
  });
}

async function writeFile(chosen: ChosenExport, { token, fileName }: OpenedFile): Promise<void> {
  const { database, format, options } = chosen;
  const source = chosen.sourceNow();
  try {
    const reply = await runJob(`Exporting ${fileName}`, (job) =>
      client.call('export.file', { database, source, format: format.id, options, sink: token }, job),
    );
    const rows = plural(reply.rows, 'row was', 'rows were');
    notifyExported(reply, `${rows} exported to ${fileName} (${formatBytes(reply.sizeBytes)}).`, { token, fileName });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

function notifyExported(reply: ExportReply, done: string, file: OpenedFile): void {
  notify({ tone: toneOf(reply), text: [done, ...reply.notes].join(' '), ...showSavedAction(file) });
}

export async function copyExport({ database, sourceNow, format, options }: ChosenExport): Promise<void> {
  const source = sourceNow();
  try {
    const reply = await runJob('Copying rows', (job) =>
      client.call('export.text', { database, source, format: format.id, options }, job),
    );
    await (format.id === 'html' ? shell.writeClipboard(reply.text, reply.text) : shell.writeClipboard(reply.text));
    notify({
      tone: toneOf(reply),
      topic: 'copy-as',
      text: [`Copied ${plural(reply.rows, 'row')}.`, ...reply.notes].join(' '),
    });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

const toneOf = ({ notes }: ExportReply): 'success' | 'warning' => (notes.length > 0 ? 'warning' : 'success');
