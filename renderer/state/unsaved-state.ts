// State that a window had no time to save before its page ended: the page itself keeps it, which takes effect at once, until the next start
// saves it.
import * as v from 'valibot';

type Values = ReadonlyMap<string, string | null>;

const ENTRIES = v.array(v.tuple([v.string(), v.nullable(v.string())]));

const nameOf = (key: string): string => `sidelite:unsaved:${key}`;

/** @param key of the window's state, which begins the names of all `values` */
export function keepUnsaved(key: string, values: Values): void {
  const windowOnly = [...values].filter(([each]) => each === key);
  // Long texts may not fit: their tabs are restored without the last changes.
  if (values.size > 0 && !store(key, [...values])) store(key, windowOnly);
}

function store(key: string, entries: readonly (readonly [string, string | null])[]): boolean {
  try {
    localStorage.setItem(nameOf(key), JSON.stringify(entries));
    return true;
  } catch {
    return false; // there is no room, or the browser forbids it
  }
}

export function readUnsaved(key: string): Values {
  try {
    const kept = v.safeParse(ENTRIES, JSON.parse(localStorage.getItem(nameOf(key)) ?? '[]'));
    return new Map(kept.success ? kept.output.filter(([each]) => each === key || each.startsWith(`${key}:`)) : []);
  } catch {
    return new Map();
  }
}

export function forgetUnsaved(key: string): void {
  try {
    localStorage.removeItem(nameOf(key));
  } catch {
    // Nothing can be kept there either.
  }
}
