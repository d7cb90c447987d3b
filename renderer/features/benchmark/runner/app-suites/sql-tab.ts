// The suite `sql-tab`: long scripts in a real SQL tab of this window, on both engines of the product, and on the engines alone.
import { sqlTabScriptOf } from '#shared/bench/speedtest1.ts';
import type { SqlTabScript } from '#shared/bench/speedtest1.ts';
import type { Sink } from '#shared/bench/sink.ts';
import { AppError, RUN_LIMITS } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import { activateTab, closeTabsOf, useStore } from '../../../../state/store.ts';
import { openQuery } from '../../../../workbench/tabs/query.ts';
import { queryRows, sinkRows } from './app-suite.ts';
import type { ProductSuite, Stand } from './app-suite.ts';
import { seen, isOfEngine, SQL_TAB_TESTS, sqlTabStatements } from './app-tests.ts';
import type { Player, Seen } from './app-tests.ts';
import { frameWith, nextFrame } from './frames.ts';

export const sqlTab = (): ProductSuite => ({
  tests: SQL_TAB_TESTS,
  isOfEngine,
  statements: sqlTabStatements,
  player: (stand) => new SqlTabPlayer(stand),
});

/** Time after which the text of a new tab is on disk, as it would be for a real user. */
const SETTLED_MS = 1_000;

/** Opens a tab with the text, presses the key, and waits until the end of the run is painted. */
class SqlTabPlayer implements Player {
  readonly #parts: Stand;
  readonly #script: SqlTabScript;
  #database: DatabaseId | null = null;
  /** The tab and database that the user was looking at. */
  readonly #before = (({ activeTabId, currentDatabase }) => ({ activeTabId, currentDatabase }))(useStore.getState());

  constructor(stand: Stand) {
    this.#parts = stand;
    this.#script = sqlTabScriptOf(stand.test);
  }

  async play(): Promise<Seen> {
    const { control } = this.#parts.run;
    const editor = await this.#opened();
    await control.wait(new Promise((resolve) => setTimeout(resolve, SETTLED_MS)));
    const began = performance.now();
    editor.dispatchEvent(new KeyboardEvent('keydown', { key: 'F5', code: 'F5', bubbles: true, cancelable: true }));
    const ms = (await frameWith(hasEnded, control)) - began;
    this.#assertRan();
    return seen(ms);
  }

  /** Passes on what the script, run in the tab here, too, leaves in the database. */
  async compare(_round: number, sink: Sink): Promise<void> {
    await this.play();
    for (const sql of this.#script.check) sinkRows(await queryRows(this.#database!, sql, this.#parts.run), sink);
  }

  rest(): void {
    if (this.#database !== null) closeTabsOf(this.#database);
    useStore.setState({ currentDatabase: this.#before.currentDatabase });
    if (this.#before.activeTabId !== null) activateTab(this.#before.activeTabId);
  }

  async close(): Promise<void> {
    this.rest();
    await this.#letGo();
    await this.#parts.fresh.end();
  }

  /** Waits until earlier requests for the database are answered, above all the one for its schema after the last table. */
  async #letGo(): Promise<void> {
    const database = this.#database;
    this.#database = null;
    if (database === null) return;
    await nextFrame();
    await client.call('compare.mark', { database }).catch(() => undefined);
  }

  /** Opens a tab with the text in front. Returns its editor. */
  async #opened(): Promise<Element> {
    const { fresh, run, size } = this.#parts;
    await this.#letGo();
    this.#database = await run.control.wait(fresh.next());
    const tab = openQuery(this.#database, { title: 'Measuring', sql: this.#script.text(size) });
    const find = (): Element | null => document.querySelector('.cm-content[aria-label="SQL"]');
    await frameWith(() => {
      // The user may switch to something else in the meantime: only what is visible is measured.
      const { activeTabId, libraryVisible } = useStore.getState();
      if (activeTabId !== tab) activateTab(tab);
      if (libraryVisible) useStore.setState({ libraryVisible: false });
      return find() !== null && runButton() !== null;
    }, run.control);
    return find()!;
  }

  /** Checks that all statements ran, and that there are as many results as a tab keeps. */
  #assertRan(): void {
    const tabs = document.querySelectorAll('[role=tablist][aria-label=Results] [role=tab]').length;
    const kept = Math.min(RUN_LIMITS.results, this.#script.results(this.#parts.size));
    if (tabs === kept + 1 && !document.querySelector('.result-errors')) return;
    const said = document.querySelector('.query-message-error .query-message-text')?.textContent;
    throw AppError.internal(said ?? `The tab shows ${tabs} parts instead of ${kept + 1}.`);
  }
}

const runButton = (): HTMLButtonElement | null =>
  document.querySelector<HTMLButtonElement>('[role=toolbar][aria-label=Query] button');

const hasEnded = (): boolean => runButton()?.disabled === false;
