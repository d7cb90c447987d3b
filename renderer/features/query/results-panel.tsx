// Below the editor: the results of the last run, one at a time, and its messages.
import { useEffect } from 'react';
import { setTabStatus } from '../../client/store.ts';
import { MessageList } from './message-list.tsx';
import type { QuerySession } from './query-session.ts';
import type { QueryView } from './query-view.ts';
import { ResultGrid } from './result-grid.tsx';
import { ResultTabs } from './result-tabs.tsx';

interface ResultsPanelProps {
  readonly tabId: string;
  readonly session: QuerySession;
  readonly view: QueryView;
}

export function ResultsPanel({ tabId, session, view }: ResultsPanelProps) {
  const shown = view.results.find(({ id }) => id === view.shown) ?? null;
  const rows = shown?.rows ?? null;
  const exact = shown?.ended ?? false;
  const timeMs = shown?.timeMs ?? null;
  useEffect(() => {
    // The grid of a result tells how soon its first rows were there; messages have none.
    setTabStatus(tabId, { rows, exact, timeMs, ...(rows === null && { firstRowsMs: null }) });
  }, [tabId, rows, exact, timeMs]);
  return (
    <div className="query-results">
      {view.results.length + view.messages.length > 0 && (
        <ResultTabs view={view} onShow={(part) => session.show(part)} />
      )}
      {shown?.freshness === 'stale' && (
        <StaleNote isRunning={view.running !== null} onRunAgain={() => session.runAgain(shown)} />
      )}
      <div className="query-result" role="tabpanel">
        {shown ? (
          <ResultGrid
            key={shown.id}
            tabId={tabId}
            result={shown}
            number={view.results.indexOf(shown) + 1}
            memory={session.gridMemory}
          />
        ) : (
          <MessageList messages={view.messages} onGoTo={(offset) => session.goTo(offset)} />
        )}
      </div>
    </div>
  );
}

interface StaleNoteProps {
  readonly isRunning: boolean;
  readonly onRunAgain: () => void;
}

function StaleNote({ isRunning, onRunAgain }: StaleNoteProps) {
  return (
    <p className="query-stale" role="status">
      Data changed since this ran
      <button type="button" className="query-link" disabled={isRunning} onClick={onRunAgain}>
        Run again
      </button>
    </p>
  );
}
