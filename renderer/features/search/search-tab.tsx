// The content of a search tab: the text, the running search, and its hits, of which only those in view exist.
import { useRef, type ReactNode } from 'react';
import { useStore as useVanilla } from 'zustand';
import { foldName } from '#shared/ddl/names.ts';
import type { SearchHit, SearchedTable } from '#shared/protocol/index.ts';
import { visibleLine, visibleName } from '#shared/visible-text.ts';
import { createStore } from 'zustand/vanilla';
import { toAppError } from '#shared/protocol/errors.ts';
import { client } from '../../connection/database-client.ts';
import { useSchema } from '../../state/schema.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { useReadCost } from '../../workbench/rows/read-cost.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import type { ShownWork } from '../../workbench/jobs.ts';
import type { SearchTab } from '../../workbench/tabs/search.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatDuration, plural } from '../../ui/format.ts';
import { Running } from '../../ui/run-bar.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useRowWindow } from '../../ui/use-row-window.ts';
import './search.css';

export function SearchTabContent({ tab }: { readonly tab: SearchTab }): ReactNode {
  const session = searchSessionOf(tab);
  const view = useVanilla(session.view);
  return (
    <div className="stack shrink-y full-height">
      <form
        className="gap-8 search-bar"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (tab.text !== '') session.search(tab.text);
        }}
      >
        <TextField
          className="search-text"
          aria-label="Text to search for"
          placeholder="Text in any column of any table"
          autoFocus
          value={tab.text}
          onChange={(event) => updateTab<SearchTab>(tab.id, { text: event.target.value })}
        />
        <Button type="submit" variant="primary" disabled={tab.text === ''}>
          Search
        </Button>
      </form>
      <SearchState tab={tab} view={view} session={session} />
      <Hits database={tab.database} text={view.text} hits={view.hits} />
    </div>
  );
}

interface SearchStateProps {
  readonly tab: SearchTab;
  readonly view: SearchView;
  readonly session: SearchSession;
}

function SearchState({ tab, view, session }: SearchStateProps): ReactNode {
  const { text, hits, running, done, problem } = view;
  const found = plural(hits.length, 'row');
  if (running)
    return (
      <div className="search-state">
        <Running
          work={running}
          text={`${visibleName(running.progress?.phase ?? 'Searching')} · ${found}`}
          stopTitle="Stop and keep the rows found so far"
          onStop={() => session.stop()}
          meanwhile={null}
        />
      </div>
    );
  if (text === '') return <BeforeSearch database={tab.database} />;
  const cut = done?.tables.filter(({ hasMore }) => hasMore) ?? [];
  const unread = done?.tables.filter((table) => table.problem !== null) ?? [];
  return (
    <div className="search-state" role="status">
      <p>
        {problem ??
          `${found} with “${visibleLine(text)}” in ${plural(done?.tables.length ?? 0, 'table')}, ${formatDuration(done?.timeMs ?? 0)}.`}
      </p>
      {cut.map(({ table, hits: count }) => (
        <p key={table}>
          “{visibleName(table)}” has more: its first {formatCount(count)} rows are listed.
        </p>
      ))}
      {unread.map((table) => (
        <p key={table.table} className="search-problem">
          “{visibleName(table.table)}” could not be read: {table.problem}
        </p>
      ))}
    </div>
  );
}

function BeforeSearch({ database }: Pick<SearchTab, 'database'>): ReactNode {
  const objects = useSchema(database)?.objects ?? [];
  const cost = useReadCost(
    database,
    objects.flatMap(({ kind, name }) => (kind === 'table' || kind === 'virtual' ? [name] : [])),
  );
  return (
    <div className="search-state">
      <p>Views are not searched: their rows come from tables.</p>
      {cost !== '' && <p>{cost}</p>}
    </div>
  );
}

const LINE_HEIGHT = 26;

