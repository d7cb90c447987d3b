// Blinks the caret of a focused SQL text by a timer. CodeMirror's own blinking is an endless animation, for which the window draws every frame:
// 4 % of a core in software while nothing happens.
import type { Extension } from '@codemirror/state';
import { drawSelection, EditorView, ViewPlugin } from '@codemirror/view';
import type { PluginValue, ViewUpdate } from '@codemirror/view';

const HALF_MS = 600;
const LAYER = 'cm-cursorLayer';

class CaretBlink implements PluginValue {
  readonly #view: EditorView;
  #timer = 0;

  constructor(view: EditorView) {
    this.#view = view;
    this.#restart();
  }

  update({ docChanged, selectionSet, focusChanged }: ViewUpdate): void {
    if (docChanged || selectionSet || focusChanged) this.#restart();
  }

  destroy(): void {
    clearInterval(this.#timer);
  }

  /** The caret stays visible while it moves. */
  #restart(): void {
    clearInterval(this.#timer);
    this.#show(true);
    if (!this.#view.hasFocus || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let isShown = true;
    this.#timer = window.setInterval(() => this.#show((isShown = !isShown)), HALF_MS);
  }

  #show(isShown: boolean): void {
    const layer = this.#view.scrollDOM.querySelector<HTMLElement>(`:scope > .${LAYER}`);
    if (layer) layer.style.visibility = isShown ? '' : 'hidden';
  }
}

/** Selections and carets as CodeMirror draws them, the caret blinking by a timer. */
export const selectionAndCaret: Extension = [
  drawSelection({ cursorBlinkRate: 0 }),
  EditorView.theme({ [`&.cm-focused > .cm-scroller > .${LAYER}`]: { animation: 'none' } }),
  ViewPlugin.fromClass(CaretBlink),
];
