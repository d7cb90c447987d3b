// One column of the row: its value as text that can be edited, and the rows that its foreign key can refer to.
import { ArrowUpRight, CircleSlash, PanelRight } from 'lucide-react';
import { useId, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react';
import type { Column } from '#shared/protocol/index.ts';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import type { EditSession, OfferedValue } from '../../grid/editing/cell-editing.ts';
import { IconButton, Button } from '../../ui/button.tsx';
import { useOpenField } from '../../ui/open-fields.ts';
import { SuggestionList, highlightedId, useSuggestions } from '../../ui/suggestions.tsx';
import type { SuggestionControl } from '../../ui/suggestions.tsx';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import type { FieldDraft, FormSession } from './form-session.ts';

export interface FieldValue {
  /** Shortened if the value is too long and cannot be edited. */
  readonly text: string;
  readonly isNull: boolean;
  /** A sentence why the field cannot be edited, or null. */
  readonly why: string | null;
  /** Shown in place of an empty text. */
  readonly placeholder: string;
}

interface FormFieldProps {
  readonly column: Column;
  readonly value: FieldValue;
  readonly draft: FieldDraft | null;
  readonly session: FormSession;
  readonly isNew: boolean;
  /** The row being added is being stored. */
  readonly isStoring: boolean;
  /** Starts editing; returns a sentence if that is not possible. Null in a row being added. */
  begin(): EditSession | string | null;
  /** Suggestions for the field of a row being added. */
  readonly offers: EditSession['offers'];
  onNull(): void;
  /** The current field is shown in the details, too. */
  onFocus(): void;
  onDetails(): void;
  /** Shows the row that the field refers to; null if there is none. */
  readonly onParent: (() => void) | null;
  onRefused(message: string): void;
}

const MAX_LINES = 14;
const CHARS_PER_LINE = 40;

export function FormField(props: FormFieldProps): ReactNode {
  const { column, value, draft, session, isStoring, onFocus, onParent } = props;
  const id = useId();
  const { text, offers, offered, type, pick, keys } = useField(props);
  const isNull = draft ? draft.isNull : value.isNull;
  return (
    <div
      className="form-field"
      data-changed={draft !== null || undefined}
      onFocus={onFocus}
      onBlur={(event: FocusEvent<HTMLElement>) => {
        if (document.hasFocus() && !event.currentTarget.contains(event.relatedTarget)) keys.keep();
      }}
    >
      <FieldLabel id={id} column={column} />
      <div className="shrink-x anchor form-value">
        <textarea
          id={id}
          rows={linesOf(text)}
          spellCheck={false}
          readOnly={value.why !== null || draft?.isSaving || isStoring}
          title={value.why ?? undefined}
          aria-invalid={draft?.failure != null}
          aria-describedby={draft?.failure ? `${id}-note` : undefined}
          aria-autocomplete={offers ? 'list' : undefined}
          aria-controls={offers ? `${id}-list` : undefined}
          aria-activedescendant={highlightedId(`${id}-list`, offered.suggested)}
          placeholder={isNull ? 'NULL' : value.placeholder}
          value={text}
          onFocus={selectWhole}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (!event.nativeEvent.isComposing && offered.handleKey(event)) event.preventDefault();
            else handleKey(event, keys);
          }}
        />
        <FieldButtons {...props} isNull={isNull} onParent={onParent} />
        {offers && (
          <div className="form-offers">
            <SuggestionList id={`${id}-list`} label={offers.label} control={offered} onChoose={pick} />
          </div>
        )}
      </div>
      {draft?.failure && <FieldFailure id={`${id}-note`} draft={draft} session={session} column={column.name} />}
    </div>
  );
}

/** Typing replaces the whole of a single line, as in a cell; a click has chosen a place in the text instead. */
function selectWhole({ currentTarget }: FocusEvent<HTMLTextAreaElement>): void {
  if (!currentTarget.matches(':active') && !currentTarget.value.includes('\n')) currentTarget.select();
}

interface EditedField {
  readonly text: string;
  /** Null if there are no suggestions. */
  readonly offers: NonNullable<EditSession['offers']> | null;
  readonly offered: SuggestionControl<OfferedValue>;
  readonly type: (text: string) => void;
  readonly pick: (item: OfferedValue) => void;
  readonly keys: FieldKeys;
}

function useField(props: FormFieldProps): EditedField {
  const { column, value, draft, session, isNew, onRefused } = props;
  const [isAsking, setAsking] = useState(false);
  const text = draft?.text ?? value.text;
  const offers = isAsking ? (draft?.edit?.offers ?? props.offers ?? null) : null;
  const offered = useSuggestions(offers, draft !== null && draft.text !== value.text ? text : null);
  const type = (typed: string): void => {
    const refusal = session.type(column.name, typed, props.begin);
    if (refusal === null) setAsking(column.references !== null);
    else onRefused(refusal);
  };
  const keep = async (): Promise<boolean> => {
    setAsking(false);
    return isNew || (await session.commit(column.name));
  };
  useOpenField(keep);
  const pick = (item: OfferedValue): void => {
    setAsking(false);
    if (isNew) void item.choose();
    else void session.settle(column.name, item.choose());
  };
  const keys: FieldKeys = {
    ...props,
    ask: () => type(text),
    close: () => flushSync(() => setAsking(false)),
    pick: () => {
      if (offered.suggested.highlighted) pick(offered.suggested.highlighted);
      return offered.suggested.highlighted !== null;
    },
    keep: () => void keep(),
    revert: () => {
      setAsking(false);
      if (!isNew || isAsking) session.discard(column.name);
    },
  };
  return { text, offers, offered, type, pick, keys };
}

