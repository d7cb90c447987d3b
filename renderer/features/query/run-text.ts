// The text of an SQL tab from the point of view of its runs: which part of it runs, and where an error is.
import type { AppError } from '#shared/protocol/index.ts';
import type { TextRange } from '#shared/split-statements.ts';
import { showProblem } from '../../editor/insight.ts';
import { goToOffset } from '../../editor/sql-editor.tsx';
import { statementAt, statementsOf } from '../../editor/statements.ts';
import type { TabEditor } from '../../workbench/text/tab-editor.ts';
import { offsetOfError } from './query-run.ts';

export class RunText {
  readonly #editor: TabEditor;

  constructor(editor: TabEditor) {
    this.#editor = editor;
  }

  goTo(offset: number): void {
    if (this.#editor.view) goToOffset(this.#editor.view, offset);
  }

  /** The selection, or the statement at the cursor. */
  placeHere(): TextRange {
    const { state } = this.#editor;
    const { main } = state.selection;
    if (!main.empty) return main;
    return statementAt(state.doc, statementsOf(state), main.head) ?? { from: 0, to: 0 };
  }

  /** @param base where the SQL that failed begins */
  markProblem(error: AppError, sql: string, base: number): void {
    const position = offsetOfError(error, sql, base);
    if (!position || !this.#editor.view) return;
    const { name } = error.detail ?? {};
    showProblem(this.#editor.view, {
      ...position,
      message: error.message,
      name: typeof name === 'string' ? name : null,
    });
  }
}
