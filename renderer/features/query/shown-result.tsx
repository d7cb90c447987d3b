// One result with the strip that searches and filters its rows.
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
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
import type { QueryResult } from './query-view.ts';
import { ResultFilter } from './result-filter.tsx';
import { ResultGrid } from './result-grid.tsx';

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
