// The text field over the cell being edited: keeps the typed text until it is stored or discarded.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, ReactElement, ReactNode, RefObject } from 'react';
import type { AfterEdit, EditChoice, EditNews, EditOutcome, EditSession, OfferedValue } from './cell-editing.ts';
import { flushSync } from 'react-dom';
import { borrowsFocus } from '../../ui/borrowed-focus.ts';
import { useOpenField } from '../../ui/open-fields.ts';
import { highlightedId, SuggestionList, useSuggestions } from '../../ui/suggestions.tsx';
import type { SuggestionControl } from '../../ui/suggestions.tsx';
import type { TypeAhead } from './type-ahead.ts';

interface NoteChoice {
  readonly label: string;
  run(): void;
}

interface EditorNoteProps {
  readonly id: string;
  readonly choices: readonly NoteChoice[];
  readonly children: ReactNode;
  /** Returns the focus to the text. */
  onLeave(): void;
}

const CHOICE = 'grid-editor-choice';

/** A message about the text in a cell editor, with choices: shown under the field, reached from it with Tab. */
function EditorNote({ id, choices, children, onLeave }: EditorNoteProps): ReactElement {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const isAtEnd = event.target === event.currentTarget.querySelector(`.${CHOICE}:last-of-type`);
    event.stopPropagation();
    if (event.key !== 'Escape' && !(event.key === 'Tab' && !event.shiftKey && isAtEnd)) return;
    event.preventDefault();
    onLeave();
  };
  return (
    <div id={id} className="break-words text-color grid-editor-note" role="alert" onKeyDown={onKeyDown}>
      <p>{children}</p>
      {choices.map((choice) => (
        <button key={choice.label} type="button" className={CHOICE} onClick={() => choice.run()}>
          {choice.label}
        </button>
      ))}
    </div>
  );
}

interface NewsNoteProps {
  readonly id: string;
  readonly news: EditNews;
  onKeepMine(): void;
  onCopy(): void;
  /** Closes the editor without storing anything. */
  onGiveUp(): void;
  onLeave(): void;
}

/** Shows what others did to the cell while it was being edited. */
function NewsNote({ id, news, onKeepMine, onCopy, onGiveUp, onLeave }: NewsNoteProps): ReactElement {
  if (news.kind === 'changed') {
    const choices = [
      { label: 'Keep mine', run: onKeepMine },
      { label: 'Take theirs', run: onGiveUp },
    ];
    return (
      <EditorNote id={id} choices={choices} onLeave={onLeave}>
        Changed in the meantime to “{news.text}”
      </EditorNote>
    );
  }
  const copyAndClose = (): void => {
    onCopy();
    onGiveUp();
  };
  const choices = [
    { label: 'Copy the text', run: copyAndClose },
    { label: 'Close', run: onGiveUp },
  ];
  return (
    <EditorNote id={id} choices={choices} onLeave={onLeave}>
      This row was deleted in the meantime.
    </EditorNote>
  );
}

/** Returns false if there is no choice. */
function focusFirstChoice(field: HTMLElement): boolean {
  const first = field.parentElement?.querySelector<HTMLElement>(`.${CHOICE}`);
  first?.focus();
  return first != null;
}

export interface CellEditorProps {
  readonly session: EditSession;
  /** Changes others made to the cell in the meantime. */
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
  /** Stores the text in every selected cell; null if the cell is the only one. */
  readonly fill: ((text: string) => Promise<EditOutcome>) | null;
  onStoring(after: AfterEdit): void;
  onClose(after: AfterEdit, refocus: boolean): void;
  /** The user has seen what others stored, and the next commit overwrites it. */
  onKeepMine(): void;
  onCopy(text: string): void;
  /** Storing failed after the editor had closed, so it could not show the error. */
  onLost(message: string, text: string): void;
  /** The current value could not be read, so there is nothing to edit. */
  onUnreadable(error: unknown): void;
}

