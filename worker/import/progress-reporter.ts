// Tells whoever waits for an import how far it is.
import type { Progress } from '#shared/protocol/library.ts';

/** Reports are hints: one that finds no room, or nobody, is dropped. */
export function progressReporter(emit: (progress: Progress) => Promise<void>): (progress: Progress) => void {
  let waiting = false;
  return (progress) => {
    if (waiting) return;
    waiting = true;
    emit(progress).then(
      () => (waiting = false),
      () => undefined,
    );
  };
}
