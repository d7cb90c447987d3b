// Callbacks that run before the window's state is saved, for code that still holds back changes.

const endings = new Set<() => Promise<void>>();

/** `end` runs when the window is about to close, and can delay closing for a few seconds at most. */
export function beforeWindowCloses(end: () => Promise<void>): void {
  endings.add(end);
}

export async function endWork(): Promise<void> {
  await Promise.allSettled([...endings].map((end) => end()));
  await Promise.allSettled(writes);
}

const writes = new Set<Promise<unknown>>();

/**
 * A window that is closed waits until `write` has ended, for a few seconds at most: the change is there when the window is opened again.
 */
export function delaysClosing<T>(write: Promise<T>): Promise<T> {
  const ended = write.finally(() => writes.delete(ended));
  writes.add(ended);
  return ended;
}

const flushes = new Set<() => void>();

/** `flush` runs before each save that may be the last: on blur, reload, closing, quitting. Returns a function that unregisters it. */
export function beforeStateIsSaved(flush: () => void): () => void {
  flushes.add(flush);
  return () => void flushes.delete(flush);
}

export function flushState(): void {
  for (const flush of flushes) flush();
}
