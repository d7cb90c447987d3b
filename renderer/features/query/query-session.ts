// State of an SQL tab, which lives as long as the tab, shown or not: its editor, its run, its results.
import type { EditorState } from '@codemirror/state';
import { create } from 'zustand';
import { toAppError, type ParameterValues, type ResultArrangement } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { startDryRun } from '../../workbench/text/dry-run.ts';
import { notifyFailure } from '../../state/databases.ts';
import { recallParameters } from '../../workbench/text/logged-parameters.ts';
import { isQueryTab, LIVE_BY_ITSELF, type LiveChoice, type QueryTab } from '../../workbench/tabs/query.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { TabEditor } from '../../workbench/text/tab-editor.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import type { TextRange } from '#shared/split-statements.ts';
import { GridMemory } from './grid-memory.ts';
import { limitFor, LiveResults, type LiveAction } from './live-results.ts';
import { parameterNames, valuesOf, withoutValue } from './parameters.ts';
import { recordRun } from './recorded-run.ts';
import { runControl } from './run-control.ts';
import { SqlFileSession } from './sql-file-session.ts';
import { sourceRange } from '../../editor/scope/meaning.ts';
import { selectRange } from '../../editor/sql-editor.tsx';
import { IndexLabSession } from './index-lab/index-lab-session.ts';
import { GONE, markProblem, messageOf, runQuery, withMessage } from './query-run.ts';
import type { ComparedIds, QueryResult, QueryView, ResultChart, ShownPart } from './query-view.ts';
import { ResultArranger } from './result-arranger.ts';
import { EMPTY_VIEW, ofLastRun, otherThan } from './query-view.ts';

interface Owner {
  readonly database: string;
  readonly editor: TabEditor;
  readonly waiver: UndoWaiver;
  view(): QueryView;
  update(change: (view: QueryView) => QueryView): void;
  /** Null if values are missing, which the view then requests. */
  parametersOf(sql: string): ParameterValues | null;
}

class StatementPlans {
  readonly #owner: Owner;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Shows how SQLite would run the selection or the statement at the cursor. */
  async explain(): Promise<void> {
    const { from, to } = this.#owner.editor.placeHere;
    await this.#explain(this.#owner.editor.state.doc.sliceString(from, to), from);
  }

  /** The same, with indexes that would help. */
  async findIndexes(): Promise<void> {
    await this.explain();
    const { plan, shown } = this.#owner.view();
    if (shown === 'plan' && plan && plan.lines.length > 0) plan.lab.open();
  }

  /** Selects the text that gives a step of the plan its name. */
  goToSource(source: string): void {
    const { plan } = this.#owner.view();
    const { view, state } = this.#owner.editor;
    const range = plan && sourceRange(plan.sql, source);
    // The text may have been edited since.
    if (!range || !view || state.doc.sliceString(plan.from, plan.from + plan.sql.length) !== plan.sql) return;
    selectRange(view, { from: plan.from + range.from, to: plan.from + range.to });
  }

  dispose(): void {
    this.#owner.view().plan?.lab.stop();
  }

  async #explain(sql: string, from: number, isAgain = false): Promise<void> {
    const { database, waiver, parametersOf } = this.#owner;
    try {
      const lines = await client.call('query.plan', { database, sql });
      this.#owner.view().plan?.lab.stop();
      const lab = new IndexLabSession({
        database,
        sql,
        waiver,
        parameters: () => parametersOf(sql),
        created: () => void this.#explain(sql, from, true),
      });
      // If something has started in the meantime, keep showing that.
      this.#owner.update((view) =>
        view.running ? view : { ...view, plan: { lines, sql, from, lab, isAgain }, shown: 'plan' },
      );
    } catch (thrown) {
      const message = messageOf(toAppError(thrown), sql, from);
      this.#owner.update((view) => ({ ...withMessage({ ...view, messages: [] }, message), shown: 'messages' }));
    }
  }
}

export const querySessionOf = tabSessions((tab: QueryTab) => new QuerySession(tab));

export class QuerySession {
  readonly editor: TabEditor;
  readonly file: SqlFileSession;
  readonly gridMemory = new GridMemory();
  readonly useView = create<QueryView>(() => EMPTY_VIEW);
  readonly tabId: string;
  readonly #database: string;
  readonly plans: StatementPlans;
  readonly #live: LiveResults;
  readonly #arranger: ResultArranger;
  readonly #stopListening: (() => void)[];
  readonly #waiver = new UndoWaiver();
  #abort: AbortController | null = null;
  #disposed = false;

