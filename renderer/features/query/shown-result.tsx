// One result with the strip that searches and filters its rows.
import { useEffect, useMemo, useRef, useState, type ReactNode, type KeyboardEvent } from 'react';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { useStore } from '../../state/store.ts';
import { FindBar } from '../../workbench/find/find-bar.tsx';
import { KeptRowsFinder } from '../../workbench/find/find-in-kept-rows.ts';
import type { FindPlace } from '../../workbench/find/row-finder.ts';
import { useFind } from '../../workbench/find/use-find.ts';
import { toggleMap, useMapChoice } from '../../workbench/map/map-state.ts';
import { WithMap } from '../../workbench/map/with-map.tsx';
import { useCommand } from '../../workbench/commands/commands.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import type { QuerySession } from './query-session.ts';
import { PLAIN_ARRANGEMENT, type QueryResult } from './query-view.ts';
import { ResultGrid } from './result-grid.tsx';
import { Plus, X } from 'lucide-react';
import type { ResultArrangement, ResultFilterTerm } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { FilterChips } from '../../workbench/filter/filter-chips.tsx';
import { ConditionRow } from '../../workbench/filter/filter-condition-row.tsx';
import { termFrom, type FilterColumn, type FormRow } from '../../workbench/filter/filter-form-rows.ts';
import { termLabel } from '../../workbench/filter/filter-labels.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useHasFormat } from './result-formats.ts';
import '../../workbench/filter/filter.css';

/** Loaded on demand with its chart library: most results are read as rows. */
const ChartPane = lazyComponent(async () => ({ default: (await import('./chart/chart-pane.tsx')).ChartPane }));

/** The strip with search and filters: visible on request, and as long as it hides rows. */
export interface ResultSearch {
  readonly isOpen: boolean;
  /** Incremented whenever the search field is requested. */
  readonly asked: number;
  /** Keys go to the result, not to the text of the editor. */
  readonly isFocused: boolean;
  readonly ask: () => void;
  readonly toggle: () => void;
}

export function useResultSearch(isFocused: boolean): ResultSearch {
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState(0);
  const ask = (): void => {
    setOpen(true);
    setAsked((count) => count + 1);
  };
  return { isOpen, asked, isFocused, ask, toggle: isOpen ? () => setOpen(false) : ask };
}

export const isFilterShown = ({ arrangement }: QueryResult, { isOpen }: ResultSearch): boolean =>
  isOpen || arrangement.filter.length > 0;

const findInResult = (source: QueryResult['source'], _arrangement: QueryResult['arrangement']): FindPlace => ({
  label: 'Find in the result',
  reads: null,
  open: (search) => KeptRowsFinder.open(source, search),
});

interface ShownResultProps {
  readonly tabId: string;
  readonly session: QuerySession;
  readonly result: QueryResult;
  readonly number: number;
  readonly search: ResultSearch;
}

export function ShownResult({ tabId, session, result, number, search }: ShownResultProps): ReactNode {
  const grid = useRef<GridHandle>(null);
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);
  const showsChart = result.chart.isShown;
  const showsMap = useMapChoice(tabId) !== null;
  const { source, ended, arrangement } = result;
  const isSearched = ended && !showsChart;
  // If the rows are in another order, matches are found in that order.
  const place = useMemo(
    () => (isSearched ? findInResult(source, arrangement) : null),
    [isSearched, source, arrangement],
  );
  const find = useFind(place, grid, isActive && search.isFocused);
  const showMap = (): void => {
    // The map is beside the rows, where the chart is now.
    if (showsChart) session.toggleChart(result);
    if (!showsChart || !showsMap) toggleMap(tabId, grid.current?.cursor.row ?? null);
  };
  useCommand('grid.map', showMap, isActive && ended);
  const showedChart = useRef(showsChart);
  useEffect(() => {
    // The chart took the focus with it.
    if (showedChart.current && !showsChart && document.activeElement === document.body) grid.current?.focus();
    showedChart.current = showsChart;
  }, [showsChart]);
  return (
    <div className="stack full-height">
      {isFilterShown(result, search) && (
        <ResultFilter
          result={result}
          currentColumn={grid.current?.cursor.column ?? 0}
          asked={search.asked}
          onArrange={(arrangement) => session.arrange(result, arrangement)}
          onLeave={() => grid.current?.focus()}
        />
      )}
      {place && <FindBar find={find} />}
      <div className="fill" onKeyDown={find.onKeyDown}>
        {result.chart.isShown ? (
          <ChartPane
            result={result}
            isActive={isActive}
            chosen={result.chart.choice}
            onChoose={(choice) => session.setChart(result, { isShown: true, choice })}
          />
        ) : (
          <WithMap tabId={tabId} database={source.database} source={source} columns={source.info.columns} grid={grid}>
            <ResultGrid
              tabId={tabId}
              result={result}
              number={number}
              memory={session.gridMemory}
              gridRef={grid}
              onArrange={(arrangement) => session.arrange(result, arrangement)}
              onStored={() => session.noteStored(result)}
            />
          </WithMap>
        )}
      </div>
    </div>
  );
}

