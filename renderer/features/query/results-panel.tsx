// Below the editor: the results of the last run, one at a time, and its messages.
import { memo, useEffect, useRef, useState, type ReactNode } from 'react';
import { ChoiceRow, type Choice } from '../../ui/choice-row.tsx';
import { commandKeyLabel, runCommand, useCommand } from '../../workbench/commands/commands.ts';
import type { QueryTab } from '../../workbench/tabs/query.ts';
import { setDetail, setTabStatus, useStore } from '../../state/store.ts';
import {
  ChartLine,
  ChevronDown,
  Diff,
  FlaskConical,
  ListFilter,
  Map as MapIcon,
  Pause,
  Pin,
  Play,
  RotateCw,
} from 'lucide-react';
import { formatDuration, plural } from '../../ui/format.ts';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { suggestMap } from '../../workbench/map/map-columns.ts';
import { useMapChoice } from '../../workbench/map/map-state.ts';
import { shortSql } from '../../workbench/text/short-sql.ts';
import { canBeLive, LIMITS_MS, type LiveAction } from './live-results.ts';
import type { ExplainedPlan, Message, QueryResult, QueryView, ResultLive, ShownPart } from './query-view.ts';
import { Button } from '../../ui/button.tsx';
import { IndexLab } from './index-lab/index-lab.tsx';
import { PlanTable } from './plan-table.tsx';
import { hasCosts, planSteps } from './plan-labels.ts';
import type { QuerySession } from './query-session.ts';
import { comparedOf, otherThan } from './query-view.ts';
import { ComparisonPart } from './comparison/comparison-part.tsx';
import { isFilterShown, ShownResult, useResultSearch, type ResultSearch } from './shown-result.tsx';
import type { LucideIcon } from 'lucide-react';

interface ResultControlsProps {
  readonly session: QuerySession;
  readonly results: readonly QueryResult[];
  readonly result: QueryResult;
  readonly limitMs: number | null;
  readonly search: ResultSearch;
}

/** Buttons for the result that is shown, beside the strip of results. */
function ResultControls({ session, results, result, limitMs, search }: ResultControlsProps): ReactNode {
  const showsMap = useMapChoice(session.tabId) !== null;
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
          {(showsMap || suggestMap(result.source.info.columns)) && (
            <Control
              icon={MapIcon}
              label="Map"
              title={`Show a map beside the rows (${commandKeyLabel('grid.map')})`}
              isPressed={showsMap && !result.chart.isShown}
              onClick={() => runCommand('grid.map')}
            />
          )}
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
    className="row fixed dim hover-row inner-focus result-filter-toggle"
    aria-label={label}
    aria-pressed={isPressed}
    title={title}
    onClick={onClick}
  >
    <Icon size={14} aria-hidden="true" />
  </button>
);

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
    <div className="stack fill query-results" onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
      {/* There from the start: results come a while after a statement was run, and nothing moves for their tabs. */}
      <div className="ruled-bar sunken result-header">
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
      <div className="fill clip anchor" role="tabpanel">
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
    <p className="warn-note gap-10 fixed small query-stale" role="status">
      {text}
      <button type="button" className="link-button" disabled={isRunning} onClick={onRunAgain}>
        Run again
      </button>
    </p>
  );
}

interface MessageListProps {
  readonly messages: readonly Message[];
  readonly empty: string;
  readonly onGoTo: (offset: number) => void;
}

