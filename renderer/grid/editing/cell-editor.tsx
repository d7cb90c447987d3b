// The text field over the cell being edited: keeps the typed text until it is stored or discarded.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, ReactElement, RefObject } from 'react';
import type { EditChoice, EditNews, EditOutcome, EditSession } from './cell-editing.ts';
import { flushSync } from 'react-dom';
import { EditorNote, NewsNote, focusFirstChoice } from './editor-note.tsx';
import type { TypeAhead } from './type-ahead.ts';

/** Where the cursor moves after the editor has closed. */
export type AfterEdit = 'stay' | 'down' | 'next' | 'previous';

export interface CellEditorProps {
  readonly session: EditSession;
  /** Changes others made to the cell meanwhile. */
  readonly news: EditNews | null;
  /** The initial typed text; null to edit the current value. */
  readonly typed: string | null;
  readonly label: string;
  /** Width of the cell, which is the minimum for the editor. */
  readonly minWidth: number;
  readonly isNumber: boolean;
  readonly frameRef: RefObject<HTMLDivElement | null>;
  /** Holds back keys while the text is being stored or read. */
  readonly ahead: TypeAhead;
  onClose(after: AfterEdit, refocus: boolean): void;
  /** The user has seen what others stored, and the next commit overwrites it. */
  onKeepMine(): void;
  onCopy(text: string): void;
  /** Storing failed after the editor had closed, so it could not show the error. */
  onLost(message: string, text: string): void;
  /** The current value could not be read, so there is nothing to edit. */
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
  const { session, typed } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const errorId = useId();
  const { text, isTouched, isReading, change, touch } = useEditedText(props);
  const storing = useStoring(props, text);

  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    if (typed === null) field.current?.select();
    else field.current?.setSelectionRange(typed.length, typed.length);
  }, [typed]);

  const commit = (after: AfterEdit, refocus = true): void => {
    if (isReading || !isTouched || (!session.isNull && text === session.text)) storing.close(after, refocus);
    else storing.store(after, refocus);
  };
  useWhenGone(() => commit('stay', false));
  const focusField = (): void => field.current?.focus({ preventScroll: true });
  const onKeepMine = (): void => {
    touch();
    props.onKeepMine();
    focusField();
  };
  const news = newsToShow(props, storing);
  const onBlur = (event: FocusEvent<HTMLElement>): void => {
    if (document.hasFocus() && !event.currentTarget.contains(event.relatedTarget)) commit('stay', false);
  };
  return (
    <div ref={props.frameRef} className="grid-editor" data-cell-editor onBlur={onBlur}>
      <textarea
        ref={field}
        className={props.isNumber ? 'grid-editor-text grid-editor-number' : 'grid-editor-text'}
        aria-label={props.label}
        aria-invalid={storing.failure !== null}
        aria-errormessage={storing.failure ? errorId : undefined}
        aria-describedby={news ? errorId : undefined}
        spellCheck={false}
        readOnly={storing.isBusy || isReading}
        placeholder={isReading ? 'Reading…' : isTouched ? 'empty text' : session.isNull ? 'NULL' : ''}
        style={sizeFor(text, props.minWidth)}
        value={text}
        onChange={(event) => {
          change(event.target.value);
          storing.forgive();
        }}
        onKeyDown={(event) => handleKey(event, commit, () => storing.close('stay', true))}
      />
      <Notes
        id={errorId}
        storing={storing}
        news={news}
        onKeepMine={onKeepMine}
        onCopy={() => props.onCopy(text)}
        onLeave={focusField}
      />
    </div>
  );
}

/** While the text is being stored, changes of the cell come from this editor. */
function newsToShow({ news }: CellEditorProps, { isBusy, failure }: Storing): EditNews | null {
  return isBusy || failure ? null : news;
}

interface NotesProps {
  readonly id: string;
  readonly storing: Storing;
  readonly news: EditNews | null;
  onKeepMine(): void;
  onCopy(): void;
  onLeave(): void;
}

function Notes({ id, storing, news, onKeepMine, onCopy, onLeave }: NotesProps): ReactElement | null {
  const { failure, choose, close } = storing;
  if (failure) {
    const choices = failure.choices.map((choice) => ({ label: choice.label, run: () => choose(choice) }));
    return (
      <EditorNote id={id} choices={choices} onLeave={onLeave}>
        {failure.message}
      </EditorNote>
    );
  }
  const handlers = { onKeepMine, onCopy, onLeave, onGiveUp: () => close('stay', true) };
  return news && <NewsNote id={id} news={news} {...handlers} />;
}