const CHARACTER_WIDTH = 7.6;
const LINE_HEIGHT = 18;
const MAX_WIDTH = 520;
const MAX_LINES = 12;

/** The focus goes elsewhere in the window, to what does not give it back. */
const isLeft = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): boolean =>
  document.hasFocus() && !currentTarget.contains(relatedTarget) && !borrowsFocus(relatedTarget);

export function CellEditor(props: CellEditorProps): ReactElement {
  const { session, typed } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [errorId, listId] = [useId(), useId()];
  const edited = useEditedText(props);
  const { text, isTouched } = edited;
  const storing = useStoring(props, text);
  const offers = session.offers ?? null;
  const offered = useSuggestions(offers, isTouched ? text : null);

  useFirstFocus(field, typed);
  const keep = useKeep(session, edited, storing);
  const commit = (after: AfterEdit): void => {
    // The highlighted suggestion counts for Enter and Tab only: leaving the field keeps the text.
    if (offered.suggested.highlighted) storing.pick(offered.suggested.highlighted, after);
    else void keep(after, true);
  };
  const focusField = (): void => field.current?.focus({ preventScroll: true });
  const news = newsToShow(props, storing);
  const isOffered = offers !== null && !storing.failure && !news;
  const onBlur = (event: FocusEvent<HTMLElement>): void => {
    if (isLeft(event)) void keep('stay', false);
  };
  return (
    <div ref={props.frameRef} className="grid-editor" data-cell-editor onBlur={onBlur}>
      <EditorText
        fieldRef={field}
        {...props}
        edited={edited}
        storing={storing}
        errorId={errorId}
        listId={isOffered ? listId : undefined}
        offered={offered}
        isNoted={news !== null}
        onCommit={commit}
      />
      <div className="grid-editor-beside">
        <Notes
          id={errorId}
          storing={storing}
          news={news}
          onKeepMine={() => {
            edited.touch();
            props.onKeepMine();
            focusField();
          }}
          onCopy={() => props.onCopy(text)}
          onLeave={focusField}
        />
        {!storing.failure && !news && <Hints {...props} />}
        {isOffered && (
          <SuggestionList
            id={listId}
            label={offers?.label ?? ''}
            control={offered}
            onChoose={(item) => storing.pick(item, 'stay')}
          />
        )}
      </div>
    </div>
  );
}

const Hints = ({ fill, session }: CellEditorProps): ReactElement => (
  <>
    {fill && <Hint>Ctrl+Enter sets all selected cells</Hint>}
    {session.note !== undefined && <Hint>{session.note}</Hint>}
  </>
);

const Hint = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <p className="dim one-line flush grid-editor-hint">{children}</p>
);

/** Stores the typed text, also when the tab or the window closes. Resolves with false if the text could not be stored. */
function useKeep(
  session: EditSession,
  { text, isTouched, isReading }: EditedText,
  storing: Storing,
): (after: AfterEdit, refocus: boolean) => Promise<boolean> {
  const keep = async (after: AfterEdit, refocus: boolean): Promise<boolean> => {
    if (!isReading && isTouched && (session.isNull || text !== session.text))
      return await storing.store(after, refocus);
    storing.close(after, refocus);
    return true;
  };
  useWhenGone(() => void keep('stay', false));
  useOpenField(() => keep('stay', true));
  return keep;
}

function useFirstFocus(field: RefObject<HTMLTextAreaElement | null>, typed: string | null): void {
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    if (typed === null) field.current?.select();
    else field.current?.setSelectionRange(typed.length, typed.length);
  }, [field, typed]);
}

interface EditorTextProps extends CellEditorProps {
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
  readonly edited: EditedText;
  readonly storing: Storing;
  readonly errorId: string;
  readonly listId: string | undefined;
  readonly offered: SuggestionControl<OfferedValue>;
  readonly isNoted: boolean;
  onCommit(after: AfterEdit): void;
}

