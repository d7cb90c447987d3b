// Makes the pages of what was chosen, and shows them, to be printed, or saves them as a PDF.
import { AppError, DEFAULT_EXPORT_OPTIONS, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { PrintedPages } from '#shared/printing.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { knownSchema } from '../../state/schema.ts';
import { notify } from '../../state/store.ts';
import { formatBytes, formatMoment } from '../../ui/format.ts';
import type { ExportChoice } from '../../workbench/files/export-request.ts';
import { runJob } from '../../workbench/jobs.ts';
import { showSavedAction } from '../../workbench/files/show-saved.ts';
import { limited, NULL_MARK, rowPages, schemaPages } from './printed-rows.ts';

export interface ChosenPrint {
  readonly database: DatabaseId;
  readonly databaseName: string;
  readonly choice: ExportChoice;
}

/** Shows the pages in a window, whose button prints them. */
export async function showPages(chosen: ChosenPrint): Promise<void> {
  try {
    const bytes = await runJob(`Preparing pages of ${chosen.choice.fileName}`, ({ signal }) => pdfOf(chosen, signal));
    await shell.showDocument({ title: `${chosen.choice.fileName} · ${chosen.databaseName}`, bytes });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Asks for the file first. Returns false if the user cancels. */
export async function savePages(chosen: ChosenPrint): Promise<boolean> {
  try {
    const target = await shell.chooseSaveTarget(`${chosen.choice.fileName}.pdf`);
    if (!target) return false;
    void writePages(chosen, target);
    return true;
  } catch (thrown) {
    notifyFailure(thrown);
    return false;
  }
}

async function writePages(chosen: ChosenPrint, target: Parameters<typeof showSavedAction>[0]): Promise<void> {
  try {
    const bytes = await runJob(`Preparing pages of ${chosen.choice.fileName}`, ({ signal }) => pdfOf(chosen, signal));
    const text = `The pages were saved to ${target.fileName} (${formatBytes(bytes.length)}).`;
    await client.call('export.bytes', { sink: target.token, bytes });
    notify({ tone: 'success', text, ...showSavedAction(target) });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

async function pdfOf(chosen: ChosenPrint, signal: AbortSignal): Promise<Uint8Array> {
  const pages = await pagesOf(chosen, signal);
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new AppError({ code: 'stopped', message: 'Stopped.' }));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  // Main ends the work by itself, at the latest after two minutes.
  const pdf = await Promise.race([shell.printToPdf(pages), stopped]);
  if ('why' in pdf) throw new AppError({ code: 'unavailable', message: pdf.why });
  return pdf;
}

async function pagesOf({ database, databaseName, choice }: ChosenPrint, signal: AbortSignal): Promise<PrintedPages> {
  const source = choice.sourceNow?.() ?? choice.source;
  const about = [databaseName, choice.label, formatMoment(Date.now())];
  if (source.kind === 'schema') {
    const schema = await knownSchema(database);
    return schemaPages(schema?.objects ?? [], { title: databaseName, about: about.slice(1) });
  }
  if (source.kind !== 'table' && source.kind !== 'result')
    throw new AppError({ code: 'invalid', message: 'Only rows and the schema can be printed.' });
  const options = { ...DEFAULT_EXPORT_OPTIONS, nullText: NULL_MARK };
  const request = { database, source: limited(source), format: 'csv', options };
  const { text, notes } = await client.call('export.text', request, { signal }).catch((thrown: unknown) => {
    throw toAppError(thrown).code === 'too-big' ? tooLarge() : thrown;
  });
  return rowPages(text, { title: choice.fileName, about, notes });
}

const tooLarge = (): AppError =>
  new AppError({
    code: 'too-big',
    message: 'The values of these rows are too large to be printed. Select fewer rows or columns, or export them.',
  });
