// State that a window had no time to save before its page ended: the page itself keeps it, which takes effect at once, until the next start
// saves it.
import * as v from 'valibot';
import { remember, remembered } from './remembered.ts';

type Values = ReadonlyMap<string, string | null>;

const ENTRIES = v.array(v.tuple([v.string(), v.nullable(v.string())]));

const nameOf = (key: string): string => `sidelite:unsaved:${key}`;

/** @param key of the window's state, which begins the names of all `values` */
export function keepUnsaved(key: string, values: Values): void {
  const windowOnly = [...values].filter(([each]) => each === key);
  // Long texts may not fit: their tabs are restored without the last changes.
  if (values.size > 0 && !remember(nameOf(key), [...values])) remember(nameOf(key), windowOnly);
}

export function readUnsaved(key: string): Values {
  const kept = v.safeParse(ENTRIES, remembered(nameOf(key)));
  return new Map(kept.success ? kept.output.filter(([each]) => each === key || each.startsWith(`${key}:`)) : []);
}

export function forgetUnsaved(key: string): void {
  try {
    localStorage.removeItem(nameOf(key));
  } catch {
    // Nothing can be kept there either.
  }
}
