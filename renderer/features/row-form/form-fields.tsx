// The fields of a form: one for each column of the row, or of the row being added.
import { useEffect, useId, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, ReactNode, RefObject } from 'react';
import { useStore as useVanilla } from 'zustand';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import type { Column, Value } from '#shared/protocol/index.ts';
import type { EditOutcome, EditSession, OfferedValue } from '../../grid/editing/cell-editing.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { notify, setDetail, useStore } from '../../state/store.ts';
import { editInDetails } from '../../workbench/cells/edit-in-details.ts';
import { formatBytes } from '../../ui/format.ts';
import { storeColumns, whyValueIsFixed } from '../../workbench/cells/cell-edit.ts';
import { parentOf } from '../../workbench/relations/foreign-keys.ts';
import { openFormOf } from '../../workbench/relations/form-of-row.ts';
import type { FormTab } from '../../workbench/tabs/form.ts';
import { keyOffers } from '../../workbench/cells/key-offers.ts';
import { cellDetail } from '../../workbench/rows/cell-detail.ts';
import { beginEdit, whyColumnIsFixed } from '../../workbench/rows/edit-session.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { ArrowUpRight, CircleSlash, PanelRight } from 'lucide-react';
import { flushSync } from 'react-dom';
import { Button, IconButton } from '../../ui/button.tsx';
import { borrowsFocus } from '../../ui/borrowed-focus.ts';
import { useOpenField } from '../../ui/open-fields.ts';
import { highlightedId, SuggestionList, useSuggestions, type SuggestionControl } from '../../ui/suggestions.tsx';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import type { FieldDraft, FormSession } from './form-session.ts';
import type { FormRow } from './use-form-row.ts';

interface FieldValue {
  /** Shortened if the value is too long and cannot be edited. */
  readonly text: string;
  readonly isNull: boolean;
  /** A sentence why the field cannot be edited, or null. */
  readonly why: string | null;
  readonly placeholder: string;
}

interface FormFieldProps {
  readonly column: Column;
  readonly value: FieldValue;
  readonly draft: FieldDraft | null;
  readonly session: FormSession;
  readonly isNew: boolean;
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

/** One column of the row: its value as text that can be edited, and the rows that its foreign key can refer to. */
function FormField(props: FormFieldProps): ReactNode {
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
        const { currentTarget, relatedTarget } = event;
        if (document.hasFocus() && !currentTarget.contains(relatedTarget) && !borrowsFocus(relatedTarget)) keys.keep();
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
    <div className="fixed form-field-buttons">
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

interface FormFieldsProps {
  readonly tab: FormTab;
  readonly source: TableSource;
  readonly row: FormRow;
  readonly session: FormSession;
  readonly onSave: () => void;
}

/** The longest beginning of a value that a field shows. */
const SHOWN_CHARS = 2000;

export function FormFields({ tab, source, row, session, onSave }: FormFieldsProps): ReactNode {
  const { fields, isNew, isStoring } = useVanilla(session.view);
  const [current, setCurrent] = useState(0);
  const cellAt = (column: number): CellReference | null =>
    isNew || !row.row ? null : { ...row.row, position: row.position ?? 0, column };
  useCurrentDetail(tab.id, source, cellAt(current), row);
  const valueOf = (name: string): Value | undefined => valueAt(source, cellAt(columnNamed(source, name)));
  const form = useFirstFocus(isNew, source);
  return (
    <form
      ref={form}
      className="stack shrink-x form-fields"
      aria-label={isNew ? `New row of ${visibleName(tab.table)}` : `Row of ${visibleName(tab.table)}`}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isNew || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onSave();
      }}
    >
      {source.columns.map(({ name }, column) => {
        const declaration = source.declaration(column);
        const cell = cellAt(column);
        if (!declaration) return null;
        const parent = declaration.references && !isNew ? parentOf(declaration.references, valueOf) : null;
        return (
          <FormField
            key={name}
            column={declaration}
            value={cell ? storedValue(source, cell) : newValue(source, column)}
            draft={fields.get(name) ?? null}
            session={session}
            isNew={isNew}
            isStoring={isStoring}
            begin={() => (cell ? beginEdit(source, cell) : null)}
            offers={isNew ? newRowOffers(source, declaration, session) : null}
            onNull={() => void setFieldNull(source, session, { column, cell })}
            onFocus={() => {
              useStore.setState({ detailWaits: false });
              setCurrent(column);
            }}
            onDetails={editInDetails}
            onParent={parent && (() => void openFormOf(source.database, parent.table, parent.terms))}
            onRefused={(text) => notify({ tone: 'info', text })}
          />
        );
      })}
    </form>
  );
}

