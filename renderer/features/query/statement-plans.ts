// How SQLite would run a statement of an SQL tab, and which indexes would help it.
import { toAppError } from '#shared/protocol/index.ts';
import type { ParameterValues } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { sourceRange } from '../../editor/scope/meaning.ts';
import { selectRange } from '../../editor/sql-editor.tsx';
import type { TabEditor } from '../../workbench/text/tab-editor.ts';
import type { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { IndexLabSession } from './index-lab/index-lab-session.ts';
import { messageOf, withMessage } from './query-run.ts';
import type { QueryView } from './query-view.ts';

/** The session whose statements these are. */
interface Owner {
  readonly database: string;
  readonly editor: TabEditor;
  readonly waiver: UndoWaiver;
  view(): QueryView;
  update(change: (view: QueryView) => QueryView): void;
  /** Null if values are missing, which the view then requests. */
  parametersOf(sql: string): ParameterValues | null;
}

export class StatementPlans {
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
