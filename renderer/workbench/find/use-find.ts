// Find in rows: the text, where the search is, and the steps to the next and the previous row that has it.
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { toAppError, type Extent } from '#shared/protocol/index.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { announce } from '../../ui/announcer.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { useCommand } from '../commands/commands.ts';
import { useReadCost } from '../rows/read-cost.ts';
import type { FindPlace, Found, RowFinder } from './row-finder.ts';
import { rememberedSwitches, rememberSwitches, type TextSearch } from './text-search.ts';

type Direction = 'next' | 'previous';

export interface FindControl {
  readonly isShown: boolean;
  readonly label: string;
  readonly search: TextSearch;
  /** Position of the search, or why there is none; before the search begins, its cost on a server. */
  readonly status: string;
  readonly field: RefObject<HTMLInputElement | null>;
  set(change: Partial<TextSearch>): void;
  step(direction: Direction): void;
  close(): void;
  /** Attach to what contains the rows: Escape closes the search, unless Escape has ended something else. */
  onKeyDown(event: KeyboardEvent): void;
}

/** @param place null: there are no rows yet */
export function useFind(place: FindPlace | null, grid: RefObject<GridHandle | null>, isActive: boolean): FindControl {
  const [isShown, setShown] = useState(false);
  const [search, setSearch] = useSearch(isShown);
  const [status, setStatus] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const finder = useFinder(place);
  const steps = useRef(Promise.resolve());

  const run = async (direction: Direction, searched: FindPlace): Promise<void> => {
    setStatus('Searching…');
    const outcome = await finder.locate(searched, search, direction, grid.current?.cursor.row ?? 0);
    if (!outcome) return;
    const said = positionText(outcome);
    setStatus(said);
    const { found } = outcome;
    announce(found?.hasWrapped ? `${said}, continued from the ${direction === 'next' ? 'top' : 'end'}` : said);
    if (found) grid.current?.goTo(found.row, found.column ?? undefined);
  };
  const step = (direction: Direction): void => {
    if (!place || search.text === '') return;
    // Each step begins where the one before has ended, however fast the key is pressed.
    steps.current = steps.current
      .then(() => run(direction, place))
      .catch((thrown: unknown) => setStatus(toAppError(thrown).message));
  };
  const ask = (direction: Direction): void => {
    if (isShown && search.text !== '') return step(direction);
    setShown(true);
    field.current?.focus();
  };
  useCommand('grid.find', () => ask('next'), isActive && place !== null);
  useCommand('grid.findPrevious', () => ask('previous'), isActive && place !== null);
  const close = (): void => {
    finder.release();
    setShown(false);
    setStatus('');
    grid.current?.focus();
  };
  const set = (change: Partial<TextSearch>): void => {
    setSearch({ ...search, ...change });
    setStatus('');
  };
  const reads = isShown ? (place?.reads ?? null) : null;
  const cost = useReadCost(reads?.database ?? null, reads?.tables ?? []);
  return {
    isShown,
    label: place?.label ?? '',
    search,
    status: status === '' ? cost : status,
    field,
    set,
    step,
    close,
    onKeyDown(event) {
      if (event.key !== 'Escape' || event.defaultPrevented || !isShown) return;
      event.preventDefault();
      close();
    },
  };
}

/** Begins with the switches that were used last, each time the bar appears. */
function useSearch(isShown: boolean): readonly [TextSearch, (changed: TextSearch) => void] {
  const [search, setSearch] = useState<TextSearch>(() => ({ text: '', ...rememberedSwitches() }));
  useEffect(() => {
    if (isShown) setSearch(({ text }) => ({ text, ...rememberedSwitches() }));
  }, [isShown]);
  const change = (changed: TextSearch): void => {
    setSearch(changed);
    rememberSwitches(changed);
  };
  return [search, change];
}

interface FoundRow {
  readonly found: Found | null;
  readonly extent: Extent;
}

function positionText({ found, extent: { rows, exact } }: FoundRow): string {
  return found ? `${formatCount(found.number)} of ${exact ? '' : '~'}${plural(rows, 'row')}` : 'No matches';
}

/** The finder of what was searched for last. It ends with the rows that it belongs to. */
function useFinder(place: FindPlace | null) {
  const finder = useRef<{ readonly search: TextSearch; readonly in: FindPlace; readonly rows: RowFinder } | null>(null);
  /** Counts what ends a search: the outcome of steps from before is no longer wanted. */
  const ended = useRef(0);
  const release = (): void => {
    ended.current++;
    finder.current?.rows.close();
    finder.current = null;
  };
  useEffect(() => release, [place]);

  /** Starts at `row`, then goes from row to row. Null if the search was ended in between. @throws AppError */
  const locate = async (
    searched: FindPlace,
    search: TextSearch,
    direction: Direction,
    row: number,
  ): Promise<FoundRow | null> => {
    const before = finder.current;
    const isFirst = before?.in !== searched || !isSameSearch(before.search, search);
    if (isFirst) release();
    const own = ended.current;
    const opened = finder.current?.rows ?? (await searched.open(search));
    if (own !== ended.current) {
      if (finder.current?.rows !== opened) opened.close();
      return null;
    }
    finder.current = { search, in: searched, rows: opened };
    const found = direction === 'next' ? await opened.next(isFirst ? row : row + 1) : await opened.previous(row);
    return own === ended.current ? { found, extent: opened.extent } : null;
  };
  return { locate, release };
}

const isSameSearch = (one: TextSearch, other: TextSearch): boolean =>
  one.text === other.text && one.matchCase === other.matchCase && one.isWholeCell === other.isWholeCell;
