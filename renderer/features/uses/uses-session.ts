// State of a tab about the uses of a table: what was found, for which table, column, and version of the schema.
import { create } from 'zustand';
import { toAppError } from '#shared/protocol/index.ts';
import type { Progress, SchemaUse } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import type { UsesTab } from '../../workbench/tabs/uses.ts';

export interface UsesView {
  /** Null until they were found for the first time. Earlier results stay while Sidelite searches again. */
  readonly uses: readonly SchemaUse[] | null;
  readonly running: {
    readonly startedAtMs: number;
    readonly progress: Progress | null;
    readonly stopping: boolean;
  } | null;
  /** Why the search failed; null if it succeeded or was stopped. */
  readonly failure: string | null;
}

/** Session of a tab, created when the tab is first shown. */
export const usesSessionOf = tabSessions((tab: UsesTab) => new UsesSession(tab));

export class UsesSession {
  readonly useView = create<UsesView>(() => ({ uses: null, running: null, failure: null }));
  readonly #database: string;
  /** What was last asked for. */
  #asked = '';
  #abort: AbortController | null = null;

  constructor({ database }: UsesTab) {
    this.#database = database;
  }

  /** Searches again if the tab shows something else, or if the schema has changed. */
  follow({ table, column }: UsesTab, schemaVersion: number): void {
    const about = JSON.stringify([table, column]);
    const asked = JSON.stringify([about, schemaVersion]);
    if (asked === this.#asked) return;
    const isSame = this.#asked !== '' && JSON.parse(this.#asked)[0] === about;
    this.#asked = asked;
    void this.#look(table, column, isSame);
  }

  lookAgain({ table, column }: UsesTab): void {
    void this.#look(table, column, true);
  }

  stop(): void {
    const { running } = this.useView.getState();
    if (!running) return;
    this.useView.setState({ running: { ...running, stopping: true } });
    this.#abort?.abort();
  }

  dispose(): void {
    this.#abort?.abort();
  }

  async #look(table: string, column: string | null, keepsFound: boolean): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const isCurrent = (): boolean => this.#abort === abort;
    const update = (part: Partial<UsesView>): void => {
      if (isCurrent()) this.useView.setState(part);
    };
    const running = { startedAtMs: performance.now(), progress: null, stopping: false };
    update({ failure: null, running, ...(!keepsFound && { uses: null }) });
    try {
      const uses = await client.call(
        'schema.uses',
        { database: this.#database, table, column },
        {
          signal: abort.signal,
          onChunk: (progress) => update({ running: { ...running, progress } }),
        },
      );
      update({ uses, running: null });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      update({ running: null, failure: code === 'stopped' ? null : message });
    }
  }
}
