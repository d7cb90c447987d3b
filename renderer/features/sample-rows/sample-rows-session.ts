// State of a tab that fills a table, which lives as long as the tab: sources of its columns, the preview, and the work itself.
import { create } from 'zustand';
import { toAppError, whatHappened } from '#shared/protocol/index.ts';
import type {
  HistoryStep,
  Progress,
  SampleColumn,
  SamplePlan,
  SamplePreview,
  SampleReply,
  SuggestedColumn,
} from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { isUndoable, newestOwnStep, undoStep } from '../../workbench/history/history.ts';
import { LatestCall } from '../../workbench/latest-call.ts';
import type { ShownWork } from '../../workbench/jobs.ts';
import type { SampleRowsTab } from '../../workbench/tabs/sample-rows.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { announce } from './outcome-labels.ts';

export interface SampleRowsView {
  readonly suggested: readonly SuggestedColumn[] | null;
  /** Why the table cannot be filled at all. */
  readonly failure: string | null;
  readonly preview: SamplePreview | null;
  readonly previewProblem: string | null;
  readonly running: ShownWork | null;
  readonly outcome: (SampleReply & { readonly step: HistoryStep | null; readonly isUndone: boolean }) | null;
  /** Why nothing was inserted. */
  readonly problem: string | null;
}

const PREVIEW_ROWS = 50;
const PREVIEW_AFTER_MS = 200;

export const sampleRowsSessionOf = tabSessions((tab: SampleRowsTab) => new SampleRowsSession(tab.id));

export class SampleRowsSession {
  readonly useView = create<SampleRowsView>(() => ({
    suggested: null,
    failure: null,
    preview: null,
    previewProblem: null,
    running: null,
    outcome: null,
    problem: null,
  }));
  readonly #tabId: string;
  readonly #waiver = new UndoWaiver();
  readonly #previews = new LatestCall();
  #previewTimer: ReturnType<typeof setTimeout> | undefined;
  #abort: AbortController | null = null;

  constructor(tabId: string) {
    this.#tabId = tabId;
  }

  /** Reads the table and the first rows: at the beginning, and again when the tab is shown again. */
  async refresh(): Promise<void> {
    const tab = this.#tab;
    // Work that outlives its tab gets here, too.
    if (!tab) return;
    const { database, table } = tab;
    try {
      const { columns } = await client.call('sampleRows.suggest', { database, table });
      this.useView.setState({ suggested: columns, failure: null });
      await this.#preview();
    } catch (thrown) {
      this.useView.setState({ failure: toAppError(thrown).message });
    }
  }

  set(change: Partial<Pick<SampleRowsTab, 'rows' | 'seed'>>): void {
    updateTab<SampleRowsTab>(this.#tabId, change);
    this.#previewSoon();
  }

  setColumn(column: SampleColumn): void {
    const { name, source, nullPercent } = column;
    const others = this.#tab.chosen.filter((other) => other.name !== name);
    updateTab<SampleRowsTab>(this.#tabId, { chosen: [...others, { name, source, nullPercent }] });
    this.#previewSoon();
  }

  reset(): void {
    updateTab<SampleRowsTab>(this.#tabId, { chosen: [] });
    this.#previewSoon();
  }

  async insert(): Promise<void> {
    if (this.#abort !== null) return;
    const { database } = this.#tab;
    const plan = this.#plan();
    const abort = new AbortController();
    this.#abort = abort;
    this.#stopPreview();
    const startedAtMs = performance.now();
    this.useView.setState({ problem: null, outcome: null, running: { startedAtMs, progress: null, stopping: false } });
    const onChunk = (progress: Progress): void => {
      const { running } = this.useView.getState();
      if (running) this.useView.setState({ running: { ...running, progress } });
    };
    try {
      const reply = await this.#waiver.run((params) =>
        client.call('sampleRows.insert', { database, plan, ...params }, { signal: abort.signal, onChunk }),
      );
      const step = isUndoable(database) ? await newestOwnStep(database) : null;
      this.useView.setState({ outcome: { ...reply, step, isUndone: false } });
      if (useStore.getState().activeTabId !== this.#tabId) announce(database, reply);
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      // `not-undoable`: the user has decided against it.
      if (code !== 'not-undoable') this.useView.setState({ problem: message });
    } finally {
      this.#abort = null;
      this.useView.setState({ running: null });
    }
    await this.refresh();
  }

  stop(): void {
    const { running } = this.useView.getState();
    if (running) this.useView.setState({ running: { ...running, stopping: true } });
    this.#abort?.abort();
  }

  async undo(): Promise<void> {
    const { outcome } = this.useView.getState();
    if (!outcome?.step) return;
    if (!(await undoStep(this.#tab.database, outcome.step))) return;
    this.useView.setState({ outcome: { ...outcome, isUndone: true } });
    await this.refresh();
  }

  /** Work that has begun continues: the status bar shows it. */
  dispose(): void {
    this.#stopPreview();
  }

  get #tab(): SampleRowsTab {
    return useStore.getState().tabs.find(({ id }) => id === this.#tabId) as SampleRowsTab;
  }

  #plan(): SamplePlan {
    const { table, rows, seed, chosen } = this.#tab;
    return { table, rows, seed, columns: chosenColumns(this.useView.getState().suggested ?? [], chosen) };
  }

  #previewSoon(): void {
    clearTimeout(this.#previewTimer);
    this.#previewTimer = setTimeout(() => void this.#preview(), PREVIEW_AFTER_MS);
  }

  #stopPreview(): void {
    clearTimeout(this.#previewTimer);
    this.#previews.stop();
  }

  async #preview(): Promise<void> {
    clearTimeout(this.#previewTimer);
    if (this.#abort !== null || this.#tab === undefined) return;
    const { database } = this.#tab;
    try {
      const params = { database, plan: this.#plan(), maxRows: PREVIEW_ROWS };
      const reply = await this.#previews.run((signal) => client.call('sampleRows.preview', params, { signal }));
      if (reply) this.useView.setState({ preview: reply.value, previewProblem: reply.value.problem });
    } catch (thrown) {
      this.useView.setState({ preview: null, previewProblem: whatHappened(toAppError(thrown)) });
    }
  }
}

/** The suggestions, replaced by the user's choices where there are any. */
export function chosenColumns(
  suggested: readonly SuggestedColumn[],
  chosen: readonly SampleColumn[],
): readonly SuggestedColumn[] {
  const byName = new Map(chosen.map((column) => [column.name, column]));
  return suggested.map((column) => ({ ...column, ...byName.get(column.name) }));
}
