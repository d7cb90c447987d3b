// Copies an editor's text into the tab (and so to disk) after a pause in typing.
import type { Text } from '@codemirror/state';
import type { TextTab } from './slices/tabs.ts';
import { beforeStateIsSaved } from './state-saving.ts';
import { updateTab, useStore } from './store.ts';

/** A short text is copied right after the key press is painted; building a string of megabytes must wait for a real pause. */
const pauseMs = (length: number): number => Math.min(2500, 30 + length / 400);

export class TabText {
  readonly #tabId: string;
  #doc: Text | null = null;
  readonly #forget: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tabId: string) {
    this.#tabId = tabId;
    this.#forget = beforeStateIsSaved(this.flush);
  }

  changed(doc: Text): void {
    this.#doc = doc;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.flush, pauseMs(doc.length));
  }

  readonly flush = (): void => {
    clearTimeout(this.#timer);
    const doc = this.#doc;
    if (!doc) return;
    this.#doc = null;
    const sql = doc.toString();
    const { tabs, closedTabs } = useStore.getState();
    if (tabs.some(({ id }) => id === this.#tabId)) return updateTab<TextTab>(this.#tabId, { sql });
    // If the tab was closed during the pause, reopening it must restore the last word too.
    useStore.setState({ closedTabs: closedTabs.map((tab) => (tab.id === this.#tabId ? { ...tab, sql } : tab)) });
  };

  dispose(): void {
    this.flush();
    this.#forget();
  }
}