interface HitsProps {
  readonly database: string;
  readonly text: string;
  readonly hits: readonly SearchHit[];
}

function Hits({ database, text, hits }: HitsProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useRowWindow(scroller, hits.length, LINE_HEIGHT);
  return (
    <div ref={scroller} className="fill search-hits" role="group" aria-label="Rows found">
      <div style={{ height: hits.length * LINE_HEIGHT }}>
        <ul style={{ transform: `translateY(${from * LINE_HEIGHT}px)` }}>
          {hits.slice(from, to).map((hit, at) => (
            <li key={from + at}>
              <button
                type="button"
                className="gap-12 full-width hover-row inner-focus search-hit"
                onClick={() => showHit(database, text, hit)}
              >
                <span>
                  {visibleName(hit.table)}.{visibleName(hit.column)}
                </span>
                <code>
                  <Marked excerpt={visibleLine(hit.excerpt)} text={visibleLine(text)} />
                </code>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** SQLite ignores the case of ASCII letters. */
function Marked({ excerpt, text }: { readonly excerpt: string; readonly text: string }): ReactNode {
  const at = foldName(excerpt).indexOf(foldName(text));
  if (at < 0) return excerpt;
  const end = at + text.length;
  return (
    <>
      {excerpt.slice(0, at)}
      <mark>{excerpt.slice(at, end)}</mark>
      {excerpt.slice(end)}
    </>
  );
}

/** Shows the row in its table. If rows have no key, the table is filtered by the text instead. */
function showHit(database: string, text: string, { table, column, key }: SearchHit): void {
  if (!key) {
    openTable(database, table, { view: { filter: [{ column: null, operator: 'contains', value: text }], where: '' } });
    return;
  }
  openTable(database, table, { view: { filter: [], where: '' } });
  useStore.setState({ revealedRow: { database, table, key, column, askedAtMs: performance.now() } });
}

// State of a search tab, which lives as long as the tab, shown or not: the running search, and its hits as they arrive.

interface SearchView {
  /** Text that the hits contain; '' before the first search. */
  readonly text: string;
  readonly hits: readonly SearchHit[];
  readonly running: ShownWork | null;
  readonly done: { readonly tables: readonly SearchedTable[]; readonly timeMs: number } | null;
  readonly problem: string | null;
}

const NOTHING: SearchView = { text: '', hits: [], running: null, done: null, problem: null };

const searchSessionOf = tabSessions((tab: SearchTab) => new SearchSession(tab));

class SearchSession {
  readonly view = createStore<SearchView>(() => NOTHING);
  readonly #database: string;
  #abort: AbortController | null = null;

  constructor({ database }: SearchTab) {
    this.#database = database;
  }

  search(text: string): void {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const isCurrent = (): boolean => this.#abort === abort;
    const patch = (change: Partial<SearchView>): void => {
      if (isCurrent()) this.view.setState(change);
    };
    const startedAtMs = performance.now();
    this.view.setState({ ...NOTHING, text, running: { startedAtMs, progress: null, stopping: false } }, true);
    client
      .call(
        'search.run',
        { database: this.#database, text },
        {
          signal: abort.signal,
          onChunk: ({ progress, hits }) => {
            const { running, hits: before } = this.view.getState();
            patch({
              running: running && { ...running, progress },
              ...(hits.length > 0 && { hits: [...before, ...hits] }),
            });
          },
        },
      )
      .then(
        (done) => patch({ running: null, done }),
        (thrown: unknown) => {
          const error = toAppError(thrown);
          const problem = error.code === 'stopped' ? 'Stopped. Rows found so far are listed.' : error.message;
          patch({ running: null, problem });
        },
      );
  }

  stop(): void {
    const { running } = this.view.getState();
    if (running) this.view.setState({ running: { ...running, stopping: true } });
    this.#abort?.abort();
  }

  dispose(): void {
    this.#abort?.abort();
    this.#abort = null;
  }
}
