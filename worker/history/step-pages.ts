// The rows of the steps on screen. The window requests them a page at a time, most often of the same step.
import type { StepId } from '#shared/protocol/history.ts';
import { openRowLog } from '../engines/row-log/reader.ts';
import { DifferencePages } from './differences.ts';
import type { Timeline } from './timeline.ts';

export type Pages = Pick<DifferencePages, 'total' | 'page'>;

const NONE: Pages = { total: 0, page: () => ({ rows: [], total: 0 }) };

export class StepPages {
  #last: { readonly timeline: Timeline; readonly step: StepId; readonly pages: Pages } | null = null;

  /** @throws AppError `not-found` */
  of(timeline: Timeline, id: StepId): Pages {
    const step = timeline.step(id);
    // A history that starts over numbers its steps from 1 again.
    if (this.#last?.step !== id || this.#last.timeline !== timeline) {
      const log = step.kind === 'rows' ? timeline.store.undoLog(id) : null;
      const pages = log ? new DifferencePages(openRowLog(log), timeline.store.virtualTables(id)) : NONE;
      this.#last = { timeline, step: id, pages };
    }
    return this.#last.pages;
  }
}