/** Results of the statements of the last run, and where to look when one failed. */
function MessageList({ messages, empty, onGoTo }: MessageListProps) {
  if (messages.length === 0) return <p className="query-empty">{empty}</p>;
  return (
    <ul className="scroll full-height query-messages selectable" aria-label="Messages">
      {messages.map(({ id, tone, text, sql, timeMs, offset }) => (
        <li key={id}>
          <div className={`query-message query-message-${tone}`} role={tone === 'error' ? 'alert' : undefined}>
            <span className="dim fixed query-message-time">{timeMs === null ? '' : formatDuration(timeMs)}</span>
            <span className="fixed query-message-text">{text}</span>
            {sql && <code>{sql}</code>}
            {offset !== null && (
              <button type="button" className="link-button" onClick={() => onGoTo(offset)}>
                Go to {tone === 'error' ? 'error' : 'statement'}
              </button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

interface PlanPartProps {
  readonly plan: ExplainedPlan;
  /** @param source the alias or table to look for */
  readonly onGoTo: (source: string) => void;
}

/** How SQLite would run a statement: a tree of its steps with their costs, and the index lab. A step links to its table in the text. */
function PlanPart({ plan, onGoTo }: PlanPartProps): ReactNode {
  const { isOpen } = plan.lab.useView();
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that created an index disappeared with the lab of the previous plan.
    if (plan.isAgain && document.activeElement === document.body) region.current?.focus();
  }, [plan]);
  const steps = planSteps(plan.lines);
  if (steps.length === 0)
    return <p className="query-empty">No query plan: the statement neither reads nor changes rows.</p>;
  const slow = steps.filter(({ tone }) => tone === 'slow').length;
  return (
    <div className="inner-focus plan selectable" tabIndex={0} role="region" aria-label="Query plan" ref={region}>
      <div className="row gap-12 plan-summary">
        <p>
          {slow === 0
            ? 'Every table is searched through an index.'
            : `${plural(slow, 'step')} without a suitable index.`}
          {hasCosts(steps) && <span> Costs are SQLite’s own estimates, made before running the statement.</span>}
        </p>
        <Button
          size="small"
          aria-expanded={isOpen}
          title={`Try indexes for this statement without changing the database (${commandKeyLabel('query.findIndexes')})`}
          onClick={() => plan.lab.toggle()}
        >
          <FlaskConical size={14} aria-hidden /> Index lab
        </Button>
      </div>
      <PlanTable steps={steps} onGoTo={onGoTo} />
      {isOpen && <IndexLab session={plan.lab} />}
    </div>
  );
}

interface LiveControlProps {
  readonly live: ResultLive;
  readonly limitMs: number | null;
  readonly onAction: (action: LiveAction) => void;
  readonly onLimit: (limitMs: number | null) => void;
}

/** Whether the result follows its tables, and a menu to decide that. */
function LiveControl({ live, limitMs, onAction, onLimit }: LiveControlProps) {
  const isLive = live.state === 'live';
  const icon = { size: 14, 'aria-hidden': true } as const;
  const entries: readonly MenuEntry[] = [
    isLive
      ? { label: 'Pause', icon: <Pause {...icon} />, run: () => onAction('pause') }
      : {
          label: live.state === 'fixed' ? 'Keep live' : 'Resume',
          icon: <Play {...icon} />,
          run: () => onAction('start'),
        },
    { label: 'Run now', icon: <RotateCw {...icon} />, run: () => onAction('refresh') },
    'separator',
    { heading: 'Time limit per run' },
    ...LIMITS_MS.map((each) => ({ label: limitText(each), checked: each === limitMs, run: () => onLimit(each) })),
  ];
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          className="row note gap-6 inner-focus fixed one-line figures live-control"
          data-state={live.state}
          title={explanation(live, limitMs)}
        >
          <span className="live-dot" aria-hidden="true" />
          {stateText(live)}
          <ChevronDown size={12} aria-hidden="true" />
        </button>
      }
      entries={entries}
    />
  );
}

function limitText(limitMs: number | null): string {
  if (limitMs === null) return 'No limit';
  return limitMs < 1000 ? `${limitMs} ms` : `${limitMs / 1000} s`;
}

function stateText({ state, runMs }: ResultLive): string {
  switch (state) {
    case 'live':
      return 'Live';
    case 'paused':
      return 'Paused';
    case 'too-slow':
      return `Too slow (${formatDuration(runMs)})`;
    case 'failed':
      return 'Failed';
    case 'fixed':
      return 'Not live';
  }
}

function explanation({ state, runMs, why }: ResultLive, limitMs: number | null): string {
  switch (state) {
    case 'live':
      return `Runs again when the data it reads changes. The last run took ${formatDuration(runMs)}.`;
    case 'paused':
      return 'Paused. Shows the data from when it was paused.';
    case 'too-slow': {
      const limit = limitMs === null ? '' : `, more than the limit of ${limitText(limitMs)}`;
      return `The last run took ${formatDuration(runMs)}${limit}. It no longer runs automatically.`;
    }
    case 'failed':
      return why ?? 'The statement can no longer be run.';
    case 'fixed':
      return 'Shows the data from when the statement ran. Keep it live to follow changes.';
  }
}

// The strip that chooses between the results of a run and its messages.

interface ResultTabsProps {
  readonly results: QueryView['results'];
  readonly messages: QueryView['messages'];
  readonly hasPlan: boolean;
  readonly hasComparison: boolean;
  readonly shown: ShownPart;
  readonly onShow: (part: ShownPart) => void;
}

function ResultTabs({ results, messages, hasPlan, hasComparison, shown, onShow }: ResultTabsProps) {
  const errors = messages.filter(({ tone }) => tone === 'error').length;
  const choices: readonly Choice<ShownPart>[] = [
    ...results.map((result, index) => ({
      id: result.id,
      label: (
        <>
          {result.isKept && <Pin size={11} aria-label="Kept:" />}
          Result {index + 1}
          <small className="result-summary">{resultSummary(result)}</small>
          {results.length > 1 && result.live.state === 'live' && <small className="result-live">live</small>}
        </>
      ),
      title: shortSql(result.sql),
    })),
    {
      id: 'messages',
      className: 'result-messages',
      label: (
        <>
          Messages
          {errors > 0 && <small className="result-errors">{plural(errors, 'error')}</small>}
        </>
      ),
    },
    ...(hasPlan ? [{ id: 'plan', label: 'Plan' } as const] : []),
    ...(hasComparison ? [{ id: 'comparison', label: 'Comparison' } as const] : []),
  ];
  return <ChoiceRow className="result-tabs" label="Results" choices={choices} chosen={shown} onChoose={onShow} />;
}

function resultSummary({ rows, ended, timeMs }: QueryResult): string {
  const count = plural(rows, 'row');
  if (!ended) return `${count} …`;
  return timeMs === null ? count : `${count} · ${formatDuration(timeMs)}`;
}