/** Delay, so that typing pauses before a million rows are searched. */
const SEARCH_DELAY_MS = 200;

interface ResultFilterProps {
  readonly result: QueryResult;
  readonly currentColumn: number;
  /** Incremented whenever the search field is requested. */
  readonly asked: number;
  onArrange(arrangement: ResultArrangement): void;
  onLeave(): void;
}

const isSearch = ({ column, operator }: ResultFilterTerm): boolean => column === null && operator === 'contains';

function ResultFilter({ result, currentColumn, asked, onArrange, onLeave }: ResultFilterProps): ReactNode {
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
    <div className="ruled-bar dim anchor row gap-8 result-filter" role="search" aria-label="Rows of the result">
      <SearchField
        text={search ? valueText(search.value) : ''}
        asked={asked}
        onSearch={(text) =>
          change(text === '' ? terms : [...terms, { column: null, operator: 'contains', value: text }])
        }
        onLeave={onLeave}
      />
      <TermChips
        result={result}
        terms={terms}
        onRemove={(term) => change(arrangement.filter.filter((other) => other !== term))}
      />
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
        <button type="button" className="filter-add" onClick={() => setAdding(true)}>
          <Plus size={12} aria-hidden="true" /> filter
        </button>
      )}
      {arrangement.filter.length > 0 && (
        <span className="gap-8 small figures push-end result-filter-count" role="status">
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

interface TermChipsProps {
  readonly result: QueryResult;
  readonly terms: readonly ResultFilterTerm[];
  onRemove(term: ResultFilterTerm): void;
}

function TermChips({ result, terms, onRemove }: TermChipsProps): ReactNode {
  if (terms.length === 0) return null;
  return (
    <FilterChips>
      {terms.map((term, position) => (
        <FilterChip key={position} name={nameOf(result, term.column)} term={term} onRemove={() => onRemove(term)} />
      ))}
    </FilterChips>
  );
}

interface FilterChipProps {
  readonly name: string;
  readonly term: ResultFilterTerm;
  onRemove(): void;
}

function FilterChip({ name, term, onRemove }: FilterChipProps): ReactNode {
  const { operator, value } = termLabel({ ...term, column: null });
  return (
    <span className="row-inline fixed text-color filter-chip">
      <span className="cut shrink-x full-height filter-chip-text">
        {name} <i>{operator}</i> {value}
      </span>
      <button
        type="button"
        className="row-inline fixed faint filter-chip-remove"
        aria-label={`Remove filter on ${name}`}
        onClick={onRemove}
      >
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

function FilterForm({ result, currentColumn, onAdd, onCancel }: FilterFormProps): ReactNode {
  const [row, setRow] = useState<FormRow>({
    joiner: 'and',
    column: String(currentColumn),
    operator: '=',
    text: '',
    to: '',
  });
  const [problem, setProblem] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const columns = useFilterColumns(result);
  const add = (): void => {
    const term = termFrom(row, columns);
    if ('problem' in term) setProblem(term.problem);
    else onAdd({ ...term, column: term.column === null ? null : Number(term.column) });
  };
  return (
    <form
      ref={form}
      className="row-inline gap-5"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <ConditionRow
        row={row}
        isFirst
        columns={columns}
        onChange={(patch) => {
          setProblem(null);
          setRow({ ...row, ...patch });
        }}
        onRemove={null}
      />
      <Button size="small" variant="primary" type="submit">
        Add
      </Button>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
      {problem && (
        <span className="small error result-filter-problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}

function useFilterColumns({ source }: QueryResult): readonly FilterColumn[] {
  const hasFormat = useHasFormat(source);
  return source.columns.map(({ name }, at) => ({
    name: String(at),
    label: visibleName(name),
    declaredType: source.info.columns[at]?.declaredType ?? '',
    hasFormat: hasFormat[at] ?? false,
  }));
}
