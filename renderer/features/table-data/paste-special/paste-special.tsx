// The dialog of Paste Special: the text on the clipboard, how it is split, and the rows as they will be stored.
import { useId, useMemo, useRef, useState, useEffect, type ReactNode, type Ref } from 'react';
import { placeWord, type ImportFormatId } from '#shared/import-formats.ts';
import { AppError, toAppError } from '#shared/protocol/index.ts';
import type {
  DatabaseId,
  ImportOptions,
  ImportPlan,
  ImportPreview,
  ImportProblem,
  Value,
  DetectedSource,
} from '#shared/protocol/index.ts';
import { Grid } from '../../../grid/grid.tsx';
import { PLAIN_VIEW, type GridView } from '../../../grid/layout/geometry.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatCount, plural } from '../../../ui/format.ts';
import { openTextImport } from '../../../workbench/tabs/import.ts';
import { MemorySource } from '../../../workbench/rows/memory-source.ts';
import { SelectLine, withOwn } from '../../../ui/select.tsx';
import { CheckBox, RadioButton } from '../../../ui/check-box.tsx';
import { isLikelyRow, planPaste, canTranspose, transposedText } from './paste-plan.ts';
import type { PasteAs, PasteTarget, PlannedPaste, PasteChoice } from './paste-plan.ts';
import { client } from '../../../connection/database-client.ts';
import { offerUndo } from '../../../workbench/history/history.ts';
import { assertNotHolding } from '../../../workbench/held/held-store.ts';
import { runJob } from '../../../workbench/jobs.ts';
import { UndoWaiver } from '../../../workbench/history/undo-waiver.ts';
import { blockChanges } from '../paste.ts';
import { applyChanges } from '../row-actions.ts';
import { MAX_ROWS_A_COMMAND } from '../selected-rows.ts';
import { DELIMITERS } from '../../../workbench/files/delimiters.ts';
import '../../../ui/form-dialog.css';

/** @throws AppError; nothing was pasted then */
async function pasteCells({ source, grid }: PasteTarget, { plan, columns }: PlannedPaste): Promise<void> {
  const { database } = source;
  const maxRecords = MAX_ROWS_A_COMMAND + 1;
  const { rows, records, problems } = await client.call('import.preview', {
    database,
    plan,
    maxRecords,
    valuesOnly: true,
  });
  const [problem] = problems;
  if (problem) throw notPasted(plan, problem);
  if (records > MAX_ROWS_A_COMMAND)
    throw AppError.refused(
      `More than ${formatCount(MAX_ROWS_A_COMMAND)} rows are too many to paste over cells at once. Nothing was pasted. Paste them as new rows, or use Paste.`,
    );
  const changes = await blockChanges(source, grid, { columns, block: rows }, (_column, value: Value) => value);
  if (changes.length === 0) return;
  await applyChanges(source, changes);
  await offerUndo(database, `Pasted ${plural(changes.length, 'row')} into ${source.detail.name}.`);
}

/** Pastes any number of rows. @throws AppError; nothing was pasted then */
async function pasteRows({ source }: PasteTarget, { plan }: PlannedPaste): Promise<void> {
  const { database, detail } = source;
  await assertNotHolding(database);
  try {
    const reply = await runJob(`Pasting into ${detail.name}`, (job) =>
      new UndoWaiver().run((withoutUndo) => client.call('import.run', { database, plan, ...withoutUndo }, job)),
    );
    await offerUndo(database, `Pasted ${plural(reply.added, 'row')} into ${detail.name}.`);
  } catch (thrown) {
    throw (await firstProblem(thrown, plan, database)) ?? thrown;
  }
}

/** Problem of the first record, if that ended the import. */
async function firstProblem(thrown: unknown, plan: ImportPlan, database: DatabaseId): Promise<AppError | null> {
  const id = toAppError(thrown).detail?.['import'];
  if (typeof id !== 'string') return null;
  const { problems } = await client.call('import.problems', { database, id, offset: 0, limit: 1 });
  return problems[0] ? notPasted(plan, problems[0]) : null;
}

const notPasted = ({ options }: ImportPlan, { line, reason }: ImportProblem): AppError =>
  AppError.invalid(
    `${placeWord(options.format)} ${formatCount(line)} cannot be stored: ${reason.replace(/([^.])$/, '$1.')} Nothing was pasted.`,
  );

const FORMATS = [
  ['csv', 'Delimited text'],
  ['json', 'JSON'],
  ['ndjson', 'NDJSON'],
] as const satisfies readonly (readonly [ImportFormatId, string])[];
const QUOTES = [
  ['"', 'Double quote "'],
  ["'", "Single quote '"],
  ['', 'None'],
] as const;

