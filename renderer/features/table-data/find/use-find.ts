// Find in a table: the text, where the search is, and the steps to the next and the previous row that has it.
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { GridHandle } from '../../../grid/grid.tsx';
import { announce } from '../../../ui/announcer.tsx';
import { formatCount } from '../../../ui/format.ts';
import { useCommand } from '../../../workbench/commands.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';
import { Finder } from './finder.ts';

export interface FindControl {
  readonly isShown: boolean;
  readonly text: string;
  /** Where the search is, or why it is nowhere. */
  readonly status: string;
  readonly field: RefObject<HTMLInputElement | null>;
  setText(text: string): void;
  step(direction: 'next' | 'previous'): void;
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
  const finder = useRef<Finder | null>(null);
  /** Of the newest step: the outcome of older ones is no longer wanted. */
  const newest = useRef(0);
  const release = (): void => {
    newest.current++;
    finder.current?.close();
    finder.current = null;
  };
  useEffect(() => release, [source]);

  const run = async (direction: 'next' | 'previous', table: TableSource): Promise<void> => {
    const isFirst = finder.current?.text !== text || finder.current.source !== table;
    if (isFirst) release();
    const own = ++newest.current;
    setStatus('Searching…');
    const opened = finder.current ?? (await Finder.open(table, text));
    if (own !== newest.current) {
      if (finder.current !== opened) opened.close();
      return;
    }
    finder.current = opened;
    const row = grid.current?.cursor.row ?? 0;
    const found = direction === 'next' ? await opened.next(isFirst ? row : row + 1) : await opened.previous(row);
    if (own !== newest.current) return;
    const { rows, exact } = opened.extent;
    const said = found ? `${formatCount(found.number)} of ${exact ? '' : '~'}${formatCount(rows)} rows` : 'No matches';
    setStatus(said);
    announce(found?.hasWrapped ? `${said}, continued from the ${direction === 'next' ? 'top' : 'end'}` : said);
    if (found) grid.current?.goTo(found.row, found.column ?? undefined);
  };
  const step = (direction: 'next' | 'previous'): void => {
    if (!source || text === '') return;
    if (source.info.key.kind === 'none') return setStatus('Rows without a key can only be filtered');
    run(direction, source).catch((thrown: unknown) => setStatus(toAppError(thrown).message));
  };
  const ask = (direction: 'next' | 'previous'): void => {
    if (isShown && text !== '') return step(direction);
    setShown(true);
    field.current?.focus();
  };
  useCommand('grid.find', () => ask('next'), isActive && source !== null);
  useCommand('grid.findPrevious', () => ask('previous'), isActive && source !== null);
  return {
    isShown,
    text,
    status,
    field,
    setText: (changed) => {
      setText(changed);
      setStatus('');
    },
    step,
    close: () => {
      release();
      setShown(false);
      setStatus('');
      grid.current?.focus();
    },
  };
}
