import { forEachDiagnostic } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import type { TransactionSpec } from '@codemirror/state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SqlProblem } from './editor-host.ts';
import { askAgain, Insight, showProblem } from './insight.ts';

const PAUSE_MS = 400;

/** An engine that knows no name of the animals, and is free unless `hold` was called. */
class FakeEngine {
  checked: string[] = [];
  #free: Promise<void> = Promise.resolve();

  hold(): () => void {
    let letGo!: () => void;
    this.#free = new Promise((resolve) => (letGo = resolve));
    return letGo;
  }

  readonly whenFree = (): Promise<void> => this.#free;
  readonly check = async (sql: string): Promise<readonly SqlProblem[]> => {
    this.checked.push(sql);
    return [...sql.matchAll(/animul|nmae/g)].map(({ 0: name, index }) => ({
      from: index,
      to: index + name.length,
      message: `no such name: ${name}`,
      name,
    }));
  };
}

/** An editor without a page. */
class FakeView {
  state: EditorState;
  hasFocus = true;
  readonly #insight: Insight;

  constructor(text: string, engine: FakeEngine) {
    this.state = EditorState.create({ doc: text, selection: { anchor: text.length } });
    this.#insight = new Insight(this, engine);
  }

  readonly dispatch = (...specs: unknown[]): void => {
    const transaction = this.state.update(...(specs as TransactionSpec[]));
    this.state = transaction.state;
    this.#insight.update({ transactions: [transaction], state: this.state, docChanged: transaction.docChanged });
  };

  type(text: string, at = this.state.doc.length): void {
    this.dispatch({ changes: { from: at, insert: text }, selection: { anchor: at + text.length } });
  }

  destroy(): void {
    this.#insight.destroy();
  }

  get marked(): readonly string[] {
    const found: string[] = [];
    forEachDiagnostic(this.state, (_diagnostic, from, to) => found.push(this.state.sliceDoc(from, to)));
    return found;
  }
}

const pause = (): Promise<unknown> => vi.advanceTimersByTimeAsync(PAUSE_MS);

let engine: FakeEngine;
beforeEach(() => {
  vi.useFakeTimers();
  engine = new FakeEngine();
});
afterEach(() => void vi.useRealTimers());

test('an error is marked once typing pauses, but not the word that is being typed', async () => {
  const view = new FakeView('SELECT * FROM animul', engine);
  await pause();
  expect(view.marked).toEqual([]);
  view.type(';\nSELECT 1;');
  await vi.advanceTimersByTimeAsync(100);
  expect(view.marked).toEqual([]);
  await pause();
  expect(view.marked).toEqual(['animul']);
  expect(engine.checked).toHaveLength(2);
});

test('marks stay while something runs, and errors typed then are marked when it ends', async () => {
  const view = new FakeView('SELECT nmae FROM animal; ', engine);
  await pause();
  expect(view.marked).toEqual(['nmae']);
  const letGo = engine.hold();
  view.type('SELECT * FROM animul; ', 0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(view.marked).toEqual(['nmae']);
  expect(engine.checked).toHaveLength(1);
  letGo();
  await vi.advanceTimersByTimeAsync(0);
  expect(view.marked).toEqual(['animul', 'nmae']);
});

test('what was typed while something ran is asked for once, in its last form', async () => {
  const view = new FakeView('SELECT 1; ', engine);
  const letGo = engine.hold();
  await pause();
  view.type('a');
  await pause();
  view.type('b');
  await pause();
  letGo();
  await vi.advanceTimersByTimeAsync(0);
  expect(engine.checked).toEqual(['SELECT 1; ab']);
});

test('the mark of a run that failed stays until the text or the schema changes', async () => {
  const view = new FakeView('SELECT wrong; ', engine);
  await pause();
  showProblem(view, { from: 7, to: 7, message: 'failed', name: null });
  expect(view.marked).toEqual(['wrong']);
  await pause();
  expect(view.marked).toEqual(['wrong']);
  view.dispatch({ effects: askAgain.of(null) });
  await pause();
  expect(view.marked).toEqual([]);
});

test('nothing is asked for an editor that is gone', async () => {
  const view = new FakeView('SELECT nmae; ', engine);
  view.destroy();
  await pause();
  expect(engine.checked).toEqual([]);
});