interface PasteOptionsProps {
  readonly options: ImportOptions;
  readonly trims: boolean;
  readonly transposes: boolean;
  readonly onChange: (change: Partial<ImportOptions>) => void;
  readonly onTrim: (trims: boolean) => void;
  readonly onTranspose: (transposes: boolean) => void;
}

/** How the text on the clipboard is split: the detected options, each changeable. */
function PasteOptions({ options, trims, transposes, onChange, onTrim, onTranspose }: PasteOptionsProps): ReactNode {
  const { format, delimiter, quote, nullTokens, decimalComma } = options;
  const words = nullTokens.filter((token) => token !== '');
  return (
    <div className="stack gap-4">
      <SelectLine
        label="Format"
        value={format}
        options={FORMATS}
        onChoose={(value) => onChange({ format: value as ImportFormatId })}
      />
      {format === 'csv' && (
        <>
          <SelectLine
            label="Delimiter"
            value={delimiter}
            options={withOwn([...DELIMITERS, ['', 'None']], delimiter)}
            onChoose={(value) => onChange({ delimiter: value })}
          />
          <SelectLine
            label="Quote"
            value={quote}
            options={withOwn(QUOTES, quote)}
            onChoose={(value) => onChange({ quote: value })}
          />
          <Words
            words={words}
            onChange={(tokens) => onChange({ nullTokens: [...(nullTokens.includes('') ? [''] : []), ...tokens] })}
          />
          <CheckBox
            label="First row has column names"
            checked={options.hasHeader}
            onChange={(hasHeader) => onChange({ hasHeader })}
          />
          <CheckBox
            label="Empty cells without quotes are NULL"
            checked={nullTokens.includes('')}
            onChange={(isNull) => onChange({ nullTokens: isNull ? ['', ...words] : words })}
          />
          <CheckBox
            label="Decimal comma (1,5)"
            checked={decimalComma}
            onChange={(is) => onChange({ decimalComma: is })}
          />
        </>
      )}
      <CheckBox label="Trim spaces" checked={trims} onChange={onTrim} />
      {canTranspose(options) && (
        <CheckBox label="Transpose rows and columns" checked={transposes} onChange={onTranspose} />
      )}
    </div>
  );
}

function Words({
  words,
  onChange,
}: {
  readonly words: readonly string[];
  readonly onChange: (words: readonly string[]) => void;
}): ReactNode {
  const id = useId();
  const commit = (text: string): void => {
    const tokens = text.split(',').flatMap((token) => (token.trim() === '' ? [] : [token.trim()]));
    if (tokens.join() !== words.join()) onChange(tokens);
  };
  return (
    <div className="form-line">
      <label htmlFor={id}>Also NULL</label>
      <input
        key={words.join()}
        id={id}
        type="text"
        className="small-field"
        spellCheck={false}
        autoComplete="off"
        placeholder="NULL, n/a"
        defaultValue={words.join(', ')}
        onBlur={(event) => commit(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && commit(event.currentTarget.value)}
      />
    </div>
  );
}

const SHOWN_CHARACTERS = 2000;

const WAYS: readonly (readonly [PasteAs, string])[] = [
  ['cells', 'Starting at the selected cell'],
  ['rows', 'As new rows'],
  ['table', 'Into a new table…'],
];

interface PasteSpecialProps {
  readonly target: PasteTarget;
  readonly onClose: () => void;
}

export function PasteSpecial({ target, onClose }: PasteSpecialProps): ReactNode {
  const [given, setGiven] = useState<Partial<ImportOptions>>({});
  const [pasteAs, setPasteAs] = useState<PasteAs>(() => (isEditable(target) ? 'cells' : 'table'));
  const [trims, setTrims] = useState(false);
  const [transposes, setTransposes] = useState(false);
  const choice = useMemo(() => ({ pasteAs, trims, transposes }), [pasteAs, trims, transposes]);
  const pasted = usePasted(target, given, choice);
  const first = useRef<HTMLInputElement>(null);
  const whyNot = whyNotNow(target, pasted, pasteAs);
  const paste = (): void => {
    onClose();
    if (pasteAs === 'table') openTextImport(pasted.text, { database: target.source.database, table: null });
    else if (pasted.planned) target.grid.during(run(target, pasted.planned, pasteAs));
  };
  return (
    <Dialog
      title="Paste special"
      wide
      initialFocus={first}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" why={whyNot} onClick={paste}>
            {pasteAs === 'table' ? 'Open Import' : 'Paste'}
          </Button>
        </>
      }
    >
      <div className="form-dialog">
        <div className="form-choices">
          <Ways chosen={pasteAs} chosenRef={first} isEditable={isEditable(target)} onChoose={setPasteAs} />
          {pasted.detected && (
            <PasteOptions
              // Show a choice at once, not only after the text has been read again.
              options={{ ...pasted.detected.options, ...given }}
              trims={trims}
              onTrim={setTrims}
              transposes={transposes}
              onTranspose={setTransposes}
              // Another format means that everything depending on it is detected again.
              onChange={(change) => setGiven(change.format ? change : { ...given, ...change })}
            />
          )}
        </div>
        <div className="stack gap-8 shrink-y">
          <Clipboard text={target.text} />
          <Result target={target} pasted={pasted} pasteAs={pasteAs} />
        </div>
      </div>
    </Dialog>
  );
}

