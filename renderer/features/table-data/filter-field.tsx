// One text field that filters by a column, or by any: a pause applies the text where that is quick, and Enter or leaving the field
// anywhere. Escape restores the filter that was there before.
import { ChevronDown, CornerDownLeft } from 'lucide-react';
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLatest } from '../../ui/use-latest.ts';
import type { FilterEntry } from '#shared/protocol/rows.ts';
import { visibleName } from '#shared/visible-text.ts';
import { FILTER_SYNTAX, filterText, readFilterText, sameEntries } from '../../workbench/filter/filter-text.ts';
import { STORED_VALUE } from '../../workbench/filter/filter-condition-row.tsx';
import type { FieldColumn } from '../../workbench/filter/filter-text.ts';

interface FilterFieldProps {
  readonly column: FieldColumn;
  /** The part of the filter about this column. */
  readonly entries: readonly FilterEntry[];
  /** The text is applied when the user pauses; otherwise Enter applies it. */
  readonly isQuick: boolean;
  onApply(entries: readonly FilterEntry[]): void;
  onLeave(): void;
  onValues?(): void;
}

const ENTER = 'Enter to filter';
const SYNTAX = FILTER_SYNTAX.map(([text, meaning]) => `${text} – ${meaning}`).join('\n');

export function FilterField(props: FilterFieldProps): ReactNode {
  const { column, entries, isQuick, onLeave, onValues } = props;
  const { text, isTyped, isKnown, isWaiting, problem, type, apply, restore } = useFilterText(props);
  const needsEnter = isWaiting && !isQuick;
  const label = column.name === null ? 'Filter by any column' : `Filter by ${visibleName(column.name)}`;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') apply();
    else if (event.key === 'ArrowDown' && event.altKey) onValues?.();
    else if (event.key === 'Escape' && isTyped) restore();
    else if (event.key === 'Escape' || (event.key === 'ArrowDown' && !event.altKey)) onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        type="text"
        className="shrink-x text-color full-width filter-field"
        spellCheck={false}
        autoComplete="off"
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        data-set={entries.length > 0 || undefined}
        title={problem ?? (needsEnter ? ENTER : SYNTAX)}
        placeholder={!isKnown ? 'filtered' : column.name === null ? 'Any column' : column.hasFormat ? STORED_VALUE : ''}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={apply}
      />
      {needsEnter && <EnterHint text={text} />}
      {(onValues !== undefined || needsEnter) && (
        <button
          type="button"
          className="row-inline faint centered filter-values"
          tabIndex={-1}
          aria-label={needsEnter ? ENTER : `Values of ${visibleName(column.name ?? '')}`}
          title={needsEnter ? ENTER : 'Values and statistics (Alt+Down in the field)'}
          // Leaving the field would apply the text, and the click would find the other button.
          onMouseDown={(event) => needsEnter && event.preventDefault()}
          onClick={needsEnter ? apply : onValues}
        >
          {needsEnter ? <CornerDownLeft size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />}
        </button>
      )}
    </>
  );
}

/** Takes only the room that the text leaves. */
const EnterHint = ({ text }: { readonly text: string }): ReactNode => (
  <span className="filter-enter" aria-hidden style={{ maxWidth: `calc(100% - ${[...text].length + 1}ch - 40px)` }}>
    <i />
    <span>{ENTER}</span>
  </span>
);

interface FilterTextState {
  readonly text: string;
  readonly isTyped: boolean;
  /** The filter of the column can be written as a text. */
  readonly isKnown: boolean;
  /** The text is a filter that has not been applied. */
  readonly isWaiting: boolean;
  readonly problem: string | null;
  type(text: string): void;
  apply(): void;
  /** Brings back the filter that was there when the user began to type. */
  restore(): void;
}

function useFilterText({ column, entries, isQuick, onApply }: FilterFieldProps): FilterTextState {
  const shown = filterText(entries, column);
  /** Null: the text of the filter. */
  const [typed, setTyped] = useState<string | null>(null);
  const [before, setBefore] = useState(entries);
  const [basis, setBasis] = useState(entries);
  const text = typed ?? shown ?? '';
  const read = readFilterText(text, column);
  if (!sameEntries(basis, entries)) {
    setBasis(entries);
    // It was changed from elsewhere, by a chip for example, not by what is typed here.
    if ('problem' in read || !sameEntries(read.entries, entries)) setTyped(null);
  }
  const problem = typed !== null && 'problem' in read ? read.problem : null;
  const isWaiting = typed !== null && !('problem' in read) && !sameEntries(read.entries, entries);
  const applyTyped = (): void => {
    if (isWaiting) onApply(read.entries);
  };
  useAfterPause(isQuick && isWaiting ? text : null, applyTyped);
  return {
    text,
    isTyped: typed !== null,
    isKnown: shown !== null,
    isWaiting,
    problem,
    type(now) {
      if (typed === null) setBefore(entries);
      setTyped(now);
    },
    apply() {
      if (problem !== null) return;
      applyTyped();
      setTyped(null);
    },
    restore() {
      setTyped(null);
      if (!sameEntries(before, entries)) onApply(before);
    },
  };
}

const PAUSE_MS = 350;

/** Calls `work` once `text` has not changed for a moment. @param text null: nothing waits */
function useAfterPause(text: string | null, work: () => void): void {
  const latest = useLatest(work);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => latest.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, latest]);
}
