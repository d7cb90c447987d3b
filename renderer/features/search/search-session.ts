// State of a search tab, which lives as long as the tab, shown or not: the running search, and its hits as they arrive.
import { createStore } from 'zustand/vanilla';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Progress, SearchedTable, SearchHit } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import type { SearchTab } from '../../workbench/tabs/search.ts';

export interface SearchView {
  /** Text that the hits contain; '' before the first search. */
  readonly text: string;
  readonly hits: readonly SearchHit[];
  readonly running: {
    readonly startedAtMs: number;
    readonly progress: Progress | null;
    readonly stopping: boolean;
  } | null;
  /** Null until the search is complete. */
  readonly done: { readonly tables: readonly SearchedTable[]; readonly timeMs: number } | null;
  readonly problem: string | null;
}

const NOTHING: SearchView = { text: '', hits: [], running: null, done: null, problem: null };

export const searchSessionOf = tabSessions((tab: SearchTab) => new SearchSession(tab));

export class SearchSession {
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