interface EditedText {
  readonly text: string;
  /** The user has typed, or confirmed the text in the field. */
  readonly isTouched: boolean;
  readonly isReading: boolean;
  change(text: string): void;
  touch(): void;
}

function useEditedText(props: CellEditorProps): EditedText {
  const { session, typed } = props;
  const [text, setText] = useState(typed ?? (typeof session.text === 'string' ? session.text : ''));
  const [isTouched, setTouched] = useState(typed !== null);
  const [isReading, setReading] = useState(typed === null && typeof session.text !== 'string');
  useWholeText(props, isReading, (whole) => {
    setText(whole);
    setReading(false);
  });
  const touch = (): void => setTouched(true);
  const change = (now: string): void => {
    setText(now);
    touch();
  };
  return { text, isTouched, isReading, change, touch };
}

function sizeFor(text: string, minWidth: number): { width: number; height: number } {
  const lines = text.split('\n');
  const longest = lines.reduce((length, line) => Math.max(length, line.length), 0);
  return {
    width: Math.max(minWidth + 1, Math.min(MAX_WIDTH, longest * CHARACTER_WIDTH + 30)),
    height: Math.min(MAX_LINES, lines.length) * LINE_HEIGHT + 9,
  };
}

interface Storing {
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  store(after: AfterEdit, refocus: boolean): void;
  choose(choice: EditChoice): void;
  close(after: AfterEdit, refocus: boolean): void;
  /** The text was changed, so the failure no longer applies. */
  forgive(): void;
}

/** Stores the text, one attempt at a time, and closes the editor only on success. */
function useStoring({ session, ahead, onClose, onLost }: CellEditorProps, text: string): Storing {
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

  const close = (after: AfterEdit, refocus: boolean): void => {
    if (isClosed.current || isBusy) return;
    isClosed.current = true;
    onClose(after, refocus);
  };
  const settled = (outcome: EditOutcome, after: AfterEdit, refocus: boolean): void => {
    if (outcome.kind === 'failed') ahead.drop();
    if (!isMounted.current) return outcome.kind === 'failed' ? onLost(outcome.message, text) : undefined;
    setBusy(false);
    if (outcome.kind === 'failed') return setFailure(outcome);
    isClosed.current = true;
    onClose(after, refocus);
  };
  const settle = (work: Promise<EditOutcome>, after: AfterEdit, refocus: boolean): void => {
    setBusy(true);
    // Later keys are handled when the grid has been updated.
    ahead.during(work.then((outcome) => flushSync(() => settled(outcome, after, refocus))));
  };
  return {
    isBusy,
    failure,
    close,
    store: (after, refocus) => {
      if (!isClosed.current && !isBusy) settle(session.commit(text), after, refocus);
    },
    choose: (choice) => {
      if (isBusy) return;
      const next = choice.run(text);
      if (next === 'revert') close('stay', true);
      else settle(next, 'stay', true);
    },
    forgive: () => setFailure(null),
  };
}

function handleKey(
  event: KeyboardEvent<HTMLTextAreaElement>,
  commit: (after: AfterEdit) => void,
  revert: () => void,
): void {
  if (event.nativeEvent.isComposing) return;
  const isPlainTab = event.key === 'Tab' && !event.ctrlKey && !event.shiftKey;
  if (event.key === 'Escape') revert();
  else if (isPlainTab && focusFirstChoice(event.currentTarget)) event.stopPropagation();
  else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) commit('down');
  else if (event.key === 'Enter' && event.altKey) document.execCommand('insertText', false, '\n');
  else if (event.key === 'Tab' && !event.ctrlKey) commit(event.shiftKey ? 'previous' : 'next');
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** When its tab closes or is switched, the text is stored as after a click elsewhere. */
function useWhenGone(keep: () => void): void {
  const latest = useRef(keep);
  useLayoutEffect(() => {
    latest.current = keep;
  });
  useEffect(() => () => latest.current(), []);
}

/** Waits until a long value has been read completely. */
function useWholeText(
  { session, ahead, onUnreadable }: CellEditorProps,
  isReading: boolean,
  onText: (text: string) => void,
): void {
  const latest = useRef({ onText, onUnreadable });
  useLayoutEffect(() => {
    latest.current = { onText, onUnreadable };
  });
  useEffect(() => {
    if (!isReading) return;
    let isGone = false;
    const reading = Promise.resolve(session.text).then(
      (text) => !isGone && flushSync(() => latest.current.onText(text)),
      (error: unknown) => {
        ahead.drop();
        if (!isGone) flushSync(() => latest.current.onUnreadable(error));
      },
    );
    ahead.during(reading);
    return () => {
      isGone = true;
    };
  }, [session, ahead, isReading]);
}