/** A row being added begins with the first field that SQLite does not fill itself; the form of a stored row takes a focus that is lost. */
function useFirstFocus(isNew: boolean, source: TableSource): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll('textarea') ?? [])];
    const first = source.columns.findIndex(
      (_column, at) => whyColumnIsFixed(source, at) === null && !source.isNumberedBySqlite(at),
    );
    if (isNew) (fields[first] ?? fields[0])?.focus();
    else if (document.activeElement === document.body) fields[0]?.focus();
  }, [isNew, source]);
  return form;
}

/** The details panel shows the field that had the focus last. */
function useCurrentDetail(tabId: string, source: TableSource, cell: CellReference | null, { row }: FormRow): void {
  const column = cell?.column ?? -1;
  const waits = useStore(({ detailWaits }) => detailWaits);
  useEffect(() => {
    if (waits) return;
    setDetail(tabId, row && column >= 0 ? cellDetail(tabId, source, { ...row, position: 0, column }) : null);
  }, [tabId, source, row, column, waits]);
}

const columnNamed = (source: TableSource, name: string): number =>
  source.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());

function valueAt(source: TableSource, cell: CellReference | null): Value | undefined {
  const packed = (cell?.column ?? -1) + source.hiddenColumns;
  if (!cell || cell.column < 0 || cell.rows.isPreview(cell.index, packed)) return undefined;
  return cell.rows.value(cell.index, packed);
}

function storedValue(source: TableSource, { rows, index, column }: CellReference): FieldValue {
  const packed = column + source.hiddenColumns;
  const value = rows.value(index, packed);
  const isCut = rows.isPreview(index, packed);
  const size = formatBytes(rows.sizeBytes(index, packed));
  const why =
    whyColumnIsFixed(source, column) ??
    whyValueIsFixed(rows, index, packed) ??
    (isCut ? `This value (${size}) is too long for a form. Edit it in the details panel.` : null);
  const isBlob = value instanceof Uint8Array;
  const whole = isBlob && why !== null ? '' : valueText(value);
  const text = why !== null && whole.length > SHOWN_CHARS ? `${whole.slice(0, SHOWN_CHARS)}…` : whole;
  return { text, isNull: value === null, why, placeholder: isBlob ? `blob, ${size}` : 'empty text' };
}

function newValue(source: TableSource, column: number): FieldValue {
  const why = whyColumnIsFixed(source, column);
  return { text: '', isNull: false, why, placeholder: source.columns[column]?.defaultText ?? '' };
}

const newRowOffers = (source: TableSource, declaration: Column, session: FormSession): EditSession['offers'] =>
  keyOffers({
    database: source.database,
    declaration,
    whyFixed: (name) => whyColumnIsFixed(source, columnNamed(source, name)),
    valueOf: () => undefined,
    choose(values) {
      for (const [name, value] of Object.entries(values)) {
        const column = source.columns[columnNamed(source, name)];
        if (column) session.fill(column.name, value === null ? null : valueText(value));
      }
      return Promise.resolve<EditOutcome>({ kind: 'done' });
    },
  });

interface Field {
  readonly column: number;
  /** Null in a row being added. */
  readonly cell: CellReference | null;
}

/** Sets a field of a form to NULL: at once in a stored row, when it is saved in a row being added. */
async function setFieldNull(source: TableSource, session: FormSession, { column, cell }: Field): Promise<void> {
  const { name } = source.columns[column]!;
  const why = whyColumnIsFixed(source, column);
  if (why !== null) return notify({ tone: 'info', text: why });
  if (!cell) return session.fill(name, null);
  const { rows, index } = cell;
  const key = source.keyOf(rows, index);
  if (!key) return;
  const packed = column + source.hiddenColumns;
  session.discard(name);
  const before = rows.isPreview(index, packed) ? undefined : rows.value(index, packed);
  const outcome = await storeColumns({
    database: source.database,
    table: source.detail.name,
    key,
    set: { [name]: null },
    base: before === undefined ? {} : { [name]: before },
    noteStored: () => before !== undefined && source.ownEdits.note(key, column, before, null),
  });
  if (outcome.kind === 'failed') notify({ tone: 'error', text: outcome.message });
}
