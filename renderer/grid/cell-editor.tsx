// The text field over the one cell that is being edited: keeps what was typed until it is stored or given up.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import type { EditChoice, EditOutcome, EditSession } from './cell-editing.ts';

/** Where the cursor goes after the editor has closed. */
export type AfterEdit = 'stay' | 'down' | 'next' | 'previous';

export interface CellEditorProps {
  readonly session: EditSession;
  /** What was typed to begin with; null to edit the present value. */
  readonly typed: string | null;
  readonly label: string;
  /** Of the cell: the editor is never narrower. */
  readonly minWidth: number;
  readonly frameRef: RefObject<HTMLDivElement | null>;
  onClose(after: AfterEdit, refocus: boolean): void;
  /** Storing failed, and the editor is not there any more to say so. */
  onLost(message: string, text: string): void;
  /** The present value could not be read: there is nothing to edit. */
  onUnreadable(error: unknown): void;
}

interface Failure {
  readonly message: string;
  readonly choices: readonly EditChoice[];
}

const CHARACTER_WIDTH = 7.6;
const LINE_HEIGHT = 18;
const MAX_WIDTH = 520;
const MAX_LINES = 12;

export function CellEditor(props: CellEditorProps): ReactElement {
  const { session, typed, minWidth } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const errorId = useId();
  const [text, setText] = useState(typed ?? (typeof session.text === 'string' ? session.text : ''));
  const [isTouched, setTouched] = useState(typed !== null);
  const [isReading, setReading] = useState(typed === null && typeof session.text !== 'string');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isClosed = useRef(false);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    if (typed === null) field.current?.select();
    else field.current?.setSelectionRange(typed.length, typed.length);
  }, [typed]);
  useWholeText(props, isReading, (whole) => {
    setText(whole);
    setReading(false);
  });

  const close = (after: AfterEdit, refocus = true): void => {
    if (isClosed.current) return;
    isClosed.current = true;
    props.onClose(after, refocus);
  };
  const settle = async (work: Promise<EditOutcome>, after: AfterEdit, refocus: boolean): Promise<void> => {
    setBusy(true);
    const outcome = await work;
    if (outcome.kind === 'failed' && !isMounted.current) return props.onLost(outcome.message, text);
    setBusy(false);
    if (outcome.kind === 'done') return close(after, refocus);
    setFailure(outcome);
  };
  const commit = (after: AfterEdit, refocus = true): void => {
    if (isClosed.current || isBusy) return;
    const isSame = !session.isNull && text === session.text;
    if (isReading || !isTouched || isSame) return close(after, refocus);
    void settle(session.commit(text), after, refocus);
  };
  const choose = (choice: EditChoice): void => {
    const next = choice.run(text);
    if (next === 'revert') close('stay');
    else void settle(next, 'stay', true);
  };

  const lines = text.split('\n');
  const longest = lines.reduce((length, line) => Math.max(length, line.length), 0);
  return (
    <div
      ref={props.frameRef}
      className="grid-editor"
      data-cell-editor
      onBlur={(event) => {
        const leavesWindow = !document.hasFocus();
        if (!leavesWindow && !event.currentTarget.contains(event.relatedTarget)) commit('stay', false);
      }}
    >
      <textarea
        ref={field}
        className="grid-editor-text"
        aria-label={props.label}
        aria-invalid={failure !== null}
        aria-errormessage={failure ? errorId : undefined}
        spellCheck={false}
        readOnly={isBusy || isReading}
        placeholder={isReading ? 'Reading…' : session.isNull && !isTouched ? 'NULL' : isTouched ? 'empty text' : ''}
        style={{
          width: Math.max(minWidth + 1, Math.min(MAX_WIDTH, longest * CHARACTER_WIDTH + 30)),
          height: Math.min(MAX_LINES, lines.length) * LINE_HEIGHT + 8,
        }}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setTouched(true);
          setFailure(null);
        }}
        onKeyDown={(event) => handleKey(event, commit, () => close('stay'))}
      />
      {failure && (
        <div id={errorId} className="grid-editor-error" role="alert">
          <p>{failure.message}</p>
          {failure.choices.map((choice) => (
            <button key={choice.label} type="button" className="grid-editor-choice" onClick={() => choose(choice)}>
              {choice.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function handleKey(event: KeyboardEvent<HTMLTextAreaElement>, commit: (after: AfterEdit) => void, revert: () => void): void {
  if (event.nativeEvent.isComposing) return;
  if (event.key === 'Escape') revert();
  else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) commit('down');
  else if (event.key === 'Enter' && event.altKey) document.execCommand('insertText', false, '\n');
  else if (event.key === 'Tab') commit(event.shiftKey ? 'previous' : 'next');
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Waits for the whole of a long value. */
function useWholeText({ session, onUnreadable }: CellEditorProps, isReading: boolean, onText: (text: string) => void): void {
  const latest = useRef({ onText, onUnreadable });
  useLayoutEffect(() => {
    latest.current = { onText, onUnreadable };
  });
  useEffect(() => {
    if (!isReading) return;
    let isGone = false;
    Promise.resolve(session.text).then(
      (text) => !isGone && latest.current.onText(text),
      (error: unknown) => !isGone && latest.current.onUnreadable(error),
    );
    return () => {
      isGone = true;
    };
  }, [session, isReading]);
}
