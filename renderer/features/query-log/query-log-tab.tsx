// The tab that shows the query history: the filter, the runs, and the chosen ones in full.
import { MoreHorizontal, Copy, Play, SquareTerminal, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { QUERY_LOG_LIMITS, toAppError } from '#shared/protocol/index.ts';
import type { LoggedRun, WholeLoggedRun, AppError, NewLoggedRun, QueryLogFilter } from '#shared/protocol/index.ts';
import { create } from 'zustand';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { IconButton, Button } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { formatBytes, formatCount, plural, formatDuration, formatMoment } from '../../ui/format.ts';
import { LineDiff } from '../../ui/line-diff.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useNow } from '../../ui/use-now.ts';
import { askAndClear, deleteRuns, copyRun, openRun, placeOf, whyNotAgain } from './run-actions.ts';
import { RunListBox } from './run-list-box.tsx';
import { filterOf, OUTCOME_OPTIONS, PERIOD_OPTIONS, OUTCOME_WORDS, ratioLabel } from './run-labels.ts';
import type { QueryLogTab } from '../../workbench/tabs/query-log.ts';
import { withRun } from './run-list.ts';
import '../../ui/list-view.css';
import './query-log.css';

// State of the query history while it is open: the runs read so far, in step with all windows, and which are chosen.

const PAGE_RUNS = 100;
/** How often the size of the history is counted again while others run SQL. */
const SUMMARY_EVERY_MS = 1000;

interface QueryLogView {
  readonly filter: QueryLogFilter | null;
  /** The newest first. */
  readonly runs: readonly LoggedRun[];
  /** Where to continue reading; null at the end. */
  readonly next: number | null;
  readonly isReading: boolean;
  readonly error: AppError | null;
  readonly summary: {
    readonly runs: number;
    readonly bytes: number;
    readonly databases: readonly NewLoggedRun['of'][];
  } | null;
  /** IDs, in the order in which they were chosen. */
  readonly chosen: readonly number[];
}

const EMPTY: QueryLogView = {
  filter: null,
  runs: [],
  next: null,
  isReading: true,
  error: null,
  summary: null,
  chosen: [],
};

const queryLogSessionOf = tabSessions((_tab: QueryLogTab) => new QueryLogSession());

class QueryLogSession {
  readonly useView = create<QueryLogView>(() => EMPTY);
  readonly #offs: readonly (() => void)[];
  /** Replies to an earlier filter are ignored. */
  #round = 0;
  #summaryTimer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    this.#offs = [
      client.on('queryLog.changed', ({ id }) => {
        this.#summaryTimer ??= setTimeout(() => this.#readSummary(), SUMMARY_EVERY_MS);
        if (id === null) this.#readAgain();
        else void this.#readOne(id).catch(notifyFailure);
      }),
      client.onReconnected(() => this.#readAgain()),
    ];
    this.#readSummary();
  }

  /** Reads from the beginning if the filter has changed. */
  show(filter: QueryLogFilter): void {
    if (JSON.stringify(filter) === JSON.stringify(this.#view.filter)) return;
    this.useView.setState({ filter, chosen: [] });
    this.#readAgain();
  }

  choose(chosen: readonly number[]): void {
    this.useView.setState({ chosen });
  }

  readMore(): void {
    const { next, isReading } = this.#view;
    if (!isReading && next !== null) void this.#read(next);
  }

  dispose(): void {
    this.#round++;
    for (const off of this.#offs) off();
    if (this.#summaryTimer !== null) clearTimeout(this.#summaryTimer);
  }

  get #view(): QueryLogView {
    return this.useView.getState();
  }

  #readAgain(): void {
    this.#round++;
    void this.#read(null);
  }

  /** One page. The worker searches for some milliseconds at a time, so that a page may take several calls, whose hits appear at once. */
  async #read(from: number | null): Promise<void> {
    const { filter } = this.#view;
    if (!filter) return;
    const round = this.#round;
    this.useView.setState({ isReading: true, error: null });
    let [before, missing, isFirst] = [from, PAGE_RUNS, from === null];
    try {
      do {
        const { runs, next } = await client.call('queryLog.list', { filter, before, limit: missing });
        if (round !== this.#round) return;
        const kept = isFirst ? [] : this.#view.runs;
        this.useView.setState({ runs: [...kept, ...runs], next });
        [before, missing, isFirst] = [next, missing - runs.length, false];
      } while (before !== null && missing > 0);
      this.useView.setState({ isReading: false });
    } catch (thrown) {
      if (round === this.#round) this.useView.setState({ isReading: false, error: toAppError(thrown) });
    }
  }

  /** A run began or ended: it is in the list if it passes the filter. */
  async #readOne(id: number): Promise<void> {
    const { filter } = this.#view;
    if (!filter) return;
    const round = this.#round;
    const { runs } = await client.call('queryLog.list', { filter, before: id + 1, limit: 1 });
    if (round !== this.#round) return;
    const [found] = runs;
    this.useView.setState(({ runs: before, next }) => ({
      runs: withRun(before, id, found?.id === id ? found : null, next),
    }));
  }

  #readSummary(): void {
    this.#summaryTimer = null;
    client.call('queryLog.summary', {}).then((summary) => this.useView.setState({ summary }), notifyFailure);
  }
}

// One run in full: its text, its values, how it ended, and its actions.

const ICON = { size: 14, 'aria-hidden': true } as const;

function RunDetails({ run, onDelete }: { readonly run: LoggedRun; readonly onDelete: () => void }): ReactNode {
  const whole = useWholeRun(run);
  const text = whole && 'sql' in whole ? whole : null;
  return (
    <section className="gap-10 scroll list-view-details query-log-details" aria-label="Selected run">
      <RunActions run={text ?? run} onDelete={onDelete} />
      <RunFacts run={run} />
      {run.error !== null && <p className="query-log-error">{run.error}</p>}
      {text && <Parameters of={text} />}
      {whole && 'code' in whole && <p className="query-log-error">{whole.message}</p>}
      {text && (
        <pre className="break-words scroll sunken list-view-sql query-log-sql selectable" tabIndex={0} aria-label="SQL">
          {text.sql}
        </pre>
      )}
      {text && text.sql.length < text.chars && (
        <p className="note query-log-note">
          The first {formatCount(text.sql.length)} of {formatCount(text.chars)} characters were kept.
        </p>
      )}
    </section>
  );
}

function RunActions({
  run,
  onDelete,
}: {
  readonly run: LoggedRun | WholeLoggedRun;
  readonly onDelete: () => void;
}): ReactNode {
  const entries = useStore((state) => state.entries);
  const current = useStore((state) => state.currentDatabase);
  const { database, isOwn } = placeOf(run, entries, current);
  const nowhere = `“${run.of.name}” is no longer in the library, and no other database is open.`;
  return (
    <div className="row wrap gap-6">
      <Button size="small" variant="primary" why={whyNotAgain(run, isOwn)} onClick={() => void openRun(run, true)}>
        <Play {...ICON} /> Run again
      </Button>
      <Button
        size="small"
        why={database === null ? nowhere : null}
        title={isOwn ? undefined : 'Opens in the current database, because the query’s own is no longer in the library'}
        onClick={() => void openRun(run, false)}
      >
        <SquareTerminal {...ICON} /> Open in SQL tab
      </Button>
      <Button size="small" onClick={() => void copyRun(run)}>
        <Copy {...ICON} /> Copy
      </Button>
      <IconButton label="Delete from the query history" onClick={onDelete}>
        <Trash2 {...ICON} />
      </IconButton>
    </div>
  );
}

function RunFacts({ run }: { readonly run: LoggedRun }): ReactNode {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Outcome', OUTCOME_WORDS[run.outcome]],
    ['Run at', formatMoment(run.startedAtMs)],
    ['Database', run.of.name],
    ['Time', run.timeMs === null ? null : formatDuration(run.timeMs)],
    ['Statements', run.statements > 1 ? formatCount(run.statements) : null],
    ['Rows', run.rows === null ? null : formatCount(run.rows)],
    ['Rows changed', run.rowsChanged > 0 ? formatCount(run.rowsChanged) : null],
  ];
  return (
    <dl className="wrap small query-log-fact-list">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="selectable">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Parameters({ of: { parameters } }: { readonly of: WholeLoggedRun }): ReactNode {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return null;
  return (
    <dl className="wrap small query-log-fact-list" aria-label="Parameters">
      {entries.map(([name, { type, text, isCut }]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd className="selectable">
            {type === 'null' ? 'NULL' : text}
            {isCut && '… (only the beginning was kept)'}
          </dd>
        </div>
      ))}
    </dl>
  );
}

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
  if (view.error) return <CenterMessage title="The query history cannot be read" text={view.error.message} />;
  if (view.isReading) return <div className="list-view-panes" />;
  if (isFiltered) return <CenterMessage title="No matching runs" text="Change the search or the filters above." />;
  return (
    <CenterMessage
      title="Nothing has been run yet"
      text="Everything you run in SQL tabs appears here with its time, duration, rows, and errors, even after a restart. You can search it, run it again, and compare two runs."
    />
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

// Two runs compared: time, rows, and the differences between their texts.

interface ComparedProps {
  readonly before: LoggedRun;
  readonly now: LoggedRun;
}

function RunComparison({ before, now }: ComparedProps): ReactNode {
  return (
    <section className="gap-10 scroll list-view-details query-log-details" aria-label="Comparison of two runs">
      <Figures before={before} now={now} />
      <Texts before={before} now={now} />
    </section>
  );
}

function Figures({ before, now }: ComparedProps): ReactNode {
  const time = ({ timeMs }: LoggedRun): string => (timeMs === null ? '–' : formatDuration(timeMs));
  const count = (value: number | null): string => (value === null ? '–' : formatCount(value));
  const rows: readonly (readonly [string, string, string, string | null])[] = [
    ['Run at', formatMoment(before.startedAtMs), formatMoment(now.startedAtMs), null],
    ['Database', before.of.name, now.of.name, null],
    ['Outcome', OUTCOME_WORDS[before.outcome], OUTCOME_WORDS[now.outcome], null],
    ['Time', time(before), time(now), ratioLabel(before.timeMs ?? 0, now.timeMs ?? 0)],
    ['Rows', count(before.rows), count(now.rows), differenceOf(before.rows, now.rows)],
    [
      'Rows changed',
      count(before.rowsChanged),
      count(now.rowsChanged),
      differenceOf(before.rowsChanged, now.rowsChanged),
    ],
  ];
  return (
    <table className="small figures full-width query-log-figures">
      <thead>
        <tr>
          <td />
          <th scope="col">Earlier</th>
          <th scope="col">Later</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, left, right, difference]) => (
          <tr key={name} data-differs={left !== right}>
            <th scope="row">{name}</th>
            <td>{left}</td>
            <td>{right}</td>
            <td>{difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function differenceOf(before: number | null, now: number | null): string | null {
  if (before === null || now === null) return null;
  if (before === now) return 'same';
  return now > before ? `+${formatCount(now - before)}` : `−${formatCount(before - now)}`;
}

function Texts({ before, now }: ComparedProps): ReactNode {
  const [a, b] = [useWholeRun(before), useWholeRun(now)];
  for (const read of [a, b]) if (read && 'code' in read) return <p className="query-log-error">{read.message}</p>;
  if (!a || !b || !('sql' in a) || !('sql' in b)) return null;
  return (
    <LineDiff
      before={a.sql}
      after={b.sql}
      label="SQL of both runs"
      words={['earlier', 'later']}
      same="Both runs have the same SQL."
    />
  );
}

/** What is known of the run so far; null until it has been read. */
function useWholeRun({ id, outcome }: LoggedRun): WholeLoggedRun | AppError | null {
  const [read, setRead] = useState<{ readonly id: number; readonly whole: WholeLoggedRun | AppError } | null>(null);
  useEffect(() => {
    let isOver = false;
    const show = (whole: WholeLoggedRun | AppError): void => {
      if (!isOver) setRead({ id, whole });
    };
    client.call('queryLog.read', { id }).then(show, (thrown: unknown) => show(toAppError(thrown)));
    return () => {
      isOver = true;
    };
  }, [id, outcome]);
  return read?.id === id ? read.whole : null;
}
