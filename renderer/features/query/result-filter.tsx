// The strip above the rows of a result: what is searched for, and its filters. They apply to the rows that are here.
import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { filterOperator } from '#shared/filter-operators.ts';
import { RESULT_FILTER_OPERATORS } from '#shared/protocol/index.ts';
import type { ResultArrangement, ResultFilterOperator, ResultFilterTerm } from '#shared/protocol/index.ts';
import { cut, visibleLine, visibleName } from '#shared/visible-text.ts';
import { affinityOf, typedValue } from '../../workbench/typed-value.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { PLAIN_ARRANGEMENT } from './query-view.ts';
import type { QueryResult } from './query-view.ts';
import './result-filter.css';

/** Typing comes to rest before a million rows are searched. */
const SEARCH_DELAY_MS = 200;

interface ResultFilterProps {
  readonly result: QueryResult;
  /** Column a new filter starts with. */
  readonly currentColumn: number;
  /** Goes up whenever the search field is asked for. */
  readonly asked: number;
  onArrange(arrangement: ResultArrangement): void;
  onLeave(): void;
}

const isSearch = ({ column, operator }: ResultFilterTerm): boolean => column === null && operator === 'contains';

export function ResultFilter({ result, currentColumn, asked, onArrange, onLeave }: ResultFilterProps): ReactNode {
  const { arrangement, rows } = result;
  const [isAdding, setAdding] = useState(false);
  const terms = arrangement.filter.filter((term) => !isSearch(term));
  const search = arrangement.filter.find(isSearch);
  const change = (filter: readonly ResultFilterTerm[]): void => onArrange({ ...arrangement, filter });
  const closeForm = (): void => {
    setAdding(false);
    onLeave();
  };
  return (
    <div className="result-filter" role="search" aria-label="Rows of the result">
      <SearchField
        text={search ? valueText(search.value) : ''}
        asked={asked}
        onSearch={(text) =>
          change(text === '' ? terms : [...terms, { column: null, operator: 'contains', value: text }])
        }
        onLeave={onLeave}
      />
      {terms.map((term, position) => (
        <FilterChip
          key={position}
          name={nameOf(result, term.column)}
          term={term}
          onRemove={() => change(arrangement.filter.filter((other) => other !== term))}
        />
      ))}
      {isAdding ? (
        <FilterForm
          result={result}
          currentColumn={currentColumn}
          onAdd={(term) => {
            change([...arrangement.filter, term]);
            closeForm();
          }}
          onCancel={closeForm}
        />
      ) : (
        <button type="button" className="result-filter-add" onClick={() => setAdding(true)}>
          <Plus size={12} aria-hidden="true" /> filter
        </button>
      )}
      {arrangement.filter.length > 0 && (
        <span className="result-filter-count" role="status">
          {plural(rows, 'row')} shown
          <button
            type="button"
            className="link-button"
            onClick={() => onArrange({ ...PLAIN_ARRANGEMENT, sort: arrangement.sort })}
          >
            Show all
          </button>
        </span>
      )}
    </div>
  );
}

const nameOf = ({ source }: QueryResult, column: number | null): string =>
  column === null ? 'Any column' : visibleName(source.columns[column]?.name ?? '');

interface SearchFieldProps {
  /** What the rows are searched for now. */
  readonly text: string;
  readonly asked: number;
  onSearch(text: string): void;
  onLeave(): void;
}

function SearchField({ text, asked, onSearch, onLeave }: SearchFieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  const timer = useRef(0);
  if (known !== text) {
    setKnown(text);
    // Cleared, or put back because the search was stopped.
    if (text === '' || known === typed) setTyped(text);
  }
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [asked]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const searchNow = (wanted: string): void => {
    window.clearTimeout(timer.current);
    if (wanted !== text) onSearch(wanted);
  };
  // The rows may have been sorted or filtered since the last key.
  const latest = useRef(searchNow);
  useEffect(() => {
    latest.current = searchNow;
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      searchNow(typed);
      onLeave();
    } else if (event.key === 'Escape') {
      setTyped('');
      searchNow('');
      onLeave();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <TextField
      ref={field}
      className="small-field result-search"
      aria-label="Search the rows"
      placeholder="Search the rows"
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        window.clearTimeout(timer.current);
        timer.current = window.setTimeout(() => latest.current(target.value), SEARCH_DELAY_MS);
      }}
      onKeyDown={onKeyDown}
    />
  );
}

interface FilterChipProps {
  readonly name: string;
  readonly term: ResultFilterTerm;
  onRemove(): void;
}

function FilterChip({ name, term, onRemove }: FilterChipProps): ReactNode {
  const { label, operand } = filterOperator(term.operator);
  const text = operand === 'nothing' ? '' : valueText(term.value);
  const shown = operand !== 'nothing' && text === '' ? '(empty text)' : visibleLine(cut(text, 40));
  return (
    <span className="result-chip">
      <span className="result-chip-text">
        {name} <i>{label}</i> {shown}
      </span>
      <button type="button" aria-label={`Remove filter on ${name}`} onClick={onRemove}>
        <X size={12} />
      </button>
    </span>
  );
}

interface FilterFormProps {
  readonly result: QueryResult;
  readonly currentColumn: number;
  onAdd(term: ResultFilterTerm): void;
  onCancel(): void;
}

const ANY = 'any';

function FilterForm({ result, currentColumn, onAdd, onCancel }: FilterFormProps): ReactNode {
  const [column, setColumn] = useState(String(currentColumn));
  const [operator, setOperator] = useState<ResultFilterOperator>('=');
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { operand } = filterOperator(operator);
  const columns = result.source.columns.map(({ name }, index) => [String(index), visibleName(name)] as const);
  return (
    <form
      className="result-filter-form"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        const place = column === ANY ? null : Number(column);
        const declaredType = place === null ? '' : (result.source.info.columns[place]?.declaredType ?? '');
        const typed = operand === 'value' ? typedValue(text, affinityOf(declaredType), 'null') : text;
        onAdd({ column: place, operator, value: operand === 'nothing' ? null : typed });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <Select label="Column" value={column} options={[...columns, [ANY, 'Any column']]} onChoose={setColumn} />
      <Select<ResultFilterOperator>
        label="Operator"
        value={operator}
        options={RESULT_FILTER_OPERATORS.map((id) => [id, filterOperator(id).label])}
        onChoose={setOperator}
      />
      {operand !== 'nothing' && (
        <TextField
          ref={field}
          className="small-field result-filter-value"
          aria-label="Value"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <Button size="small" variant="primary" type="submit">
        Add
      </Button>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