  constructor(tab: QueryTab) {
    this.tabId = tab.id;
    this.#database = tab.database;
    this.editor = new TabEditor(tab, { onText: ({ doc }) => this.file.edited(doc) });
    this.file = new SqlFileSession(tab.id, this.editor);
    this.plans = new StatementPlans({
      database: tab.database,
      editor: this.editor,
      waiver: this.#waiver,
      view: () => this.#view,
      update: (change) => this.#update(change),
      parametersOf: (sql) => this.#parametersOf(sql),
    });
    const owner = {
      results: () => this.#view.results,
      patch: (id: number, patch: Partial<QueryResult>) => this.#patchResult(id, patch),
    };
    this.#live = new LiveResults(owner);
    this.#arranger = new ResultArranger(owner);
    this.#stopListening = [
      client.on('database.changed', ({ database, tables, schema }) => {
        // During a run, a script sees its own changes.
        if (database === this.#database && !this.#view.running) this.#live.noteChange(schema ? null : tables);
      }),
      client.onReconnected(() => this.#forgetResults()),
    ];
  }

  show(part: ShownPart): void {
    this.#update((view) => ({ ...view, shown: part }));
  }

  goTo(offset: number): void {
    this.editor.goTo(offset);
  }

  runAll(): void {
    void this.#run({ from: 0, to: this.#state.doc.length });
  }

  async runHere(): Promise<void> {
    return this.#run(this.editor.placeHere);
  }

  /** Shows what the text would change and waits for it to be kept or discarded. */
  async dryRun(part: 'here' | 'all'): Promise<void> {
    const { from, to } = part === 'all' ? { from: 0, to: this.#state.doc.length } : this.editor.placeHere;
    const sql = this.#state.doc.sliceString(from, to);
    const parameters = this.#parametersOf(sql);
    if (!parameters) return;
    const request = { tabId: this.tabId, database: this.#database, sql, parameters };
    const error = await this.#waiver
      .run((withoutUndo) => startDryRun({ ...request, ...withoutUndo }))
      .then(() => null, toAppError);
    if (!error) return;
    this.#update((view) => ({
      ...withMessage({ ...view, messages: [] }, messageOf(error, sql, from)),
      shown: 'messages',
    }));
    markProblem(this.editor, error, sql, from);
  }

  /** Runs the SQL of a result again, unchanged. Other results of the same script stay, and paused results stay paused. */
  runAgain(result: QueryResult): void {
    const { state } = result.live;
    const staysAsItIs = this.#view.results.length > 1 || result.isKept || state === 'paused' || state === 'too-slow';
    if (staysAsItIs) this.#live.set(result, 'refresh').catch(notifyFailure);
    else void this.#execute(result.sql, result.from);
  }

  /** Controls whether a result is live. If so, later runs in this tab are live too, until it is paused. */
  setLive(result: QueryResult, action: LiveAction): void {
    const { limitMs } = this.#liveChoice;
    const limit = action === 'start' ? limitFor(result.live.runMs || (result.timeMs ?? 0), limitMs) : limitMs;
    if (action !== 'refresh') updateTab<QueryTab>(this.tabId, { live: { pinned: action === 'start', limitMs: limit } });
    this.#live.set(result, action, limit).catch(notifyFailure);
  }

  /** Changes the time limit of a run. A result that was too slow gets another chance. */
  setLiveLimit(result: QueryResult, limitMs: number | null): void {
    const { pinned } = this.#liveChoice;
    const { state } = result.live;
    updateTab<QueryTab>(this.tabId, { live: { pinned, limitMs } });
    if (state === 'live' || state === 'too-slow') this.#live.set(result, 'start', limitMs).catch(notifyFailure);
  }

  arrange(result: QueryResult, arrangement: ResultArrangement): void {
    void this.#arranger.arrange(result, arrangement);
  }

  /** Shows a chart in place of the rows, or the rows again. */
  toggleChart(result: QueryResult): void {
    this.setChart(result, { ...result.chart, isShown: !result.chart.isShown });
  }

  setChart({ id }: QueryResult, chart: ResultChart): void {
    this.#patchResult(id, { chart });
  }

  noteStored({ id }: QueryResult): void {
    this.#live.noteStored(id).catch(notifyFailure);
  }

