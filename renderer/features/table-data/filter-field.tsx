// One text field that filters by a column, or by any: Enter or leaving it applies the text, Escape restores the previous text.
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { FilterEntry } from '#shared/protocol/rows.ts';
import { visibleName } from '#shared/visible-text.ts';
import { FILTER_SYNTAX, filterText, readFilterText, sameEntries } from '../../workbench/filter/filter-text.ts';
import type { FieldColumn } from '../../workbench/filter/filter-text.ts';

interface FilterFieldProps {
  readonly column: FieldColumn;
  /** The part of the filter about this column. */
  readonly entries: readonly FilterEntry[];
  onApply(entries: readonly FilterEntry[]): void;
  onLeave(): void;
  /** Shows the values of the column. */
  onValues?(): void;
}

const SYNTAX = FILTER_SYNTAX.map(([text, meaning]) => `${text} – ${meaning}`).join('\n');

export function FilterField({ column, entries, onApply, onLeave, onValues }: FilterFieldProps): ReactNode {
  const shown = filterText(entries, column);
  /** Null: the text of the filter. */
  const [typed, setTyped] = useState<string | null>(null);
  const [basis, setBasis] = useState(entries);
  if (!sameEntries(basis, entries)) {
    setBasis(entries); // it was changed from elsewhere, by a chip for example
    setTyped(null);
  }
  const text = typed ?? shown ?? '';
  const read = readFilterText(text, column);
  const problem = typed !== null && 'problem' in read ? read.problem : null;
  const label = column.name === null ? 'Filter by any column' : `Filter by ${visibleName(column.name)}`;

  const apply = (): void => {
    if (typed === null || 'problem' in read) return;
    setTyped(null);
    if (!sameEntries(read.entries, entries)) onApply(read.entries);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') apply();
    else if (event.key === 'ArrowDown' && event.altKey) onValues?.();
    else if (event.key === 'Escape' && typed !== null) setTyped(null);
    else if (event.key === 'Escape' || (event.key === 'ArrowDown' && !event.altKey)) onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        type="text"
        className="filter-field"
        spellCheck={false}
        autoComplete="off"
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        data-set={entries.length > 0 || undefined}
        title={problem ?? SYNTAX}
        placeholder={shown === null ? 'filtered' : column.name === null ? 'Any column' : ''}
        value={text}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={apply}
      />
      {onValues && (
        <button
          type="button"
          className="filter-values"
          tabIndex={-1}
          aria-label={`Values of ${visibleName(column.name ?? '')}`}
          title="Values and statistics (Alt+Down in the field)"
          onClick={onValues}
        >
          <ChevronDown size={12} aria-hidden />
        </button>
      )}
    </>
  );
}
