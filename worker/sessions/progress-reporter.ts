// Reports the progress of a request to its window.
import type { Progress } from '#shared/protocol/library.ts';

/** Reports are hints, each replaced by the next: a report is dropped when its port has no room or is closed. */
export function progressReporter<T = Progress>(emit: (report: T) => Promise<void>): (report: T) => void {
  let waiting = false;
  return (report) => {
    if (waiting) return;
    waiting = true;
    emit(report).then(
      () => (waiting = false),
      () => undefined,
    );
  };
}
