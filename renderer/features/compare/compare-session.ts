// State of a Compare tab, which lives as long as the tab, shown or not: its text, its runs, and their results.
import { create } from 'zustand';
import { toAppError, type Progress } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import type { CompareTab } from '../../workbench/tabs/compare.ts';
import { notify } from '../../state/store.ts';
import { TabEditor } from '../../workbench/text/tab-editor.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { PLAIN_VIEW, type GridView } from '../../grid/layout/geometry.ts';
import { plural } from '../../ui/format.ts';
import { EMPTY_VIEW, type CompareView, type Comparison } from './compare-view.ts';
import { closeComparison, runComparison } from './run-compare.ts';
import { LEAST_RUNS, timeBoth, UNASKED_MS, type Timing } from './timing.ts';

export const compareSessionOf = tabSessions((tab: CompareTab) => new CompareSession(tab));

export class CompareSession {
  readonly editor: TabEditor;
  readonly useView = create<CompareView>(() => EMPTY_VIEW);
  readonly #database: string;
  readonly #stopListening: readonly (() => void)[];
  readonly #waiver = new UndoWaiver();
  readonly #gridViews = new Map<string, GridView>();
  #abort: AbortController | null = null;
  #timing: AbortController | null = null;
  #disposed = false;
  #isLooking = false;

