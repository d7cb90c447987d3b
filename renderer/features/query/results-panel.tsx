// Below the editor: the results of the last run, one at a time, and its messages.
import { memo, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useCommand } from '../../workbench/commands/commands.ts';
import type { QueryTab } from '../../workbench/tabs/query.ts';
import { setDetail, setTabStatus, useStore } from '../../state/store.ts';
import { explanation } from './live-control.tsx';
import { MessageList } from './message-list.tsx';
import { PlanPart } from './plan-part.tsx';
import type { QuerySession } from './query-session.ts';
import { comparedOf } from './query-view.ts';
import type { QueryResult, QueryView, ResultLive, ShownPart } from './query-view.ts';
import { ComparisonPart } from './comparison/comparison-part.tsx';
import { ShownResult, useResultSearch } from './shown-result.tsx';
import type { ResultSearch } from './shown-result.tsx';
import { ResultControls } from './result-controls.tsx';
import { ResultTabs } from './result-tabs.tsx';

const NOTHING_YET = 'No results yet. Enter SQL above and run it.';
/** Nothing runs automatically when the app starts. */
const KEPT_LIVE = 'This result was live. Run it again to keep it live.';

interface ResultsPanelProps {
  readonly tab: QueryTab;
  readonly session: QuerySession;
  readonly results: QueryView['results'];
  readonly messages: QueryView['messages'];
  readonly plan: QueryView['plan'];
  readonly part: ShownPart;
  readonly compared: QueryView['compared'];
  readonly isRunning: boolean;
}

/** Memoized: the progress of a run changes often, and a hundred results take a while to draw. */
export const ResultsPanel = memo(function ResultsPanel(props: ResultsPanelProps) {
  const { tab, session, results, messages, plan, part, compared, isRunning } = props;
  const { id: tabId } = tab;
  const { limitMs } = tab.live;
  const shown = results.find(({ id }) => id === part) ?? null;
  const comparison = comparedOf({ results, compared });
  const rows = shown?.rows ?? null;
  const exact = shown?.ended ?? false;
  const timeMs = shown?.timeMs ?? null;
  useEffect(() => {
    // The grid of a result reports how soon its first rows were shown; messages have no such figure.
    setTabStatus(tabId, { rows, exact, timeMs, ...(rows === null && { firstRowsMs: null, selectedSummary: null }) });
  }, [tabId, rows, exact, timeMs]);
  const hasCells = shown !== null;
  useEffect(() => {
    // The cell shown in the details is no longer on screen.
    if (!hasCells) setDetail(tabId, null);
  }, [tabId, hasCells]);
  const [isFocused, setFocused] = useState(false);
  const search = useResultSearch(isFocused);
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);
  // Elsewhere in the tab the same key searches the text of the editor.
  useCommand('grid.filter', search.ask, isActive && isFocused && (shown?.ended ?? false));
  useCommand(
    'result.compare',
    () => shown && session.compareWithOther(shown),
    isActive && (shown?.ended ?? false) && results.length > 1,
  );
  useCommand('result.chart', () => shown && session.toggleChart(shown), isActive && (shown?.ended ?? false));
  return (
    <div className="query-results" onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
      {/* There from the start: results come a while after a statement was run, and nothing moves for their tabs. */}
      <div className="result-header">
        {(results.length + messages.length > 0 || plan) && (
          <ResultTabs
            results={results}
            messages={messages}
            hasPlan={plan !== null}
            hasComparison={comparison !== null}
            shown={part}
            onShow={(chosen) => session.show(chosen)}
          />
        )}
        {shown && (
          <ResultControls session={session} results={results} result={shown} limitMs={limitMs} search={search} />
        )}
      </div>
      <div className="query-result" role="tabpanel">
        <Part {...props} shown={shown} comparison={comparison} search={search} />
      </div>
      {shown && shown.live.state !== 'live' && (shown.live.stale || shown.live.state === 'failed') && (
        <StaleNote
          text={staleText(shown.live, limitMs)}
          isRunning={isRunning}
          onRunAgain={() => session.runAgain(shown)}
        />
      )}
    </div>
  );
});

interface PartProps extends ResultsPanelProps {
  readonly shown: QueryResult | null;
  readonly comparison: ReturnType<typeof comparedOf>;
  readonly search: ResultSearch;
}

/** Content for the choice in the strip: a result, the differences of two, the plan, or the messages. */
function Part({ tab, session, results, messages, plan, part, shown, comparison, search }: PartProps): ReactNode {
  if (shown)
    return (
      <ShownResult
        key={shown.id}
        tabId={tab.id}
        session={session}
        result={shown}
        number={results.indexOf(shown) + 1}
        search={search}
      />
    );
  if (part === 'comparison' && comparison)
    return (
      <ComparisonPart
        database={tab.database}
        {...comparison}
        results={results}
        onChoose={(before, after) => session.compare({ before, after })}
      />
    );
  if (part === 'plan' && plan) return <PlanPart plan={plan} onGoTo={(source) => session.plans.goToSource(source)} />;
  return (
    <MessageList
      messages={messages}
      empty={tab.live.pinned ? KEPT_LIVE : NOTHING_YET}
      onGoTo={(offset) => session.goTo(offset)}
    />
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

/** Below the rows, because it comes by itself: above, it would push them down. */
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
