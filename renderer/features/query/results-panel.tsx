// Below the editor: the results of the last run, one at a time, and its messages.
import { ListFilter, Pin } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { commandKeyLabel, useCommand } from '../../workbench/commands.ts';
import type { QueryTab } from '../../workbench/query-tabs.ts';
import { setTabStatus, useStore } from '../../state/store.ts';
import { LiveControl, explanation } from './live-control.tsx';
import { canBeLive } from './live-results.ts';
import { MessageList } from './message-list.tsx';
import { PlanPart } from './plan-part.tsx';
import type { QuerySession } from './query-session.ts';
import type { QueryResult, QueryView, ResultLive, ShownPart } from './query-view.ts';
import { ShownResult, isFilterShown, useResultSearch } from './shown-result.tsx';
import type { ResultSearch } from './shown-result.tsx';
import { ResultTabs } from './result-tabs.tsx';

const NOTHING_YET = 'Nothing has run here yet. Write SQL above and run it.';
/** Nothing runs by itself when the app starts. */
const KEPT_LIVE = 'This result was live. Run it again to make it live again.';

interface ResultsPanelProps {
  readonly tab: QueryTab;
  readonly session: QuerySession;
  readonly results: QueryView['results'];
  readonly messages: QueryView['messages'];
  readonly plan: QueryView['plan'];
  readonly part: ShownPart;
  readonly isRunning: boolean;
}

/** Drawn only when something of it is another: how far a run is changes often, and a hundred results take a while. */
export const ResultsPanel = memo(function ResultsPanel(props: ResultsPanelProps) {
  const { tab, session, results, messages, plan, part, isRunning } = props;
  const { id: tabId } = tab;
  const { limitMs } = tab.live;
  const shown = results.find(({ id }) => id === part) ?? null;
  const rows = shown?.rows ?? null;
  const exact = shown?.ended ?? false;
  const timeMs = shown?.timeMs ?? null;
  useEffect(() => {
    // The grid of a result tells how soon its first rows were there; messages have none.
    setTabStatus(tabId, { rows, exact, timeMs, ...(rows === null && { firstRowsMs: null, selectedSummary: null }) });
  }, [tabId, rows, exact, timeMs]);
  const search = useResultSearch();
  const [isFocused, setFocused] = useState(false);
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);
  // Elsewhere in the tab the same key searches the text of the editor.
  useCommand('grid.filter', search.ask, isActive && isFocused && (shown?.ended ?? false));
  return (
    <div className="query-results" onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
      {(results.length + messages.length > 0 || plan) && (
        <div className="result-header">
          <ResultTabs
            results={results}
            messages={messages}
            hasPlan={plan !== null}
            shown={part}
            onShow={(chosen) => session.show(chosen)}
          />
          {shown && <ResultControls session={session} result={shown} limitMs={limitMs} search={search} />}
        </div>
      )}
      {shown && shown.live.state !== 'live' && (shown.live.stale || shown.live.state === 'failed') && (
        <StaleNote
          text={staleText(shown.live, limitMs)}
          isRunning={isRunning}
          onRunAgain={() => session.runAgain(shown)}
        />
      )}
      <div className="query-result" role="tabpanel">
        {shown ? (
          <ShownResult
            key={shown.id}
            tabId={tabId}
            session={session}
            result={shown}
            number={results.indexOf(shown) + 1}
            search={search}
          />
        ) : part === 'plan' && plan ? (
          <PlanPart plan={plan} onGoTo={(source) => session.goToSource(source)} />
        ) : (
          <MessageList
            messages={messages}
            empty={tab.live.pinned ? KEPT_LIVE : NOTHING_YET}
            onGoTo={(offset) => session.goTo(offset)}
          />
        )}
      </div>
    </div>
  );
});

interface ResultControlsProps {
  readonly session: QuerySession;
  readonly result: QueryResult;
  readonly limitMs: number | null;
  readonly search: ResultSearch;
}

function ResultControls({ session, result, limitMs, search }: ResultControlsProps): ReactNode {
  return (
    <>
      {result.ended && (
        <button
          type="button"
          className="result-filter-toggle"
          aria-label="Search and filter the rows"
          aria-pressed={isFilterShown(result, search)}
          title={`Search and filter the rows (${commandKeyLabel('grid.filter')} in the rows)`}
          onClick={search.toggle}
        >
          <ListFilter size={14} aria-hidden="true" />
        </button>
      )}
      {result.ended && (
        <button
          type="button"
          className="result-filter-toggle"
          aria-label="Keep this result"
          aria-pressed={result.isKept}
          title={result.isKept ? 'Let it go with the next run' : 'Keep it as it is beside the next results'}
          onClick={() => session.keep(result, !result.isKept)}
        >
          <Pin size={14} aria-hidden="true" />
        </button>
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

function staleText(live: ResultLive, limitMs: number | null): string {
  if (live.state === 'fixed') return 'Data changed since this ran';
  return live.state === 'paused' ? 'Paused. Data changed since this ran' : explanation(live, limitMs);
}

interface StaleNoteProps {
  readonly text: string;
  readonly isRunning: boolean;
  readonly onRunAgain: () => void;
}

function StaleNote({ text, isRunning, onRunAgain }: StaleNoteProps) {
  return (
    <p className="query-stale" role="status">
      {text}
      <button type="button" className="link-button" disabled={isRunning} onClick={onRunAgain}>
        Run again
      </button>
    </p>
  );
}
