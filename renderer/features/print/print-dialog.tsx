// The dialog that prints rows, a diagram, or the schema: what, and whether on paper or as a PDF.
import { useRef, useState, type ReactNode } from 'react';
import {
  MAX_PRINTED_CELL_CHARS,
  MAX_PRINTED_CELLS,
  MAX_PRINTED_COLUMNS,
  MAX_PRINTED_ROWS,
  MAX_PRINTED_TEXT_CHARS,
} from '#shared/printing.ts';
import { notify, useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { formatBytes, formatCount, formatMoment } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import type { ExportChoice, PictureChoice } from '../../workbench/files/export-request.ts';
import { AppError, DEFAULT_EXPORT_OPTIONS, toAppError, type DatabaseId } from '#shared/protocol/index.ts';
import type { PrintedPages } from '#shared/printing.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { knownSchema } from '../../state/schema.ts';
import { runJob } from '../../workbench/jobs.ts';
import { showSavedAction } from '../../workbench/files/show-saved.ts';
import { limited, NULL_MARK, rowPages, schemaPages } from './printed-rows.ts';
import './print.css';

type PrintChoice = ExportChoice | PictureChoice;

export interface PrintRequest {
  readonly database: DatabaseId;
  /** The first one is preselected. */
  readonly choices: readonly PrintChoice[];
}

interface ChosenPrint {
  readonly database: DatabaseId;
  readonly databaseName: string;
  readonly choice: PrintChoice;
}

/** Shows the pages in a window, whose button prints them. */
async function showPages(chosen: ChosenPrint): Promise<void> {
  try {
    const bytes = await runJob(`Preparing pages of ${chosen.choice.fileName}`, ({ signal }) => pdfOf(chosen, signal));
    await shell.showDocument({ title: `${chosen.choice.fileName} · ${chosen.databaseName}`, bytes });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Asks for the file first. Returns false if the user cancels. */
async function savePages(chosen: ChosenPrint): Promise<boolean> {
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
    const stop = (): void => reject(AppError.stopped('Stopped.'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  // Main ends the work by itself, at the latest after two minutes.
  const pdf = await Promise.race([shell.printToPdf(pages), stopped]);
  if ('why' in pdf) throw AppError.unavailable(pdf.why);
  return pdf;
}

async function pagesOf({ database, databaseName, choice }: ChosenPrint, signal: AbortSignal): Promise<PrintedPages> {
  if ('pictureNow' in choice) {
    const picture = choice.pictureNow();
    if (picture.svg.length > MAX_PRINTED_TEXT_CHARS) throw tooLargePicture();
    const [title, ...lines] = [choice.fileName, databaseName, formatMoment(Date.now())].map(visibleName);
    return { title: title!, subtitle: lines.join(' · '), notes: [], content: { kind: 'picture', ...picture } };
  }
  const source = choice.sourceNow?.() ?? choice.source;
  const about = [databaseName, choice.label, formatMoment(Date.now())];
  if (source.kind === 'schema') {
    const schema = await knownSchema(database);
    return schemaPages(schema?.objects ?? [], { title: databaseName, about: about.slice(1) });
  }
  if (source.kind !== 'table' && source.kind !== 'result')
    throw AppError.invalid('Only rows and the schema can be printed.');
  const options = { ...DEFAULT_EXPORT_OPTIONS, nullText: NULL_MARK };
  const request = { database, source: limited(source), format: 'csv', options };
  const { text, notes } = await client.call('export.text', request, { signal }).catch((thrown: unknown) => {
    throw toAppError(thrown).code === 'too-big' ? tooLarge() : thrown;
  });
  return rowPages(text, { title: choice.fileName, about, notes });
}

const tooLargePicture = (): AppError =>
  AppError.tooBig(
    'The diagram has too many tables to be printed. Save it as a picture, or print the diagram around a table.',
  );

const tooLarge = (): AppError =>
  AppError.tooBig(
    'The values of these rows are too large to be printed. Select fewer rows or columns, or export them.',
  );

interface PrintDialogProps {
  readonly request: PrintRequest;
  readonly onClose: () => void;
}

export function PrintDialog({ request: { database, choices }, onClose }: PrintDialogProps): ReactNode {
  const databaseName = useStore(({ openDatabases }) => openDatabases[database]?.entry.name ?? 'database');
  const [index, choose] = useState(0);
  const first = useRef<HTMLSelectElement>(null);
  const chosen = { database, databaseName, choice: choices[index]! };
  const print = (): void => {
    onClose();
    void showPages(chosen);
  };
  const save = async (): Promise<void> => {
    if (await savePages(chosen)) onClose();
  };
  return (
    <Dialog
      title="Print"
      initialFocus={first}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={() => void save()}>Save as PDF…</Button>
          <Button variant="primary" onClick={print}>
            Show pages and print…
          </Button>
        </>
      }
    >
      <div className="stack gap-12 text-color print-choices">
        <label>
          What to print
          <Select
            selectRef={first}
            label="What to print"
            value={String(index)}
            options={choices.map(({ label }, at) => [String(at), label] as const)}
            onChoose={(at) => choose(Number(at))}
          />
        </label>
        <FactList label="Limits">
          {'pictureNow' in chosen.choice ? (
            <Fact tone="plain">The whole diagram on one page, as wide as the page allows</Fact>
          ) : chosen.choice.source.kind === 'schema' ? (
            <Fact tone="plain">The statements of all objects, tables first</Fact>
          ) : (
            <Fact tone="plain">
              {`At most ${formatCount(MAX_PRINTED_ROWS)} rows and ${MAX_PRINTED_COLUMNS} columns, and ${formatCount(MAX_PRINTED_CELLS)} cells. Values longer than ${MAX_PRINTED_CELL_CHARS} characters are cut. The pages say what is missing.`}
            </Fact>
          )}
        </FactList>
      </div>
    </Dialog>
  );
}
