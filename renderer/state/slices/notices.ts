// State: short messages that appear and disappear at the edge of the window.
import type { StateCreator } from 'zustand';
import type { TabsSlice } from './tabs.ts';

export interface Notice {
  readonly id: number;
  readonly tone: 'info' | 'success' | 'warning' | 'error';
  readonly text: string;
  /** A newer notice with the same topic replaces it. */
  readonly topic?: string;
  readonly action?: NoticeAction;
  readonly secondAction?: NoticeAction;
  /** The tab that the message answers: the message goes with it. */
  readonly tabId?: string;
}

export interface NoticeAction {
  readonly label: string;
  run(): void;
}

export interface NoticesSlice {
  readonly notices: readonly Notice[];
  notify(notice: Omit<Notice, 'id'>): void;
  dismissNotice(id: number): void;
  /** For a message that is no longer true. */
  dismissTopic(topic: string): void;
}

const SHOWN_AT_MOST = 5;
let nextId = 1;

export const createNoticesSlice: StateCreator<NoticesSlice & TabsSlice, [], [], NoticesSlice> = (set, get, store) => {
  store.subscribe(({ tabs, notices }, before) => {
    if (tabs === before.tabs) return;
    const left = notices.filter(({ tabId }) => tabId === undefined || tabs.some(({ id }) => id === tabId));
    if (left.length < notices.length) set({ notices: left });
  });
  return {
    notices: [],
    notify: (notice) =>
      set(({ notices }) => {
        const others = notices.filter(
          ({ text, tone, topic }) =>
            (text !== notice.text || tone !== notice.tone) && (topic === undefined || topic !== notice.topic),
        );
        return { notices: [...others, { ...notice, id: nextId++ }].slice(-SHOWN_AT_MOST) };
      }),
    dismissNotice: (id) => set(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
    dismissTopic: (topic) => {
      const { notices } = get();
      if (notices.some((notice) => notice.topic === topic))
        set({ notices: notices.filter((notice) => notice.topic !== topic) });
    },
  };
};
