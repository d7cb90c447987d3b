// Puts a result into a file the user chooses.
import { client } from '../../../connection/database-client.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { notify } from '../../../state/store.ts';
import { formatBytes } from '../../../ui/format.ts';
import { chooseExportTarget } from '../../../workbench/files/export-format.ts';
import type { ExportedView, ResultFormat } from './formats.ts';

export async function saveResult(view: ExportedView, format: ResultFormat): Promise<void> {
  const target = await chooseExportTarget(format, view.title, 'benchmark');
  if (!target) return;
  try {
    const contents = await format.contents(view);
    const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    const size = bytes.length;
    await client.call('export.bytes', { sink: target.token, bytes });
    notify({
      tone: 'success',
      topic: 'benchmark',
      text: `The result was saved to ${target.fileName} (${formatBytes(size)}).`,
    });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}
