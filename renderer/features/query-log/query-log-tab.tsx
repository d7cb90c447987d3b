// The tab that shows the query history: the filter, the runs, and the chosen ones in full.
import { MoreHorizontal } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import type { ReactNode } from 'react';
import { QUERY_LOG_LIMITS } from '#shared/protocol/index.ts';
import { updateTab } from '../../state/store.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useNow } from '../../ui/use-now.ts';
import { queryLogSessionOf } from './query-log-session.ts';
import type { QueryLogView } from './query-log-session.ts';
import { askAndClear, deleteRuns } from './run-actions.ts';
import { RunComparison } from './run-comparison.tsx';
import { RunDetails } from './run-details.tsx';
import { RunListBox } from './run-list-box.tsx';
import { filterOf, OUTCOME_OPTIONS, PERIOD_OPTIONS } from './run-labels.ts';
import type { QueryLogTab } from '../../workbench/tabs/query-log.ts';
import '../../ui/list-view.css';
import './query-log.css';

const TICK_MS = 30_000;

export function QueryLogTabContent({ tab }: { readonly tab: QueryLogTab }): ReactNode {
  const session = queryLogSessionOf(tab);
  const view = session.useView();
  const nowMs = useNow(TICK_MS, Date.now);
  const filter = filterOf(tab, nowMs);
  const key = JSON.stringify(filter);
  useEffect(() => session.show(filter), [session, key]); // oxlint-disable-line react-hooks/exhaustive-deps -- `key` is all of the filter
  const onEnd = useCallback(() => session.readMore(), [session]);
  const isFiltered = tab.words.trim() !== '' || tab.of !== null || tab.outcome !== 'all' || tab.period !== 'any';
  return (
    <div className="tab-page query-log">
      <QueryLogBar tab={tab} view={view} />
      {view.runs.length > 0 ? (
        <div className="list-view-panes">
          <RunListBox
            runs={view.runs}
            chosen={view.chosen}
            nowMs={nowMs}
            onChoose={(chosen) => session.choose(chosen)}
            onEnd={onEnd}
          />
          <Chosen view={view} />
        </div>
      ) : (
        <Nothing view={view} isFiltered={isFiltered} />
      )}
    </div>
  );
}

function QueryLogBar({
  tab,
  view: { summary },
}: {
  readonly tab: QueryLogTab;
  readonly view: QueryLogView;
}): ReactNode {
  const change = (patch: Partial<QueryLogTab>): void => updateTab<QueryLogTab>(tab.id, patch);
  const databases = summary?.databases ?? [];
  const isListed = tab.of === null || databases.some(({ id }) => id === tab.of);
  return (
    <div className="list-view-bar query-log-bar" role="toolbar" aria-label="Query history">
      <TextField
        type="search"
        className="list-view-search"
        aria-label="Search runs"
        placeholder="Search SQL and errors"
        value={tab.words}
        onChange={(event) => change({ words: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          document.querySelector<HTMLElement>('.query-log-list')?.focus();
        }}
      />
      <Select
        label="Database"
        value={tab.of ?? ''}
        options={[
          ['', 'All databases'],
          ...databases.map(({ id, name }) => [id, name] as const),
          ...(isListed ? [] : [[tab.of!, 'A database that has no runs'] as const]),
        ]}
        onChoose={(id) => change({ of: id === '' ? null : id })}
      />
      <Select
        label="Outcome"
        value={tab.outcome}
        options={OUTCOME_OPTIONS}
        onChoose={(outcome) => change({ outcome })}
      />
      <Select label="Time" value={tab.period} options={PERIOD_OPTIONS} onChoose={(period) => change({ period })} />
      <span className="list-view-size query-log-size" title={LIMITS}>
        {summary && `${plural(summary.runs, 'run')} · ${formatBytes(summary.bytes)}`}
      </span>
      <Menu
        align="end"
        trigger={
          <IconButton label="More query history actions">
            <MoreHorizontal size={15} />
          </IconButton>
        }
        entries={[{ heading: LIMITS }, { label: 'Clear query history…', run: () => void askAndClear(), danger: true }]}
      />
    </div>
  );
}

const LIMITS = `Keeps the last ${formatCount(QUERY_LOG_LIMITS.runs)} runs, up to ${formatBytes(QUERY_LOG_LIMITS.bytes)}`;

function Nothing({ view, isFiltered }: { readonly view: QueryLogView; readonly isFiltered: boolean }): ReactNode {
  if (view.error) return <Message title="The query history cannot be read" text={view.error.message} />;
  if (view.isReading) return <div className="list-view-panes" />;
  if (isFiltered) return <Message title="No matching runs" text="Change the search or the filters above." />;
  return (
    <Message
      title="Nothing has been run yet"
      text="Everything you run in SQL tabs appears here with its time, duration, rows, and errors, even after a restart. You can search it, run it again, and compare two runs."
    />
  );
}

function Message({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <div className="center-message">
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  );
}

/** One run in full, two side by side, or the number of runs. */
function Chosen({ view: { runs, chosen } }: { readonly view: QueryLogView }): ReactNode {
  const found = runs.filter(({ id }) => chosen.includes(id));
  const [newer, older] = found;
  if (found.length > 2) return <p className="note query-log-note">{plural(found.length, 'run')} are selected.</p>;
  if (newer && older) return <RunComparison before={older} now={newer} />;
  const shown = newer ?? runs[0]!;
  return <RunDetails run={shown} onDelete={() => void deleteRuns([shown.id])} />;
}
