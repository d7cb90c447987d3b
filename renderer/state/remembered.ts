// Values that are remembered in every window, across restarts: the last choices in dialogs, the columns of tables, saved filters.

/** Undefined if nothing is kept under the name, or nothing that can be read. */
export function remembered(name: string, read: (text: string) => unknown = JSON.parse): unknown {
  try {
    const text = localStorage.getItem(name);
    return text === null ? undefined : read(text);
  } catch {
    return undefined;
  }
}

/** Returns whether there was room; otherwise what was kept before stays. */
export function remember(name: string, value: unknown, write: (value: unknown) => string = JSON.stringify): boolean {
  try {
    localStorage.setItem(name, write(value));
    return true;
  } catch {
    return false;
  }
}