interface WaysProps {
  readonly chosen: PasteAs;
  readonly chosenRef: Ref<HTMLInputElement>;
  readonly isEditable: boolean;
  readonly onChoose: (way: PasteAs) => void;
}

function Ways({ chosen, chosenRef, isEditable: mayEdit, onChoose }: WaysProps): ReactNode {
  return (
    <div className="form-box" role="radiogroup" aria-label="Paste">
      {WAYS.map(([way, label]) => (
        <RadioButton
          key={way}
          ref={way === chosen ? chosenRef : null}
          label={label}
          name="paste-as"
          checked={way === chosen}
          disabled={way !== 'table' && !mayEdit}
          onChoose={() => onChoose(way)}
        />
      ))}
    </div>
  );
}

const isEditable = ({ source }: PasteTarget): boolean => source.info.key.kind !== 'none';

function whyNotNow(
  { grid }: PasteTarget,
  { detected, planned, preview, problem }: Pasted,
  pasteAs: PasteAs,
): string | null {
  if (problem !== null) return problem;
  if (!detected) return 'The text is still being read.';
  if (pasteAs === 'table') return null;
  if (pasteAs === 'cells' && grid.draftPosition >= 0) return 'Save or discard the new row first.';
  if (!planned || !preview) return 'The rows are still being read.';
  return preview.problems.length > 0 ? 'A row cannot be stored. See the message above the preview.' : null;
}

