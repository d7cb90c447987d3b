// State: short messages that appear and disappear at the edge of the window.
import type { StateCreator } from 'zustand';

export interface Notice {
  readonly id: number;
  readonly tone: 'info' | 'success' | 'warning' | 'error';
  readonly text: string;
  /** A newer notice with the same topic replaces it. */
  readonly topic?: string;
  readonly action?: { readonly label: string; run(): void };
}

export interface NoticesSlice {
  readonly notices: readonly Notice[];
  notify(notice: Omit<Notice, 'id'>): void;
  dismissNotice(id: number): void;
}

const SHOWN_AT_MOST = 5;
let nextId = 1;

export const createNoticesSlice: StateCreator<NoticesSlice, [], [], NoticesSlice> = (set) => ({
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
});
