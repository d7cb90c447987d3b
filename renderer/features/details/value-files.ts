// Reads values from and writes them to files that the user chooses.
import { toAppError, type Value } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import type { Detail } from '../../state/slices/detail.ts';
import { confirm, notify } from '../../state/store.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { formatBytes } from '../../ui/format.ts';
import { chooseExportTarget } from '../../workbench/files/export-format.ts';
import { assertNotHolding } from '../../workbench/held/held-store.ts';
import { offerUndo } from '../../workbench/history/history.ts';
import { runJob } from '../../workbench/jobs.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { fileKind } from './file-kind.ts';

/** Writes the value as stored; text is written as UTF-8. */
export async function saveValue(detail: Detail, value: Value): Promise<void> {
  const { title, column, source } = detail;
  const { extension } = fileKind(value);
  try {
    const target = await chooseExportTarget({ extension, label: extension }, `${title} ${column}`, 'value');
    if (!target) return;
    const isStored = source.kind === 'cell' && (detail.storageClass === 'text' || detail.storageClass === 'blob');
    const sizeBytes = isStored
      ? await saveStored(detail, source.cell, target.token)
      : await saveBytes(await wholeBytes(detail, value), target.token);
    notify({ tone: 'success', text: `Saved to ${target.fileName} (${formatBytes(sizeBytes)}).` });
  } catch (thrown) {
    if (toAppError(thrown).code !== 'stopped') notifyFailure(thrown);
  }
}

type Cell = Extract<Detail['source'], { kind: 'cell' }>['cell'];

const saveStored = async ({ database, column }: Detail, cell: Cell, sink: string): Promise<number> =>
  (await runJob(`Saving ${column}`, (job) => client.call('cell.save', { database, cell, sink }, job))).sizeBytes;

async function saveBytes(bytes: Uint8Array, sink: string): Promise<number> {
  const sizeBytes = bytes.length;
  await client.call('export.bytes', { sink, bytes });
  return sizeBytes;
}

/** @param shown the whole value, unless it is one of a result and longer than the panel shows */
export async function wholeBytes({ source, complete }: Detail, shown: Value): Promise<Uint8Array> {
  const isWhole = complete || source.kind !== 'position';
  const value = isWhole ? shown : (await client.call('cell.readAt', source)).value;
  if (value instanceof Uint8Array) return value.slice();
  return typeof value === 'object' && value !== null && 'textBytes' in value
    ? value.textBytes.slice()
    : new TextEncoder().encode(valueText(value));
}

/** Makes the contents of a chosen file the value: text if the value was text, otherwise a blob. */
export async function loadValue(detail: Detail): Promise<void> {
  const { database, source, storageClass, sizeBytes, complete, value, column } = detail;
  if (source.kind !== 'cell') return;
  const { cell } = source;
  const isLong = storageClass === 'text' || storageClass === 'blob';
  const seen = { storageClass, sizeBytes: isLong ? sizeBytes : 0, ...(complete && { value }) };
  try {
    await assertNotHolding(database);
    const [file] = await shell.chooseFiles('any');
    if (!file) return;
    const waiver = new UndoWaiver();
    const load = (loadAs: 'text' | 'blob'): Promise<{ readonly sizeBytes: number }> =>
      runJob(`Loading ${file.fileName}`, (job) =>
        waiver.run((withoutUndo) =>
          client.call('cell.load', { database, cell, source: file.token, loadAs, seen, ...withoutUndo }, job),
        ),
      );
    const loaded = await load(storageClass === 'text' ? 'text' : 'blob').catch(async (thrown: unknown) => {
      const isNoText = toAppError(thrown).code === 'invalid' && storageClass === 'text';
      if (!isNoText || !(await asksForBlob(file.fileName))) throw thrown;
      return load('blob');
    });
    await offerUndo(database, `Loaded ${file.fileName} into ${column} (${formatBytes(loaded.sizeBytes)}).`);
  } catch (thrown) {
    if (toAppError(thrown).code !== 'stopped') notifyFailure(thrown);
  }
}

const asksForBlob = (fileName: string): Promise<boolean> =>
  confirm({
    title: 'Load as a blob?',
    body: `“${fileName}” is not UTF-8 text, but the current value is text.`,
    confirmLabel: 'Load as blob',
  });
