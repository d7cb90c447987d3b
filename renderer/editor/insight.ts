// Finds the statements of the text once typing pauses, and asks SQLite whether it can be prepared.
import { setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { StateEffect } from '@codemirror/state';
import type { Extension, Text } from '@codemirror/state';
import { ViewPlugin } from '@codemirror/view';
import type { EditorView, PluginValue, ViewUpdate } from '@codemirror/view';
import { splitStatements } from '#shared/split-statements.ts';
import type { TextRange } from '#shared/split-statements.ts';
import type { EditorHost, SqlProblem } from './editor-host.ts';
import { setStatements } from './statements.ts';

const PAUSE_MS = 350;
/** Beyond this much text, preparing it all at every pause is more than a hint is worth. */
const LONGEST_CHARS = 200_000;
const LONGEST_STATEMENT_CHARS = 20_000;

/** Asks again although the text is the same: the schema changed. */
export const askAgain = StateEffect.define<null>();

/** A run has failed and marked where: SQLite's answer that the text can be prepared takes nothing of that back. */
const runFailed = StateEffect.define<null>();

export function insight(host: EditorHost): Extension {
  return ViewPlugin.define((view) => new Insight(view, host));
}

/** The part of the view that it works on. */
type Marked = Pick<EditorView, 'state' | 'dispatch' | 'hasFocus'>;

/** Exported for its tests alone. */
export class Insight implements PluginValue {
  readonly #view: Marked;
  readonly #host: Pick<EditorHost, 'whenFree' | 'check'>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #destroyed = false;
  #failedDoc: Text | null = null;

  constructor(view: Marked, host: Pick<EditorHost, 'whenFree' | 'check'>) {
    this.#view = view;
    this.#host = host;
    this.#schedule();
  }

  update(update: Pick<ViewUpdate, 'transactions' | 'state' | 'docChanged'>): void {
    const asked = update.transactions.some((transaction) => transaction.effects.some((effect) => effect.is(askAgain)));
    const failed = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(runFailed)));
    if (failed || asked) this.#failedDoc = failed ? update.state.doc : null;
    if (update.docChanged || asked) this.#schedule();
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#view.state.doc.length <= LONGEST_CHARS) this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
  }

  async #ask(): Promise<void> {
    const { doc } = this.#view.state;
    const isOver = (): boolean => this.#destroyed || this.#view.state.doc !== doc;
    this.#view.dispatch({ effects: setStatements.of(splitStatements(doc.toString())) });
    // Marked problems stay marked in the meantime.
    await this.#host.whenFree();
    if (isOver()) return;
    const problems = await this.#host.check(doc.toString());
    if (isOver() || !problems || this.#failedDoc === doc) return;
    const shown = problems.filter((problem) => !this.#isBeingTyped(problem));
    const marks = shown.map((problem) => diagnostic(doc, problem));
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** A word half typed is no error yet. */
  #isBeingTyped({ from, to }: SqlProblem): boolean {
    if (!this.#view.hasFocus) return false;
    const { head } = this.#view.state.selection.main;
    return head >= from && head <= to;
  }
}

/** Marks the failure of a run, at once. */
export function showProblem(view: Marked, problem: SqlProblem): void {
  const marked = setDiagnostics(view.state, [diagnostic(view.state.doc, problem)]);
  view.dispatch(marked, { effects: runFailed.of(null) });
}

function diagnostic(doc: Text, problem: SqlProblem): Diagnostic {
  const { from, to } = narrowed(doc, problem);
  return { from, to, severity: 'error', message: problem.message };
}

/**
 * A problem at one point is drawn under the whole word there. For names that do not exist SQLite tells no place: then the
 * name it is about is looked for in the statement.
 */
function narrowed(doc: Text, { from, to, name }: SqlProblem): TextRange {
  const start = Math.min(from, Math.max(0, doc.length - 1));
  const text = doc.sliceString(start, Math.min(to, start + LONGEST_STATEMENT_CHARS));
  const at = name && text.length > name.length ? text.indexOf(name) : -1;
  if (name && at >= 0) return { from: start + at, to: start + at + name.length };
  const word = /^[\w$.]+/.exec(doc.sliceString(start, start + 128))?.[0].length ?? 1;
  return { from: start, to: Math.min(doc.length, Math.max(to, start + word)) };
}