function EditorText({ edited, storing, offered, errorId, listId, isNoted, ...props }: EditorTextProps): ReactElement {
  const { text, isTouched, isReading, change } = edited;
  return (
    <textarea
      ref={props.fieldRef}
      className={
        props.isNumber
          ? 'scroll text-color flush grid-editor-text grid-editor-number'
          : 'scroll text-color flush grid-editor-text'
      }
      aria-label={props.label}
      aria-invalid={storing.failure !== null}
      aria-errormessage={storing.failure ? errorId : undefined}
      aria-describedby={isNoted ? errorId : undefined}
      aria-autocomplete={listId === undefined ? undefined : 'list'}
      aria-controls={listId}
      aria-activedescendant={highlightedId(listId ?? '', offered.suggested)}
      spellCheck={false}
      readOnly={storing.isBusy || isReading}
      placeholder={isReading ? 'Reading…' : isTouched ? 'empty text' : props.session.isNull ? 'NULL' : ''}
      style={sizeFor(text, props.minWidth)}
      value={text}
      onChange={(event) => {
        change(event.target.value);
        storing.forgive();
      }}
      onKeyDown={(event) => {
        const isFill = event.key === 'Enter' && event.ctrlKey && !event.nativeEvent.isComposing;
        if (isFill && props.fill && !isReading && (isTouched || !props.session.isNull)) {
          event.preventDefault();
          event.stopPropagation();
          storing.fill(props.fill);
        } else if (!event.nativeEvent.isComposing && offered.handleKey(event)) {
          event.preventDefault();
          event.stopPropagation();
        } else handleKey(event, props.onCommit, () => storing.close('stay', true));
      }}
    />
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

interface Failure {
  readonly message: string;
  readonly choices: readonly EditChoice[];
}

interface StoringProps {
  readonly session: EditSession;
  readonly ahead: TypeAhead;
  /** An attempt begins. */
  onStoring(after: AfterEdit): void;
  onClose(after: AfterEdit, refocus: boolean): void;
  onLost(message: string, text: string): void;
}

interface Storing {
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  /** Resolves with false if the text could not be stored. */
  store(after: AfterEdit, refocus: boolean): Promise<boolean>;
  /** Stores the text in every selected cell. */
  fill(commit: (text: string) => Promise<EditOutcome>): void;
  choose(choice: EditChoice): void;
  pick(offered: OfferedValue, after: AfterEdit): void;
  close(after: AfterEdit, refocus: boolean): void;
  /** The text was changed, so the failure no longer applies. */
  forgive(): void;
}

/** Stores the text, one attempt at a time, and closes the editor only on success. */
function useStoring({ session, ahead, onStoring, onClose, onLost }: StoringProps, text: string): Storing {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isClosed = useRef(false);
  const isMounted = useRef(false);
  /** The attempt that is made now, or the last one. */
  const attempt = useRef(Promise.resolve(true));
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
  const settle = (work: Promise<EditOutcome>, after: AfterEdit, refocus: boolean): Promise<boolean> => {
    setBusy(true);
    onStoring(after);
    attempt.current = work.then((outcome) => {
      flushSync(() => settled(outcome, after, refocus));
      return outcome.kind !== 'failed';
    });
    // Later keys are handled when the grid has been updated.
    ahead.during(attempt.current);
    return attempt.current;
  };
  return {
    isBusy,
    failure,
    close,
    store: (after, refocus) =>
      isClosed.current || isBusy ? attempt.current : settle(session.commit(text), after, refocus),
    fill: (commit) => {
      if (!isClosed.current && !isBusy) void settle(commit(text), 'stay', true);
    },
    pick: (offered, after) => {
      if (!isClosed.current && !isBusy) void settle(offered.choose(), after, true);
    },
    choose: (choice) => {
      if (isBusy) return;
      const next = choice.run(text);
      if (next === 'revert') close('stay', true);
      else void settle(next, 'stay', true);
    },
    forgive: () => setFailure(null),
  };
}
