// One result with the strip that searches and filters its rows.
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { GridHandle } from '../../grid/grid.tsx';
import type { QuerySession } from './query-session.ts';
import type { QueryResult } from './query-view.ts';
import { ResultFilter } from './result-filter.tsx';
import { ResultGrid } from './result-grid.tsx';

/** The strip with search and filters: there when it is asked for, and as long as it hides rows. */
export interface ResultSearch {
  readonly isOpen: boolean;
  /** Goes up whenever the search field is asked for. */
  readonly asked: number;
  readonly ask: () => void;
  readonly toggle: () => void;
}

export function useResultSearch(): ResultSearch {
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState(0);
  const ask = (): void => {
    setOpen(true);
    setAsked((count) => count + 1);
  };
  return { isOpen, asked, ask, toggle: isOpen ? () => setOpen(false) : ask };
}

export const isFilterShown = ({ arrangement }: QueryResult, { isOpen }: ResultSearch): boolean =>
  isOpen || arrangement.filter.length > 0;

interface ShownResultProps {
  readonly tabId: string;
  readonly session: QuerySession;
  readonly result: QueryResult;
  readonly number: number;
  readonly search: ResultSearch;
}

export function ShownResult({ tabId, session, result, number, search }: ShownResultProps): ReactNode {
  const grid = useRef<GridHandle>(null);
  return (
    <div className="result-part">
      {isFilterShown(result, search) && (
        <ResultFilter
          result={result}
          currentColumn={grid.current?.cursor.column ?? 0}
          asked={search.asked}
          onArrange={(arrangement) => session.arrange(result, arrangement)}
          onLeave={() => grid.current?.focus()}
        />
      )}
      <div className="result-rows">
        <ResultGrid
          tabId={tabId}
          result={result}
          number={number}
          memory={session.gridMemory}
          gridRef={grid}
          onArrange={(arrangement) => session.arrange(result, arrangement)}
          onStored={() => session.noteStored(result)}
        />
      </div>
    </div>
  );
}
