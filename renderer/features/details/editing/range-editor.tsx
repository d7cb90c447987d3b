// A long value, part by part: only the part that is shown is read, and only a part that was changed is written.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { toAppError, type CellRange } from '#shared/protocol/index.ts';
import { visibleText } from '#shared/visible-text.ts';
import { client } from '../../../connection/database-client.ts';
import type { Detail } from '../../../state/slices/detail.ts';
import { prompt } from '../../../state/store.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { focusContent } from '../../../workbench/commands/focus-content.ts';
import { assertNotHolding } from '../../../workbench/held/held-store.ts';
import { UndoWaiver } from '../../../workbench/history/undo-waiver.ts';
import { bytesOf, hexOf } from './hex-text.ts';
import { asEdited, asSaved, lineEndingsOf } from './line-endings.ts';
import { isSavingKey } from './saving-key.ts';
import { TextArea, type Selected } from './text-area.tsx';
import { copyText } from './value-editor.tsx';
import { closeRange, rangeDrafts, typeInRange, type RangeDraft } from './range-drafts.ts';
import { HEX_RANGE_BYTES, TEXT_RANGE_BYTES, useRange } from './use-range.ts';
import { useWriting } from './writing.ts';

interface RangeEditorProps {
  readonly detail: Detail;
  readonly draft: RangeDraft;
  readonly name: string;
  readonly takesFocus: boolean;
}

export function RangeEditor({ detail, draft, name, takesFocus }: RangeEditorProps): ReactNode {
  const [saved, setSaved] = useState(0);
  const [selected] = useState<Selected | null>(takesFocus ? { from: 0, to: 0 } : null);
  const { range: read, error } = useRange(detail, draft.offset, saved);
  const writing = useWriting();
  // Typed text belongs to the part it was typed in, whatever the value becomes in the meantime.
  const range = draft.typed ? draft.typed.range : read;
  const saving = useSaving(detail, name, () => setSaved(saved + 1));
  if (!range) return <p className="value-note">{error ?? 'Reading…'}</p>;
  const isFixed = typeof detail.editing === 'string';
  const isText = typeof range.value === 'string';
  const shown = textOf(range);
  const text = draft.typed?.text ?? shown;
  const problem = isText ? null : hexProblem(text);
  const isChanged = text !== shown;
  const save = (): void => {
    if (isChanged && problem === null) void saving.save(range, text);
  };
  const leave = (): void => {
    if (!isChanged) closeRange(name);
    focusContent();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isSavingKey(event)) save();
    else if (event.key === 'Escape') leave();
    else return;
    event.preventDefault();
  };
  return (
    <section className="value-editor" aria-label="Part of the value">
      <RangeBar range={range} isText={isText} name={name} isChanged={isChanged} />
      <TextArea
        label="Part of the value"
        text={text}
        wraps={writing.wraps}
        isMono
        isInvalid={problem !== null}
        isReadOnly={isFixed || saving.isSaving}
        selected={selected}
        onChange={(typed) => typeInRange(name, typed === shown ? null : { text: typed, range })}
        onKeyDown={onKeyDown}
      />
      {problem !== null && <p className="value-note value-problem">{visibleText(problem)}</p>}
      <Failure message={saving.failure ?? error} text={isChanged ? text : null} />
      <RangeButtons
        name={name}
        isFixed={isFixed}
        isChanged={isChanged}
        problem={problem}
        isSaving={saving.isSaving}
        onSave={save}
      />
    </section>
  );
}

const SAVE_FIRST = 'Save or discard this part first.';

interface Saving {
  readonly isSaving: boolean;
  readonly failure: string | null;
  save(range: CellRange, text: string): Promise<void>;
}

function useSaving(detail: Detail, name: string, onSaved: () => void): Saving {
  const [state, setState] = useState<Pick<Saving, 'isSaving' | 'failure'>>({ isSaving: false, failure: null });
  return {
    ...state,
    async save(range, text) {
      if (state.isSaving) return;
      setState({ isSaving: true, failure: null });
      try {
        await replace(detail, range, text);
        // The user may have left the cell, come back, and typed more.
        if (rangeDrafts.getState().drafts[name]?.typed?.text === text) typeInRange(name, null);
        setState({ isSaving: false, failure: null });
        onSaved();
      } catch (thrown) {
        setState({ isSaving: false, failure: toAppError(thrown).message });
      }
    },
  };
}

