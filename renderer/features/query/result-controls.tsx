// Buttons for the result that is shown, beside the strip of results.
import { ChartLine, Diff, ListFilter, Pin } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { LiveControl } from './live-control.tsx';
import { canBeLive } from './live-results.ts';
import type { QuerySession } from './query-session.ts';
import { otherThan } from './query-view.ts';
import type { QueryResult } from './query-view.ts';
import { isFilterShown } from './shown-result.tsx';
import type { ResultSearch } from './shown-result.tsx';

interface ResultControlsProps {
  readonly session: QuerySession;
  readonly results: readonly QueryResult[];
  readonly result: QueryResult;
  readonly limitMs: number | null;
  readonly search: ResultSearch;
}

export function ResultControls({ session, results, result, limitMs, search }: ResultControlsProps): ReactNode {
  return (
    <>
      {result.ended && (
        <>
          {/* First, because it comes with a second result, and moves none of the others. */}
          {otherThan(result, results) && (
            <Control
              icon={Diff}
              label="Compare with another result"
              title={`Show which rows were added, removed, and changed since another result (${commandKeyLabel('result.compare')})`}
              onClick={() => session.compareWithOther(result)}
            />
          )}
          <Control
            icon={ListFilter}
            label="Search and filter the rows"
            title={`Search and filter the rows (${commandKeyLabel('grid.filter')} in the rows)`}
            isPressed={isFilterShown(result, search)}
            onClick={search.toggle}
          />
          <Control
            icon={ChartLine}
            label="Chart"
            title={`Show a chart in place of the rows (${commandKeyLabel('result.chart')})`}
            isPressed={result.chart.isShown}
            onClick={() => session.toggleChart(result)}
          />
          <Control
            icon={Pin}
            label="Keep this result"
            title={
              result.isKept ? 'Replace this result with the next run' : 'Keep this result next to those of later runs'
            }
            isPressed={result.isKept}
            onClick={() => session.keep(result, !result.isKept)}
          />
        </>
      )}
      {canBeLive(result) && (
        <LiveControl
          live={result.live}
          limitMs={limitMs}
          onAction={(action) => session.setLive(result, action)}
          onLimit={(limit) => session.setLiveLimit(result, limit)}
        />
      )}
    </>
  );
}

interface ControlProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly title: string;
  /** State of a toggle button; missing for other buttons. */
  readonly isPressed?: boolean;
  onClick(): void;
}

const Control = ({ icon: Icon, label, title, isPressed, onClick }: ControlProps): ReactNode => (
  <button
    type="button"
    className="result-filter-toggle"
    aria-label={label}
    aria-pressed={isPressed}
    title={title}
    onClick={onClick}
  >
    <Icon size={14} aria-hidden="true" />
  </button>
);
