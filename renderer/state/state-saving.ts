// Who still holds something back when the window's state is saved says so here.

const endings = new Set<() => Promise<void>>();

/** `end` runs when the window is about to close, and holds that up for some seconds at most. */
export function beforeWindowCloses(end: () => Promise<void>): void {
  endings.add(end);
}

export async function endWork(): Promise<void> {
  await Promise.allSettled([...endings].map((end) => end()));
}

const flushes = new Set<() => void>();

/** `flush` runs before each saving that may be the last: blur, reload, closing, quitting. Answers the function that forgets it. */
export function beforeStateIsSaved(flush: () => void): () => void {
  flushes.add(flush);
  return () => void flushes.delete(flush);
}

export function flushState(): void {
  for (const flush of flushes) flush();
}