  constructor(tab: CompareTab) {
    this.#database = tab.database;
    this.editor = new TabEditor(tab);
    this.#stopListening = [
      client.on('database.changed', ({ database }) => {
        if (database === this.#database) void this.#lookWhetherStale();
      }),
      client.onReconnected(() => this.#lostRows()),
    ];
  }

  show(statement: number): void {
    this.#patch({ shown: statement });
  }

  /** Arrangement of columns, for results with the same columns. */
  gridView(columns: string): GridView {
    return this.#gridViews.get(columns) ?? PLAIN_VIEW;
  }

  keepGridView(columns: string, view: GridView): void {
    this.#gridViews.set(columns, view);
  }

  /** The selection, or the whole text. */
  async compare(): Promise<void> {
    if (this.#view.running) return;
    this.editor.saveText();
    const { doc, selection } = this.editor.state;
    const { from, to } = selection.main.empty ? { from: 0, to: doc.length } : selection.main;
    const sql = doc.sliceString(from, to);
    if (sql.trim() === '') return this.#patch({ problem: 'There is no statement to compare. Write one above.' });
    await this.#asRun(async (options) => {
      const comparison = await runComparison({ database: this.#database, sql, offset: from }, options);
      if (this.#disposed) return closeComparison(comparison);
      this.#replace(comparison);
    });
    const { timing } = this.#view;
    if (timing?.state === 'waiting' && timing.estimateMs <= UNASKED_MS) void this.measure();
  }

  /** Warm runs, until there are enough. */
  async measure(): Promise<void> {
    const { comparison, timing } = this.#view;
    if (!comparison?.timed || !timing || timing.state === 'running') return;
    const abort = new AbortController();
    this.#timing = abort;
    const report = (part: Partial<Timing>): void => {
      const now = this.#view.timing;
      if (this.#timing === abort && now) this.#patch({ timing: { ...now, ...part } });
    };
    report({ state: 'running', warm: { wasm: [], native: [] }, why: null });
    try {
      await timeBoth(comparison.timed, comparison.sql, abort.signal, (warm) => report({ warm }));
      report({ state: 'done' });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      report({ state: 'stopped', why: code === 'stopped' ? null : message });
    }
  }

  /** Runs the text once more on the user's own database, and keeps what it writes there. */
  async keep(): Promise<void> {
    const { comparison } = this.#view;
    if (!comparison || this.#view.running) return;
    await this.#asRun(async ({ signal, onPhase }) => {
      onPhase('Running to keep the changes');
      const { rowsChanged, transactionOpen } = await this.#waiver.run((withoutUndo) =>
        client.call('query.run', { database: this.#database, sql: comparison.sql, ...withoutUndo }, { signal }),
      );
      const open = transactionOpen ? ' in the open transaction' : '';
      notify({
        tone: 'success',
        text: `${plural(rowsChanged, 'row')} changed${open}. The other engine gets a new copy with the next comparison.`,
      });
      this.#patch({ stale: true });
    });
  }

  stop(): void {
    const { running } = this.#view;
    if (running && !running.stopping) this.#patch({ running: { ...running, stopping: true } });
    this.#abort?.abort();
    this.#timing?.abort();
    if (!this.#disposed) this.editor.focus();
  }

  dispose(): void {
    this.#disposed = true;
    this.stop();
    this.editor.dispose();
    for (const stop of this.#stopListening) stop();
    if (this.#view.comparison) closeComparison(this.#view.comparison);
  }

  get #view(): CompareView {
    return this.useView.getState();
  }

  async #asRun(work: (options: Parameters<typeof runComparison>[1]) => Promise<void>): Promise<void> {
    this.#timing?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const startedAtMs = performance.now();
    const patch = (part: { title?: string; progress?: Progress | null }): void => {
      const { running } = this.#view;
      if (running) this.#patch({ running: { ...running, ...part } });
    };
    this.#patch({ problem: null, running: { title: 'Comparing', progress: null, startedAtMs, stopping: false } });
    try {
      await work({
        signal: abort.signal,
        onPhase: (title) => patch({ title, progress: null }),
        onProgress: (progress) => patch({ progress }),
      });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      this.#patch({ problem: code === 'stopped' ? 'Stopped. Nothing was changed.' : message });
    } finally {
      this.#patch({ running: null });
    }
  }

  #replace(comparison: Comparison): void {
    const former = this.#view.comparison;
    if (former) closeComparison(former);
    const different = comparison.pairs.findIndex(
      ({ wasm, native, rows }) =>
        wasm.kind === 'failed' || native.kind === 'failed' || (rows !== null && rows.verdict !== 'identical'),
    );
    const withRows = comparison.pairs.findIndex(({ rows }) => rows !== null);
    const shown = Math.max(0, different >= 0 ? different : withRows);
    this.#patch({ comparison, shown, stale: false, timing: timingOf(comparison) });
  }

  /** Rolled-back changes are reported too, but only committed ones count. */
  async #lookWhetherStale(): Promise<void> {
    const { comparison, running, stale } = this.#view;
    if (!comparison || running || stale || this.#isLooking) return;
    this.#isLooking = true;
    const now = await client.call('compare.mark', { database: this.#database }).catch(() => null);
    this.#isLooking = false;
    if (now && now.mark !== comparison.mark && this.#view.comparison === comparison) this.#patch({ stale: true });
  }

  /** A worker was restarted: its readers are gone. */
  #lostRows(): void {
    if (!this.#view.comparison) return;
    this.#timing?.abort();
    this.#patch({
      comparison: null,
      timing: null,
      problem: 'An engine was restarted, so the rows are lost. Compare again.',
    });
  }

  #patch(part: Partial<CompareView>): void {
    this.useView.setState(part);
  }
}

function timingOf({ runs, timed }: Comparison): Timing | null {
  const first = (run: Comparison['runs']['wasm']): number | null =>
    run.kind === 'ran' ? run.reply.statements.reduce((sum, { engineMs }) => sum + engineMs, 0) : null;
  const times = { wasm: first(runs.wasm), native: first(runs.native) };
  if (times.wasm === null && times.native === null) return null;
  return {
    first: times,
    warm: { wasm: [], native: [] },
    state: timed ? 'waiting' : 'done',
    estimateMs: ((times.wasm ?? 0) + (times.native ?? 0)) * LEAST_RUNS,
    why: timed ? null : 'Only what runs on both engines is timed.',
  };
}
