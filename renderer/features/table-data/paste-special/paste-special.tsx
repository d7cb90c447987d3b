// The dialog of Paste Special: the text on the clipboard, how it is split, and the rows as they will be stored.
import { useMemo, useRef, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { placeWord } from '#shared/import-formats.ts';
import type { ImportOptions, ImportPreview } from '#shared/protocol/index.ts';
import { Grid } from '../../../grid/grid.tsx';
import { PLAIN_VIEW } from '../../../grid/layout/geometry.ts';
import type { GridView } from '../../../grid/layout/geometry.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatCount, plural } from '../../../ui/format.ts';
import { openTextImport } from '../../../workbench/tabs/import.ts';
import { MemorySource } from '../../../workbench/rows/memory-source.ts';
import { PasteOptions } from './paste-options.tsx';
import type { PasteAs, PasteTarget, PlannedPaste } from './paste-plan.ts';
import { pasteCells, pasteRows } from './paste-run.ts';
import { SHOWN_ROWS, usePasted } from './use-pasted.ts';
import type { Pasted } from './use-pasted.ts';
import '../../../ui/form-dialog.css';
import './paste-special.css';

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
        <div className="form-result">
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
        <label key={way} className="form-check">
          <input
            ref={way === chosen ? chosenRef : null}
            type="radio"
            name="paste-as"
            checked={way === chosen}
            disabled={way !== 'table' && !mayEdit}
            onChange={() => onChoose(way)}
          />
          {label}
        </label>
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
    <section className="form-text paste-clipboard" aria-label="On the clipboard" tabIndex={0}>
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
      <p className="paste-problem" role="alert">
        {problem}
      </p>
    );
  if (pasteAs === 'table') return <p className="paste-note">Import shows the rows and the table they will become.</p>;
  if (!planned || !preview) return null;
  const [wrong] = preview.problems;
  return (
    <>
      {wrong ? (
        <p className="paste-problem" role="alert">
          {`${placeWord(planned.plan.options.format)} ${formatCount(wrong.line)} cannot be stored: ${wrong.reason}`}
        </p>
      ) : (
        <p className="paste-note">{`${countOf(preview)} as they will be stored. ${planned.mapping}`}</p>
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
    <div className="paste-grid">
      <Grid source={rows} view={view} sort={[]} label="Preview" onViewChange={setView} onError={notifyFailure} />
    </div>
  );
}
