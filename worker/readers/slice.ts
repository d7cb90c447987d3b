// How long a reader works without a pause before it lets other work run.
import type { Turn } from '../sessions/session.ts';

/** Half a frame, the longest wait of a request that arrives in the meantime. */
const SLICE_MS = 8;

/** When this slice of work should pause. Call again after each pause. */
export function sliceEnd(turn: Turn, sliceMs = SLICE_MS): number {
  return Math.min(turn.deadlineMs, performance.now() + sliceMs);
}

/** Lets messages in before background work continues. A promise alone would not, because it resolves before they are delivered. */
export function yieldToOthers(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