interface RangeButtonsProps {
  readonly name: string;
  readonly isFixed: boolean;
  readonly isChanged: boolean;
  readonly problem: string | null;
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

function RangeButtons({ name, isFixed, isChanged, problem, isSaving, onSave }: RangeButtonsProps): ReactNode {
  return (
    <div className="value-buttons">
      {!isFixed && (
        <Button
          variant="primary"
          size="small"
          why={problem ?? (isChanged ? null : 'Nothing was changed.')}
          disabled={isSaving}
          onClick={onSave}
        >
          Save part
        </Button>
      )}
      {isChanged && (
        <Button size="small" onClick={() => typeInRange(name, null)}>
          Discard
        </Button>
      )}
      <Button size="small" why={isChanged ? SAVE_FIRST : null} onClick={() => closeRange(name)}>
        Close
      </Button>
    </div>
  );
}

interface FailureProps {
  readonly message: string | null;
  /** There is text that is not saved. */
  readonly text: string | null;
}

function Failure({ message, text }: FailureProps): ReactNode {
  if (message === null) return null;
  return (
    <div className="value-failure" role="alert">
      <p>{visibleText(message)}</p>
      {text !== null && (
        <Button size="small" onClick={() => copyText(text)}>
          Copy text
        </Button>
      )}
    </div>
  );
}

interface RangeBarProps {
  readonly range: CellRange;
  readonly isText: boolean;
  readonly name: string;
  readonly isChanged: boolean;
}

function RangeBar({ range, isText, name, isChanged }: RangeBarProps): ReactNode {
  const { offset, lengthBytes, sizeBytes } = range;
  const step = isText ? TEXT_RANGE_BYTES : HEX_RANGE_BYTES;
  const end = offset + lengthBytes;
  return (
    <div className="row wrap gap-4 fixed" role="group" aria-label="Part of the value">
      <IconButton
        label="Previous part"
        disabled={offset === 0 || isChanged}
        onClick={() => typeInRange(name, null, Math.max(0, offset - step))}
      >
        <ChevronLeft size={14} />
      </IconButton>
      <IconButton
        label="Next part"
        disabled={end >= sizeBytes || isChanged}
        onClick={() => typeInRange(name, null, end)}
      >
        <ChevronRight size={14} />
      </IconButton>
      <Button size="small" why={isChanged ? SAVE_FIRST : null} onClick={() => void goToByte(name, sizeBytes)}>
        Go to…
      </Button>
      <span className="value-note" role="status">
        Bytes {formatCount(Math.min(offset + 1, sizeBytes))} to {formatCount(end)} of {formatCount(sizeBytes)}
      </span>
    </div>
  );
}

async function goToByte(name: string, sizeBytes: number): Promise<void> {
  const byteIn = (text: string): number => (/^[\d\s,]+$/.test(text) ? Number(text.replace(/[\s,]/g, '')) : 0);
  const answer = await prompt({
    title: 'Go to byte',
    label: `Byte, 1 to ${formatCount(sizeBytes)}`,
    value: '1',
    confirmLabel: 'Go',
    validate: (text) =>
      byteIn(text) >= 1 && byteIn(text) <= sizeBytes ? null : `Enter a number from 1 to ${formatCount(sizeBytes)}.`,
  });
  if (answer !== null) typeInRange(name, null, byteIn(answer) - 1);
}

/** A text that is not valid UTF-8 is edited as bytes. */
const textOf = ({ value, bytes }: CellRange): string => (typeof value === 'string' ? asEdited(value) : hexOf(bytes));

function hexProblem(text: string): string | null {
  const bytes = bytesOf(text);
  return typeof bytes === 'string' ? bytes : null;
}

async function replace({ database, source }: Detail, range: CellRange, text: string): Promise<void> {
  if (source.kind !== 'cell') return;
  const { offset, sizeBytes, bytes: removed, value: before } = range;
  const isText = typeof before === 'string';
  const value = isText ? asSaved(text, before, lineEndingsOf(before)) : (bytesOf(text) as Uint8Array);
  const change = { database, cell: source.cell, offset, sizeBytes, removed, value };
  await assertNotHolding(database);
  await new UndoWaiver().run((withoutUndo) => client.call('cell.replaceRange', { ...change, ...withoutUndo }));
}
