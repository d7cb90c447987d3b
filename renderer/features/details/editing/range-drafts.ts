// Which long values are open part by part, the position in them, and the text typed in a part: kept by cell like other drafts.
import { createStore } from 'zustand/vanilla';
import type { CellRange } from '#shared/protocol/index.ts';

export interface RangeDraft {
  readonly tabId: string;
  readonly title: string;
  /** Offset in bytes. */
  readonly offset: number;
  readonly typed: { readonly text: string; readonly range: CellRange } | null;
}

export const rangeDrafts = createStore<{ readonly drafts: Readonly<Record<string, RangeDraft>> }>()(() => ({
  drafts: {},
}));

export const openRange = (name: string, tabId: string, title: string): void =>
  put(name, { tabId, title, offset: 0, typed: null });

/** @param offset where to go; the same part if it is missing */
export function typeInRange(name: string, typed: RangeDraft['typed'], offset?: number): void {
  const draft = rangeDrafts.getState().drafts[name];
  if (draft) put(name, { ...draft, typed, offset: offset ?? draft.offset });
}

export function closeRange(name: string): void {
  const { [name]: _closed, ...drafts } = rangeDrafts.getState().drafts;
  rangeDrafts.setState({ drafts });
}

const put = (name: string, draft: RangeDraft): void =>
  rangeDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [name]: draft } }));