  /** Runs one statement that controls the transaction. The results of the last run stay. */
  control(sql: string): void {
    if (this.#view.running) return;
    const abort = new AbortController();
    this.#abort = abort;
    const ended = recordRun(this.#database, sql, {});
    this.#update((view) => ({ ...view, running: { startedAtMs: performance.now(), progress: null, stopping: false } }));
    void runControl(this.#database, sql, this.#waiver, abort.signal).then(({ outcome, message }) => {
      this.#abort = null;
      ended(outcome, []);
      this.#update((view) => ({
        ...withMessage({ ...view, running: null }, message),
        shown: 'error' in outcome ? 'messages' : view.shown,
      }));
    });
  }

  /** Sets whether a result is kept when something else runs. Keeping a live result pauses it. */
  keep({ id, live }: QueryResult, isKept: boolean): void {
    this.#patchResult(id, { isKept });
    const result = this.#view.results.find((each) => each.id === id);
    if (result && isKept && live.state === 'live') this.#live.set(result, 'pause').catch(notifyFailure);
  }

  /** Shows the differences between a result and another one, from the older to the newer. */
  compareWithOther(result: QueryResult): void {
    const other = otherThan(result, this.#view.results);
    if (other) this.compare({ before: Math.min(other.id, result.id), after: Math.max(other.id, result.id) });
  }

  compare(compared: ComparedIds): void {
    this.#update((view) => ({ ...view, compared, shown: 'comparison' }));
  }

  stop(): void {
    if (!this.#abort || this.#view.running?.stopping) return;
    this.#update((view) => (view.running ? { ...view, running: { ...view.running, stopping: true } } : view));
    this.#abort.abort();
    // The pressed button is about to disappear, and would take the focus with it.
    if (!this.#disposed) this.editor.focus();
  }

  dispose(): void {
    this.#disposed = true;
    this.stop();
    this.plans.dispose();
    this.#live.dispose();
    this.#arranger.dispose();
    this.file.dispose();
    this.editor.dispose();
    for (const stop of this.#stopListening) stop();
    for (const { source } of this.#view.results) source.close();
  }

  get #view(): QueryView {
    return this.useView.getState();
  }

  get #state(): EditorState {
    return this.editor.state;
  }

  #run({ from, to }: TextRange): Promise<void> {
    return this.#execute(this.#state.doc.sliceString(from, to), from);
  }

  async #execute(sql: string, base: number): Promise<void> {
    if (this.#view.running) return;
    this.editor.saveText();
    const parameters = this.#parametersOf(sql);
    if (!parameters) return;
    this.#abort = new AbortController();
    this.#update((view) => ({ ...view, running: { startedAtMs: performance.now(), progress: null, stopping: false } }));
    const ended = recordRun(this.#database, sql, this.#tab?.parameters ?? {});
    const outcome = await runQuery({
      database: this.#database,
      sql,
      parameters,
      base,
      signal: this.#abort.signal,
      waiver: this.#waiver,
      update: (change) => this.#update(change),
    });
    this.#abort = null;
    ended(outcome, ofLastRun(this.#view.results));
    this.#update((view) => ({ ...view, running: null }));
    if (!('error' in outcome)) return this.#ranThrough(outcome.reply.timeMs);
    markProblem(this.editor, outcome.error, sql, base);
  }

  #ranThrough(timeMs: number): void {
    for (const result of ofLastRun(this.#view.results)) {
      if (!result.rearrange) continue;
      this.#patchResult(result.id, { rearrange: null });
      void this.#arranger.arrange(result, result.rearrange);
    }
    this.#live.ranThrough(timeMs, this.#liveChoice);
  }

  /** Values for all parameters in the text; null if some are missing, which the view then requests. */
  #parametersOf(sql: string): ParameterValues | null {
    const names = parameterNames(sql);
    const entries = this.#tab?.parameters ?? {};
    const asked = withoutValue(names, entries);
    if (asked.length > 0 || this.#view.asked.length > 0) this.#update((view) => ({ ...view, asked }));
    if (asked.some((name) => !Object.hasOwn(entries, name))) void recallParameters(this.tabId, sql);
    return asked.length > 0 ? null : valuesOf(names, entries);
  }

  get #tab(): QueryTab | null {
    const tab = useStore.getState().tabs.find(({ id }) => id === this.tabId);
    return isQueryTab(tab) ? tab : null;
  }

  get #liveChoice(): LiveChoice {
    return this.#tab?.live ?? LIVE_BY_ITSELF;
  }

  /** Discards all results: after a restart of the worker, their readers are gone. */
  #forgetResults(): void {
    this.#update((view) => {
      if (view.results.length === 0) return view;
      return withMessage({ ...view, results: [], shown: 'messages' }, GONE);
    });
  }

  #patchResult(id: number, patch: Partial<QueryResult>): void {
    this.#update((view) => ({
      ...view,
      results: view.results.map((result) => (result.id === id ? { ...result, ...patch } : result)),
    }));
  }

  #update(change: (view: QueryView) => QueryView): void {
    const view = change(this.#view);
    // A run that outlives its tab: anything it still delivers is released at once.
    if (this.#disposed) for (const { source } of view.results) source.close();
    this.useView.setState(this.#disposed ? EMPTY_VIEW : view, true);
  }
}
