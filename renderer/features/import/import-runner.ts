// The import of a tab while it runs: its progress, Stop, its result, and the choices that are kept for the next file.
import { recipeOf } from '#shared/import/recipes.ts';
import { EDITS_GO_TO, toAppError, type DatabaseId, type ImportPlan } from '#shared/protocol/index.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import { endsWithWindow } from '../../state/unsaved-work.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { afterwards } from './first-view.ts';
import { importAgain, importInto, type MendedRows } from './import-run.ts';
import { announce } from './import-summary.ts';
import type { ImportView } from './import-view.ts';
import { keepRecipe } from './recipe-store.ts';

interface Owner {
  view(): ImportView;
  patch(part: Partial<ImportView>): void;
  factsRead(): void;
  /** The user has decided to import into this database instead. */
  goInto(database: DatabaseId): void;
}

export class ImportRunner {
  readonly #tabId: string;
  readonly #owner: Owner;
  readonly #waiver = new UndoWaiver();
  #abort: AbortController | null = null;

  constructor(tabId: string, owner: Owner) {
    this.#tabId = tabId;
    this.#owner = owner;
  }

  get isRunning(): boolean {
    return this.#abort !== null;
  }

  /** Never fails: what went wrong is shown in the tab, and in a message if another tab is in front. */
  async run(plan: ImportPlan): Promise<void> {
    const { target, fileName } = this.#owner.view();
    const ended = endsWithWindow(() => [`The import of ${fileName} is not finished.`]);
    const abort = new AbortController();
    this.#abort = abort;
    this.#owner.patch({
      problem: null,
      outcome: null,
      running: { startedAtMs: performance.now(), progress: null, stopping: false },
    });
    try {
      const outcome = await importInto(target, plan, {
        signal: abort.signal,
        waiver: this.#waiver,
        onProgress: (progress) => {
          const { running } = this.#owner.view();
          if (running) this.#owner.patch({ running: { ...running, progress } });
        },
        onAnalysis: (analysis) => {
          this.#owner.patch({ analysis: { state: 'done', analysis } });
          this.#owner.factsRead();
        },
      });
      this.#owner.patch({ outcome, target: afterwards(target, outcome) });
      await this.#keepRecipe({ ...target, database: outcome.database });
      if (!this.#isInFront()) announce(outcome);
    } catch (thrown) {
      const { code, message, detail } = toAppError(thrown);
      const copy = detail?.[EDITS_GO_TO];
      if (typeof copy === 'string') this.#owner.goInto(copy);
      this.#owner.patch({ problem: code === 'stopped' ? 'Stopped. Nothing was imported.' : message });
      if (!this.#isInFront()) notifyFailure(thrown);
    } finally {
      ended();
      this.#abort = null;
      this.#owner.patch({ running: null });
    }
  }

  stop(): void {
    const { running } = this.#owner.view();
    if (running && !running.stopping) this.#owner.patch({ running: { ...running, stopping: true } });
    this.#abort?.abort();
  }

  /** Imports rows that were corrected. @throws AppError */
  async again(rows: MendedRows): Promise<void> {
    const { outcome } = this.#owner.view();
    if (outcome) this.#owner.patch({ outcome: await importAgain(outcome, rows) });
  }

  noteUndone(): void {
    const { outcome } = this.#owner.view();
    if (outcome) this.#owner.patch({ outcome: { ...outcome, isUndone: true } });
  }

  /** The next file of this shape gets them with one click. Failing to save them does not mean that the import failed. */
  async #keepRecipe(target: ImportView['target']): Promise<void> {
    const { fileName, options, columns } = this.#owner.view();
    if (!options) return;
    await keepRecipe(recipeOf(fileName, { options, target, columns }, Date.now())).catch(() => undefined);
  }

  #isInFront(): boolean {
    return useStore.getState().activeTabId === this.#tabId;
  }
}
