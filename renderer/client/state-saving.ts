// Who still holds something back when the window's state is saved says so here.

const flushes = new Set<() => void>();

/** `flush` runs before each saving that may be the last: blur, reload, closing, quitting. Answers the function that forgets it. */
export function beforeStateIsSaved(flush: () => void): () => void {
  flushes.add(flush);
  return () => void flushes.delete(flush);
}

export function flushState(): void {
  for (const flush of flushes) flush();
}
