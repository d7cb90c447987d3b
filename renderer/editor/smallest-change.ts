// Finds the smallest change of a text: one range, so that the cursor, folds, and the scroll position outside it stay.
import type { Text } from '@codemirror/state';

export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Null if nothing differs. Linear in the length of the texts. */
export function smallestChange(doc: Text, wanted: string): TextChange | null {
  const text = doc.toString();
  const shared = Math.min(text.length, wanted.length);
  let from = 0;
  while (from < shared && text.charCodeAt(from) === wanted.charCodeAt(from)) from++;
  if (from === text.length && from === wanted.length) return null;
  let end = 0;
  while (end < shared - from && text.charCodeAt(text.length - 1 - end) === wanted.charCodeAt(wanted.length - 1 - end))
    end++;
  return { from, to: text.length - end, insert: wanted.slice(from, wanted.length - end) };
}
