// Reports the progress of a request to its window.
import type { Progress } from '#shared/protocol/library.ts';

/** Reports are hints: a report is dropped when its port has no room or is closed. */
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