async function run(target: PasteTarget, planned: PlannedPaste, pasteAs: PasteAs): Promise<void> {
  try {
    await (pasteAs === 'cells' ? pasteCells(target, planned) : pasteRows(target, planned));
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

function Clipboard({ text }: { readonly text: string }): ReactNode {
  const shown = text.slice(0, SHOWN_CHARACTERS);
  return (
    <section className="fixed sunken form-text paste-clipboard" aria-label="On the clipboard" tabIndex={0}>
      <pre>{shown}</pre>
      {shown.length < text.length && <p>{`… and ${plural(text.length - shown.length, 'more character')}`}</p>}
    </section>
  );
}

interface ResultProps {
  readonly target: PasteTarget;
  readonly pasted: Pasted;
  readonly pasteAs: PasteAs;
}

function Result({ target, pasted, pasteAs }: ResultProps): ReactNode {
  const { planned, preview, problem } = pasted;
  if (problem !== null)
    return (
      <p className="fixed flush error" role="alert">
        {problem}
      </p>
    );
  if (pasteAs === 'table')
    return <p className="fixed flush dim">Import shows the rows and the table they will become.</p>;
  if (!planned || !preview) return null;
  const [wrong] = preview.problems;
  return (
    <>
      {wrong ? (
        <p className="fixed flush error" role="alert">
          {`${placeWord(planned.plan.options.format)} ${formatCount(wrong.line)} cannot be stored: ${wrong.reason}`}
        </p>
      ) : (
        <p className="fixed flush dim">{`${countOf(preview)} as they will be stored. ${planned.mapping}`}</p>
      )}
      <PreviewGrid target={target} planned={planned} preview={preview} />
    </>
  );
}

const countOf = ({ rows }: ImportPreview): string =>
  rows.length < SHOWN_ROWS ? plural(rows.length, 'row') : `The first ${formatCount(rows.length)} rows`;

interface PreviewGridProps {
  readonly target: PasteTarget;
  readonly planned: PlannedPaste;
  readonly preview: ImportPreview;
}

function PreviewGrid({ target, planned, preview }: PreviewGridProps): ReactNode {
  const [view, setView] = useState<GridView>(PLAIN_VIEW);
  const rows = useMemo(() => {
    const columns = planned.columns.map((column) => ({
      name: target.source.columns[column]!.name,
      typeLabel: target.source.columns[column]!.typeLabel,
    }));
    return new MemorySource(columns, preview.rows.length, (row, column) => preview.rows[row]![column] ?? null);
  }, [target, planned, preview]);
  return (
    <div className="fill clip anchor paste-grid">
      <Grid source={rows} view={view} sort={[]} label="Preview" onViewChange={setView} onError={notifyFailure} />
    </div>
  );
}

const SHOWN_ROWS = 200;
const SETTLE_MS = 120; // Delay while the user types.

interface Pasted {
  /** The text to paste: that of the clipboard, possibly with rows and columns swapped. */
  readonly text: string;
  readonly detected: DetectedSource | null;
  readonly planned: PlannedPaste | null;
  /** The previous preview stays until the next one is ready. */
  readonly preview: ImportPreview | null;
  readonly problem: string | null;
}

/** The clipboard as the worker reads it, and the first rows as they would be stored; updated when the choices change. */
function usePasted(target: PasteTarget, given: Partial<ImportOptions>, choice: PasteChoice): Pasted {
  const { detected, text, problem } = useDetected(target, given, choice);
  const planned = useMemo(() => {
    if (!detected || choice.pasteAs === 'table') return { plan: null, why: null };
    try {
      return { plan: planPaste({ ...target, text }, detected, choice), why: null };
    } catch (thrown) {
      return { plan: null, why: toAppError(thrown).message };
    }
  }, [target, text, detected, choice]);
  const [preview, previewProblem] = usePreview(target, planned.plan, choice);
  return { text, detected, planned: planned.plan, preview, problem: problem ?? planned.why ?? previewProblem };
}

type Found = Pick<Pasted, 'text' | 'detected' | 'problem'>;

function useDetected(
  { text, source }: PasteTarget,
  given: Partial<ImportOptions>,
  { transposes, pasteAs }: PasteChoice,
): Found {
  const isNewTable = pasteAs === 'table';
  const [found, setFound] = useState<Found>({ text, detected: null, problem: null });
  useEffect(() => {
    const abort = new AbortController();
    const read = (seen: string, options: Partial<ImportOptions>): Promise<DetectedSource> =>
      client.call(
        'import.detect',
        { source: { kind: 'text', text: seen, name: 'Clipboard' }, options },
        { signal: abort.signal },
      );
    const detect = async (seen: string, options: Partial<ImportOptions>): Promise<DetectedSource> => {
      const detected = await read(seen, options);
      const isRow = options.hasHeader === undefined && !isNewTable && isLikelyRow(detected, source);
      return isRow ? await read(seen, { ...options, hasHeader: false }) : detected;
    };
    const detectAll = async (): Promise<Found> => {
      const detected = await detect(text, given);
      const problem = detected.columns.length === 0 ? 'This text has no rows.' : null;
      const { options } = detected;
      if (problem !== null || !transposes || !canTranspose(options)) return { text, detected, problem };
      const turned = transposedText(text, options);
      const { format, delimiter, quote } = options;
      return { text: turned, detected: await detect(turned, { ...given, format, delimiter, quote }), problem };
    };
    detectAll().then(
      (now) => !abort.signal.aborted && setFound(now),
      (thrown: unknown) =>
        !abort.signal.aborted && setFound({ text, detected: null, problem: toAppError(thrown).message }),
    );
    return () => abort.abort();
  }, [text, source, given, transposes, isNewTable]);
  return found;
}

function usePreview(
  { source }: PasteTarget,
  planned: PlannedPaste | null,
  { pasteAs }: PasteChoice,
): readonly [ImportPreview | null, string | null] {
  const [shown, setShown] = useState<readonly [ImportPreview | null, string | null]>([null, null]);
  useEffect(() => {
    if (!planned) return;
    const abort = new AbortController();
    const params = {
      database: source.database,
      plan: planned.plan,
      maxRecords: SHOWN_ROWS,
      ...(pasteAs === 'cells' && { valuesOnly: true as const }),
    };
    const timer = setTimeout(() => {
      client.call('import.preview', params, { signal: abort.signal }).then(
        (preview) => setShown([preview, null]),
        (thrown: unknown) => !abort.signal.aborted && setShown([null, toAppError(thrown).message]),
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [source, planned, pasteAs]);
  return planned ? shown : [null, null];
}