function FieldLabel({ id, column }: { readonly id: string; readonly column: Column }): ReactNode {
  const { name, declaredType, primaryKeyIndex, references } = column;
  const facts = [
    references ? `→ ${visibleName(references.table)}` : visibleName(declaredType.toLowerCase()),
    primaryKeyIndex > 0 ? 'key' : '',
  ].filter(Boolean);
  return (
    <label htmlFor={id}>
      <span className="break-words">{visibleName(name) || '(empty name)'}</span> <small>{facts.join(', ')}</small>
    </label>
  );
}

function FieldButtons({
  column,
  value,
  isNull,
  isNew,
  onNull,
  onDetails,
  onParent,
}: FormFieldProps & { readonly isNull: boolean }): ReactNode {
  const name = visibleName(column.name);
  const canBeNull = isNullable(column) && value.why === null;
  return (
    <div className="form-field-buttons">
      {onParent && (
        <IconButton
          label={`Go to the row that ${name} refers to`}
          shortcut={commandKeyLabel('grid.followKey')}
          onClick={onParent}
        >
          <ArrowUpRight size={14} />
        </IconButton>
      )}
      {canBeNull && (
        <IconButton
          label={`Set ${name} to NULL`}
          shortcut={commandKeyLabel('grid.setNull')}
          disabled={isNull}
          onClick={onNull}
        >
          <CircleSlash size={14} />
        </IconButton>
      )}
      {!isNew && (
        <IconButton label={`Show ${name} in details`} shortcut={commandKeyLabel('value.edit')} onClick={onDetails}>
          <PanelRight size={14} />
        </IconButton>
      )}
    </div>
  );
}

/** SQLite allows NULL in some primary keys, but that is never intended. */
const isNullable = ({ notNull, primaryKeyIndex }: Column): boolean => !notNull && primaryKeyIndex === 0;

interface FieldFailureProps {
  readonly id: string;
  readonly draft: FieldDraft;
  readonly session: FormSession;
  readonly column: string;
}

function FieldFailure({ id, draft, session, column }: FieldFailureProps): ReactNode {
  return (
    <div id={id} className="form-failure" role="alert">
      <p>{visibleText(draft.failure!.message)}</p>
      {draft.failure!.choices.map((choice) => (
        <Button key={choice.label} size="small" onClick={() => void session.choose(column, choice)}>
          {choice.label}
        </Button>
      ))}
      <Button size="small" onClick={() => session.discard(column)}>
        Discard
      </Button>
    </div>
  );
}

interface FieldKeys extends Pick<FormFieldProps, 'isNew' | 'onNull' | 'onDetails' | 'onParent' | 'value' | 'column'> {
  ask(): void;
  /** Called before the focus leaves the field. */
  close(): void;
  /** Returns whether something was highlighted. */
  pick(): boolean;
  keep(): void;
  revert(): void;
}

function handleKey(event: KeyboardEvent<HTMLTextAreaElement>, keys: FieldKeys): void {
  if (event.nativeEvent.isComposing) return;
  const { key, altKey, shiftKey } = event;
  const isControl = event.ctrlKey || event.metaKey;
  const isPlain = !altKey && !shiftKey && !isControl;
  const isOneLine = !event.currentTarget.value.includes('\n');
  if (key === 'Enter' && isControl && !keys.isNew) keys.keep();
  else if (key === 'Enter' && isPlain && keys.pick()) nextField(event.currentTarget).focus();
  else if (key === 'Enter' && isPlain && isOneLine) {
    keys.keep();
    nextField(event.currentTarget).focus();
  } else if (key === 'Escape' && isPlain) keys.revert();
  else if (key === 'ArrowDown' && (altKey || (isPlain && isOneLine)) && keys.column.references) keys.ask();
  else if (key === 'Backspace' && altKey && isNullable(keys.column) && keys.value.why === null) keys.onNull();
  else if (key === 'Tab') return keys.close();
  else if (key === 'F12' && isPlain && keys.onParent) keys.onParent();
  else if (key === 'F4' && isPlain) keys.onDetails();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Wraps from the last field to the first. */
function nextField(field: HTMLTextAreaElement): HTMLTextAreaElement {
  const fields = [...(field.closest('.form-fields')?.querySelectorAll('textarea') ?? [])];
  return fields[fields.indexOf(field) + 1] ?? fields[0] ?? field;
}

function linesOf(text: string): number {
  let lines = 0;
  for (const line of text.split('\n', MAX_LINES)) lines += 1 + Math.floor(line.length / CHARS_PER_LINE);
  return Math.min(MAX_LINES, lines);
}
