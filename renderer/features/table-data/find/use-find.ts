// Find in a table: the text, where the search is, and the steps to the next and the previous row that has it.
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { Extent } from '#shared/protocol/index.ts';
import type { GridHandle } from '../../../grid/grid-handle.ts';
import { announce } from '../../../ui/announcer.tsx';
import { formatCount } from '../../../ui/format.ts';
import { useCommand } from '../../../workbench/commands.ts';
import { useReadCost } from '../../../workbench/rows/read-cost.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';
import { Finder } from './finder.ts';
import type { Found } from './finder.ts';

type Direction = 'next' | 'previous';

export interface FindControl {
  readonly isShown: boolean;
  readonly text: string;
  /** Where the search is, or why it is nowhere; before it begins, what it costs on a server. */
  readonly status: string;
  readonly field: RefObject<HTMLInputElement | null>;
  setText(text: string): void;
  step(direction: Direction): void;
  close(): void;
}

export function useFind(
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): FindControl {
  const [isShown, setShown] = useState(false);
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const finder = useFinder(source);
  const steps = useRef(Promise.resolve());

  const run = async (direction: Direction, table: TableSource): Promise<void> => {
    setStatus('Searching…');
    const place = await finder.locate(table, text, direction, grid.current?.cursor.row ?? 0);
    if (!place) return;
    const said = positionText(place);
    setStatus(said);
    const { found } = place;
    announce(found?.hasWrapped ? `${said}, continued from the ${direction === 'next' ? 'top' : 'end'}` : said);
    if (found) grid.current?.goTo(found.row, found.column ?? undefined);
  };
  const step = (direction: Direction): void => {
    if (!source || text === '') return;
    if (source.info.key.kind === 'none') return setStatus('Rows without a key can be filtered, but not searched');
    // Each step begins where the one before has ended, however fast the key is pressed.
    steps.current = steps.current
      .then(() => run(direction, source))
      .catch((thrown: unknown) => setStatus(toAppError(thrown).message));
  };
  const ask = (direction: Direction): void => {
    if (isShown && text !== '') return step(direction);
    setShown(true);
    field.current?.focus();
  };
  useCommand('grid.find', () => ask('next'), isActive && source !== null);
  useCommand('grid.findPrevious', () => ask('previous'), isActive && source !== null);
  const close = (): void => {
    finder.release();
    setShown(false);
    setStatus('');
    grid.current?.focus();
  };
  const change = (changed: string): void => {
    setText(changed);
    setStatus('');
  };
  const cost = useReadCost(isShown && source ? source.database : null, source ? [source.detail.name] : []);
  return { isShown, text, status: status === '' ? cost : status, field, setText: change, step, close };
}

interface FoundRow {
  /** Null if no row has the text. */
  readonly found: Found | null;
  /** Rows with the text. */
  readonly extent: Extent;
}

function positionText({ found, extent: { rows, exact } }: FoundRow): string {
  return found ? `${formatCount(found.number)} of ${exact ? '' : '~'}${formatCount(rows)} rows` : 'No matches';
}

/** The finder of the text that was looked for last. It ends with the rows it belongs to. */
function useFinder(source: TableSource | null) {
  const finder = useRef<Finder | null>(null);
  /** Counts what ends a search: the outcome of steps from before is no longer wanted. */
  const ended = useRef(0);
  const release = (): void => {
    ended.current++;
    finder.current?.close();
    finder.current = null;
  };
  useEffect(() => release, [source]);

  /** From the row on at first, then from row to row. Null if the search was ended in between. @throws AppError */
  const locate = async (
    table: TableSource,
    text: string,
    direction: Direction,
    row: number,
  ): Promise<FoundRow | null> => {
    const isFirst = finder.current?.text !== text || finder.current.source !== table;
    if (isFirst) release();
    const own = ended.current;
    const opened = finder.current ?? (await Finder.open(table, text));
    if (own !== ended.current) {
      if (finder.current !== opened) opened.close();
      return null;
    }
    finder.current = opened;
    const found = direction === 'next' ? await opened.next(isFirst ? row : row + 1) : await opened.previous(row);
    return own === ended.current ? { found, extent: opened.extent } : null;
  };
  return { locate, release };
}
