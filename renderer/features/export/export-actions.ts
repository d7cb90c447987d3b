// Writes what was chosen: into a file the person names, or onto the clipboard.
import type {
  DatabaseId,
  ExportFormatInfo,
  ExportOptions,
  ExportReply,
  ExportSource,
  FileToken,
} from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { client } from '../../connection/database-client.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { formatBytes, plural } from '../../ui/format.ts';
import { chooseExportTarget } from '../../workbench/export-format.ts';
import { runJob } from '../../workbench/jobs.ts';

export interface ChosenExport {
  readonly database: DatabaseId;
  readonly source: ExportSource;
  readonly format: ExportFormatInfo;
  readonly options: ExportOptions;
  readonly fileName: string;
}

/** Asks for the file; the rest goes on by itself. Answers false when none was chosen. */
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

async function writeFile(chosen: ChosenExport, { token, fileName }: OpenedFile): Promise<void> {
  const { database, source, format, options } = chosen;
  try {
    const reply = await runJob(`Exporting ${fileName}`, (job) =>
      client.call('export.file', { database, source, format: format.id, options, sink: token }, job),
    );
    const reveal = { label: 'Show in Folder', run: () => void showInFolder(token, fileName) };
    notify({ tone: toneOf(reply), text: exportedText(reply, fileName), ...(isDesktop && { action: reveal }) });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

async function showInFolder(token: FileToken, fileName: string): Promise<void> {
  const isShown = await shell.revealSaved(token).catch(() => false);
  if (!isShown) notify({ tone: 'warning', text: `“${fileName}” is no longer where it was saved.` });
}

export async function copyExport({ database, source, format, options }: ChosenExport): Promise<void> {
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

function exportedText({ rows, sizeBytes, notes }: ExportReply, fileName: string): string {
  const done = `${plural(rows, 'row was', 'rows were')} exported to ${fileName} (${formatBytes(sizeBytes)}).`;
  return [done, ...notes].join(' ');
}
