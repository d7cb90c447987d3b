// The text field over the one cell that is being edited: keeps what was typed until it is stored or given up.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, ReactElement, RefObject } from 'react';
import type { EditChoice, EditNews, EditOutcome, EditSession } from './cell-editing.ts';
import { flushSync } from 'react-dom';
import { EditorNote, NewsNote, focusFirstChoice } from './editor-note.tsx';
import type { TypeAhead } from './type-ahead.ts';

/** Where the cursor goes after the editor has closed. */
export type AfterEdit = 'stay' | 'down' | 'next' | 'previous';

export interface CellEditorProps {
  readonly session: EditSession;
  /** What others did to the cell meanwhile. */
  readonly news: EditNews | null;
  /** What was typed to begin with; null to edit the present value. */
  readonly typed: string | null;
  readonly label: string;
  /** Of the cell: the editor is never narrower. */
  readonly minWidth: number;
  readonly isNumber: boolean;
  readonly frameRef: RefObject<HTMLDivElement | null>;
  /** Waits while the text is being stored or read. */
  readonly ahead: TypeAhead;
  onClose(after: AfterEdit, refocus: boolean): void;
  /** What others stored is known, and written over with the next commit. */
  onKeepMine(): void;
  onCopy(text: string): void;
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

/** While it is being stored, what changed is what was typed here. */
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
  /** The person has typed, or stands by what is in the field. */
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
  /** The text was changed: the failure was about another one. */
  forgive(): void;
}

/** Stores the text, once at a time, and closes the editor only when that worked. */
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
    // What is pressed next finds the grid as it is then.
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

/** When its tab closes or makes room for another, what was typed is kept as by a click elsewhere. */
function useWhenGone(keep: () => void): void {
  const latest = useRef(keep);
  useLayoutEffect(() => {
    latest.current = keep;
  });
  useEffect(() => () => latest.current(), []);
}

/** Waits for the whole of a long value. */
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
